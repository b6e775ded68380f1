"""English times in a text: where they stand, what role their preposition gives them, when that is.

`find_dates` is the whole interface. Points of time are read by `calendar_words`; here are prepositions
("since", "until"), ranges ("from 2019 to 2022"), lapses ("for three years") and clock times. What a time
means for a fact is decided where the clause is known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from memstrata.extraction.calendar_words import (
    COUNT,
    PATTERNS,
    UNIT,
    UNITS,
    Point,
    count_of,
    counted,
    date_in,
)
from memstrata.extraction.written_dates import read_written_date, whole_dates
from memstrata.instants import Precision, StatedTime

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime


class DateRole(StrEnum):
    """What a time is to what is told."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    BY = "by"
    PERIOD = "period"
    LAPSE = "lapse"  # "for three years": `time` is so long before the reference time
    AHEAD = "ahead"  # "in two weeks"
    AROUND = "around"  # "before Christmas", "after 2019", "of 2021": no time of the thing itself
    CLOCK = "clock"  # "at 10:30", without its day
    RECURRING = "recurring"  # "every second Wednesday", "on Fridays", "twice a week"


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """A time phrase at `[start, end)`, preposition included.

    Where the words leave the year or week open ("in June", "on Monday"), ask for the reading `ahead` of
    the reference time or behind it.
    """

    start: int
    end: int
    role: DateRole
    point: Point | None = None
    stop: Point | None = None
    word: str = ""

    def time(self, *, ahead: bool = False) -> StatedTime | None:
        """When it is, or begins."""
        return _reading(self.point, ahead=ahead)

    def until(self, *, ahead: bool = False) -> StatedTime | None:
        """When a period ends; None for everything else."""
        return _reading(self.stop, ahead=ahead)


def _reading(point: Point | None, *, ahead: bool) -> StatedTime | None:
    if point is None:
        return None
    return point.ahead if ahead else point.past


_ROLES = {
    "ever since": DateRole.SINCE, "since": DateRole.SINCE, "as of": DateRole.SINCE,
    "as from": DateRole.SINCE,
    "starting": DateRole.SINCE, "beginning": DateRole.SINCE, "effective": DateRole.SINCE,
    "valid from": DateRole.SINCE, "from": DateRole.SINCE,
    "until": DateRole.UNTIL, "till": DateRole.UNTIL, "up to": DateRole.UNTIL, "up until": DateRole.UNTIL,
    "through": DateRole.UNTIL, "thru": DateRole.UNTIL,
    "by": DateRole.BY, "no later than": DateRole.BY, "due": DateRole.BY,
    "before": DateRole.AROUND, "prior to": DateRole.AROUND, "after": DateRole.AROUND,
    "following": DateRole.AROUND, "of": DateRole.AROUND, "to": DateRole.AROUND, "than": DateRole.AROUND,
    "and": DateRole.AT, "between": DateRole.AT, "in": DateRole.AT, "on": DateRole.AT, "at": DateRole.AT,
    "during": DateRole.AT, "throughout": DateRole.AT, "over": DateRole.AT, "around": DateRole.AT,
    "about": DateRole.AT, "circa": DateRole.AT, "for": DateRole.AROUND, "within": DateRole.AROUND,
}  # fmt: skip
_PREFIX = re.compile(
    r"(?<![\w-])(" + "|".join(sorted(map(re.escape, _ROLES), key=len, reverse=True)) + r")"
    r"(?<!\bof)?(?:\s+(?:on|in|from|at|with))?\s+(?:the\s+)?(?:year\s+)?(?:around\s+|about\s+|approximately\s+)?$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\(\?P<\w+>")
