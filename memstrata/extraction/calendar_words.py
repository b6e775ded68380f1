"""Single points of time as English writes them, read against a reference time: "last June", "Q3 2025".

Each pattern has a reader that says when the period starts and in which unit it was stated. Prepositions,
ranges and times of day joined to days are `dates`'s business. Times are UTC.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from memstrata.instants import BEGINNING_OF_TIME, Precision, StatedTime

if TYPE_CHECKING:
    from collections.abc import Sequence

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon",
            "tuesday tue",
            "wednesday wed",
            "thursday thu",
            "friday fri",
            "saturday sat",
            "sunday sun",
        )
    )
    for name in names.split()
}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
NUMBERS = {
    word: number
    for number, words in enumerate(
        [
            "a an one",
            "two couple",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        1,
    )
    for word in words.split()
} | {"fifteen": 15, "twenty": 20, "thirty": 30}
_TENS = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70,
         "eighties": 80, "nineties": 90}  # fmt: skip
UNITS = {
    "minute": Precision.MINUTE,
    "hour": Precision.HOUR,
    "day": Precision.DAY,
    "week": Precision.WEEK,
    "fortnight": Precision.WEEK,
    "month": Precision.MONTH,
    "quarter": Precision.QUARTER,
    "year": Precision.YEAR,
    "decade": Precision.DECADE,
}
_STEPS = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "upcoming": 1,
}

MONTH = (
    r"(?:(?i:january|february|april|june|july|august|september|october|november|december)|March|May|MARCH|MAY"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
WEEKDAY = (
    r"(?:(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b\.?)"
)
UNIT = r"(?i:minute|hour|day|week|fortnight|month|quarter|year|decade)"
COUNT = r"(?:\d{1,3}|(?i:(?:a\s+)?couple(?:\s+of)?|" + "|".join(NUMBERS) + r"))"
_SEASON = r"(?i:spring|summer|autumn|fall|winter)"
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_OF_A_YEAR = rf"(?:\s+(?:of\s+)?(?P<year>{_YEAR}))?"
_AND_YEAR = rf"(?:,?\s+(?P<year>{_YEAR}))?"
_DAY = r"(?P<day>(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?)"
_STEP = r"(?P<step>(?i:last|past|previous|this|current|next|coming|upcoming))"
_THE = r"(?i:the\s+)?"
_PART = (
    rf"(?:{_THE}(?i:early|mid|middle\s+of|late|beginning\s+of|start\s+of|end\s+of|close\s+of"
    rf"|(?:first|second)\s+half\s+of)[\s-]+(?i:in\s+)?{_THE}(?i:year\s+)?)"
)
_END = r"(?!\w)"


@dataclass(frozen=True, slots=True)
class Point:
    """A time as read: `past` if it is behind the reference time, `ahead` if before us.

    They differ only where the words leave it open ("June", "Monday"). `stem` is the month and day of a
    date without a year. A `bare` one ("2019", "May") is a time only after a word that says so.
    """

    past: StatedTime
    ahead: StatedTime
    stem: tuple[int, int | None] | None = None
    bare: bool = False


Reader = Callable[["re.Match[str]", datetime], Point | None]


def _fixed(at: datetime, precision: Precision, *, bare: bool = False) -> Point:
    stated = StatedTime(at, precision)
    return Point(stated, stated, bare=bare)


def day_of(reference: datetime) -> datetime:
    """The first instant of the UTC day of `reference`."""
    return reference.replace(hour=0, minute=0, second=0, microsecond=0)


def date_in(year: int, month: int, day: int | None) -> StatedTime | None:
    """That day or month as a stated time; None if the calendar has no such day."""
    try:
        at = datetime(year, month, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    return StatedTime(at, Precision.MONTH if day is None else Precision.DAY)


def exactly(stated: StatedTime | None) -> Point | None:
    """A point that is read the same from either side; None for a day that the calendar has not."""
    return None if stated is None else Point(stated, stated)


def _month(word: str) -> int:
    return MONTHS[word.casefold().rstrip(".")]


def _day(word: str) -> int:
    return int(re.sub(r"\D", "", word))


def _timestamp(match: re.Match[str], _reference: datetime) -> Point | None:
    text = match["stamp"].replace(" ", "T").replace("Z", "+00:00")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return _fixed(at, Precision.SECOND if match["seconds"] else Precision.MINUTE)


def _numeric(match: re.Match[str], _reference: datetime) -> Point | None:
    return exactly(date_in(int(match["y"]), int(match["m"]), int(match["d"]) if match["d"] else None))


def _slashed(match: re.Match[str], _reference: datetime) -> Point | None:
    """`14/03/2024`: only where the order of day and month is not in doubt, or a dot says it."""
    first, second = int(match["a"]), int(match["b"])
    if match["sep"] != "." and first <= 12 and second <= 12 and first != second:  # noqa: PLR2004 (months)
        return None
    day, month = (second, first) if second > 12 else (first, second)  # noqa: PLR2004 (months)
    return exactly(
        date_in(int(match["y"]), month, day) if month <= 12 else None  # noqa: PLR2004 (months)
    )


def _dated(match: re.Match[str], reference: datetime) -> Point | None:
    groups = match.groupdict()
    month, day = _month(match["month"]), _day(groups["day"]) if groups.get("day") else None
    if groups.get("year"):
        return exactly(date_in(int(match["year"]), month, day))
    return without_year(month, day, reference)


def _bare_month(match: re.Match[str], reference: datetime) -> Point | None:
    point = without_year(_month(match["month"]), None, reference)
    return point and Point(point.past, point.ahead, point.stem, bare=True)


def around(there: Sequence[StatedTime], reference: datetime) -> Point | None:
    """Of periods in order: the latest that has begun, and the earliest that is not over."""
    past = [stated for stated in there if stated.at <= reference]
    ahead = [stated for stated in there if stated.stop > reference]
    return Point(past[-1], ahead[0]) if past and ahead else None


def without_year(month: int, day: int | None, reference: datetime) -> Point | None:
    """The latest such date that has begun, and the earliest that is not over."""
    years = range(
        max(1, reference.year - 8), min(9999, reference.year + 8) + 1
    )  # a 29 February within 8 years
    there = [stated for year in years if (stated := date_in(year, month, day)) is not None]
    point = around(there, reference)
    return point and replace(point, stem=(month, day))


def _day_of_month(match: re.Match[str], reference: datetime) -> Point | None:
    day = _day(match["day"])
    months = [divmod(reference.year * 12 + reference.month - 1 + step, 12) for step in (-2, -1, 0, 1, 2)]
    there = [stated for year, month in months if (stated := date_in(year, month + 1, day)) is not None]
    return around(there, reference)


def _year(match: re.Match[str], _reference: datetime) -> Point | None:
    told = match.groupdict().keys() & {"part", "fiscal"}
    return _fixed(datetime(int(match["year"]), 1, 1, tzinfo=UTC), Precision.YEAR, bare=not told)


def _short_fiscal_year(match: re.Match[str], _reference: datetime) -> Point | None:
    return _fixed(datetime(2000 + int(match["short"]), 1, 1, tzinfo=UTC), Precision.YEAR)


def _decade(match: re.Match[str], reference: datetime) -> Point | None:
    word = match["decade"].casefold().lstrip("'\u2019").rstrip("s").rstrip("'\u2019")
    year = int(word) if word.isdigit() else _TENS[match["decade"].casefold()]
    if year < 100:  # noqa: PLR2004 (written without its century)
        year += reference.year // 100 * 100
        if year > reference.year:
            year -= 100
    return _fixed(datetime(year, 1, 1, tzinfo=UTC), Precision.DECADE)


def _quarter(match: re.Match[str], reference: datetime) -> Point | None:
    ordinals = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
    said = match["quarter"].casefold()
    month = 3 * (ordinals.get(said) or int(said)) - 2
    if match["year"]:
        return _fixed(datetime(int(match["year"]), month, 1, tzinfo=UTC), Precision.QUARTER)
    years = [datetime(reference.year + step, month, 1, tzinfo=UTC) for step in (-1, 0, 1)]
    return around([StatedTime(at, Precision.QUARTER) for at in years], reference)


def _season(match: re.Match[str], reference: datetime) -> Point | None:
    month = SEASONS[match["season"].casefold()]
    if match["year"]:
        return _fixed(datetime(int(match["year"]), month, 1, tzinfo=UTC), Precision.QUARTER)
    years = [datetime(reference.year + step, month, 1, tzinfo=UTC) for step in (-2, -1, 0, 1)]
    there = [StatedTime(at, Precision.QUARTER) for at in years]
    past = [stated for stated in there if stated.at <= reference]
    ahead = [stated for stated in there if stated.stop > reference]
    step = _STEPS.get((match["step"] or "").casefold())
    if step is None:
        return Point(past[-1], ahead[0], bare=True)
    if step == 0:
        return Point(past[-1] if past[-1].at.year == reference.year else ahead[0], ahead[0])
    if step > 0:
        later = [stated for stated in there if stated.at > reference]
        return Point(later[0], later[0])
    over = [stated for stated in there if stated.stop <= reference]
    return Point(over[-1], over[-1])


def _stepped_unit(match: re.Match[str], reference: datetime) -> Point | None:
    precision = UNITS[match["unit"].casefold()]
    if precision in {Precision.MINUTE, Precision.HOUR}:
        return None
    step = _STEPS.get((match["step"] or "this").casefold(), 0)
    return _fixed(start_of(shifted(reference, step, precision), precision), precision)


def _stepped_month(match: re.Match[str], reference: datetime) -> Point | None:
    point = without_year(_month(match["month"]), None, reference)
    if point is None:
        return None
    step = _STEPS[match["step"].casefold()]
    if step == 0:
        return exactly(date_in(reference.year, _month(match["month"]), None))
    if step > 0:
        later = (
            point.ahead
            if point.ahead.at > reference
            else date_in(reference.year + 1, point.ahead.at.month, None)
        )
        return exactly(later)
    covered = point.past.covers(reference)
    earlier = date_in(reference.year - 1, point.past.at.month, None) if covered else point.past
    return exactly(earlier)


def _weekday(match: re.Match[str], reference: datetime) -> Point | None:
    today = day_of(reference)
    wanted = WEEKDAYS[match["weekday"].casefold().rstrip(".")]
    back = (today.weekday() - wanted) % 7 or 7
    past, ahead = today - timedelta(days=back), today + timedelta(days=7 - back % 7)
    step = _STEPS.get((match["step"] or "").casefold())
    if step == 0:
        past = ahead = today + timedelta(days=wanted - today.weekday())
    elif step is not None:
        past = ahead = past if step < 0 else ahead
    return Point(StatedTime(past, Precision.DAY), StatedTime(ahead, Precision.DAY))


def _near_day(match: re.Match[str], reference: datetime) -> Point | None:
    said = " ".join(match["near"].casefold().split())
    if "before yesterday" in said:
        step = -2
    elif "after tomorrow" in said:
        step = 2
    elif said.startswith(("yesterday", "last night")):
        step = -1
    elif said.startswith("tomorrow"):
        step = 1
    else:
        step = 0
    return _fixed(day_of(reference) + timedelta(days=step), Precision.DAY)


def count_of(word: str) -> int:
    """The number that a count word stands for: `three`, `a couple of`, `12`."""
    last = [part for part in word.casefold().split() if part not in {"a", "of"}] or ["a"]
    return int(last[0]) if last[0].isdigit() else NUMBERS[last[0]]


def _ago(match: re.Match[str], reference: datetime) -> Point | None:
    unit = match["unit"].casefold()
    count = count_of(match["count"]) * (2 if unit == "fortnight" else 1)
    sign = 1 if "hence" in match.groupdict() else -1
    return counted(reference, sign * count, UNITS[unit])


def counted(reference: datetime, count: int, precision: Precision) -> Point | None:
    """`count` units away: a day for days, the month for months; weeks keep their day of the week."""
    at = shifted(reference, count, precision)
    if precision is Precision.WEEK:
        return _fixed(day_of(at), Precision.WEEK)
    return _fixed(start_of(at, precision), precision)


def shifted(at: datetime, count: int, precision: Precision) -> datetime:
    """`at` moved by `count` units of the calendar."""
    months = {Precision.MONTH: 1, Precision.QUARTER: 3, Precision.YEAR: 12, Precision.DECADE: 120}.get(
        precision
    )
    if months is None:
        hours = {Precision.MINUTE: 1 / 60, Precision.HOUR: 1, Precision.DAY: 24, Precision.WEEK: 168}[
            precision
        ]
        return at + timedelta(hours=hours * count)
    year, month = divmod(at.year * 12 + at.month - 1 + months * count, 12)
    return at.replace(year=year, month=month + 1, day=min(at.day, 28))


def start_of(at: datetime, precision: Precision) -> datetime:
    """The first instant of the calendar unit that `at` lies in."""
    day = day_of(at)
    starts = {
        Precision.INSTANT: at,
        Precision.SECOND: at.replace(microsecond=0),
        Precision.MINUTE: at.replace(second=0, microsecond=0),
        Precision.HOUR: at.replace(minute=0, second=0, microsecond=0),
        Precision.DAY: day,
        Precision.MONTH: day.replace(day=1),
        Precision.QUARTER: day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1),
        Precision.YEAR: day.replace(month=1, day=1),
        Precision.DECADE: day.replace(year=max(1, day.year // 10 * 10), month=1, day=1),
    }
    return (
        day - timedelta(days=min(day.weekday(), (day - BEGINNING_OF_TIME).days))
        if precision is Precision.WEEK
        else starts[precision]
    )


def _feast(match: re.Match[str], reference: datetime) -> Point | None:
    said = " ".join(match["feast"].casefold().replace("\u2019", "'").split())
    years = [int(match["year"])] if match["year"] else range(reference.year - 1, reference.year + 2)
    if said.startswith(("easter", "good")):
        after = {"easter monday": 1, "good friday": -2}.get(said, 0)
        there = [StatedTime(_easter(year) + timedelta(days=after), Precision.DAY) for year in years]
    else:
        month, day = {"christmas eve": (12, 24), "new year's eve": (12, 31)}.get(
            said, (12, 25) if said.startswith("christmas") else (1, 1)
        )
        there = [StatedTime(datetime(year, month, day, tzinfo=UTC), Precision.DAY) for year in years]
    return Point(there[0], there[0]) if match["year"] else around(there, reference)


def _easter(year: int) -> datetime:
    """Easter Sunday (anonymous Gregorian algorithm; Meeus, Astronomical Algorithms, ch. 8)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return datetime(year, month, day + 1, tzinfo=UTC)


