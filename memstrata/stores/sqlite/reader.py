"""Reads of the graph for people and agents: handles to values, neighbours, history, successors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.ports import Edge
from memstrata.stores.sqlite import rows, scopes
from memstrata.stores.sqlite.connection import fetch, fetch_each, integers, reading
from memstrata.stores.sqlite.neighbourhood import each

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from memstrata.model import Entity, Episode, Placement
    from memstrata.ports import Handle, NamedVersion, Scope
    from memstrata.stores.sqlite.connection import Connections


class SqliteReader:
    """The reader's side of the graph."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def groups(self) -> tuple[str, ...]:
        """Every group that has commits or pending episodes, sorted."""
        return tuple(row[0] for row in fetch(self._connections.here(), "names_of_groups"))

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, NamedVersion]:
        """The fact versions of those handles, with names; unknown handles are absent."""
        wanted = integers(_rows_of(handles))
        found = [] if wanted is None else fetch(self._connections.here(), "versions", (wanted,))
        return {row[0]: rows.named_version(row[1:]) for row in found}

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        """The entities of those handles."""
        found = fetch_each(self._connections.here(), "entities_at", ((one,) for one in handles))
        return {row[0]: rows.entity(row[1:]) for row in found}

    def episodes_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Episode]:
        """The episodes of those handles, pending ones included."""
        found = fetch_each(self._connections.here(), "episodes_at", ((one,) for one in handles))
        return {row[0]: rows.episode(row[1:]) for row in found}

    def edges_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Edge, ...]:
        """Facts in scope with one of the entities as subject or object, latest valid time first.

        At most `limit` an entity, its latest; what two of them share comes once.
        """
        edges: dict[tuple[int, int], Edge] = {}
        with reading(self._connections.here()) as connection:
            for group_id, group_key in scopes.groups_in(connection, scope.groups):
                values = {"group_key": group_key, "limit": limit, **scopes.times_of(scope)}
                for text in sorted(set(entity_ids)):
                    found = {
                        (row[0], row[1]): row
                        for name in ("facts_as_subject", "facts_as_object")
                        for row in fetch(connection, name, {**values, "text": text})
                    }
                    for key in sorted(found, reverse=True)[:limit]:
                        edges[key] = _edge(found[key], group_id)
        return tuple(edges[key] for key in sorted(edges, reverse=True))

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """The latest names of those entities, living or gone; literals and unknown ids are absent."""
        with reading(self._connections.here()) as connection:
            return dict(each(connection, "names_of", group_id, ((one,) for one in set(ids))))

    def history(self, group_id: str, fact_id: str) -> tuple[NamedVersion, ...]:
        """All versions of a fact, oldest first; () if there never was one."""
        with reading(self._connections.here()) as connection:
            found = each(connection, "history", group_id, [(fact_id,)])
        return tuple(rows.named_version(row[1:]) for row in found)

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


def _edge(row: Sequence[Any], group_id: str) -> Edge:
    valid_at, handle, subject, object_, leads_on = row
    return Edge(
        handle=handle,
        group_id=group_id,
        subject=subject,
        object=object_,
        leads_on=bool(leads_on),
        valid_at=rows.instant_or_none(valid_at),
    )


def _rows_of(handles: Sequence[Handle]) -> Iterator[int]:
    """The handles that this store may have given."""
    return (handle for handle in handles if isinstance(handle, int))
