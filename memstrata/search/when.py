"""The days that a question names: "on 8 May 2023", "in May", "2023-05", "in 2021". Pure.

Turns have times of their own, which their words mostly do not tell. Measured (docs/search.md): recall@10 on
LoCoMo 80.0 -> 80.9; as much as words of the date in front of each text, which the vectors suffer from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_PLACES: Final = {
    **{month: place for place, month in enumerate(_MONTHS, 1)},
    **{month[:3]: place for place, month in enumerate(_MONTHS, 1)},
    "Sept": 9,
}
#: As names of months are written, with a capital, and the numbers beside them.
_WRITTEN: Final = re.compile(
    r"(?:\b(?P<before>\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?\s+)?"
    rf"\b(?P<month>{'|'.join(sorted(_PLACES, key=len, reverse=True))})\b\.?"
    r"(?:\s+(?P<behind>\d{1,2})(?:st|nd|rd|th)?\b)?"
    r"(?:,?\s+(?P<year>\d{4})\b)?"
)
_ISO: Final = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b")
_YEAR: Final = re.compile(r"\b(?:19|20)\d{2}\b")
#: Names of months that are other words as well, and count only beside a number or behind "in" and the like.
_AMBIGUOUS: Final = frozenset({"April", "August", "Jan", "June", "Mar", "March", "May"})
_INTRODUCED: Final = re.compile(
    r"\b(?:in|of|during|since|until|by|last|this|next|early|mid|late)\W+$", re.IGNORECASE
)

_MOST_MONTHS: Final = 12
_ANOTHER_DAY: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A day, month or year as a question names it; None: any."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def nearness(self, at: datetime) -> float:
        """1 for a time on it or in it, a half for another day of its month, else 0."""
        if self.year not in (None, at.year) or self.month not in (None, at.month):
            return 0.0
        return 1.0 if self.day in (None, at.day) else _ANOTHER_DAY


def days_named(text: str) -> tuple[Named, ...]:
    """The days and months that a text names; where it names none, its years."""
    named = (*_iso(text), *_written(text))
    return named or tuple(Named(year=int(found[0])) for found in _YEAR.finditer(text))


def nearness(named: Sequence[Named], at: datetime) -> float:
    """How near a time is to the nearest of them: 1, a half, or 0."""
    return max((one.nearness(at) for one in named), default=0.0)


def _iso(text: str) -> Iterator[Named]:
    for found in _ISO.finditer(text):
        year, month, day = found.groups()
        if 1 <= int(month) <= _MOST_MONTHS:
            yield Named(year=int(year), month=int(month), day=None if day is None else int(day))


def _written(text: str) -> Iterator[Named]:
    for found in _WRITTEN.finditer(text):
        day, year = found["before"] or found["behind"], found["year"]
        alone = day is None and year is None
        if alone and found["month"] in _AMBIGUOUS and not _INTRODUCED.search(text[: found.start()]):
            continue
        yield Named(
            year=None if year is None else int(year),
            month=_PLACES[found["month"]],
            day=None if day is None else int(day),
        )
