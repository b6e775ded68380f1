"""A scope as the values that statements compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

from memstrata.ports import Subject
from memstrata.stores.records import OPEN, micros, micros_or
from memstrata.stores.sqlite.connection import fetch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    from memstrata.ports import Handle, Scope

#: A system time later than any commit, at which whatever has not expired still stands.
_NOW = OPEN - 1
#: What consolidation made; it has no valid time, and groups of its own.
SEMANTIC: Final = (Subject.SUMMARY, Subject.PROCEDURE)


class Times(TypedDict):
    """The named values that every statement in scope takes.

    What is sought was true at some instant from `first` to `last` (None: whenever), and believed at
    `system`, or up to it with `history`. What happened did so up to `last`, in a period from `since` on.
    """

    first: int | None
    last: int | None
    since: int | None
    system: int
    history: int


def times_of(scope: Scope) -> Times:
    """The times of a scope. Without history and a valid time it is the last instant: what is still true."""
    first: int | None = micros_or(scope.moment.valid, _NOW)
    last, since = first, None
    if scope.history:
        first = last = None
    elif scope.during is not None:
        first = since = micros(scope.during[0])
        last = micros(scope.during[1]) - 1
    return {
        "first": first,
        "last": last,
        "since": since,
        "system": micros_or(scope.moment.system, _NOW),
        "history": int(scope.history),
    }


def shows_pending(scope: Scope) -> bool:
    """Whether it reads the present, where pending episodes are seen."""
    return scope.moment.system is None and not scope.history


class Place(NamedTuple):
    """A group to look in, and its integer in the index of what is sought."""

    group_id: str
    key: int


def places(connection: apsw.Connection, scope: Scope, subject: Subject = Subject.FACT) -> list[Place]:
    """The groups of a scope that have something of that kind, each once."""
    statement = "semantic_group" if subject in SEMANTIC else "group"
    return [
        Place(group, row[0])
        for group in sorted(set(scope.groups))
        for row in fetch(connection, statement, (group,))
    ]


def rows_of(handles: Iterable[Handle]) -> Iterator[int]:
    """The handles that this store may have given."""
    return (handle for handle in handles if isinstance(handle, int))