_POINTS = tuple((re.compile(source), reader) for source, reader in PATTERNS)
_ANY_POINT = re.compile(
    r"(?<![\w$€£#/.])(?:"
    + "|".join(f"(?P<p{i}>{_NAMED.sub('(?:', source)})" for i, (source, _) in enumerate(PATTERNS))
    + ")"
)
_LAPSE = re.compile(
    rf"(?<!\w)(?:(?P<recent>(?i:for|over|in|during|within)\s+(?i:the\s+)(?i:last|past|previous)\s+)|(?P<for>(?i:for)\s+)"
    rf"(?:(?i:about|around|over|almost|nearly|more\s+than|at\s+least)\s+)?|(?P<in>(?i:in)\s+))"
    rf"(?P<count>{COUNT})\s+(?P<unit>{UNIT})s?(?:\s+now)?(?!\w|['\u2019]|\s+ago)"
)
_CLOCK = re.compile(
    r"(?<![\w.:-])(?:(?:at|from|until|by|around)\s+)?"
    r"(?P<hour>[01]?\d|2[0-3])(?::(?P<minute>[0-5]\d)(?::[0-5]\d)?\s*(?P<half>[ap]\.?m\.?)?|\s*(?P<half2>[ap]\.?m\.?))"
    r"(?:\s*(?P<zone>UTC|GMT|Z|[A-Z]{1,3}[SE]?T)\b)?(?![\w:])"
)
_RECURRING = re.compile(
    r"(?<!\w)(?:(?:on\s+)?(?:the\s+|every\s+)?(?:first|second|third|fourth|last|1st|2nd|3rd|4th)\s+"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)?day\s+(?:of|in)\s+(?:every|each)\s+"
    r"(?:(?:other|second|third)\s+)?(?:month|quarter|year|term)(?!\w)"
    r"|(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)days(?!\w|['\u2019])"
    r"|(?:on\s+)?every\s+(?:(?:other|single|second|third|fourth|first|last|few|two|three|four|six)\s+)?"
    r"(?:day|week|month|quarter|year|hour|morning|afternoon|evening|night|weekend|weekday|spring|summer|autumn|winter"
    r"|mon(?:day)?|tues(?:day)?|wednes(?:day)?|thurs(?:day)?|fri(?:day)?|satur(?:day)?|sun(?:day)?)s?(?!\w)"
    r"|(?:once|twice|(?:two|three|four|five|six|\d+)\s+times)\s+(?:a|an|per|every|each)\s+(?:day|week|month|quarter|year|hour)(?!\w))",
    re.IGNORECASE,
)
_JOINTS = re.compile(r"\s*(?:,|\bon\b|\bat\b|T)?\s*(?:on\s+|the\s+)?", re.IGNORECASE)
_FIRST_DAY = re.compile(
    r"(?<!\d)(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)?\s*(?:-|\u2013|\u2014|to|until|till|and)\s*(?:the\s+)?$"
)
_DASH = re.compile(r"\s*[-\u2013\u2014]\s*")
_SINCE_EVENT = re.compile(
    r"(?<!\w)(since)\s+(?:the|his|her|its|their|our|my|last)\s+(?:[\w-]+\s+){1,3}"
    r"(?:on|in|at|of)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_BEFORE_EVENT = re.compile(
    r"(?<!\w)(until|till)\s+(?:the|his|her|its|their|our|my)\s+(?:[\w-]+\s+){1,3}(?:on|in|at|of)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
#: "for another two years": how long from now, which dates no beginning.
_FURTHER = re.compile(rf"(?<!\w)(?i:for\s+(?:another|a\s+further))(?:\s+{COUNT})?\s+{UNIT}s?(?!\w)")
_AT_AN_AGE = re.compile(
    r"(?<!\w)(?:at|from|until|since)\s+(?:the\s+)?age\s+(?:of\s+)?[\w-]+(?!\w)", re.IGNORECASE
)
#: A day or month that says which of several is meant: "the Saturday market".
_WHICH = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october"
    r"|november|december",
    re.IGNORECASE,
)
_DETERMINED = re.compile(r"(?<!\w)(?:the|a|our|my|their|his|her|its)\s+$|['\u2019]s\s+$", re.IGNORECASE)
_NOUN_AFTER = re.compile(
    r"[ ]+(?!(?:morning|afternoon|evening|night|before|after|when|that|at|in|of|and|or|to|from|is|was"
    r"|for|on|with|by"
    r"|until|we|i|he|she|they|it|as|but|if|will|the|a)\b)[a-z]{3,}"
)
_UNTIL_EVENT = re.compile(r"\s*,?\s*(?:until|till)\s+(?:[\w'\u2019]+\s+){1,4}$", re.IGNORECASE)


def find_dates(text: str, reference: datetime) -> tuple[DatePhrase, ...]:
    """Every time phrase of `text`, in order and without overlap, read against `reference` (UTC)."""
    recurring = [DatePhrase(m.start(), m.end(), DateRole.RECURRING) for m in _RECURRING.finditer(text)]
    recurring += [DatePhrase(m.start(), m.end(), DateRole.AROUND) for m in _FURTHER.finditer(text)]
    recurring += [DatePhrase(m.start(), m.end(), DateRole.AROUND) for m in _AT_AN_AGE.finditer(text)]
    points = list(_points(text, reference))
    points = [*_written(text, points), *points]
    phrases = _without_overlap([*recurring, *_lapses(text, reference), *points])
    phrases = _with_clocks(text, phrases)
    return tuple(phrase for phrase in _joined(text, phrases) if _is_told(text, phrase))


