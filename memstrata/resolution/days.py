"""Names of days: notations of one calendar day, and relative days as of the reference time."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memstrata.resolution.vocabulary import MONTHS, WEEKDAYS

if TYPE_CHECKING:
    from datetime import datetime

_ISO: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_NUMERIC: Final = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")
_DAY_FIRST: Final = re.compile(r"(?:[a-z]+,? )?(\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?([a-z]+)\.?,? (\d{4})")
_MONTH_FIRST: Final = re.compile(r"(?:[a-z]+,? )?([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_ISO_MONTH: Final = re.compile(r"((?:19|20)\d\d)[-/](\d\d)")
_NAMED_MONTH: Final = re.compile(r"([a-z]+)\.? (?:of )?((?:19|20)\d\d)")
_DECEMBER: Final = 12
_PAST: Final = re.compile(
    r"\b(?:last|ago|was|were|had|did|went|came|met|saw|got|told|said|sent|left|made|took|\w{2,}ed)\b",
    re.IGNORECASE,
)
_OFFSETS: Final = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "tomorrow": 1,
    "yesterday": -1, "last night": -1, "the day after tomorrow": 2, "the day before yesterday": -2,
}  # fmt: skip
_WEEK: Final = 7


@lru_cache(maxsize=65536)
def month(name: str) -> str | None:
    """The month, as YYYY-MM, that a name means ("March 2025", "2025-03"); None for others."""
    low = " ".join(name.casefold().replace(",", " ").split())
    if found := _ISO_MONTH.fullmatch(low):
        number = int(found[2])
        return f"{found[1]}-{number:02}" if 1 <= number <= _DECEMBER else None
    found = _NAMED_MONTH.fullmatch(low)
    if found is None or found[1] not in MONTHS:
        return None
    return f"{found[2]}-{MONTHS[found[1]]:02}"


@lru_cache(maxsize=65536)
def readings(name: str) -> tuple[str, ...]:
    """The days, as ISO dates, that a name may mean: none, one, or two if day and month may swap."""
    low = " ".join(name.casefold().split())
    if not low or not any(char.isdigit() for char in low):
        return ()
    if found := _ISO.fullmatch(low):
        return _valid((int(found[1]), int(found[2]), int(found[3])))
    if found := _NUMERIC.fullmatch(low):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        day_first = (year, second, first)
        return _valid(day_first) if found[2] == "." else _valid(day_first, (year, first, second))
    if (found := _DAY_FIRST.fullmatch(low)) and found[2] in MONTHS:
        return _valid((int(found[3]), MONTHS[found[2]], int(found[1])))
    if (found := _MONTH_FIRST.fullmatch(low)) and found[1] in MONTHS:
        return _valid((int(found[3]), MONTHS[found[1]], int(found[2])))
    return ()


def _valid(*days: tuple[int, int, int]) -> tuple[str, ...]:
    found = set()
    for year, month, day in days:
        try:
            found.add(date(year, month, day).isoformat())
        except ValueError:
            continue
    return tuple(sorted(found))


def is_relative(name: str) -> bool:
    """Whether the day that it names depends on when it was said."""
    low = " ".join(name.casefold().split())
    return low in _OFFSETS or _weekday(low) is not None


def _weekday(low: str) -> int | None:
    for word in ("last ", "next ", "this ", "on "):
        low = low.removeprefix(word)
    return WEEKDAYS.get(low)


def relative_day(name: str, text: str, reference_time: datetime) -> str | None:
    """The day, as an ISO date, that "today" or "Monday" means at the reference time; None for other names.

    A weekday lies ahead (or is today), unless it is "last" or its sentence tells of the past.
    """
    low = " ".join(name.casefold().split())
    weekday = _weekday(low)
    today = reference_time.date()
    if low in _OFFSETS:
        return (today + timedelta(days=_OFFSETS[low])).isoformat()
    if weekday is None:
        return None
    ahead = (weekday - today.weekday()) % _WEEK
    if low.startswith("last ") or (not low.startswith("next ") and _PAST.search(text)):
        return (today - timedelta(days=(_WEEK - ahead) % _WEEK or _WEEK)).isoformat()
    if low.startswith("next ") and ahead == 0:
        ahead = _WEEK
    return (today + timedelta(days=ahead)).isoformat()
