"""Cursors: where the next page of a list begins, in a form that nobody needs to understand.

A cursor gives no access: whoever shows it is asked again what they reach.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, TypeVar

import orjson

from memstrata.service.problems import Refused

if TYPE_CHECKING:
    from memstrata.memory.browsing import Page

T = TypeVar("T")


def shown(page: Page[T], of: str) -> dict[str, object]:
    """The page for a client."""
    return {
        "items": page.items,
        "next_cursor": None if page.following is None else _written([of, page.following]),
    }


def place_in(cursor: str | None, of: str) -> str | None:
    """The place that a cursor of that list stands for; raises `Refused` (400) for any other text."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found = orjson.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except ValueError:
        found = None
    if isinstance(found, list) and len(found) == 2 and found[0] == of and isinstance(found[1], str):  # noqa: PLR2004 (the list, the place)
        return found[1]
    raise Refused(
        400,
        "the cursor is none of this list; give `next_cursor` of the page before, or none to begin",
        kind="bad-cursor",
    )


def _written(parts: list[str]) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(parts)).decode().rstrip("=")
