"""The usual: between what values a statistic of the memory has lain on the days before.

No test: what fails is each check's to say. It is the band that a plot draws behind a number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.drift.distributions import BASELINE_DAYS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

#: Under a week of days there is no usual.
LEAST_DAYS: Final = 7
_LOW: Final = 0.1
_HIGH: Final = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The middle value of `days` days, and between what the middle 80 of 100 lie."""

    low: float
    middle: float
    high: float
    days: int


def bands(values: Mapping[date, float]) -> dict[date, Band]:
    """For each day that has a value, the band of the 28 days before it; left out where under 7 have one.

    Median and 10th and 90th percentile, which a few wild days do not move (Tukey, Exploratory Data
    Analysis, 1977, ch. 2); quantiles are definition 7 of Hyndman and Fan, Am. Statistician 50 (1996)
    361-365, as in NumPy and R.
    """
    found: dict[date, Band] = {}
    numbered = {day.toordinal(): value for day, value in values.items()}
    for day in values:
        number = day.toordinal()
        ago = range(number - BASELINE_DAYS, number)
        before = sorted(numbered[one] for one in ago if one in numbered)
        if len(before) >= LEAST_DAYS:
            found[day] = Band(
                low=_quantile(before, _LOW),
                middle=_quantile(before, 0.5),
                high=_quantile(before, _HIGH),
                days=len(before),
            )
    return found


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Linear between the two nearest ranks."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
