"""Walking a graph: what is around an entity, a page at a time.

All pages of one walk read what was believed when the first was read, so that nothing is skipped or comes
twice while others write.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.instants import NotAnInstant, format_instant, parse_instant
from memstrata.memory.cursors import key_in, written
from memstrata.memory.parts import reads_of
from memstrata.search.neighbours import neighbours

if TYPE_CHECKING:
    from datetime import datetime

    from memstrata.ports import Installation, Scope
    from memstrata.search.neighbours import Neighbours

#: The most facts of one page.
MOST: Final = 200
_MOST_DIGITS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """A page of what is around an entity; `following` is where the next begins, None where none does."""

    neighbours: Neighbours
    following: str | None = None


def around(
    installation: Installation, scope: Scope, entity: str, *, limit: int = 20, after: str | None = None
) -> Around:
    """The next facts about the entity of that id or name, latest first, and whom they lead to.

    Raises `Incorrect` for a limit outside 1 to 200, a cursor that is none of ours, and an entity that
    nobody knows or that is several.
    """
    if not 1 <= limit <= MOST:
        raise Incorrect(f"limit is {limit}; expected 1 to {MOST}")
    system, skip = scope.moment.system or installation.clock.now(), 0
    if after is not None:
        system, skip = _place(after)
        scope = replace(scope, moment=replace(scope.moment, system=system))
    found = neighbours(reads_of(installation).lookup, entity, scope, limit=limit, skip=skip)
    shown = skip + limit
    following = written((format_instant(system), str(shown))) if found.total > shown else None
    return Around(neighbours=found, following=following)


def _place(cursor: str) -> tuple[datetime, int]:
    key = key_in(cursor, parts=2)
    if key is not None and key[1].isascii() and key[1].isdecimal() and len(key[1]) <= _MOST_DIGITS:
        try:
            return parse_instant(key[0]), int(key[1])
        except NotAnInstant:
            pass
    raise Incorrect(f"{cursor[:40]!r} is no cursor of this list; take the one that the page before gave")
