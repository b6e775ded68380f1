"""What is still to be asked of a language model about a group, and how far the group was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

#: Whom or what a question is about: its sort, then ids and relations; never a text of the memory.
About = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A question that waits, by what it is about; `tries` went by without an answer."""

    about: About
    tries: int


class QuestionQueue(Protocol):
    """Open questions, and the mark up to which commits were looked through for them; all durable.

    Nothing of the memory rests on it: with a mark of 0 a group is looked through as a whole again.
    """

    def looked(self) -> Mapping[str, int]:
        """The `seq` of the last commit that was looked at, by group; absent where nothing was."""

    def open(self, *, tries: int) -> frozenset[str]:
        """The groups in which a question waits that went by fewer than that many times."""

    def put(self, group_id: str, questions: Collection[About], *, looked: int, anew: bool = False) -> None:
        """Adds questions and sets the mark, both or neither.

        One that waits already counts as new: something about it has changed. With `anew` no others wait.
        """

    def waiting(self, group_id: str, *, tries: int, limit: int) -> tuple[Waiting, ...]:
        """At most `limit` that went by fewer than so many times: the least tried first, then the oldest."""

    def tried(self, group_id: str, questions: Collection[About]) -> None:
        """Counts that these went by without an answer."""

    def settle(self, group_id: str, questions: Collection[About]) -> None:
        """Takes out those that wait no more."""

    def close(self) -> None:
        """Lets go of files and connections."""