_STAMP = r"\d\d-\d\d[T ]\d\d:\d\d(?P<seconds>:\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?"
_NEAR = (
    r"(?P<near>(?i:the\s+day\s+before\s+yesterday|the\s+day\s+after\s+tomorrow|today|tonight|last\s+night"
    r"|(?:yesterday|tomorrow)(?:\s+(?:morning|afternoon|evening|night))?|this\s+(?:morning|afternoon|evening)))"
)
_DECADE = (
    r"(?P<decade>(?:1[5-9]|20)\d0['\u2019]?s|['\u2019]?\d0['\u2019]?s"
    r"|(?i:twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties))"
)
_FEAST = (
    r"(?P<feast>(?i:Christmas(?:\s+(?:Eve|Day))?|Easter(?:\s+(?:Sunday|Monday))?|Good\s+Friday"
    r"|New\s+Year['\u2019]s(?:\s+(?:Eve|Day))?|(?-i:New\s+Year\b)(?!['\u2019])))"
)
_ROUGHLY = r"(?:(?i:about|around|over|almost|nearly|exactly)\s+)?"
_COUNTED = rf"(?P<count>{COUNT})\s+(?P<unit>{UNIT})s?"
_PARTLY = r"(?i:(?:early|mid|late)[\s-]+)?"

