from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.drift.baselines import LEAST_DAYS, bands
from memstrata.drift.catalogue import Side, Unit, about

ON = date(2026, 3, 1)


def days(*values: float) -> dict[date, float]:
    return {ON + timedelta(days=number): value for number, value in enumerate(values)}


def test_there_is_no_usual_before_a_week_of_days() -> None:
    found = bands(days(*range(LEAST_DAYS + 1)))
    assert list(found) == [ON + timedelta(days=LEAST_DAYS)]
    assert found[ON + timedelta(days=LEAST_DAYS)].days == LEAST_DAYS


def test_a_day_is_not_part_of_its_own_baseline() -> None:
    found = bands(days(*[1.0] * 20, 99.0))
    last = found[ON + timedelta(days=20)]
    assert (last.low, last.middle, last.high) == (1.0, 1.0, 1.0)


def test_days_longer_ago_than_four_weeks_do_not_count() -> None:
    values = days(*[5.0] * 9) | {ON + timedelta(days=number): 1.0 for number in range(20, 38)}
    last = bands(values)[ON + timedelta(days=37)]
    assert (last.high, last.days) == (1.0, 17)


def test_a_few_wild_days_leave_the_band_where_it_was() -> None:
    calm = bands(days(*[0.1, 0.2] * 14, 0.1))[ON + timedelta(days=28)]
    wild = bands(days(*[0.1, 0.2] * 13, 0.1, 1e9, 0.1))[ON + timedelta(days=28)]
    assert (wild.low, wild.middle) == (pytest.approx(calm.low), pytest.approx(calm.middle, abs=0.051))
    assert wild.high < 1


@given(st.lists(st.floats(0, 1e6), min_size=8, max_size=60))
def test_the_band_is_made_of_the_quantiles_that_numpy_gives(values: list[float]) -> None:
    found = bands(days(*values))
    place = len(values) - 1
    before = values[max(0, place - 28) : place]
    band = found[ON + timedelta(days=place)]
    expected = np.quantile(before, [0.1, 0.5, 0.9])
    assert [band.low, band.middle, band.high] == pytest.approx(list(expected))
    assert band.low <= band.middle <= band.high


def test_a_chance_fails_below_its_limit_and_an_unknown_check_has_its_name() -> None:
    assert (about("label_shift").fails, about("label_shift").unit) == (Side.BELOW, Unit.CHANCE)
    assert about("quarantine_depth").title == "Quarantine depth"
