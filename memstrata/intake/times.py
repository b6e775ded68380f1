"""Times as files write them: ISO-8601 in its spellings, bare dates, epoch numbers, declared formats.

A bare date is the start of that day in the given zone (UTC if none) and keeps precision `day`; a time of
day without an offset needs a zone. Epoch numbers say their unit by their size.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memstrata.instants import Precision, StatedTime

if TYPE_CHECKING:
    from datetime import tzinfo

_ISO = re.compile(
    r"(?P<date>\d{4}(?:-\d\d(?:-\d\d)?)?)"
    r"(?:[T ](?P<clock>\d\d:\d\d(?::\d\d)?)(?:[.,](?P<fraction>\d{1,9}))?"
    r"\s?(?P<offset>[Zz]|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
_EPOCH = re.compile(r"\d{9,19}(?:\.\d+)?", re.ASCII)
_EPOCH_UNITS: Final = ((1e11, 1), (1e14, 1_000), (1e17, 1_000_000), (math.inf, 1_000_000_000))
_EARLIEST_EPOCH: Final = datetime(1990, 1, 1, tzinfo=UTC)
_DATE_PRECISION: Final = {4: Precision.YEAR, 7: Precision.MONTH, 10: Precision.DAY}


class NotATime(ValueError):
    """The value is no time that can be read; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReader:
    """Reads times for one input: `zone` is for times without an offset, `latest` bounds epoch numbers."""

    zone: tzinfo | None
    latest: datetime

    def read(self, value: object, *, template: str | None = None) -> StatedTime:
        """The stated time of `value`, by the strptime `template` if one is declared.

        Raises `NotATime`.
        """
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise NotATime(f"{value!r} is not a time")
        if isinstance(value, str):
            text = value.strip()
            if template is not None:
                return self._by_template(text, template)
            if not _EPOCH.fullmatch(text):
                return _by_iso(text, self.zone)
            value = float(text) if "." in text else int(text)
        return StatedTime(self._by_epoch(value))

    def _by_template(self, text: str, template: str) -> StatedTime:
        try:
            local = datetime.strptime(text, template)  # noqa: DTZ007 (the zone is added below, where it is known)
        except ValueError:
            raise NotATime(f'"{text}" is not a date in the format {template}') from None
        precision = template_precision(template)
        return StatedTime(_in_utc(local, text, precision, self.zone), precision)

    def _by_epoch(self, number: float) -> datetime:
        if not math.isfinite(number) or number < 0:
            raise NotATime(f"{number!r} is not a time; a number must count seconds or finer since 1970")
        unit = next(unit for limit, unit in _EPOCH_UNITS if number < limit)
        try:
            if isinstance(number, int):
                seconds, rest = divmod(number, unit)
                since = timedelta(seconds=seconds, microseconds=rest * 1_000_000 // unit)
            else:
                since = timedelta(seconds=number / unit)
            instant = datetime(1970, 1, 1, tzinfo=UTC) + since
        except OverflowError:
            raise NotATime(f"{number!r} is not a time; it is too large") from None
        if not _EARLIEST_EPOCH <= instant <= self.latest:
            raise NotATime(f"{number!r} would be {instant.isoformat()}: before 1990 or after tomorrow")
        return instant


@lru_cache(maxsize=16_384)  # files repeat their times; reading one takes longer than all else in a line
def _by_iso(text: str, zone: tzinfo | None) -> StatedTime:
    found = _ISO.fullmatch(text)
    if found is None:
        raise NotATime(
            f'"{text}" is not a time; expected YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS with Z or ±HH:MM'
        )
    date, clock, fraction, offset = found["date"], found["clock"], found["fraction"], found["offset"]
    if clock is not None and len(date) < len("YYYY-MM-DD"):
        raise NotATime(f'"{text}" is not a time; it has a time of day, but no day')
    day = date + "-01-01"[len(date) - 4 :] if clock is None else date
    whole = f"{day}T{clock or '00:00'}{f'.{fraction[:6]}' if fraction and clock.count(':') > 1 else ''}"
    try:
        local = datetime.fromisoformat(whole + (offset or "").upper())
    except ValueError:
        raise NotATime(f'"{text}" is not a {"date" if clock is None else "time"}') from None
    precision = _DATE_PRECISION[len(date)] if clock is None else Precision.INSTANT
    return StatedTime(_in_utc(local, text, precision, zone), precision)


def _in_utc(local: datetime, text: str, precision: Precision, zone: tzinfo | None) -> datetime:
    if local.tzinfo is None:
        bare_date = precision.coarseness >= Precision.DAY.coarseness
        zone = zone or (UTC if bare_date else None)
        if zone is None:
            raise NotATime(f'"{text}" has no UTC offset; add Z or ±HH:MM, or pass --timezone')
        local = local.replace(tzinfo=zone)
    try:
        return local.astimezone(UTC)
    except OverflowError:
        raise NotATime(f'"{text}" lies outside the years 0001 to 9999 in UTC') from None


def template_precision(template: str) -> Precision:
    """The precision of a time written by a strptime template: how fine its directives go."""
    directives = set(re.findall(r"%([A-Za-z])", template))
    if directives & set("HIMSfpcXsz"):
        return Precision.INSTANT
    if directives & set("djxD"):
        return Precision.DAY
    return Precision.MONTH if directives & set("mbB") else Precision.YEAR
