from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.instants import Precision, StatedTime
from memstrata.intake.times import NotATime, TimeReader, template_precision

LATEST = datetime(2026, 12, 1, tzinfo=UTC)
TIMES = TimeReader(zone=None, latest=LATEST)
BERLIN = TimeReader(zone=ZoneInfo("Europe/Berlin"), latest=LATEST)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
modern = st.datetimes(datetime(1990, 1, 1), datetime(2026, 11, 30)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001


@given(modern, st.sampled_from([1, 1_000, 1_000_000, 1_000_000_000]))
def test_an_epoch_number_says_its_unit_by_its_size(at: datetime, unit: int) -> None:
    microseconds = (at - EPOCH) // timedelta(microseconds=1)
    number = microseconds * unit // 1_000_000
    read = TIMES.read(number)
    assert read.precision is Precision.INSTANT
    assert (
        timedelta(0)
        <= at - read.at
        < timedelta(seconds=1) / min(unit, 1_000_000) + timedelta(microseconds=1)
    )
    assert TIMES.read(str(number)) == read


@given(st.datetimes(timezones=st.timezones()))
def test_a_time_with_an_offset_is_that_instant(at: datetime) -> None:
    try:
        wanted = at.astimezone(UTC)
    except OverflowError:
        return
    offset = at.utcoffset()
    assert offset is not None
    if offset % timedelta(minutes=1):  # ancient local times have seconds, which ISO-8601 offsets do not
        return
    assert TIMES.read(at.isoformat()).at == wanted
    assert BERLIN.read(at.isoformat(sep=" ")).at == wanted


@pytest.mark.parametrize(
    ("text", "at", "precision"),
    [
        ("2025-05-07", datetime(2025, 5, 7), Precision.DAY),  # noqa: DTZ001
        ("2025-05", datetime(2025, 5, 1), Precision.MONTH),  # noqa: DTZ001
        ("2025", datetime(2025, 1, 1), Precision.YEAR),  # noqa: DTZ001
    ],
)
def test_a_bare_date_is_the_start_of_its_local_day_and_keeps_its_precision(
    text: str, at: datetime, precision: Precision
) -> None:
    assert TIMES.read(text) == StatedTime(at.replace(tzinfo=UTC), precision)
    assert BERLIN.read(text) == StatedTime(at.replace(tzinfo=BERLIN.zone).astimezone(UTC), precision)


@pytest.mark.parametrize(
    "text",
    [
        "2025-03-01T08:15:00.123456Z",
        "2025-03-01 08:15:00.123456789 +00:00",
        "2025-03-01T09:15:00,123456+0100",
    ],
)
def test_spellings_of_one_time_are_one_instant(text: str) -> None:
    assert TIMES.read(text).at == datetime(2025, 3, 1, 8, 15, 0, 123456, tzinfo=UTC)


def test_a_time_of_day_without_an_offset_needs_a_zone() -> None:
    assert BERLIN.read("2025-07-01T12:00").at == datetime(2025, 7, 1, 10, tzinfo=UTC)
    with pytest.raises(NotATime, match="--timezone"):
        TIMES.read("2025-07-01T12:00")


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        -1,
        0,
        631_151_999,
        LATEST.timestamp() + 1,
        1e300,
        10**40,
        True,
        None,
        [],
        "",
        "now",
        "2025-02-29",
        "2025-13",
        "2025-01T10:00Z",
        "2025-01-01T24:30Z",
        "0000",
        "0001-01-01T00:00:00+14:00",
    ],
)
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(NotATime):
        TIMES.read(value)


@pytest.mark.parametrize(
    ("template", "precision"),
    [
        ("%d.%m.%Y", Precision.DAY),
        ("%Y", Precision.YEAR),
        ("%B %Y", Precision.MONTH),
        ("%d/%m/%y %H:%M", Precision.INSTANT),
        ("%Y-%j", Precision.DAY),
    ],
)
def test_a_format_is_as_fine_as_its_directives(template: str, precision: Precision) -> None:
    assert template_precision(template) is precision


def test_a_declared_format_is_read_in_the_zone() -> None:
    assert BERLIN.read("01.02.2024", template="%d.%m.%Y") == StatedTime(
        datetime(2024, 1, 31, 23, tzinfo=UTC), Precision.DAY
    )
