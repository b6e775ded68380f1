"""Between the model's values and what a row holds; what every store writes alike is `stores.records`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from memstrata.instants import Precision, StatedTime
from memstrata.model import (
    Entity,
    Fact,
    Kind,
    ObjectKind,
    Placement,
    Version,
)
from memstrata.ports import NamedVersion
from memstrata.stores.records import instant_of, instant_or_none, micros

if TYPE_CHECKING:
    from collections.abc import Sequence

# A dict is a third of the cost of an enumeration's own look-up.
_KINDS: Final = {member.value: member for member in Kind}
_OBJECT_KINDS: Final = {member.value: member for member in ObjectKind}
_PRECISIONS: Final = {member.value: member for member in Precision}


def dumped(value: object) -> str:
    """Compact JSON."""
    return orjson.dumps(value).decode()


def entity(row: Sequence[Any]) -> Entity:
    """From (group id, entity id, name, type, aliases)."""
    group_id, entity_id, name, kind, aliases = row
    return Entity(
        entity_id=entity_id, group_id=group_id, name=name, type=kind, aliases=tuple(orjson.loads(aliases))
    )


def stated_fields(stated: StatedTime | None) -> tuple[int | None, str | None]:
    """A stated time as its two columns."""
    return (None, None) if stated is None else (micros(stated.at), stated.precision.value)


def _stated(at: int | None, precision: str | None) -> StatedTime | None:
    return None if at is None or precision is None else StatedTime(instant_of(at), _PRECISIONS[precision])


def placement(row: Sequence[Any]) -> Placement:
    """From the columns of `sql/placement_columns.sql`."""
    return Placement(
        group_id=row[0],
        id=row[1],
        episode_id=row[2],
        subject=row[3],
        predicate=row[4],
        object=row[5],
        recorded_at=instant_of(row[6]),
        retracted_at=instant_or_none(row[7]),
        subject_mention=row[8],
        object_mention=row[9],
        kind=_KINDS[row[10]],
        reference_time=instant_of(row[11]),
        valid_at=_stated(row[12], row[13]),
        invalid_at=_stated(row[14], row[15]),
        confidence=row[16],
        object_kind=_OBJECT_KINDS[row[17]],
        fact=row[18],
        quote=row[19],
    )


def _precision(name: str | None) -> Precision | None:
    return None if name is None else _PRECISIONS[name]


def fact(row: Sequence[Any], evidence: Sequence[str]) -> Fact:
    """From the columns that `facts_on.sql` and its like begin with, and the evidence, sorted."""
    return Fact(
        group_id=row[0],
        id=row[1],
        subject=row[2],
        predicate=row[3],
        object=row[4],
        valid_at=instant_or_none(row[5]),
        invalid_at=instant_or_none(row[6]),
        valid_at_precision=_precision(row[7]),
        invalid_at_precision=_precision(row[8]),
        contested=bool(row[9]),
        confidence=row[10],
        object_kind=_OBJECT_KINDS[row[11]],
        fact=row[12],
        evidence=tuple(evidence),
    )


def version(row: Sequence[Any], evidence: Sequence[str]) -> Version:
    """As `fact`, with (created at, expired at) in the two columns after the fact's."""
    return Version(
        fact=fact(row, evidence), created_at=instant_of(row[13]), expired_at=instant_or_none(row[14])
    )


def named_version(row: Sequence[Any]) -> NamedVersion:
    """As `version`, with the evidence as JSON and the names of subject and object in the next columns."""
    return NamedVersion(
        version=version(row, sorted(orjson.loads(row[15]))), subject=row[16], object=row[17]
    )
