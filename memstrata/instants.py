"""Instants and stated times: UTC to the microsecond, and the calendar units in which people state them.

Reading and writing the wire form of times lives here too. Date *language* ("last month") does not:
that is `memstrata.extraction.dates`. Semantics are those of docs/fold.md, section 1.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache

TICK = timedelta(microseconds=1)
BEGINNING_OF_TIME = datetime.min.replace(tzinfo=UTC)
END_OF_TIME = datetime.max.replace(tzinfo=UTC)

#: Days, months and years as people write them.
_DATES = ("%Y-%m-%d", "%Y-%m", "%Y")
#: What an error adds where `parse_instant_or_date` reads.
DATE_WILL_DO = "a date such as 2024-05-14 will do too"

_WIRE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?", re.ASCII)


class Precision(StrEnum):
    """The unit in which a time was stated, finest first."""

    INSTANT = "instant"
    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"

    @property
    def coarseness(self) -> int:
        """0 for `instant` up to 9 for `decade`."""
        return _COARSENESS[self]


_COARSENESS = {precision: order for order, precision in enumerate(Precision)}
_MONTHS = {Precision.MONTH: 1, Precision.QUARTER: 3, Precision.YEAR: 12, Precision.DECADE: 120}
_SPANS = {
    Precision.INSTANT: TICK,
    Precision.SECOND: timedelta(seconds=1),
    Precision.MINUTE: timedelta(minutes=1),
    Precision.HOUR: timedelta(hours=1),
    Precision.DAY: timedelta(days=1),
    Precision.WEEK: timedelta(weeks=1),
}


def after_one(at: datetime, precision: Precision) -> datetime:
    """`at` plus one unit of `precision`, on the UTC calendar; sums stop at the end of time."""
    months = _MONTHS.get(precision)
    if months is None:
        span = _SPANS[precision]
        return END_OF_TIME if END_OF_TIME - at < span else at + span
    count = at.year * 12 + at.month - 1 + months
    year, month = divmod(count, 12)
    if year > END_OF_TIME.year:
        return END_OF_TIME
    day = min(at.day, calendar.monthrange(year, month + 1)[1])
    return at.replace(year=year, month=month + 1, day=day)


@dataclass(frozen=True, slots=True)
class StatedTime:
    """A time as somebody stated it: where it starts, and in which unit it was said."""

    at: datetime
    precision: Precision = Precision.INSTANT

    @property
    def stop(self) -> datetime:
        """The first instant after the stated period."""
        return after_one(self.at, self.precision)

    def covers(self, instant: datetime) -> bool:
        """Whether `instant` lies in the stated period."""
        return self.at <= instant < self.stop


class NotAnInstant(ValueError):
    """The text is no wire time; the message says what is wrong with it."""


def parse_instant(text: str) -> datetime:
    """Reads `YYYY-MM-DDTHH:MM[:SS[.f]]` with `Z` or `+HH:MM` as a UTC instant.

    Raises `NotAnInstant` when the text is no such time, has no UTC offset, names a day that does not
    exist, or lies outside the years 0001 to 9999 in UTC.
    """
    match = _WIRE.fullmatch(text)
    if match is None:
        raise NotAnInstant(f"{text!r} is not a time; expected YYYY-MM-DDTHH:MM:SS with Z or ±HH:MM")
    if match[3] is None:
        raise NotAnInstant(f"{text!r} has no UTC offset; add Z or ±HH:MM")
    try:
        local = datetime.fromisoformat(text)
    except ValueError as error:
        raise NotAnInstant(f"{text!r} does not exist: {error}") from None
    try:
        return local.astimezone(UTC)
    except OverflowError:
        raise NotAnInstant(f"{text!r} lies outside the years 0001 to 9999 in UTC") from None


def first_instant_of(text: str) -> datetime | None:
    """The first instant, in UTC, of a day, month or year such as 2024-05-14; None for any other text."""
    for form in _DATES:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


def parse_instant_or_date(text: str) -> datetime:
    """As `parse_instant`; a day, month or year is its first instant. Raises `NotAnInstant` for neither."""
    try:
        return parse_instant(text)
    except NotAnInstant:
        first = first_instant_of(text)
        if first is None:
            raise
        return first


def format_instant(instant: datetime) -> str:
    """Writes a UTC instant as `YYYY-MM-DDTHH:MM:SSZ`, with `.ffffff` if it is not a whole second."""
    text = instant.isoformat()
    if not text.endswith("+00:00"):
        raise NotAnInstant(f"{text!r} is not in UTC; convert it with astimezone(UTC) first")
    return f"{text[:-6]}Z"


@cache
def precision_named(name: str) -> Precision | None:
    """The precision of that name, or None."""
    try:
        return Precision(name)
    except ValueError:
        return None
