"""Reads of the present belief around what a commit touches, each one statement in one round trip."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memstrata.ports import KnownName
from memstrata.stores import records
from memstrata.stores.neo4j import rows
from memstrata.stores.records import OPEN, instant_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    import neo4j

    from memstrata.bitemporal import Key
    from memstrata.model import Entity, Episode, Fact, Mention, Placement
    from memstrata.stores.neo4j.connection import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A name as its node holds it."""

    signature_id: str
    keys: Sequence[str]
    entity_id: str
    first_at: int
    first_mention: str
    first_episode: str
    mentions: int
    example: str

    def known(self, group_id: str) -> KnownName:
        """The name as the port gives it."""
        return KnownName(
            signature_id=self.signature_id,
            keys=tuple(self.keys),
            entity_id=self.entity_id,
            first=(instant_of(self.first_at), self.first_mention),
            first_episode=self.first_episode,
            count=self.mentions,
            recall=_recall(self.example, group_id),
        )


def _recall(example: str, group_id: str) -> Callable[[], Mention]:
    return lambda: records.mention(example, group_id)


class Neo4jNeighbourhood:
    """What a commit reads before it writes. Results are complete, in no order."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def placements_of(self, group_id: str, episode_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements of those episodes."""
        return self._placements("placements_of", group_id, ids=sorted(set(episode_ids)))

    def placements_on(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements of those (group, subject, predicate) keys."""
        return self._placements("placements_on", group_id, keys=_within(group_id, keys))

    def placements_toward(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements whose *object* is the key's subject, with the key's predicate."""
        wanted = [[rows.key_of(subject), predicate] for subject, predicate in _within(group_id, keys)]
        return self._placements("placements_toward", group_id, keys=wanted)

    def placements_naming(self, group_id: str, signature_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements whose subject or object mention has one of those signatures."""
        return self._placements("placements_naming", group_id, ids=sorted(set(signature_ids)))

    def placements_saying(self, group_id: str, predicates: Collection[str] | None) -> tuple[Placement, ...]:
        """The live placements of those predicates; of all, for None."""
        if predicates is None:
            found = self._connection.fetch("live_placements", group=group_id)
            return tuple(rows.placement(record["placement"]) for record in found)
        return self._placements("placements_saying", group_id, ids=sorted(set(predicates)))

    def facts_on(self, group_id: str, keys: Collection[Key]) -> tuple[Fact, ...]:
        """The current facts of those keys, evidence included."""
        found = self._asked("facts_on", group_id, keys=_within(group_id, keys))
        return tuple(rows.fact(record["fact"]) for record in found)

    def names_under(
        self, group_id: str, keys: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names with live mentions that are indexed under one of the keys.

        `first` and `count` are as if the episodes `without` were not there; names that live in those
        alone are left out.
        """
        return self._names("names_under", group_id, {rows.key_of(key) for key in keys}, without)

    def names_signed(
        self, group_id: str, signature_ids: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names of those signatures with live mentions; `without` as in `names_under`."""
        return self._names("names_signed", group_id, signature_ids, without)

    def names_standing_for(self, group_id: str, entity_ids: Collection[str]) -> tuple[KnownName, ...]:
        """The known names with live mentions that stand for one of those entities now."""
        return self._names("names_standing_for", group_id, entity_ids, ())

    def names_for(self, group_id: str, mentions: Collection[tuple[str, str]]) -> Mapping[str, KnownName]:
        """The known name of each of those (episode id, mention id), by mention id; gone ones are absent."""
        found = self._asked("names_for", group_id, rows=[list(one) for one in sorted(set(mentions))])
        return {record["mention"]: _Name(**record["name"]).known(group_id) for record in found}

    def names_in(self, group_id: str, episode_ids: Collection[str]) -> tuple[tuple[KnownName, int], ...]:
        """The known names with live mentions in those episodes, and how many each has there."""
        found = self._asked("names_in", group_id, ids=sorted(set(episode_ids)))
        return tuple((_Name(**record["name"]).known(group_id), record["times"]) for record in found)

    def entities(self, group_id: str, entity_ids: Collection[str]) -> tuple[Entity, ...]:
        """The current entities of those ids."""
        found = self._asked("entities", group_id, ids=sorted(set(entity_ids)))
        return tuple(rows.entity(record["entity"]) for record in found)

    def turns_around(
        self, group_id: str, placed: Collection[Episode], leaving: Collection[str], *, reach: int
    ) -> tuple[Episode, ...]:
        """The committed episodes near those that come or go, in the same sagas.

        For each of `placed`, where it will stand, and each of `leaving` (episode ids), where it stands:
        the nearest `reach` turns before and after, both sets not counted; and the `leaving` and the
        stored revisions of the `placed` themselves.
        """
        ids = sorted({episode.episode_id for episode in placed} | set(leaving))
        there = self._asked("committed_episodes", group_id, ids=ids)
        places = {(record["saga"], record["turn"]) for record in there if record["saga"] is not None}
        places |= {(rows.key_of(one.saga), rows.turn_of(one)) for one in placed if one.saga is not None}
        around: list[neo4j.Record] = []
        if places:
            around = self._connection.fetch(
                "turns_around",
                group=group_id,
                places=[list(place) for place in sorted(places)],
                without=ids,
                reach=reach,
            )
        return tuple(rows.episode(record["episode"]) for record in (*there, *around))

    def _asked(self, name: str, group_id: str, **wanted: Sequence[Any]) -> list[neo4j.Record]:
        """The records of a statement that is asked for a list of things; nothing is asked for none."""
        if not any(wanted.values()):
            return []
        return self._connection.fetch(name, group=group_id, open=OPEN, **wanted)

    def _placements(self, name: str, group_id: str, **wanted: Sequence[Any]) -> tuple[Placement, ...]:
        found = self._asked(name, group_id, **wanted)
        return tuple(rows.placement(record["placement"]) for record in found)

    def _names(
        self, statement: str, group_id: str, wanted: Iterable[str], without: Collection[str]
    ) -> tuple[KnownName, ...]:
        found = self._asked(statement, group_id, ids=sorted(set(wanted)))
        names = [_Name(**record["name"]) for record in found]
        if names and without:
            names = self._elsewhere(group_id, names, sorted(set(without)))
        return tuple(name.known(group_id) for name in names)

    def _elsewhere(self, group_id: str, names: Sequence[_Name], without: Sequence[str]) -> list[_Name]:
        """The names as if some episodes were not there. Only names of those are looked at again."""
        there: Counter[str] = Counter()
        for record in self._asked("mentions_in", group_id, ids=without):
            there[record["signature"]] += record["times"]
        left = [name for name in names if name.mentions > there[name.signature_id]]
        again = sorted(name.signature_id for name in left if there[name.signature_id])
        if not again:
            return left
        found = self._connection.fetch(
            "first_mention_elsewhere", group=group_id, ids=again, without=list(without)
        )
        first = {record["id"]: record for record in found}
        return [
            replace(
                name,
                mentions=name.mentions - there[name.signature_id],
                first_at=first[name.signature_id]["first_at"],
                first_mention=first[name.signature_id]["first_mention"],
                first_episode=first[name.signature_id]["first_episode"],
            )
            if name.signature_id in first
            else name
            for name in left
        ]


def _within(group_id: str, keys: Iterable[Key]) -> list[list[str]]:
    """The (subject, predicate) of those keys that are of the group."""
    wanted = {(subject, predicate) for group, subject, predicate in keys if group == group_id}
    return [list(one) for one in sorted(wanted)]
