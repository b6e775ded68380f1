"""Reads of the graph for people and agents: handles to values, neighbours, history, successors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.stores.sqlite import rows
from memstrata.stores.sqlite.connection import fetch, fetch_each, reading
from memstrata.stores.sqlite.neighbourhood import each, evidence_when
from memstrata.stores.sqlite.scopes import group_keys, times_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memstrata.model import Entity, Episode, Placement, Version
    from memstrata.ports import Handle, Scope
    from memstrata.stores.sqlite.connection import Connections


class SqliteReader:
    """The reader's side of the graph."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, Version]:
        """The fact versions of those handles; unknown ones are absent."""
        with reading(self._connections.here()) as connection:
            found = fetch_each(connection, "versions", ((handle,) for handle in handles))
            return {
                row[0]: rows.version(row[1:], evidence_when(connection, row[16], row[15])) for row in found
            }

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        """The entities of those handles."""
        found = fetch_each(self._connections.here(), "entities_at", ((one,) for one in handles))
        return {row[0]: rows.entity(row[1:]) for row in found}

    def episodes_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Episode]:
        """The episodes of those handles, pending ones included."""
        found = fetch_each(self._connections.here(), "episodes_at", ((one,) for one in handles))
        return {row[0]: rows.episode(row[1:]) for row in found}

    def facts_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Handle, ...]:
        """Facts in scope with one of the entities as subject or object: latest valid time first."""
        found: set[tuple[int, int]] = set()
        with reading(self._connections.here()) as connection:
            for group_key in group_keys(connection, scope.groups):
                values = {"group_key": group_key, "limit": limit, **times_of(scope)}
                for text in set(entity_ids):
                    for name in ("facts_as_subject", "facts_as_object"):
                        found.update(fetch(connection, name, {**values, "text": text}))
        return tuple(handle for _, handle in sorted(found, reverse=True)[:limit])

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """The latest names of those entities, living or gone; literals and unknown ids are absent."""
        with reading(self._connections.here()) as connection:
            return dict(each(connection, "names_of", group_id, ((one,) for one in set(ids))))

    def history(self, group_id: str, fact_id: str) -> tuple[Version, ...]:
        """All versions of a fact, oldest first; () if there never was one."""
        with reading(self._connections.here()) as connection:
            found = each(connection, "history", group_id, [(fact_id,)])
            return tuple(rows.version(row, evidence_when(connection, row[15], row[14])) for row in found)

    def evidence(self, group_id: str, assertion_ids: Collection[str]) -> tuple[Placement, ...]:
        """The latest placement of each of those assertions (it names the episode and the quote)."""
        with reading(self._connections.here()) as connection:
            found = each(
                connection, "evidence_of", group_id, ((one,) for one in sorted(set(assertion_ids)))
            )
        return tuple(rows.placement(row) for row in found)

    def successors(self, group_id: str, old_id: str) -> tuple[str, ...]:
        """For an id of a fact or entity that is gone: the living ones that share its evidence or names.

        Sorted; () for an id that is living or was never there.
        """
        with reading(self._connections.here()) as connection:
            if each(connection, "living_fact", group_id, [(old_id,)]):
                return ()
            gone = each(connection, "last_expiry", group_id, [(old_id,)])
            if not gone:
                return tuple(
                    row[0] for row in each(connection, "entities_now_named", group_id, [(old_id,)])
                )
            expired_at, fact_id = gone[0]
            found = fetch(connection, "facts_resting_on", (fact_id, expired_at))
            return tuple(row[0] for row in found)
