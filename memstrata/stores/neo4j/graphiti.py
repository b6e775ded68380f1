"""Reading a graph that Graphiti wrote, or anything else with its labels and properties."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from memstrata.errors import Incorrect
from memstrata.instants import parse_instant
from memstrata.intake.graphiti import Edge, GraphitiGraph, Node, Turn
from memstrata.stores.neo4j.connection import Connection

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


def read_graphiti(uri: str, user: str, password: str, *, group_id: str) -> GraphitiGraph:
    """Everything that a group of the Graphiti graph at that address holds.

    Raises `Incorrect` for a group without nodes and episodes, with the groups there are; and as
    `Connection` does.
    """
    connection = Connection(uri, user, password)
    try:
        return _read(connection, group_id)
    finally:
        connection.close()


def _read(connection: Connection, group_id: str) -> GraphitiGraph:
    graph = GraphitiGraph(
        group_id=group_id,
        nodes=tuple(
            Node(uuid=row["uuid"], name=row["name"] or "", labels=tuple(row["labels"]))
            for row in connection.stream("graphiti/nodes", group=group_id)
        ),
        edges=tuple(_edge(row.data()) for row in connection.stream("graphiti/edges", group=group_id)),
        turns=tuple(_turn(row.data()) for row in connection.stream("graphiti/episodes", group=group_id)),
        others={
            row["label"]: row["count"]
            for row in connection.fetch("graphiti/others", group=group_id)
            if row["count"]
        },
    )
    if not graph.nodes and not graph.turns:
        there = [str(row["group_id"]) for row in connection.fetch("graphiti/groups")]
        raise Incorrect(
            f"the graph at {connection.uri} has nothing in group {group_id!r}; it has the groups: "
            f"{', '.join(there) or 'none'}"
        )
    return graph


def _edge(row: Mapping[str, Any]) -> Edge:
    return Edge(
        uuid=row["uuid"],
        source=row["source"],
        target=row["target"],
        name=row["name"] or "",
        fact=row["fact"] or "",
        created_at=_required(row["created_at"], f"edge {row['uuid']}"),
        episodes=tuple(row["episodes"]),
        valid_at=_instant(row["valid_at"]),
        invalid_at=_instant(row["invalid_at"]),
        expired_at=_instant(row["expired_at"]),
        reference_time=_instant(row["reference_time"]),
    )


def _turn(row: Mapping[str, Any]) -> Turn:
    return Turn(
        uuid=row["uuid"],
        name=row["name"],
        content=row["content"],
        source=row["source"] or "text",
        source_description=row["source_description"],
        created_at=_required(row["created_at"], f"episode {row['uuid']}"),
        valid_at=_instant(row["valid_at"]),
        saga=row["saga"],
        mentions=tuple(sorted(row["mentions"])),
    )


def _required(value: object, what: str) -> datetime:
    instant = _instant(value)
    if instant is None:
        raise Incorrect(f"{what} has no created_at; without it nobody knows when it was believed")
    return instant


def _instant(value: Any) -> datetime | None:
    """A time as Neo4j has it (nanoseconds, zones by name) or as text; without an offset it is UTC."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return parse_instant(value)
    native: datetime = value.to_native() if hasattr(value, "to_native") else value
    return native.replace(tzinfo=UTC) if native.tzinfo is None else native.astimezone(UTC)
