"""Turns and their neighbours, by the index on the order of a saga."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from memstrata.ports import Beside
from memstrata.stores import records
from memstrata.stores.records import OPEN, micros
from memstrata.stores.sqlite import scopes
from memstrata.stores.sqlite.connection import fetch, integers, reading, texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import apsw

    from memstrata.model import Episode
    from memstrata.ports import Handle, Scope
    from memstrata.stores.sqlite.connection import Connections

_NOW = {"system": OPEN - 1, "last": None, "since": None}


class _Turn(NamedTuple):
    """Where an episode stands; without a saga it stands alone."""

    row: int
    group_key: int
    saga: int | None
    position: int
    reference_time: int
    turn: str


class SqliteTurns:
    """The neighbours of episodes in their sagas, for commits and for readers."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def turns_around(
        self, group_id: str, placed: Collection[Episode], leaving: Collection[str], *, reach: int
    ) -> tuple[Episode, ...]:
        """The committed episodes near those that come or go, in the same sagas, and those themselves.

        See `ports.Neighbourhood`.
        """
        moving = sorted({*leaving, *(episode.episode_id for episode in placed)})
        with reading(self._connections.here()) as connection:
            group = fetch(connection, "group", (group_id,))
            some = texts(moving)
            if not group or some is None:
                return ()
            key = group[0][0]
            stored = [_Turn(*row) for row in fetch(connection, "current_episodes", (key, some))]
            found = {turn.row for turn in stored}
            without = json.dumps(moving)
            for place in {*stored, *_placed(connection, key, placed)}:
                values = {**_NOW, "without": without}
                found.update(_near(connection, "turns_before", place, values, reach=reach))
                found.update(_near(connection, "turns_after", place, values, reach=reach))
            wanted = integers(sorted(found))
            read = [] if wanted is None else fetch(connection, "episodes_at", {"some": wanted})
        return tuple(records.episode(row[1:]) for row in read)

    def beside(self, handles: Sequence[Handle], scope: Scope) -> Mapping[Handle, Beside]:
        """The neighbours of those episodes in their sagas, as they stand in scope (filters aside).

        See `ports.GraphReader`.
        """
        times = scopes.times_of(scope)
        wanted = integers(scopes.rows_of(handles))
        if wanted is None:
            return {}
        beside: dict[Handle, Beside] = {}
        with reading(self._connections.here()) as connection:
            groups = {place.key for place in scopes.places(connection, scope)}
            for row in fetch(connection, "places_of_turns", (wanted,)):
                turn = _Turn(*row)
                if turn.group_key in groups:
                    values = {**times, "without": json.dumps([turn.turn])}
                    before = _near(connection, "turns_before", turn, values, reach=1)
                    after = _near(connection, "turns_after", turn, values, reach=1)
                    beside[turn.row] = Beside(before=next(before, None), after=next(after, None))
        return beside


def _placed(connection: apsw.Connection, group_key: int, placed: Collection[Episode]) -> Iterator[_Turn]:
    """Where the episodes of sagas will stand; a saga that nobody knows has no turns yet."""
    some = texts(sorted({episode.saga for episode in placed if episode.saga is not None}))
    sagas = {} if some is None else dict(fetch(connection, "find_term", (group_key, some)))
    for episode in placed:
        if episode.saga in sagas:
            yield _Turn(
                0,
                group_key,
                sagas[episode.saga],
                OPEN if episode.position is None else episode.position,
                micros(episode.reference_time),
                episode.episode_id,
            )


def _near(
    connection: apsw.Connection, name: str, turn: _Turn, values: Mapping[str, object], *, reach: int
) -> Iterator[int]:
    """The rows of the nearest turns on one side, nearest first."""
    if turn.saga is None:
        return iter(())
    found = fetch(connection, name, {**values, **turn._asdict(), "reach": reach})
    return iter([row[0] for row in found])
