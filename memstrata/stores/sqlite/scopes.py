"""A scope as the values that statements compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.stores.sqlite.connection import fetch_each
from memstrata.stores.sqlite.rows import OPEN, micros

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from memstrata.ports import Scope

#: A system time later than any commit, at which whatever has not expired still stands.
_NOW = OPEN - 1


def times_of(scope: Scope) -> dict[str, int | None]:
    """`valid` (None: any valid time), `system` and `history` as named values.

    Without history and without a valid time, `valid` is the last instant there is: what is still true.
    """
    valid = None if scope.moment.valid is None else micros(scope.moment.valid)
    if valid is None and not scope.history:
        valid = _NOW
    system = _NOW if scope.moment.system is None else micros(scope.moment.system)
    return {"valid": None if scope.history else valid, "system": system, "history": int(scope.history)}


def shows_pending(scope: Scope) -> bool:
    """Whether it reads the present, where pending episodes are seen."""
    return scope.moment.system is None and not scope.history


def group_keys(connection: apsw.Connection, groups: Iterable[str]) -> list[int]:
    """The integers of those groups that are there, each once."""
    found = fetch_each(connection, "group", ((group,) for group in sorted(set(groups))))
    return [row[0] for row in found]
