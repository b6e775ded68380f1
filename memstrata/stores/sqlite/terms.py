"""Texts as integers: every id, predicate and literal of a group stands once in `terms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.stores.sqlite.connection import fetch, fetch_each, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw


class Terms:
    """The integers of a group's texts, inside one write transaction."""

    def __init__(self, connection: apsw.Connection, group_key: int) -> None:
        self._connection = connection
        self._group_key = group_key
        self._known: dict[str, int] = {}

    def intern(self, texts: Iterable[str]) -> None:
        """Makes `self[text]` work for each of the texts; new ones are written, in one order of ids."""
        # Sorted: neighbours in the index are then looked up and written one after the other.
        wanted = sorted(set(texts) - self._known.keys())
        found = self._found(wanted)
        self._known.update(found)
        new = [text for text in wanted if text not in self._known]
        if not new:
            return
        first = next_row(self._connection, "term")
        rows = [(first + count, self._group_key, text) for count, text in enumerate(new)]
        fetch_each(self._connection, "add_term", rows)
        self._known.update((text, number) for number, _, text in rows)

    def _found(self, wanted: Sequence[str]) -> list[tuple[str, int]]:
        some = texts(wanted)
        return [] if some is None else fetch(self._connection, "find_term", (self._group_key, some))

    def __getitem__(self, text: str) -> int:
        return self._known[text]


def next_row(connection: apsw.Connection, what: str) -> int:
    """The integer for the next row of a table (`sql/last_<what>.sql`), asked for under the write lock."""
    return int(fetch(connection, f"last_{what}")[0][0]) + 1
