"""Relations and times in plain English, for texts that a template writes.

Times are told at the precision at which they were stated, and as bounds where nobody stated them.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from memstrata.instants import Precision, StatedTime

if TYPE_CHECKING:
    from datetime import datetime

    from memstrata.model import Fact

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W_A-Z]+|[A-Z]+")
_PREPOSITIONS: Final = frozenset(
    [
        "about",
        "against",
        "as",
        "at",
        "between",
        "by",
        "during",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "over",
        "to",
        "under",
        "with",
        "within",
    ]
)
_NO_VERBS: Final = ("ss", "us", "is")
_SHORT_VERBS: Final = frozenset({"is", "was", "has", "does", "goes"})
_MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def relation_words(relation: str) -> str:
    """The name of a relation as words in small letters: `WORKS_AT`, `worksAt`, `works-at` -> "works at"."""
    return " ".join(word.lower() for word in _WORDS.findall(relation)) or relation


def reads_as_verb(words: str) -> bool:
    """Whether an object may follow the words directly ("works at", "born in", but not "spouse").

    A guess from their form: a first word in the third person, or a preposition at the end.
    """
    first, *_, last = f"{words} {words}".split() or ("", "")
    if first in _SHORT_VERBS or last in _PREPOSITIONS:
        return True
    return first.endswith("s") and not first.endswith(_NO_VERBS)


def span_of(fact: Fact, at: datetime) -> str:
    """When a fact is true, as seen at `at`: "since March 2021", "2018 to 2021"; empty if unknown.

    A bound that nobody stated is only known to lie no later (beginnings) or no later (ends) than it was
    noticed, and is told so.
    """
    end = _bound(fact.invalid_at, fact.invalid_at_precision)
    if fact.valid_at is None:
        return "" if end is None else _ended("until", end, fact)
    start = _bound(fact.valid_at, fact.valid_at_precision)
    if fact.valid_at_precision and _fills_its_period(fact.valid_at, fact.valid_at_precision, fact):
        return f"in {start}" if fact.valid_at_precision.coarseness > _DAY else f"on {start}"
    begun = start if fact.valid_at_precision else f"{start} or earlier"
    if end is None:
        return f"from {start}" if fact.valid_at > at else f"since {begun}"
    return f"{begun}{'' if fact.invalid_at_precision else ','} {_ended('to', end, fact)}"


def time_words(stated: StatedTime) -> str:
    """A stated time in words at its own precision, in UTC: "March 2021", "Q3 2025", "the 2010s"."""
    # The middle of the period names it rightly even where a local day or year began the evening before.
    middle = stated.at + (stated.stop - stated.at) / 2
    match stated.precision:
        case Precision.DECADE:
            return f"the {middle.year // 10 * 10}s"
        case Precision.YEAR:
            return f"{middle.year}"
        case Precision.QUARTER:
            return f"Q{(middle.month + 2) // 3} {middle.year}"
        case Precision.MONTH:
            return f"{_MONTHS[middle.month - 1]} {middle.year}"
        case Precision.WEEK:
            return f"the week of {_day(middle - timedelta(days=3))}"
    return _day(middle) if stated.precision is Precision.DAY else _clock(stated)


_DAY: Final = Precision.DAY.coarseness


def _ended(word: str, end: str, fact: Fact) -> str:
    return f"{word} {end}" if fact.invalid_at_precision else f"over by {end}"


def _bound(at: datetime | None, precision: Precision | None) -> str | None:
    """A bound in words; one that nobody stated is told to the day."""
    if at is None:
        return None
    return time_words(StatedTime(at, precision)) if precision else _day(at)


def _fills_its_period(begun: datetime, precision: Precision, fact: Fact) -> bool:
    """Whether the fact is true over just the period stated: "in 2019"."""
    return precision.coarseness >= _DAY and fact.invalid_at == StatedTime(begun, precision).stop


def _day(at: datetime) -> str:
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def _clock(stated: StatedTime) -> str:
    at = stated.at
    if (
        stated.precision is Precision.INSTANT
        and (at.hour, at.minute, at.second, at.microsecond) == (0,) * 4
    ):
        return _day(at)  # an instant at midnight is a computed end of a day, month or year
    if stated.precision is Precision.HOUR or stated.precision is Precision.MINUTE or not at.second:
        return f"{_day(at)}, {at:%H:%M} UTC"
    return f"{_day(at)}, {at:%H:%M:%S} UTC"
