from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.extraction.calendar_words import MONTHS, start_of
from memstrata.extraction.dates import DateRole, find_dates
from memstrata.instants import Precision

if TYPE_CHECKING:
    from datetime import date


THURSDAY = datetime(2025, 7, 24, 9, tzinfo=UTC)

# text, role, start behind us, precision, end of a period
BEHIND = [
    ("last month", "at", "2025-06-01", "month", None),
    ("in June", "at", "2025-06-01", "month", None),
    ("in August", "at", "2024-08-01", "month", None),
    ("since 2010", "since", "2010-01-01", "year", None),
    ("early 2019", "at", "2019-01-01", "year", None),
    ("in late 2018", "at", "2018-01-01", "year", None),
    ("mid-2020", "at", "2020-01-01", "year", None),
    ("at the beginning of 2016", "at", "2016-01-01", "year", None),
    ("in Q3 2025", "at", "2025-07-01", "quarter", None),
    ("Q1/2024", "at", "2024-01-01", "quarter", None),
    ("in the third quarter of 2024", "at", "2024-07-01", "quarter", None),
    ("in the last quarter of 2023", "at", "2023-10-01", "quarter", None),
    ("last quarter", "at", "2025-04-01", "quarter", None),
    ("last Monday", "at", "2025-07-21", "day", None),
    ("on Saturday", "at", "2025-07-19", "day", None),
    ("on Thursday", "at", "2025-07-17", "day", None),
    ("two weeks ago", "at", "2025-07-10", "week", None),
    ("a week ago", "at", "2025-07-17", "week", None),
    ("a fortnight ago", "at", "2025-07-10", "week", None),
    ("three days ago", "at", "2025-07-21", "day", None),
    ("3 years ago", "at", "2022-01-01", "year", None),
    ("a couple of months ago", "at", "2025-05-01", "month", None),
    ("about ten years ago", "at", "2015-01-01", "year", None),
    ("twenty minutes ago", "at", "2025-07-24T08:40", "minute", None),
    ("five hours ago", "at", "2025-07-24T04:00", "hour", None),
    ("on 14 March", "at", "2025-03-14", "day", None),
    ("on March 14th", "at", "2025-03-14", "day", None),
    ("on the 14th of March 2019", "at", "2019-03-14", "day", None),
    ("14 January, 2019", "at", "2019-01-14", "day", None),
    ("January 14, 2019", "at", "2019-01-14", "day", None),
    ("Tuesday, 29 July 2025", "at", "2025-07-29", "day", None),
    ("on Tuesday 1 July 2025", "at", "2025-07-01", "day", None),
    ("from 2019 to 2022", "period", "2019-01-01", "year", "2022-01-01"),
    ("from 2019 until 2022", "period", "2019-01-01", "year", "2022-01-01"),
    ("between 2011 and 2015", "period", "2011-01-01", "year", "2015-01-01"),
    ("(2008\u20132016)", "period", "2008-01-01", "year", "2016-01-01"),
    ("from June to August 2021", "period", "2021-06-01", "month", "2021-08-01"),
    ("from November to February 2021", "period", "2020-11-01", "month", "2021-02-01"),
    ("3 to 7 March 2025", "period", "2025-03-03", "day", "2025-03-07"),
    ("from 3 to 7 March 2025", "period", "2025-03-03", "day", "2025-03-07"),
    ("3-7 March 2025", "period", "2025-03-03", "day", "2025-03-07"),
    ("from 19 December 2025 until 5 January 2026", "period", "2025-12-19", "day", "2026-01-05"),
    (
        "From March 2016 until her resignation on 12 September 2019",
        "period",
        "2016-03-01",
        "month",
        "2019-09-12",
    ),
    ("until 2015", "until", "2015-01-01", "year", None),
    ("until the end of May", "until", "2025-05-01", "month", None),
    ("through 2024", "until", "2024-01-01", "year", None),
    ("in the 90s", "at", "1990-01-01", "decade", None),
    ("in the 1980s", "at", "1980-01-01", "decade", None),
    ("in the early seventies", "at", "1970-01-01", "decade", None),
    ("yesterday", "at", "2025-07-23", "day", None),
    ("yesterday evening", "at", "2025-07-23", "day", None),
    ("last night", "at", "2025-07-23", "day", None),
    ("the day before yesterday", "at", "2025-07-22", "day", None),
    ("today", "at", "2025-07-24", "day", None),
    ("this morning", "at", "2025-07-24", "day", None),
    ("Starting today", "since", "2025-07-24", "day", None),
    ("this spring", "at", "2025-03-01", "quarter", None),
    ("in the summer of 2021", "at", "2021-06-01", "quarter", None),
    ("last summer", "at", "2024-06-01", "quarter", None),
    ("in spring 2024", "at", "2024-03-01", "quarter", None),
    ("at the end of May", "at", "2025-05-01", "month", None),
    ("at the end of last year", "at", "2024-01-01", "year", None),
    ("this year", "at", "2025-01-01", "year", None),
    ("last week", "at", "2025-07-14", "week", None),
    ("this week", "at", "2025-07-21", "week", None),
    ("last June", "at", "2025-06-01", "month", None),
    ("this March", "at", "2025-03-01", "month", None),
    ("since this March", "since", "2025-03-01", "month", None),
    ("2024-05-01", "at", "2024-05-01", "day", None),
    ("2024-05", "at", "2024-05-01", "month", None),
    ("2024/05/01", "at", "2024-05-01", "day", None),
    ("in May 2021", "at", "2021-05-01", "month", None),
    ("FY2024", "at", "2024-01-01", "year", None),
    ("in fiscal year 2023", "at", "2023-01-01", "year", None),
    ("FY 2023/24", "at", "2023-01-01", "year", None),
    ("14.3.2019", "at", "2019-03-14", "day", None),
    ("04/25/2023", "at", "2023-04-25", "day", None),
    ("25/04/2023", "at", "2023-04-25", "day", None),
    ("2026-03-17T22:40:09Z", "at", "2026-03-17T22:40:09", "second", None),
    ("2025-12-02 18:31", "at", "2025-12-02T18:31", "minute", None),
    ("At 04:12 UTC on 17 March 2026", "at", "2026-03-17T04:12", "minute", None),
    ("March 5, 2024 at 5pm", "at", "2024-03-05T17:00", "minute", None),
    ("at 18:30 CET on 3 May 2024", "at", "2024-05-03", "day", None),
    ("on the 9th.", "at", "2025-07-09", "day", None),
    ("since August", "since", "2024-08-01", "month", None),
    ("as of 1 July 2025", "since", "2025-07-01", "day", None),
    ("for three years", "lapse", "2022-01-01", "year", None),
    ("for the past six months", "lapse", "2025-01-01", "month", None),
    ("over the last two years", "lapse", "2023-01-01", "year", None),
    ("by 2020", "by", "2020-01-01", "year", None),
    ("before Christmas", "around", "2024-12-25", "day", None),
    ("on 4-Jul-2019", "at", "2019-07-04", "day", None),
    ("on Jul-04-2019", "at", "2019-07-04", "day", None),
    ("on 4. July 2019", "at", "2019-07-04", "day", None),
    ("on July 4 '19", "at", "2019-07-04", "day", None),
    ("on New Year's Eve 2023", "at", "2023-12-31", "day", None),
]
AHEAD = [
    ("in June", "at", "2026-06-01", "month"),
    ("in July", "at", "2025-07-01", "month"),
    ("on 14 March", "at", "2026-03-14", "day"),
    ("next Tuesday", "at", "2025-07-29", "day"),
    ("next Monday at 10:30", "at", "2025-07-28T10:30", "minute"),
    ("on Monday", "at", "2025-07-28", "day"),
    ("tomorrow", "at", "2025-07-25", "day"),
    ("the day after tomorrow", "at", "2025-07-26", "day"),
    ("in two weeks", "ahead", "2025-08-07", "week"),
    ("three months from now", "at", "2025-10-01", "month"),
    ("next June", "at", "2026-06-01", "month"),
    ("next summer", "at", "2026-06-01", "quarter"),
    ("next year", "at", "2026-01-01", "year"),
    ("by Friday", "by", "2025-07-25", "day"),
    ("until Easter", "until", "2026-04-05", "day"),
    ("valid from 1 September", "since", "2025-09-01", "day"),
    ("on the 9th.", "at", "2025-08-09", "day"),
    ("in late October", "at", "2025-10-01", "month"),
]
NO_TIMES = [
    "He may go",
    "May I ask",
    "It has 2019 seats",
    "INV-2019",
    "The march was long",
    "She marched on",
    "1,450 euros",
    "a second opinion",
    "They spring into action",
    "the 21st floor",
    "03/04/2024",
    "31 February 2024",
    "version 2.7",
]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(("text", "role", "start", "precision", "stop"), BEHIND)
def test_a_phrase_is_read_behind_the_reference_time(
    text: str, role: str, start: str, precision: str, stop: str | None
) -> None:
    (phrase,) = find_dates(text, THURSDAY)
    time, until = phrase.time(), phrase.until()
    assert time is not None
    assert (phrase.role, time.at, time.precision) == (DateRole(role), at(start), Precision(precision))
    assert (until.at if until else None) == (at(stop) if stop else None)


