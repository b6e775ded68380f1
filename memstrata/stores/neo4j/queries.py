"""Cypher for readers: the live schema of a group, and rows of a query that was made safe before."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

import neo4j
import neo4j.time
import orjson
from neo4j import exceptions, graph

from memstrata.errors import Fault
from memstrata.instants import format_instant
from memstrata.ports import GraphSchema, Kind, Property, QueryProblem, RelationMeaning, Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memstrata.model import Json
    from memstrata.stores.neo4j.connection import Connection

#: Properties that are the store's own bookkeeping, or vectors, which nobody reads.
HIDDEN: Final = (
    "words", "called", "handle", "passage", "awaits", "record", "token", "turn", "ingested", "body",
    "valid_from", "valid_until", "believed_from", "believed_until", "evidence_in", "evidence_changed",
    "embedding", "name_embedding", "fact_embedding", "group_id",
)  # fmt: skip
#: What the model has for each kind, whether the group has a value of it by now or not.
_OF_THE_MODEL: Final[Mapping[str, tuple[str, ...]]] = {
    "Entity": ("uuid", "name", "labels", "summary", "created_at", "type", "aliases"),
    "Episodic": (
        "uuid", "name", "content", "source", "source_description", "created_at", "valid_at", "saga",
        "entity_edges", "revision", "speaker_id", "speaker_name", "metadata",
    ),
    "Literal": ("text",),
    "RELATES_TO": (
        "uuid", "name", "fact", "episodes", "created_at", "expired_at", "valid_at", "invalid_at",
        "valid_at_precision", "invalid_at_precision", "reference_time", "confidence", "contested",
        "object_kind", "evidence", "source_node_uuid", "target_node_uuid",
    ),
    "MENTIONS": ("uuid", "created_at"),
    "HAS_EPISODE": ("uuid", "created_at"),
    "NEXT_EPISODE": ("uuid", "created_at"),
}  # fmt: skip
#: Labels of what stands beside the present.
_BESIDE: Final = (
    "Saga",
    "Community",
    "FactVersion",
    "EntityVersion",
    "EpisodicVersion",
    "Summary",
    "Procedure",
)
_SAMPLE: Final = 1_000
_SAMPLES: Final = 3
_SAMPLE_LENGTH: Final = 60
_PLACE: Final = re.compile(r"\s*\(line \d+, column \d+ \(offset: (\d+)\)\)")


class Neo4jQueries:
    """The schema, and queries that cannot write."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def schema(self, group_id: str) -> GraphSchema:
        """What the group holds now, without the store's own bookkeeping; relations without meanings."""
        sampling = {
            "group": group_id,
            "hidden": HIDDEN,
            "sample": _SAMPLE,
            "samples": _SAMPLES,
            "length": _SAMPLE_LENGTH,
        }
        of_labels = _properties(self._connection.fetch("queries/label_properties", **sampling))
        of_types = _properties(self._connection.fetch("queries/type_properties", **sampling))
        labels = self._connection.fetch("queries/labels", group=group_id)
        types = self._connection.fetch("queries/types", group=group_id)
        relations = self._connection.fetch("queries/relations", group=group_id)
        return GraphSchema(
            group_id=group_id,
            labels=tuple(
                Kind(name=row["label"], count=row["count"], properties=_of(row["label"], of_labels))
                for row in labels
            ),
            types=tuple(
                Kind(
                    name=row["type"],
                    count=row["count"],
                    properties=_of(row["type"], of_types),
                    joins=tuple((one, other) for one, other in row["joins"]),
                )
                for row in types
            ),
            relations=tuple(
                RelationMeaning(name=row["name"], count=row["count"], example=row["example"])
                for row in relations
            ),
        )

    def run_cypher(
        self, text: str, parameters: Mapping[str, Json], *, limit: int, seconds: float, size: int
    ) -> Rows:
        """Runs a query that was made safe before, in a transaction that cannot write.

        Nodes and relationships come as maps of their properties, without vectors; rows as long as together
        they have at most `size` bytes as JSON. Raises `QueryProblem`
        when the database refuses the query, `Fault` when it took longer or the server is away.
        """
        query = neo4j.Query(text, timeout=seconds)
        with self._connection.reading() as session:
            try:
                result = session.run(query, dict(parameters))
                columns = tuple(result.keys())
                found = (tuple(_plain(record[column]) for column in columns) for record in result)
                return _rows(columns, found, limit, size)
            except exceptions.ClientError as error:
                raise _refusal(error, seconds) from error


