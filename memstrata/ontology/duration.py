"""Expected lifetimes: ISO 8601 durations, kept in calendar months and exact time apart."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from memstrata.instants import END_OF_TIME

if TYPE_CHECKING:
    from datetime import datetime

_FORM = re.compile(
    r"P(?=.)(?:(\d{1,5})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,7})D)?"
    r"(?:T(?=.)(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,10})S)?)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration:
    """A length of time: whole calendar months, then an exact span."""

    months: int = 0
    span: timedelta = timedelta(0)

    def after(self, at: datetime) -> datetime:
        """`at` plus this duration on the UTC calendar; sums stop at the end of time."""
        year, month = divmod(at.year * 12 + at.month - 1 + self.months, 12)
        if year > END_OF_TIME.year:
            return END_OF_TIME
        day = min(at.day, calendar.monthrange(year, month + 1)[1])
        moved = at.replace(year=year, month=month + 1, day=day)
        return END_OF_TIME if END_OF_TIME - moved < self.span else moved + self.span

    def __str__(self) -> str:
        years, months = divmod(self.months, 12)
        seconds = self.span.seconds
        parts = [(years, "Y"), (months, "M"), (self.span.days, "D")]
        clock = [(seconds // 3600, "H"), (seconds // 60 % 60, "M"), (seconds % 60, "S")]
        date = "".join(f"{count}{unit}" for count, unit in parts if count)
        time = "".join(f"{count}{unit}" for count, unit in clock if count)
        return f"P{date}T{time}" if time else f"P{date or '0D'}"


def parse_duration(text: str) -> Duration:
    """Reads `P2Y`, `P18M`, `P2W`, `P1DT12H` and the like, whole numbers only.

    Raises `ValueError` if the text is no such duration.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no ISO 8601 duration; expected for example P2Y, P18M, P2W or PT12H")
    years, months, weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    span = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return Duration(months=years * 12 + months, span=span)
