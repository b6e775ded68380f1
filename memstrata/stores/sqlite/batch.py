"""What the parts of one write have in common: the transaction, the group, the instant, the integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memstrata.errors import Damaged
from memstrata.stores.sqlite.connection import fetch, fetch_each, integers, texts
from memstrata.stores.sqlite.indexing import indexed
from memstrata.stores.sqlite.terms import next_row
from memstrata.stores.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import apsw

    from memstrata.stores.sqlite.terms import Terms


class Batch(NamedTuple):
    """One write transaction in one group."""

    connection: apsw.Connection
    group_key: int
    now: int
    terms: Terms

    def run(self, name: str, rows: Iterable[Sequence[Any]]) -> list[Any]:
        """Runs `sql/<name>.sql` once for each row of values; all result rows together."""
        return fetch_each(self.connection, name, rows)

    def those(self, name: str, rows: Iterable[int]) -> list[Any]:
        """All rows that `sql/<name>.sql` gives for the integers, which it takes as one array."""
        wanted = integers(rows)
        return [] if wanted is None else fetch(self.connection, name, (wanted,))

    def named(self, name: str, some: Iterable[str]) -> list[Any]:
        """All rows that `sql/<name>.sql` gives for the group and the texts, which it takes as one array."""
        wanted = texts(some)
        return [] if wanted is None else fetch(self.connection, name, (self.group_key, wanted))

    def next_row(self, table: str) -> int:
        """The integer for the next row of a table."""
        return next_row(self.connection, table)

    def new_passages(self, subject: str, handles: Sequence[int]) -> list[int]:
        """Asks for a vector for each of the handles; the passages' integers, in the same order."""
        if not handles:
            return []
        first = self.next_row("passage")
        rows = range(first, first + len(handles))
        self.run(
            "add_passage",
            (
                (row, self.group_key, subject, handle, None, self.now, 0, None)
                for row, handle in zip(rows, handles, strict=True)
            ),
        )
        return list(rows)

    def indexed(self, text: str) -> str:
        """A text's words as the index holds them."""
        return indexed(self.group_key, words(text))

    def expect_all(self, found: int, ids: Sequence[object], what: str) -> None:
        """Raises `Damaged` unless as many rows were found as ids were given."""
        if found != len(ids):
            raise Damaged(
                f"{len(ids)} {what} were to end, but only {found} of them stand; nothing was applied: "
                "compare the graph with its log, and rebuild it"
            )