def _without_overlap(phrases: list[DatePhrase]) -> list[DatePhrase]:
    kept: list[DatePhrase] = []
    for phrase in sorted(phrases, key=lambda phrase: (phrase.start, -phrase.end)):
        if not kept or phrase.start >= kept[-1].end:
            kept.append(phrase)
    return kept


def _lapses(text: str, reference: datetime) -> Iterator[DatePhrase]:
    for match in _LAPSE.finditer(text):
        precision = UNITS[match["unit"].casefold()]
        count = count_of(match["count"]) * (2 if match["unit"].casefold() == "fortnight" else 1)
        ahead = bool(match["in"])
        role = DateRole.AHEAD if ahead else DateRole.LAPSE
        try:
            point = counted(reference, count if ahead else -count, precision)
        except (ValueError, OverflowError):  # "for 999 decades": before the calendar
            continue
        yield DatePhrase(match.start(), match.end(), role, point)


def _points(text: str, reference: datetime) -> Iterator[DatePhrase]:
    for match in _ANY_POINT.finditer(text):
        number = int((match.lastgroup or "p0")[1:])
        pattern, reader = _POINTS[number]
        inner = pattern.match(text, match.start())
        if inner is None or _inside_a_word(text, match.start()):
            continue
        try:
            point = reader(inner, reference)
        except (ValueError, OverflowError):  # outside the calendar
            continue
        if point is not None:
            yield _with_preposition(text, match.start(), match.end(), point)


def _written(text: str, known: list[DatePhrase]) -> Iterator[DatePhrase]:
    """Whole dates that the grammar did not read whole."""
    for start, end, words in whole_dates(text):
        if any(phrase.start <= start and end <= phrase.end for phrase in known):
            continue
        day = read_written_date(words)
        if day is not None:
            stated = StatedTime(day, Precision.DAY)
            yield _with_preposition(text, start, end, Point(stated, stated))


def _inside_a_word(text: str, start: int) -> bool:
    """Whether a hyphen ties what starts here to a word: the 2019 of INV-2019."""
    return start >= 2 and text[start - 1] in "-_" and text[start - 2].isalpha()  # noqa: PLR2004 (two back)


def _with_preposition(text: str, start: int, end: int, point: Point) -> DatePhrase:
    before = text[max(0, start - 48) : start]
    match = _PREFIX.search(before)
    if since := _SINCE_EVENT.search(before):
        lead = match.start() if match is not None else len(before)
        return DatePhrase(start - len(before) + lead, end, DateRole.SINCE, point, word=since[1].casefold())
    if ended := _BEFORE_EVENT.search(before):
        lead = match.start() if match is not None else len(before)
        return DatePhrase(start - len(before) + lead, end, DateRole.UNTIL, point, word=ended[1].casefold())
    if match is None:
        return DatePhrase(start, end, DateRole.AT, point)
    word = " ".join(match[1].casefold().split())
    return DatePhrase(start - len(before) + match.start(), end, _ROLES[word], point, word=word)


def _with_clocks(text: str, phrases: list[DatePhrase]) -> list[DatePhrase]:
    """Joins clock times to the day beside them; those alone become phrases without a time."""
    joined = list(phrases)
    alone: list[DatePhrase] = []
    for match in _CLOCK.finditer(text):
        inside = [i for i, p in enumerate(joined) if p.start <= match.start() < p.end]
        if inside:
            continue
        beside = [
            i
            for i, phrase in enumerate(joined)
            if (_JOINTS.fullmatch(text[match.end() : phrase.start]) and phrase.start >= match.end())
            or (phrase.end <= match.start() and _JOINTS.fullmatch(text[phrase.end : match.start()]))
        ]
        if beside:
            joined[beside[0]] = _at_clock(joined[beside[0]], match)
        else:
            alone.append(DatePhrase(match.start(), match.end(), DateRole.CLOCK))
    return _without_overlap([*joined, *alone])