#: Tried in this order at each place of the text.
PATTERNS: tuple[tuple[str, Reader], ...] = (
    (rf"(?P<stamp>{_YEAR}-{_STAMP})(?!\d)", _timestamp),
    (rf"(?P<y>{_YEAR})[-/](?P<m>\d\d)(?:[-/](?P<d>\d\d))?(?![\d-])", _numeric),
    (rf"(?P<a>\d{{1,2}})(?P<sep>[./])(?P<b>\d{{1,2}})[./](?P<y>{_YEAR})(?!\d)", _slashed),
    (
        rf"(?:{WEEKDAY},?\s+)?(?:the\s+)?{_DAY}(?:\s+(?:day\s+)?of)?\s+(?P<month>{MONTH}){_AND_YEAR}{_END}",
        _dated,
    ),
    (rf"(?:{WEEKDAY},?\s+)?(?P<month>{MONTH})\s+(?:the\s+)?{_DAY}{_AND_YEAR}(?![\w%])", _dated),
    (rf"{_PART}?(?P<month>{MONTH})(?:\s+of)?,?\s+(?P<year>{_YEAR}){_END}", _dated),
    (rf"{_PART}?{_STEP}\s+(?P<month>{MONTH}){_END}", _stepped_month),
    (rf"{_THE}Q(?P<quarter>[1-4])(?:(?:\s+(?:of\s+)?|/)(?P<year>{_YEAR}))?{_END}", _quarter),
    (
        rf"(?i:the\s+)(?P<quarter>(?i:first|second|third|fourth|last))\s+(?i:quarter){_OF_A_YEAR}{_END}",
        _quarter,
    ),
    (rf"{_PART}?(?:{_STEP}\s+)?{_THE}(?P<season>{_SEASON}){_OF_A_YEAR}{_END}", _season),
    (rf"{_NEAR}{_END}", _near_day),
    (rf"(?:{_STEP}\s+)?(?P<weekday>{WEEKDAY})(?:\s+(?i:morning|afternoon|evening|night))?{_END}", _weekday),
    (rf"{_THE}{_PART}?{_THE}{_STEP}\s+(?P<unit>{UNIT}){_END}", _stepped_unit),
    (
        rf"{_THE}(?i:end|beginning|start|middle)\s+of\s+(?i:the\s+)(?P<step>)(?P<unit>{UNIT}){_END}",
        _stepped_unit,
    ),
    (rf"{_ROUGHLY}{_COUNTED}\s+(?i:ago){_END}", _ago),
    (rf"(?P<hence>){_COUNTED}\s+(?i:from\s+(?:now|today)|hence){_END}", _ago),
    (
        rf"(?:(?i:fiscal\s+year|financial\s+year)|FY)\s*(?P<fiscal>)(?P<year>{_YEAR})(?:[/-]\d\d(?:\d\d)?)?{_END}",
        _year,
    ),
    (rf"FY\s*(?P<short>\d\d)(?:/\d\d)?{_END}", _short_fiscal_year),
    (rf"{_THE}{_PARTLY}{_DECADE}{_END}", _decade),
    (rf"{_THE}{_FEAST}(?:\s+(?P<year>{_YEAR}))?{_END}", _feast),
    (rf"(?i:the\s+){_DAY}(?<=[a-z])(?=\s*(?:[.,;:?!)]|$)|\s+(?:and|at|in)\b)", _day_of_month),
    (rf"(?P<part>{_PART})(?P<year>{_YEAR})(?![\w%]|[.,]\d)", _year),
    (rf"(?P<part>{_PART})(?P<month>{MONTH}){_END}", _dated),
    (rf"(?P<month>{MONTH}){_END}", _bare_month),
    (rf"(?P<year>{_YEAR})(?![\w%]|[.,]\d|-(?!{_YEAR}(?![\w-]))\w)", _year),
)