def _rows(columns: tuple[str, ...], found: Iterable[tuple[Json, ...]], limit: int, size: int) -> Rows:
    """Whole rows within both bounds; no more of them is read than it takes to see that there are more."""
    rows: list[tuple[Json, ...]] = []
    for row in found:
        size -= len(orjson.dumps(row, default=str))
        if size < 0 or len(rows) == limit:
            is_too_large = len(rows) < limit
            return Rows(columns=columns, rows=tuple(rows), is_cut=True, is_too_large=is_too_large)
        rows.append(row)
    return Rows(columns=columns, rows=tuple(rows))


def _properties(rows: Iterable[neo4j.Record]) -> Mapping[str, tuple[Property, ...]]:
    found: dict[str, tuple[Property, ...]] = defaultdict(tuple)
    for row in rows:
        types = sorted({one.removesuffix(" NOT NULL") for one in row["types"]})
        found[row["kind"]] += (
            Property(
                name=row["key"], types=tuple(types), count=row["count"], samples=tuple(row["samples"])
            ),
        )
    return found


def _of(kind: str, found: Mapping[str, tuple[Property, ...]]) -> tuple[Property, ...]:
    """The properties that were found of a kind, then those that the model has besides.

    A label that is none of ours is an entity's type.
    """
    known = {one.name for one in found[kind]}
    model = _OF_THE_MODEL.get(kind, () if kind in _BESIDE else _OF_THE_MODEL["Entity"])
    return found[kind] + tuple(
        Property(name=name, types=(), count=0) for name in model if name not in known
    )


def _refusal(error: exceptions.ClientError, seconds: float) -> Exception:
    if "TransactionTimedOut" in (error.code or ""):
        return Fault(
            f"the query took longer than {seconds:g} s and was ended; ask for less: start from a named "
            "entity, bound variable-length paths, or add LIMIT"
        )
    message = (error.message or str(error)).split("\n", maxsplit=1)[0]
    place = _PLACE.search(error.message or "")
    return QueryProblem(_PLACE.sub("", message), int(place[1]) if place else None)


def _plain(value: Any) -> Json:
    """A value of the driver as JSON has it."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case graph.Node() | graph.Relationship():
            return _shown(value)
        case graph.Path():
            between = zip(value.relationships, value.nodes[1:], strict=True)
            return _plain([value.nodes[0], *(one for step in between for one in step)])
        case list() | tuple():
            return [_plain(one) for one in value]
        case dict():
            return {str(key): _plain(one) for key, one in value.items() if key not in HIDDEN}
    return _as_text(value)


def _as_text(value: Any) -> str:
    """Times as on the wire, other values of the database (durations, points) as it writes them."""
    if isinstance(value, neo4j.time.DateTime) and value.tzinfo is not None:
        return format_instant(value.to_native().astimezone(UTC))
    return str(value.iso_format()) if hasattr(value, "iso_format") else str(value)


def _shown(entity: graph.Node | graph.Relationship) -> dict[str, Json]:
    kind: dict[str, Json] = (
        {"labels": sorted(entity.labels)} if isinstance(entity, graph.Node) else {"type": entity.type}
    )
    return kind | {key: _plain(value) for key, value in sorted(entity.items()) if key not in HIDDEN}
