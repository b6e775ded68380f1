"""The days that a question names."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.search.when import Named, days_named, nearness

THAT_DAY = Named(year=2023, month=5, day=8)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What happened on 8 May 2023?", (THAT_DAY,)),
        ("What happened on the 8th of May, 2023?", (THAT_DAY,)),
        ("What happened on May 8, 2023?", (THAT_DAY,)),
        ("What happened on 2023-05-08?", (THAT_DAY,)),
        ("in Dec. 2022", (Named(year=2022, month=12),)),
        ("on July 3rd", (Named(month=7, day=3),)),
        ("in May", (Named(month=5),)),
        ("since last April", (Named(month=4),)),
        ("plans for October", (Named(month=10),)),
        ("how many times in 2023", (Named(year=2023),)),
        ("2023-05", (Named(year=2023, month=5),)),
        ("between 2 June 2024 and 2024-07", (Named(year=2024, month=7), Named(year=2024, month=6, day=2))),
        ("What may I do?", ()),
        ("May I march with April?", ()),
        ("2023-13", (Named(year=2023),)),
        ("room 1200, 8 pears", ()),
        ("", ()),
    ],
)
def test_days_months_and_years_are_read_as_they_are_written(text: str, named: tuple[Named, ...]) -> None:
    assert days_named(text) == named


def test_another_day_of_the_month_is_half_as_near_and_another_month_not_at_all() -> None:
    assert nearness((THAT_DAY,), datetime(2023, 5, 8, 12, tzinfo=UTC)) == 1.0
    assert nearness((THAT_DAY,), datetime(2023, 5, 9, tzinfo=UTC)) == 0.5
    assert nearness((THAT_DAY,), datetime(2023, 6, 8, tzinfo=UTC)) == 0.0
    assert nearness((THAT_DAY,), datetime(2024, 5, 8, tzinfo=UTC)) == 0.0


@given(st.datetimes(timezones=st.just(UTC)))
def test_no_time_is_near_to_no_day_and_each_to_its_own(at: datetime) -> None:
    assert nearness((), at) == 0.0
    written = days_named(f"{at.year:04}-{at.month:02}-{at.day:02}")
    assert nearness(written, at) == 1.0
