"""Reads of the graph for people and agents: handles to values, neighbours, history, successors."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from memstrata.ports import Edge, Scope, Subject, Vocabulary
from memstrata.stores import records
from memstrata.stores.sqlite import rows, scopes
from memstrata.stores.sqlite.connection import fetch, integers, reading, texts
from memstrata.stores.sqlite.filtering import Sieve
from memstrata.stores.sqlite.neighbourhood import each, together

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    import apsw

    from memstrata.model import Entity, Episode, Placement
    from memstrata.ports import Handle, NamedVersion
    from memstrata.stores.sqlite.connection import Connections

    #: Of a fact: valid time, handle, the terms of subject and object, whether the object is an entity.
    _Row = tuple[int, int, int, int, int]
    _Keyed = tuple[tuple[int, int], Edge]

_KNOWN = ("types", "relations", "sources", "speakers", "metadata")


class SqliteReader:
    """The reader's side of the graph."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def groups(self) -> tuple[str, ...]:
        """Every group that has commits or pending episodes, sorted."""
        return tuple(row[0] for row in fetch(self._connections.here(), "names_of_groups"))

    def vocabulary(self, groups: Sequence[str]) -> Vocabulary:
        """What filters can name in those groups now, pending episodes included."""
        known: dict[str, set[str]] = {name: set() for name in _KNOWN}
        with reading(self._connections.here()) as connection:
            for place in scopes.places(connection, Scope(groups=tuple(groups))):
                for name, texts_ in known.items():
                    texts_.update(row[0] for row in fetch(connection, f"known_{name}", (place.key,)))
                properties = fetch(connection, "known_properties", (place.key,))
                known["metadata"].update(row[0] for row in properties)
        return Vocabulary(
            types=tuple(sorted(known["types"])),
            relations=tuple(sorted(known["relations"])),
            sources=tuple(sorted(known["sources"])),
            speakers=tuple(sorted(known["speakers"])),
            properties=tuple(sorted(known["metadata"])),
        )

    def beginnings(self, group_id: str) -> tuple[datetime, datetime] | None:
        """The first and the last instant at which a fact believed now begins; contested ones aside."""
        with reading(self._connections.here()) as connection:
            group = fetch(connection, "group", (group_id,))
            found = fetch(connection, "beginnings", (group[0][0],)) if group else []
        if not found or found[0][0] is None:
            return None
        return records.instant_of(found[0][0]), records.instant_of(found[0][1])

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, NamedVersion]:
        """The fact versions of those handles, with names; unknown handles are absent."""
        wanted = integers(scopes.rows_of(handles))
        found = [] if wanted is None else fetch(self._connections.here(), "versions", (wanted,))
        return {row[0]: rows.named_version(row[1:]) for row in found}

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        """The entities of those handles."""
        return {row[0]: rows.entity(row[1:]) for row in self._at("entities_at", handles)}

    def episodes_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Episode]:
        """The episodes of those handles, pending ones included."""
        return {row[0]: records.episode(row[1:]) for row in self._at("episodes_at", handles)}

    def _at(self, name: str, handles: Sequence[Handle]) -> list[Any]:
        some = integers(scopes.rows_of(handles))
        return [] if some is None else fetch(self._connections.here(), name, {"some": some})

    def edges_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Edge, ...]:
        """Facts in scope with one of the entities as subject or object, latest valid time first.

        At most `limit` an entity, its latest; what two of them share comes once.
        """
        ends = texts(sorted(set(entity_ids)))
        if ends is None:
            return ()
        edges: dict[tuple[int, int], Edge] = {}
        with reading(self._connections.here()) as connection:
            for place in scopes.places(connection, scope):
                sieve = Sieve(connection, Subject.FACT, place.group_id, scope)
                values = {
                    "ends": ends,
                    "group_key": place.key,
                    "limit": -1 if scope.filters else limit,
                    **scopes.times_of(scope),
                }
                latest = _latest(_about(connection, values), sieve, limit=limit)
                edges.update(_edges(connection, latest, place.group_id))
        return tuple(edges[key] for key in sorted(edges, reverse=True))

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """The latest names of those entities, living or gone; literals and unknown ids are absent."""
        with reading(self._connections.here()) as connection:
            return dict(each(connection, "names_of", group_id, ((one,) for one in set(ids))))

    def mention_counts(self, group_id: str, entity_ids: Collection[str]) -> Mapping[str, int]:
        """In how many current episodes each of those entities is mentioned; 0 for unknown ones."""
        with reading(self._connections.here()) as connection:
            found = together(connection, "mention_counts", group_id, sorted(set(entity_ids)))
        return {**dict.fromkeys(entity_ids, 0), **dict(found)}

    def history(self, group_id: str, fact_id: str) -> tuple[NamedVersion, ...]:
        """All versions of a fact, oldest first; () if there never was one."""
        with reading(self._connections.here()) as connection:
            found = each(connection, "history", group_id, [(fact_id,)])
        return tuple(rows.named_version(row[1:]) for row in found)

    def versions_between(
        self,
        group_id: str,
        after: datetime,
        until: datetime | None,
        *,
        about: Collection[str] | None = None,
        limit: int,
    ) -> tuple[NamedVersion, ...]:
        """The versions that began or ended in system time `(after, until]`, by that instant, then fact id.

        See `ports.GraphReader`.
        """
        some = None if about is None else texts(sorted(set(about)))
        if about is not None and some is None:
            return ()
        name = "versions_between" if about is None else "versions_between_about"
        with reading(self._connections.here()) as connection:
            group = fetch(connection, "group", (group_id,))
            if not group:
                return ()
            values = {
                "group_key": group[0][0],
                "after": records.micros(after),
                "until": records.micros_or(until, records.OPEN - 1),
                "about": some,
                "limit": limit,
            }
            found = fetch(connection, name, values)
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


def _about(connection: apsw.Connection, values: Mapping[str, Any]) -> Mapping[int, set[_Row]]:
    """The facts of each entity, by its term."""
    found: defaultdict[int, set[_Row]] = defaultdict(set)
    for name in ("facts_as_subject", "facts_as_object"):
        for row in fetch(connection, name, values):
            found[row[0]].add(row[1:])
    return found


def _latest(about: Mapping[int, set[_Row]], sieve: Sieve, *, limit: int) -> set[_Row]:
    """Of each entity the latest facts that pass."""
    passing = sieve.passing(row[1] for found in about.values() for row in found)
    latest: set[_Row] = set()
    for found in about.values():
        through = [row for row in found if row[1] in passing]
        latest.update(through if len(through) <= limit else sorted(through, reverse=True)[:limit])
    return latest


def _edges(connection: apsw.Connection, found: Collection[_Row], group_id: str) -> Iterator[_Keyed]:
    """The edges by (valid time, handle)."""
    terms = integers(sorted({term for row in found for term in row[2:4]}))
    ids = {} if terms is None else dict(fetch(connection, "texts_of_terms", (terms,)))
    for valid_at, handle, subject, object_, leads_on in found:
        edge = Edge(
            handle=handle,
            group_id=group_id,
            subject=ids[subject],
            object=ids[object_],
            leads_on=bool(leads_on),
            valid_at=records.instant_or_none(valid_at),
        )
        yield (valid_at, handle), edge
