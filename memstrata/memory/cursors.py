"""Cursors: the key at which the next page of a list begins, as a text that nobody needs to understand.

A cursor gives no access: whoever shows it is asked again what they reach.
"""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Final

import orjson

from memstrata.errors import Incorrect

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_DIGITS: Final = 18


def written(key: Sequence[str]) -> str:
    """The key as a cursor: letters, digits, `-` and `_`."""
    return urlsafe_b64encode(orjson.dumps(list(key))).decode().rstrip("=")


def key_in(cursor: str, *, parts: int) -> tuple[str, ...] | None:
    """The key of that many parts that a cursor stands for; None for any other text."""
    try:
        found = orjson.loads(b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except ValueError:
        return None
    if isinstance(found, list) and len(found) == parts and all(isinstance(one, str) for one in found):
        return tuple(found)
    return None


def number_in(text: str) -> int | None:
    """The number that a text is: 1 to 18 decimal digits and nothing else; None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


def place_in(after: str) -> int:
    """The place, counted in a list, at which a page ended; raises `Incorrect` for what is no number."""
    place = number_in(after)
    if place is None:
        raise Incorrect("the place to go on from is none of this list; take it from the page before")
    return place
