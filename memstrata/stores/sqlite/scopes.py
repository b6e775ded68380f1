"""A scope as the values that statements compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from memstrata.stores.sqlite.connection import fetch
from memstrata.stores.sqlite.rows import OPEN, micros, micros_or

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from memstrata.ports import Scope

#: A system time later than any commit, at which whatever has not expired still stands.
_NOW = OPEN - 1


class Times(TypedDict):
    """The named values that every statement in scope takes.

    What is sought was true at some instant from `first` to `last` (None: whenever), and believed at
    `system`, or up to it with `history`.
    """

    first: int | None
    last: int | None
    system: int
    history: int


def times_of(scope: Scope) -> Times:
    """The times of a scope. Without history and a valid time it is the last instant: what is still true."""
    first = last = micros_or(scope.moment.valid, _NOW)
    if scope.during is not None:
        first, last = micros(scope.during[0]), micros(scope.during[1]) - 1
    return {
        "first": None if scope.history else first,
        "last": None if scope.history else last,
        "system": micros_or(scope.moment.system, _NOW),
        "history": int(scope.history),
    }


def shows_pending(scope: Scope) -> bool:
    """Whether it reads the present, where pending episodes are seen."""
    return scope.moment.system is None and not scope.history


def groups_in(connection: apsw.Connection, groups: Iterable[str]) -> list[tuple[str, int]]:
    """Those groups that are there, each once, with their integers."""
    wanted = sorted(set(groups))
    return [
        (group, row[0]) for group in wanted for row in fetch(connection, "group", (group,))
    ]


def group_keys(connection: apsw.Connection, groups: Iterable[str]) -> list[int]:
    """The integers of those groups that are there, each once."""
    return [key for _, key in groups_in(connection, groups)]
