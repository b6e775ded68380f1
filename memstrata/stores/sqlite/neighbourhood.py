"""Reads of the present belief around what a commit touches: one statement for many keys."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from memstrata.ports import KnownName
from memstrata.stores import records
from memstrata.stores.sqlite import rows
from memstrata.stores.sqlite.connection import fetch, fetch_each, integers, reading, texts
from memstrata.stores.sqlite.turns import SqliteTurns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import apsw

    from memstrata.bitemporal import Key
    from memstrata.model import Entity, Fact, Placement


class _NameRow(NamedTuple):
    """What `names_under.sql`, `names_in.sql` and `names_for.sql` say of a name."""

    row: int
    signature: str
    example: str
    keys: str
    entity_id: str
    first_at: int
    first_id: str
    first_episode: str
    mentions: int

    def known(self, group_id: str) -> KnownName:
        return KnownName(
            signature_id=self.signature,
            keys=tuple(orjson.loads(self.keys)),
            entity_id=self.entity_id,
            first=(records.instant_of(self.first_at), self.first_id),
            first_episode=self.first_episode,
            count=self.mentions,
            recall=partial(records.mention, self.example, group_id),
        )


class SqliteNeighbourhood(SqliteTurns):
    """The commit's reading side of the graph."""

    def placements_of(self, group_id: str, episode_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements of those episodes."""
        return self._placements("placements_of", group_id, set(episode_ids))

    def placements_on(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements of those (group, subject, predicate) keys."""
        return self._placements_at("placements_on", group_id, keys)

    def placements_toward(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements whose *object* is the key's subject, with the key's predicate."""
        return self._placements_at("placements_toward", group_id, keys)

    def placements_naming(self, group_id: str, signature_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements whose subject or object mention has one of those signatures."""
        found = self._placements_each("placements_naming", group_id, ((one,) for one in set(signature_ids)))
        return tuple({placement.id: placement for placement in found}.values())

    def placements_saying(self, group_id: str, predicates: Collection[str] | None) -> tuple[Placement, ...]:
        """The live placements of those predicates; of all, for None."""
        if predicates is None:
            return self._placements_each("live_placements", group_id, [()])
        return self._placements_each("placements_saying", group_id, ((one,) for one in set(predicates)))

    def facts_on(self, group_id: str, keys: Collection[Key]) -> tuple[Fact, ...]:
        """The current facts of those keys, evidence included."""
        with reading(self._connections.here()) as connection:
            found = _on_keys(connection, "facts_on", group_id, keys)
        return tuple(rows.fact(row, sorted(orjson.loads(row[13]))) for row in found)

    def names_under(
        self, group_id: str, keys: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names with live mentions that are indexed under one of the keys.

        `first` and `count` are as if the episodes `without` were not there; names that live in those
        alone are left out.
        """
        return self._names("names_under", group_id, keys, without)

    def names_signed(
        self, group_id: str, signature_ids: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names of those signatures with live mentions; `without` as in `names_under`."""
        return self._names("names_signed", group_id, signature_ids, without)

    def _names(
        self, statement: str, group_id: str, wanted: Collection[str], without: Collection[str]
    ) -> tuple[KnownName, ...]:
        with reading(self._connections.here()) as connection:
            found = together(connection, statement, group_id, sorted(set(wanted)))
            names: Iterable[_NameRow] = {row[0]: _NameRow(*row) for row in found}.values()
            if without:
                names = _elsewhere(connection, group_id, names, without)
            return tuple(name.known(group_id) for name in names)

    def names_standing_for(self, group_id: str, entity_ids: Collection[str]) -> tuple[KnownName, ...]:
        """The known names with live mentions that stand for one of those entities now."""
        with reading(self._connections.here()) as connection:
            found = each(connection, "names_standing_for", group_id, ((one,) for one in set(entity_ids)))
        return tuple(_NameRow(*row).known(group_id) for row in found)

    def names_for(self, group_id: str, mentions: Collection[tuple[str, str]]) -> Mapping[str, KnownName]:
        """The known name of each of those (episode id, mention id), by mention id; gone ones are absent."""
        with reading(self._connections.here()) as connection:
            found = each(connection, "names_for", group_id, sorted(set(mentions)))
        known = {row[1]: _NameRow(*row[1:]).known(group_id) for row in found}
        return {row[0]: known[row[1]] for row in found}

    def names_in(self, group_id: str, episode_ids: Collection[str]) -> tuple[tuple[KnownName, int], ...]:
        """The known names with live mentions in those episodes, and how many each has there."""
        with reading(self._connections.here()) as connection:
            found = together(connection, "names_in", group_id, set(episode_ids))
        names: dict[int, _NameRow] = {}
        here: Counter[int] = Counter()
        for *row, count in found:
            names[row[0]] = _NameRow(*row)
            here[row[0]] += count
        return tuple((name.known(group_id), here[row]) for row, name in names.items())

    def entities(self, group_id: str, entity_ids: Collection[str]) -> tuple[Entity, ...]:
        """The current entities of those ids."""
        with reading(self._connections.here()) as connection:
            found = together(connection, "entities", group_id, set(entity_ids))
        return tuple(rows.entity(row) for row in found)

    def _placements(self, name: str, group_id: str, wanted: Iterable[str]) -> tuple[Placement, ...]:
        with reading(self._connections.here()) as connection:
            found = together(connection, name, group_id, wanted)
        return tuple(rows.placement(row) for row in found)

    def _placements_at(self, name: str, group_id: str, keys: Iterable[Key]) -> tuple[Placement, ...]:
        with reading(self._connections.here()) as connection:
            found = _on_keys(connection, name, group_id, keys)
        return tuple(rows.placement(row) for row in found)

    def _placements_each(
        self, name: str, group_id: str, wanted: Iterable[Sequence[str]]
    ) -> tuple[Placement, ...]:
        with reading(self._connections.here()) as connection:
            found = each(connection, name, group_id, wanted)
        return tuple(rows.placement(row) for row in found)


def _on_keys(connection: apsw.Connection, name: str, group_id: str, keys: Iterable[Key]) -> list[Any]:
    """All rows that `sql/<name>.sql` gives for the group's keys, run once for each of their predicates."""
    subjects: defaultdict[str, set[str]] = defaultdict(set)
    for group, subject, predicate in keys:
        if group == group_id:
            subjects[predicate].add(subject)
    return [
        row
        for predicate in sorted(subjects)
        for row in together(connection, name, group_id, sorted(subjects[predicate]), predicate)
    ]


def together(
    connection: apsw.Connection, name: str, group_id: str, wanted: Iterable[str], *more: str
) -> list[Any]:
    """All rows that `sql/<name>.sql` gives for the wanted keys of a group, which it takes as one array."""
    some = texts(wanted)
    return [] if some is None else fetch(connection, name, (group_id, some, *more))


def each(
    connection: apsw.Connection, name: str, group_id: str, wanted: Iterable[Sequence[str]]
) -> list[Any]:
    """All rows that `sql/<name>.sql` gives, run once for each wanted key, after the group's integer."""
    group = fetch(connection, "group", (group_id,))
    if not group:
        return []
    key = group[0][0]
    return fetch_each(connection, name, ((key, *one) for one in wanted))


def evidence_when(connection: apsw.Connection, fact_id: int, expired_at: int) -> list[str]:
    """The assertions that a fact rested on in the last belief before `expired_at`, sorted."""
    return [row[0] for row in fetch(connection, "evidence_when", (fact_id, expired_at))]


def _elsewhere(
    connection: apsw.Connection, group_id: str, names: Iterable[_NameRow], without: Collection[str]
) -> list[_NameRow]:
    """The names as if some episodes were not there. Only names that live in those are looked at again."""
    there: Counter[int] = Counter()
    episodes = set()
    for name, episode, count in together(connection, "mentions_in", group_id, set(without)):
        there[name] += count
        episodes.add(episode)
    left = []
    without_array = integers(sorted(episodes))
    for name in names:
        if name.row not in there:
            left.append(name)
        elif there[name.row] < name.mentions:
            found = fetch(connection, "first_mention_elsewhere", (name.row, without_array))
            first_at, first_id, first_episode = found[0]
            left.append(
                name._replace(
                    first_at=first_at,
                    first_id=first_id,
                    first_episode=first_episode,
                    mentions=name.mentions - there[name.row],
                )
            )
    return left
