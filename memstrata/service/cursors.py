"""Pages of lists as clients see them; a cursor is good for its own list alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from memstrata.memory.cursors import key_in, written
from memstrata.service.problems import Refused

if TYPE_CHECKING:
    from memstrata.memory.browsing import Page

T = TypeVar("T")


def shown(page: Page[T], of: str) -> dict[str, object]:
    """The page for a client."""
    following = None if page.following is None else written((of, page.following))
    return {"items": page.items, "next_cursor": following}


def place_in(cursor: str | None, of: str) -> str | None:
    """The place that a cursor of that list stands for; raises `Refused` (400) for any other text."""
    if cursor is None:
        return None
    key = key_in(cursor, parts=2)
    if key is not None and key[0] == of:
        return key[1]
    raise Refused(
        400,
        "the cursor is none of this list; give `next_cursor` of the page before, or none to begin",
        kind="bad-cursor",
    )