@pytest.mark.parametrize(("text", "role", "start", "precision"), AHEAD)
def test_a_phrase_is_read_ahead_of_the_reference_time(
    text: str, role: str, start: str, precision: str
) -> None:
    (phrase,) = find_dates(text, THURSDAY)
    time = phrase.time(ahead=True)
    assert time is not None
    assert (phrase.role, time.at, time.precision) == (DateRole(role), at(start), Precision(precision))


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert find_dates(text, THURSDAY) == ()


@pytest.mark.parametrize("text", ["every second Wednesday", "on Fridays", "twice a week", "every year"])
def test_a_rhythm_is_found_and_has_no_time(text: str) -> None:
    (phrase,) = find_dates(f"We meet {text}.", THURSDAY)
    assert (phrase.role, phrase.time()) == (DateRole.RECURRING, None)


def test_a_clock_time_without_its_day_has_no_time() -> None:
    (phrase,) = find_dates("Talwyn renewed it at 15:20.", THURSDAY)
    assert (phrase.role, phrase.time()) == (DateRole.CLOCK, None)


def test_the_span_holds_the_preposition() -> None:
    text = "She has lived there since 2017, they say."
    (phrase,) = find_dates(text, THURSDAY)
    assert text[phrase.start : phrase.end] == "since 2017"


