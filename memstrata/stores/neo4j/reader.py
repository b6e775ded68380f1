"""Reads of the graph for people and agents: handles to values, neighbours, history, changes, successors."""

from __future__ import annotations

from collections import defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memstrata.model import ObjectKind
from memstrata.ports import Beside, NamedVersion, Subject, Vocabulary
from memstrata.stores.neo4j import rows, scopes
from memstrata.stores.neo4j.connection import UNFILTERED
from memstrata.stores.records import ALWAYS, OPEN, instant_of, micros, micros_or

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Entity, Episode, Placement
    from memstrata.ports import Edge, Handle, Scope
    from memstrata.stores.neo4j.connection import Connection
    from memstrata.stores.neo4j.rows import Row

_NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


class Neo4jReader:
    """See `ports.GraphReader`; each read is one statement; two where something is gone, or has no name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def groups(self) -> tuple[str, ...]:
        """Every group that has commits or pending episodes, sorted."""
        return tuple(sorted(row["group"] for row in self._connection.fetch("all_groups")))

    def vocabulary(self, groups: Sequence[str]) -> Vocabulary:
        """What filters can name in those groups now. It looks at everything: it is for messages."""
        found = {
            row["kind"]: tuple(sorted(row["found"]))
            for row in self._connection.fetch("reading/vocabulary", groups=list(groups), open=OPEN)
        }
        return Vocabulary(
            types=found.get("type", ()),
            relations=found.get("relation", ()),
            sources=found.get("source", ()),
            speakers=found.get("speaker", ()),
            properties=found.get("property", ()),
        )

    def beginnings(self, group_id: str) -> tuple[datetime, datetime] | None:
        """The first and the last instant at which a fact believed now begins; contested ones aside.

        It looks at every fact of the group.
        """
        ((first, last),) = self._connection.fetch(
            "reading/beginnings", group=group_id, always=ALWAYS, open=OPEN
        )
        return None if first is None else (instant_of(first), instant_of(last))

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, NamedVersion]:
        """The fact versions of those handles, with names; unknown handles are absent."""
        if not handles:
            return {}
        ((found,),) = self._connection.fetch("reading/versions", asked={"handles": list(handles)})
        nameless: dict[str, set[str]] = defaultdict(set)
        for row in found:
            nameless[row["fact"]["group_id"]].update(_nameless(row))
        gone = {group: self.names_of(group, ids) for group, ids in nameless.items() if ids}
        return {row["handle"]: _named(row, gone.get(row["fact"]["group_id"], {})) for row in found}

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        """The entities of those handles."""
        if not handles:
            return {}
        found = self._connection.fetch("reading/entities_at", asked={"handles": list(handles)})
        return {row["handle"]: rows.entity(row["entity"]) for row in found}

    def episodes_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Episode]:
        """The episodes of those handles, pending ones included."""
        if not handles:
            return {}
        found = self._connection.fetch("reading/episodes_at", asked={"handles": list(handles)})
        return {row["handle"]: rows.episode(row["episode"]) for row in found}

    def beside(self, handles: Sequence[Handle], scope: Scope) -> Mapping[Handle, Beside]:
        """The neighbours of those episodes in their sagas, as they stand in scope (filters aside)."""
        if not handles:
            return {}
        found = self._connection.fetch(
            "reading/beside",
            handles=list(handles),
            groups=list(scope.groups),
            **scopes.times_of(scope),
        )
        return {
            row["handle"]: Beside() if row["pending"] else Beside(before=row["before"], after=row["after"])
            for row in found
        }

    def edges_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Edge, ...]:
        """Facts in scope with one of the entities as subject or object, latest valid time first.

        At most `limit` an entity, its latest; what two of them share comes once. Ties by handle.
        """
        if not entity_ids or not scope.groups:
            return ()
        name = "reading/edges_about" if scopes.is_present(scope) else "reading/edges_about_ever"
        ((edges,),) = self._connection.fetch(
            name if scope.filters else f"{name}{UNFILTERED}",
            asked={
                "ids": list(dict.fromkeys(entity_ids)),
                "groups": list(dict.fromkeys(scope.groups)),
                "limit": limit,
                **scopes.times_of(scope),
                **scopes.filters_of(Subject.FACT, scope.filters),
            },
        )
        return rows.edges(edges)

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """The latest names of those entities, living or gone; literals and unknown ids are absent."""
        found = self._connection.fetch("reading/names_of", group=group_id, ids=list(ids)) if ids else ()
        return {row["id"]: row["name"] for row in found}

    def mention_counts(self, group_id: str, entity_ids: Collection[str]) -> Mapping[str, int]:
        """In how many current episodes each of those entities is mentioned; 0 for unknown ones."""
        if not entity_ids:
            return {}
        found = self._connection.fetch("reading/mention_counts", group=group_id, ids=list(entity_ids))
        return {row["id"]: row["mentioned"] for row in found}

    def history(self, group_id: str, fact_id: str) -> tuple[NamedVersion, ...]:
        """All versions of a fact, oldest first; () if there never was one."""
        return tuple(map(_named, self._connection.fetch("reading/history", group=group_id, id=fact_id)))

    def versions_between(
        self,
        group_id: str,
        after: datetime,
        until: datetime | None,
        *,
        about: Collection[str] | None = None,
        limit: int,
    ) -> tuple[NamedVersion, ...]:
        """The versions that began or ended in system time `(after, until]`, by that instant and fact id."""
        found = self._connection.fetch(
            "reading/versions_between",
            group=group_id,
            after=micros(after),
            until=micros_or(until, OPEN - 1),
            about=None if about is None else list(about),
            limit=limit,
        )
        return tuple(map(_named, found))

    def evidence(self, group_id: str, assertion_ids: Collection[str]) -> tuple[Placement, ...]:
        """The latest placement of each of those assertions (it names the episode and the quote)."""
        ids = list(dict.fromkeys(assertion_ids))
        found = self._connection.fetch("reading/evidence", group=group_id, ids=ids) if ids else ()
        return tuple(rows.placement(row["placement"]) for row in found)

    def successors(self, group_id: str, old_id: str) -> tuple[str, ...]:
        """For an id of a fact or entity that is gone: the living ones that share its evidence or names.

        Sorted; () for an id that is living or was never there.
        """
        (state,) = self._connection.fetch("reading/is_living", group=group_id, id=old_id, open=OPEN)
        if state["living"]:
            return ()
        if state["evidence"] is None:
            found = self._connection.fetch("reading/entities_now_named", group=group_id, id=old_id)
        else:
            found = self._connection.fetch(
                "reading/facts_resting_on", group=group_id, evidence=state["evidence"], open=OPEN
            )
        return tuple(sorted(row["id"] for row in found))


def _nameless(row: Row) -> Iterator[str]:
    """The ids of a version's ends for which no entity stands."""
    if row["subject"] is None:
        yield row["fact"]["source_node_uuid"]
    if row["object"] is None and row["fact"]["object_kind"] == ObjectKind.ENTITY:
        yield row["fact"]["target_node_uuid"]


def _named(row: Row, gone: Mapping[str, str] = _NOBODY) -> NamedVersion:
    """A version with the names of its row, else of what is gone, else its ids."""
    version = rows.version(row["fact"])
    fact = version.fact
    is_literal = fact.object_kind is ObjectKind.LITERAL
    return NamedVersion(
        version=version,
        subject=row["subject"] or gone.get(fact.subject) or fact.subject,
        object=row["object"] or (None if is_literal else gone.get(fact.object)) or fact.object,
    )
