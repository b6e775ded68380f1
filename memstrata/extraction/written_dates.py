"""Absolute dates in spellings that our own grammar does not know ("4-Jul-2019"), by dateparser.

dateparser is asked for whole dates with day, month and year alone: it reads others wrongly.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_JOINT = r"(?:[ ]?[-/.,][ ]?|[ ])"
_WHOLE = re.compile(
    rf"(?<![\w/.-])(?:\d{{1,2}}{_JOINT}{_MONTH}{_JOINT}['\u2019]?(?:\d{{4}}|\d\d)"
    rf"|{_MONTH}{_JOINT}\d{{1,2}}{_JOINT}['\u2019]?(?:\d{{4}}|\d\d)"
    rf"|\d{{4}}{_JOINT}{_MONTH}{_JOINT}\d{{1,2}})(?![\w/:-]|\.\d)"
)


def whole_dates(text: str) -> Iterator[tuple[int, int, str]]:
    """Where a date with day, month and year may stand, and its words."""
    for match in _WHOLE.finditer(text):
        yield match.start(), match.end(), match.group()


@lru_cache(maxsize=1024)
def read_written_date(words: str) -> datetime | None:
    """The first instant of the UTC day that `words` name; None if dateparser cannot tell, or is missing."""
    try:
        import dateparser
    except ModuleNotFoundError:  # part of the extra [offline]; without it these spellings stay unread
        return None
    found = dateparser.parse(words, languages=["en"], settings={"STRICT_PARSING": True, "TIMEZONE": "UTC"})
    return None if found is None else datetime(found.year, found.month, found.day, tzinfo=UTC)
