"""Fact triples, JSON or JSON Lines: what somebody already knows to be a fact, so that no model is needed.

A triple's fields are those of `triples.py`; beside them stand `reference_time`, `group` (or `group_id`),
`id` (the source's own), `episode_id` (the caller's key), `saga`, and flat `subject_type`, `object_type`.
Anything else is kept as metadata.
"""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from memstrata.errors import Misplaced, nearest
from memstrata.instants import Precision
from memstrata.intake.json_text import dump, kind_of
from memstrata.intake.sources import values
from memstrata.intake.times import NotATime
from memstrata.intake.triples import FIELDS, check_triple, triple_of
from memstrata.model import Draft, SourceType, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from memstrata.intake.formats import Input
    from memstrata.intake.json_text import Value
    from memstrata.intake.notes import Place
    from memstrata.intake.sources import Sample
    from memstrata.model import Json

NAME: Final = "fact_triples"
_AROUND: Final = (
    "reference_time", "group", "group_id", "id", "episode_id", "saga", "subject_type", "object_type",
    "metadata",
)  # fmt: skip
_KNOWN: Final = frozenset((*FIELDS, *_AROUND))


def recognises(sample: Sample) -> bool:
    """Whether an object has a subject and a predicate."""
    return sample.has("subject", "predicate")


def read(given: Input) -> Iterator[tuple[Place, Draft]]:
    """One `fact_triple` draft an object."""
    for at, value in values(given.source, given.sample, given.notes):
        if isinstance(value, list):
            items = [(at.within(f"[{index}]"), item) for index, item in enumerate(value)]
        else:
            items = [(at, value)]
        for place, item in items:
            try:
                yield place, _draft(item, given)
            except Misplaced as fault:
                given.notes.refuse(fault if fault.file is not None else place.locate(fault))


def _draft(item: Value, given: Input) -> Draft:
    if not isinstance(item, dict):
        raise Misplaced(f"a triple must be an object, is {kind_of(item)}")
    triple = triple_of(_with_types(item), read_time=given.times.read)
    at_time, time_source, precision = _reference_time(item, given)
    check_triple(triple, reference_time=at_time)
    name = given.source.path.name
    metadata: dict[str, Json] = {"format": NAME, "file": name}
    if precision is not Precision.INSTANT:
        metadata["reference_time_precision"] = precision.value
    if not item.keys() <= _KNOWN:
        metadata["record"] = _unknown(item, given)
    if item.get("metadata") is not None:
        metadata["record"] = {**_object(item, "metadata"), **_unknown(item, given)}
    return Draft(
        group_id=_text(item, "group") or _text(item, "group_id") or given.options.group_id,
        source=given.options.source or name,
        source_type=SourceType.FACT_TRIPLE,
        content=dump(triple.wire()),
        reference_time=at_time,
        time_source=time_source,
        episode_id=_text(item, "episode_id"),
        saga=_text(item, "saga") or given.options.saga,
        native_id=_text(item, "id"),
        metadata=metadata,
    )


def _reference_time(item: dict[str, Value], given: Input) -> tuple[datetime, TimeSource, Precision]:
    value = item.get("reference_time")
    if value is not None:
        try:
            stated = given.times.read(value)
        except NotATime as error:
            raise Misplaced(str(error), field="reference_time") from None
        return stated.at, TimeSource.OWN, stated.precision
    if given.options.reference_time is None:
        raise Misplaced(
            "missing, and no option gives one", field="reference_time", mend="pass --reference-time"
        )
    return given.options.reference_time.astimezone(UTC), TimeSource.OPTION, Precision.INSTANT


def _with_types(item: dict[str, Value]) -> dict[str, Value]:
    """The triple with flat types moved into its ends, and a number or a truth value as a literal object."""
    end = item.get("object")
    if isinstance(end, (int, float)):
        item = {**item, "object": {"literal": dump(end)}}
    for side in ("subject", "object"):
        given_type, name = item.get(f"{side}_type"), item.get(side)
        if given_type is not None and isinstance(name, str):
            item = {**item, side: {"name": name, "type": given_type}}
    return item


def _unknown(item: dict[str, Value], given: Input) -> dict[str, Json]:
    """The fields that say nothing here; each is reported once, for it may be a slip of the pen."""
    unknown: dict[str, Json] = {key: value for key, value in item.items() if key not in _KNOWN}
    for key in unknown:
        near = nearest(key, _KNOWN)
        hint = f"; did you mean {near!r}?" if near else ""
        given.notes.warn_once(f"field {key}", f"unknown field {key!r} is kept as metadata{hint}")
    return unknown


def _object(item: dict[str, Value], key: str) -> dict[str, Value]:
    value = item[key]
    if not isinstance(value, dict):
        raise Misplaced(f"must be an object, is {kind_of(value)}", field=key)
    return value


def _text(item: dict[str, Value], key: str) -> str | None:
    value = item.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise Misplaced(f"must be a non-empty string, is {kind_of(value)}", field=key)
    return str(value)
