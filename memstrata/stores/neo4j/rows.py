"""Between the model's values and what nodes and relationships hold.

Values come as maps of the properties that the statements project; the names are those of
docs/decisions/0008-the-graph-in-neo4j.md, which also says what the sentinels of open ends are for.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

from memstrata.instants import Precision, StatedTime
from memstrata.model import Entity, Fact, Kind, ObjectKind, Placement, Version
from memstrata.ports import Edge
from memstrata.stores import records
from memstrata.stores.records import ALWAYS, OPEN, instant_of, instant_or_none, micros, micros_or

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Episode

    Row = Mapping[str, Any]

# A dict is a third of the cost of an enumeration's own look-up.
_KINDS: Final = {member.value: member for member in Kind}
_OBJECT_KINDS: Final = {member.value: member for member in ObjectKind}
_PRECISIONS: Final = {member.value: member for member in Precision}

#: Neo4j indexes at most about 8 kB of one entry; whatever may be longer is found by a digest.
_LONGEST_KEY: Final = 1_000
_LABEL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
#: Labels that mean something in the graph: no type of an entity may take one.
RESERVED_LABELS: Final = frozenset(
    {
        "Community",
        "Entity",
        "EntityVersion",
        "Episodic",
        "EpisodicVersion",
        "FactVersion",
        "Group",
        "Literal",
        "Memstrata",
        "Mention",
        "Name",
        "NameKey",
        "Passage",
        "PassageVersion",
        "PendingEpisode",
        "Placement",
        "PlacementVersion",
        "Procedure",
        "Saga",
        "Summary",
        "Unnamed",
    }
)


def key_of(text: str) -> str:
    """The text itself, or a digest where it is too long for an index."""
    if len(text) <= _LONGEST_KEY // 4 or len(text.encode("utf-8", "surrogatepass")) <= _LONGEST_KEY:
        return text
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def labels_of(type_: str | None) -> list[str]:
    """The second label of an entity, by its type: none for a type that is no plain identifier."""
    fits = type_ is not None and _LABEL.fullmatch(type_) and type_ not in RESERVED_LABELS
    return [type_] if fits and type_ is not None else []


def turn_of(episode: Episode) -> str:
    """Text that sorts as the turns of a saga: position (none last), reference time, then id."""
    position = "~" if episode.position is None else f"{episode.position + OPEN:020d}"
    at = micros(episode.reference_time) + OPEN
    # Neo4j orders text by UTF-16; the digits of UTF-8 sort as Python sorts text.
    name = episode.episode_id.encode("utf-8", "surrogatepass")[: _LONGEST_KEY // 2].hex()
    return f"{position}.{at:020d}.{name}"


def episode(row: Row) -> Episode:
    """From `{.group_id, .uuid, .revision, .valid_from, .content_hash, .content, .record}`."""
    return records.episode(
        (
            row["group_id"],
            row["uuid"],
            row["revision"],
            row["valid_from"],
            row["content_hash"],
            row["content"],
            row["record"],
        )
    )


def entity(row: Row) -> Entity:
    """From `{.group_id, .uuid, .name, .type, .aliases}`."""
    return Entity(
        entity_id=row["uuid"],
        group_id=row["group_id"],
        name=row["name"],
        type=row["type"],
        aliases=tuple(row["aliases"]),
    )


def _precision(name: str | None) -> Precision | None:
    return None if name is None else _PRECISIONS[name]


def fact(row: Row) -> Fact:
    """From the properties that `facts_on.cypher` projects."""
    return Fact(
        id=row["uuid"],
        group_id=row["group_id"],
        subject=row["source_node_uuid"],
        predicate=row["name"],
        object=row["target_node_uuid"] if row["object"] is None else row["object"],
        fact=row["fact"],
        valid_at=instant_or_none(row["valid_from"]),
        valid_at_precision=_precision(row["valid_at_precision"]),
        invalid_at=instant_or_none(row["valid_until"]),
        invalid_at_precision=_precision(row["invalid_at_precision"]),
        evidence=tuple(row["evidence"]),
        contested=row["contested"],
        confidence=row["confidence"],
        object_kind=_OBJECT_KINDS[row["object_kind"]],
    )


def version(row: Row) -> Version:
    """As `fact`, with `.believed_from` and `.believed_until`."""
    return Version(
        fact=fact(row),
        created_at=instant_of(row["believed_from"]),
        expired_at=instant_or_none(row["believed_until"]),
    )


def since_epoch(instant: datetime) -> tuple[int, int]:
    """Seconds and nanoseconds since 1970, of which a statement makes a date and time.

    The driver takes 20 to 50 microseconds for each that it is to make itself.
    """
    seconds, rest = divmod(micros(instant), 1_000_000)
    return seconds, 1000 * rest


def fact_properties(one: Fact, now: int) -> dict[str, Any]:
    """What a fact's relationship or node holds from the fact itself, for the statements that add facts."""
    key = key_of(one.object)
    precisions = (one.valid_at_precision, one.invalid_at_precision)
    return {
        "uuid": one.id,
        "group_id": one.group_id,
        "source_node_uuid": one.subject,
        "target_node_uuid": key,
        "object": None if key == one.object else one.object,
        "name": one.predicate,
        "fact": one.fact,
        "valid_at": None if one.valid_at is None else since_epoch(one.valid_at),
        "invalid_at": None if one.invalid_at is None else since_epoch(one.invalid_at),
        "valid_at_precision": None if precisions[0] is None else precisions[0].value,
        "invalid_at_precision": None if precisions[1] is None else precisions[1].value,
        "confidence": float(one.confidence),
        "contested": one.contested,
        "object_kind": one.object_kind.value,
        "valid_from": micros_or(one.valid_at, ALWAYS),
        "valid_until": micros_or(one.invalid_at, OPEN),
        "believed_from": now,
        "believed_until": OPEN,
    }