def _at_clock(phrase: DatePhrase, match: re.Match[str]) -> DatePhrase:
    """The phrase at that time of its day. Of a zone other than UTC the day alone is kept."""
    start, end = min(phrase.start, match.start()), max(phrase.end, match.end())
    point = phrase.point
    elsewhere = match["zone"] not in {None, "UTC", "GMT", "Z"}
    if point is None or point.past.precision is not Precision.DAY or elsewhere:
        return replace(phrase, start=start, end=end)
    half = (match["half"] or match["half2"] or "").replace(".", "").casefold()
    hour = int(match["hour"]) % 12 + (12 if half == "pm" else 0) if half else int(match["hour"])
    later = timedelta(hours=hour, minutes=int(match["minute"] or 0))
    past, ahead = (StatedTime(day.at + later, Precision.MINUTE) for day in (point.past, point.ahead))
    return replace(phrase, start=start, end=end, point=Point(past, ahead))


def _joined(text: str, phrases: list[DatePhrase]) -> Iterator[DatePhrase]:
    """Makes one period of `from A to B`, `between A and B`, `A - B`, `3 to 7 March`."""
    held: DatePhrase | None = None
    for phrase in phrases:
        current = _with_first_day(text, phrase)
        if held is not None and _is_period(text, held, current):
            current = _period(held, current)
        elif held is not None:
            yield held
        held = current
    if held is not None:
        yield held


def _is_period(text: str, first: DatePhrase, second: DatePhrase) -> bool:
    if first.point is None or second.point is None or first.stop or second.stop:
        return False
    between = text[first.end : second.start]
    if first.word in {"from", "since", "valid from", "as from"}:
        closed = second.word in {"to", "until", "till", "through", "thru", "up to"} and not between.strip(
            " ,"
        )
        return closed or bool(_UNTIL_EVENT.fullmatch(between)) or bool(_DASH.fullmatch(between))
    if first.word == "between":
        return second.word == "and" and not between.strip()
    dashed = bool(_DASH.fullmatch(between)) or (
        second.word in {"to", "until", "till"} and not between.strip()
    )
    return dashed and first.point.past.precision is second.point.past.precision


def _period(first: DatePhrase, second: DatePhrase) -> DatePhrase:
    begin, stop = first.point, second.point
    if begin is not None and stop is not None and begin.stem and not stop.stem:
        year = stop.past.at.year
        month, day = begin.stem
        same = date_in(year, month, day)
        if same is not None and same.at > stop.past.at:
            same = date_in(year - 1, month, day)
        begin = Point(same, same) if same else begin
    return DatePhrase(first.start, second.end, DateRole.PERIOD, begin, stop, word=first.word)


def _with_first_day(text: str, phrase: DatePhrase) -> DatePhrase:
    """`3 to 7 March 2025`: the day before the dash belongs to the same month."""
    point = phrase.point
    if point is None or phrase.word not in {"", "to", "and", "until", "till"}:
        return phrase
    if point.past.precision is not Precision.DAY:
        return phrase
    offset = max(0, phrase.start - 24)
    joint = text[offset : phrase.start] + (f"{phrase.word} " if phrase.word else "")
    match = _FIRST_DAY.search(joint)
    if match is None:
        return phrase
    first = [date_in(day.at.year, day.at.month, int(match["day"])) for day in (point.past, point.ahead)]
    if first[0] is None or first[1] is None or first[0].at >= point.past.at:
        return phrase
    start = offset + match.start()
    lead = _PREFIX.search(text[max(0, start - 24) : start])
    start = start - len(text[max(0, start - 24) : start]) + lead.start() if lead else start
    return DatePhrase(start, phrase.end, DateRole.PERIOD, Point(first[0], first[1]), point, word="from")


def _says_which(text: str, phrase: DatePhrase) -> bool:
    """Whether a day or month only says which of several is meant: "a stall at the Saturday market"."""
    name = _WHICH.search(text, phrase.start, phrase.end)
    if name is None or name.end() != phrase.end or phrase.stop is not None:
        return False
    return (
        _DETERMINED.search(text[: name.start()][-8:]) is not None
        and _NOUN_AFTER.match(text, phrase.end) is not None
    )


def _is_told(text: str, phrase: DatePhrase) -> bool:
    """Whether a bare year, month or season is used as a time, and not as a number or a name."""
    point = phrase.point
    if _says_which(text, phrase):
        return False
    if point is None or not point.bare or phrase.stop is not None:
        return True
    if phrase.word not in {"", "and", "to", "for", "at", "about", "over", "than", "on"}:
        return True
    enclosed = text[phrase.start - 1 : phrase.start] == "(" and text[phrase.end : phrase.end + 1] in {
        ")",
        ",",
    }
    return enclosed and point.past.precision is Precision.YEAR
