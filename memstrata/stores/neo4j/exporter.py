"""Whole reads of a group, each of one state of the graph, put into the order of the wire here.

Neo4j orders text by UTF-16, the wire by code points, so the server's order would not do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.bitemporal import version_order, wire_order
from memstrata.ports import Counts
from memstrata.stores.neo4j import rows
from memstrata.stores.records import ALWAYS, OPEN, micros_or

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from memstrata.model import Entity, Fact, Placement, Version
    from memstrata.stores.neo4j.connection import Connection


class Neo4jExporter:
    """Whole reads, for exports, checks and consolidation; each gives one state in a fixed order."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def counts(self) -> tuple[Counts, ...]:
        """One entry a group, sorted by group."""
        found = self._connection.fetch("group_counts", open=OPEN)
        waiting = {one["id"]: one["waiting"] for one in self._connection.fetch("facts_awaiting")}
        counted = [
            Counts(
                group_id=one["id"],
                last_seq=one["last_seq"],
                episodes=one["episodes"],
                pending_episodes=one["pending_episodes"],
                entities=one["entities"],
                facts=one["related"] + one["contested"],
                versions=one["related"] + one["contested"] + one["ended"],
                placements=one["placements"],
                facts_without_vector=waiting.get(one["id"], 0),
            )
            for one in found
        ]
        return tuple(sorted(counted, key=lambda one: one.group_id))

    def all_facts(self, group_id: str) -> Iterator[Fact]:
        """The current facts, in the order of the fold's wire format."""
        found = self._connection.fetch("all_facts", group=group_id, open=OPEN)
        yield from sorted((rows.fact(record["fact"]) for record in found), key=wire_order)

    def all_versions(self, group_id: str) -> Iterator[Version]:
        """Every version in wire order; evidence is that of the last belief in which the version stood."""
        found = self._connection.fetch("all_versions", group=group_id)
        yield from sorted((rows.version(record["fact"]) for record in found), key=version_order)

    def all_entities(self, group_id: str) -> Iterator[Entity]:
        """The current entities, by id."""
        found = self._connection.fetch("all_entities", group=group_id)
        entities = (rows.entity(record["entity"]) for record in found)
        yield from sorted(entities, key=lambda one: one.entity_id)

    def versions_after(
        self, group_id: str, after: tuple[str, datetime] | None, *, limit: int
    ) -> tuple[Version, ...]:
        """At most `limit` versions by fact id, then oldest belief first, those after (id, `created_at`)."""
        fact_id, since = after or ("", None)
        found = self._connection.fetch(
            "versions_after", group=group_id, id=fact_id, since=micros_or(since, ALWAYS), limit=limit
        )
        versions = (rows.version(record["fact"]) for record in found)
        return tuple(sorted(versions, key=lambda one: (one.fact.id, one.created_at))[:limit])

    def entities_after(self, group_id: str, after: str, *, limit: int) -> tuple[Entity, ...]:
        """At most `limit` current entities by id, those after that id."""
        found = self._connection.fetch("entities_after", group=group_id, id=after, limit=limit)
        return tuple(rows.entity(record["entity"]) for record in found)

    def all_placements(self, group_id: str) -> Iterator[Placement]:
        """Every placement, live and retracted, by (id, recorded_at)."""
        found = self._connection.fetch("all_placements", group=group_id)
        placements = (rows.placement(record["placement"]) for record in found)
        yield from sorted(placements, key=lambda one: (one.id, one.recorded_at))

    def entities_since(self, group_id: str, instant: datetime | None) -> tuple[str, ...]:
        """Ids of entities whose facts or evidence changed after that system instant, sorted."""
        since = micros_or(instant, ALWAYS)
        found = self._connection.fetch("entities_since", group=group_id, since=since, open=OPEN)
        return tuple(sorted(record["id"] for record in found))
