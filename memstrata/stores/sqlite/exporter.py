"""Whole reads of a group, each over a connection of its own, so that a slow reader hinders nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memstrata.ports import Counts
from memstrata.stores import records
from memstrata.stores.sqlite import rows
from memstrata.stores.sqlite.connection import connect, fetch, reading, statement
from memstrata.stores.sqlite.neighbourhood import evidence_when

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    import apsw

    from memstrata.model import Entity, Fact, Placement, Version
    from memstrata.stores.sqlite.connection import Connections


class SqliteExporter:
    """Whole reads, for exports, checks and consolidation; each streams one state in a fixed order."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def counts(self) -> tuple[Counts, ...]:
        """One entry a group, sorted by group."""
        found = fetch(self._connections.here(), "group_counts")
        return tuple(
            Counts(
                group_id=group_id,
                last_seq=last_seq,
                episodes=episodes,
                pending_episodes=pending,
                entities=entities,
                facts=facts,
                versions=versions,
                placements=placements,
                facts_without_vector=without_vector,
            )
            for (
                group_id,
                last_seq,
                episodes,
                pending,
                entities,
                facts,
                versions,
                placements,
                without_vector,
            ) in found
        )

    def all_facts(self, group_id: str) -> Iterator[Fact]:
        """The current facts, in the order of the fold's wire format."""
        for connection, row in self._stream("all_facts", group_id):
            yield rows.fact(row, evidence_when(connection, row[15], records.OPEN))

    def all_versions(self, group_id: str) -> Iterator[Version]:
        """Every version in wire order; evidence is that of the last belief in which the version stood."""
        for connection, row in self._stream("all_versions", group_id):
            yield rows.version(row, evidence_when(connection, row[15], row[14]))

    def all_entities(self, group_id: str) -> Iterator[Entity]:
        """The current entities, by id."""
        for _, row in self._stream("all_entities", group_id):
            yield rows.entity(row)

    def versions_after(
        self, group_id: str, after: tuple[str, datetime] | None, *, limit: int
    ) -> tuple[Version, ...]:
        """At most `limit` versions by fact id, then oldest belief first, those after (id, `created_at`)."""
        fact_id, since = after or ("", None)
        wanted = (fact_id, records.micros_or(since, records.ALWAYS), limit)
        with reading(self._connections.here()) as connection:
            group = fetch(connection, "group", (group_id,))
            found = fetch(connection, "versions_after", (group[0][0], *wanted)) if group else []
            return tuple(rows.version(row, evidence_when(connection, row[15], row[14])) for row in found)

    def entities_after(self, group_id: str, after: str, *, limit: int) -> tuple[Entity, ...]:
        """At most `limit` current entities by id, those after that id."""
        with reading(self._connections.here()) as connection:
            group = fetch(connection, "group", (group_id,))
            found = fetch(connection, "entities_after", (group[0][0], after, limit)) if group else []
        return tuple(rows.entity(row) for row in found)

    def all_placements(self, group_id: str) -> Iterator[Placement]:
        """Every placement, live and retracted, by (id, recorded_at)."""
        for _, row in self._stream("all_placements", group_id):
            yield rows.placement(row)

    def entities_since(self, group_id: str, instant: datetime | None) -> tuple[str, ...]:
        """Ids of entities whose facts or evidence changed after that system instant, sorted."""
        connection = self._connections.here()
        group = fetch(connection, "group", (group_id,))
        if not group:
            return ()
        since = records.micros_or(instant, records.ALWAYS)
        return tuple(row[0] for row in fetch(connection, "entities_since", (group[0][0], since)))

    def _stream(self, name: str, group_id: str) -> Iterator[tuple[apsw.Connection, Any]]:
        connection = connect(self._connections.path)
        try:
            connection.execute("BEGIN")
            group = fetch(connection, "group", (group_id,))
            if group:
                for row in connection.execute(statement(name), (group[0][0],)):
                    yield connection, row
        finally:
            connection.close(force=True)
