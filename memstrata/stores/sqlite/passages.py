"""The passages of episodes in the file: their texts, their words, and which of them keep their vectors."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.stores.sqlite.batch import Batch

#: Values of `passages.embedded`.
WAITING: Final = 0
EMBEDDED: Final = 1
NOT_YET: Final = 2


class Passage(NamedTuple):
    """One passage as stored."""

    row: int
    text: str
    embedded: int


class Wish(NamedTuple):
    """By which texts an episode's row is to be searched; None: by those that it has.

    `said` is all that the episode says, if it is at hand: a passage that equals it is not stored twice.
    """

    row: int
    texts: Sequence[str] | None
    said: str | None = None


def stored_passages(batch: Batch, rows: Iterable[int]) -> dict[int, dict[int, Passage]]:
    """The passages of those episodes' rows: by row, then by place."""
    found: dict[int, dict[int, Passage]] = defaultdict(dict)
    for row, place, *passage in batch.those("passages_of_episodes", rows):
        found[row][place] = Passage(*passage)
    return found


def place_passages(batch: Batch, wishes: Sequence[Wish], *, pending: bool = False) -> list[Passage]:
    """Makes those texts the passages of those rows; gives the passages that stayed as they were.

    What stays in its place stays with its words and its vector. Passages that were pending wait for
    their vectors from now on, unless these are pending ones.
    """
    stored = stored_passages(batch, [one.row for one in wishes])
    added: list[tuple[int, int, str, str | None]] = []
    kept: list[Passage] = []
    removed: list[Passage] = []
    for wish in wishes:
        old = stored[wish.row]
        if wish.texts is None:
            kept += old.values()
            continue
        for place, text in enumerate(wish.texts):
            if place in old and old[place].text == text:
                kept.append(old.pop(place))
            else:
                added.append((wish.row, place, text, None if text == wish.said else text))
        removed += old.values()
    _add(batch, added, NOT_YET if pending else WAITING)
    drop_passages(batch, removed)
    if not pending:
        batch.run("await_vector", ((one.row, batch.now) for one in kept if one.embedded == NOT_YET))
    return kept


def drop_passages(batch: Batch, removed: Sequence[Passage]) -> None:
    """Takes passages out of every index; caches learn of those that had a vector."""
    if not removed:
        return
    batch.run("drop_episode_words", ((one.row,) for one in removed))
    embedded = [one.row for one in removed if one.embedded == EMBEDDED]
    batch.run("drop_vector", ((row,) for row in embedded))
    batch.run("add_replaced", ((batch.group_key, batch.now, row) for row in embedded))
    batch.run("drop_passage", ((one.row,) for one in removed))


def _add(batch: Batch, added: Sequence[tuple[int, int, str, str | None]], state: int) -> None:
    if not added:
        return
    # Before others are dropped: the number of one that goes must not come again for another text.
    first = batch.next_row("passage")
    rows = range(first, first + len(added))
    batch.run(
        "add_passage",
        (
            (number, batch.group_key, "episode", row, place, batch.now, state, stored)
            for number, (row, place, _, stored) in zip(rows, added, strict=True)
        ),
    )
    batch.run(
        "add_episode_words",
        ((number, batch.indexed(one[2])) for number, one in zip(rows, added, strict=True)),
    )