def test_two_dates_in_one_sentence_stay_two() -> None:
    phrases = find_dates("Joined on 3 May 2020 and left in June 2022.", THURSDAY)
    assert [phrase.time().at for phrase in phrases] == [at("2020-05-03"), at("2022-06-01")]


@given(st.text(max_size=200))
def test_any_text_is_read_without_error_and_without_overlap(text: str) -> None:
    end = 0
    for phrase in find_dates(text, THURSDAY):
        assert end <= phrase.start < phrase.end <= len(text)
        end = phrase.end


DATE_WORDS = (
    "in on since until from to between and last next the end of early 2019 1999 3 14 31 Q2 weeks ago"
)
OTHER_WORDS = "for Monday spring yesterday 10:30 at 999 decades quarter year - , 2024-02-30"
WORDS = sorted({*MONTHS, *DATE_WORDS.split(), *OTHER_WORDS.split()})


@given(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.datetimes(datetime(1950, 1, 1), datetime(2150, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 (Hypothesis)
)
def test_any_string_of_date_words_is_read_without_error(text: str, reference: datetime) -> None:
    for phrase in find_dates(text, reference):
        for ahead in (False, True):
            time = phrase.time(ahead=ahead)
            assert time is None or time.at.tzinfo is UTC


@given(
    st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 (Hypothesis)
    st.sampled_from(
        ["in June", "on 14 March", "on Monday", "in spring", "on the 9th.", "in Q2", "at Christmas"]
    ),
)
def test_the_reading_behind_has_begun_and_the_one_ahead_is_not_over(reference: datetime, text: str) -> None:
    (phrase,) = find_dates(text, reference)
    behind, ahead = phrase.time(), phrase.time(ahead=True)
    assert behind.at <= reference < ahead.stop
    assert ahead.at - behind.at <= timedelta(days=366)


@given(st.dates(datetime(1950, 1, 1).date(), datetime(2149, 12, 31).date()))  # noqa: DTZ001 (dates only)
def test_a_full_date_is_that_day_however_it_is_written(day: date) -> None:
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    for form in ("%Y-%m-%d", "%-d %B %Y", "%B %-d, %Y", "%A, %-d %B %Y"):
        (phrase,) = find_dates(day.strftime(form), THURSDAY)
        assert (phrase.time().at, phrase.time().precision) == (midnight, Precision.DAY)


@given(st.datetimes(timezones=st.just(UTC)), st.sampled_from(list(Precision)))
def test_the_start_of_a_unit_is_not_later_and_is_its_own_start(at_: datetime, precision: str) -> None:
    start = start_of(at_, precision)
    assert start <= at_
    assert start_of(start, precision) == start
