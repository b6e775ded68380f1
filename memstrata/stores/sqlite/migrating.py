"""What a step of the schema needs besides its SQL: what must be read out of records, row by row."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memstrata.projection import passages_of, saga_order
from memstrata.projection.passages import said
from memstrata.stores import records
from memstrata.stores.records import OPEN, PENDING
from memstrata.stores.searched import text_of
from memstrata.stores.semantic_codec import load_procedure, load_summary
from memstrata.stores.sqlite.applying_episodes import place_of, texts_of
from memstrata.stores.sqlite.batch import Batch
from memstrata.stores.sqlite.connection import fetch
from memstrata.stores.sqlite.passages import Wish, place_passages
from memstrata.stores.sqlite.semantic import index_row, semantic_key
from memstrata.stores.sqlite.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import apsw

    from memstrata.model import Episode

_AT_ONCE = 1_000


def _to_2(connection: apsw.Connection) -> None:
    """Passages for the episodes, their places, and words for summaries and procedures.

    Passages need no log: the turns beside each are in the file. Those whose text changes by that lose
    their vector and wait for another.
    """
    for group_key, last_instant in fetch(connection, "schema/2_groups"):
        _place_episodes(Batch(connection, group_key, last_instant, Terms(connection, group_key)))
    for row, group_id, body in fetch(connection, "schema/2_summaries"):
        index_row(
            connection, "summary", semantic_key(connection, group_id), row, text_of(load_summary(body))
        )
    for row, group_id, body in fetch(connection, "schema/2_procedures"):
        index_row(
            connection, "procedure", semantic_key(connection, group_id), row, text_of(load_procedure(body))
        )


def _place_episodes(batch: Batch) -> None:
    found = [(row[0], row[1], records.episode(row[2:])) for row in _episodes(batch)]
    beside = _beside({row: episode for row, expired_at, episode in found if expired_at == OPEN})
    for start in range(0, len(found), _AT_ONCE):
        some = found[start : start + _AT_ONCE]
        batch.terms.intern(text for _, _, episode in some for text in texts_of(episode))
        batch.run("place_episode", ((row, *place_of(batch, episode)) for row, _, episode in some))
        for pending in (False, True):
            wishes = [
                Wish(row, passages_of(episode, *beside.get(row, ())), said(episode))
                for row, expired_at, episode in some
                if (expired_at == PENDING) is pending
            ]
            kept = place_passages(batch, wishes, pending=pending)
            batch.run("add_episode_words", ((one.row, batch.indexed(one.text)) for one in kept))


def _episodes(batch: Batch) -> list[Any]:
    """Every episode of the group, in any revision."""
    return fetch(batch.connection, "schema/2_episodes", (batch.group_key,))


def _beside(current: Mapping[int, Episode]) -> dict[int, tuple[Episode | None, Episode | None]]:
    """The turns before and after each current episode in its saga, by row."""
    sagas: dict[str, list[tuple[int, Episode]]] = defaultdict(list)
    for row, episode in current.items():
        if episode.saga is not None:
            sagas[episode.saga].append((row, episode))
    return dict(pair for turns in sagas.values() for pair in _neighbours(turns))


def _neighbours(
    turns: list[tuple[int, Episode]],
) -> Iterator[tuple[int, tuple[Episode | None, Episode | None]]]:
    turns.sort(key=lambda turn: saga_order(turn[1]))
    ordered = [episode for _, episode in turns]
    for (row, _), before, after in zip(turns, [None, *ordered], [*ordered[1:], None], strict=False):
        yield row, (before, after)


#: By the version that it leads to; run in the transaction of the step, after its SQL.
STEPS: Mapping[int, Callable[[apsw.Connection], None]] = {2: _to_2}