def edges(found: Iterable[Sequence[Any]]) -> tuple[Edge, ...]:
    """Edges as lists: a record each would take the driver longer than the server takes to find them."""
    return tuple(
        Edge(
            handle=handle,
            group_id=group,
            subject=subject,
            object=object_,
            leads_on=leads_on,
            valid_at=instant_or_none(valid_from),
        )
        for handle, group, subject, object_, leads_on, valid_from in found
    )


def placement(row: Row) -> Placement:
    """From all properties of a placement's node."""
    get = row.get
    return Placement(
        id=row["id"],
        group_id=row["group_id"],
        episode_id=row["episode_id"],
        subject=row["subject"],
        predicate=row["predicate"],
        object=get("object_text", row["object"]),
        fact=row["fact"],
        kind=_KINDS[row["kind"]],
        reference_time=instant_of(row["reference_time"]),
        recorded_at=instant_of(row["recorded_at"]),
        retracted_at=instant_or_none(row["retracted_at"]),
        valid_at=_stated(row, "valid_at"),
        invalid_at=_stated(row, "invalid_at"),
        confidence=row["confidence"],
        object_kind=_OBJECT_KINDS[row["object_kind"]],
        subject_mention=get("subject_mention"),
        object_mention=get("object_mention"),
        quote=row["quote"],
    )


def _stated(row: Row, name: str) -> StatedTime | None:
    at = row.get(name)
    return None if at is None else StatedTime(instant_of(at), _PRECISIONS[row[f"{name}_precision"]])


def placement_properties(one: Placement) -> dict[str, Any]:
    """What a placement's node holds."""
    key = key_of(one.object)
    return {
        "id": one.id,
        "group_id": one.group_id,
        "episode_id": one.episode_id,
        "subject": one.subject,
        "predicate": one.predicate,
        "object": key,
        "object_text": None if key == one.object else one.object,
        "object_kind": one.object_kind.value,
        "fact": one.fact,
        "kind": one.kind.value,
        "reference_time": micros(one.reference_time),
        "recorded_at": micros(one.recorded_at),
        "retracted_at": micros_or(one.retracted_at, OPEN),
        **_stated_properties("valid_at", one.valid_at),
        **_stated_properties("invalid_at", one.invalid_at),
        "confidence": float(one.confidence),
        "subject_mention": one.subject_mention,
        "object_mention": one.object_mention,
        "quote": one.quote,
    }


def _stated_properties(name: str, stated: StatedTime | None) -> dict[str, Any]:
    if stated is None:
        return {}
    return {name: micros(stated.at), f"{name}_precision": stated.precision.value}
