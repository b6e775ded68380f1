"""How far the labels of a window of days stand from those of the days before it.

Decided by chi-square over its trailing dispersion; PSI and Jensen-Shannon divergence are there to be
plotted: at a few hundred facts a day their fixed limits (.1, .2) fire on healthy memories.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from memstrata.drift.tails import f_tail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from numpy.typing import NDArray

    #: How often each label was given, by day; days without facts may be missing.
    Days = Mapping[date, Mapping[str, int]]
    Matrix = NDArray[np.float64]

BASELINE_DAYS: Final = 28
LEAST_FACTS: Final = 30
LEAST_WINDOWS: Final = 7
LEAST_EXPECTED: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A window of `window` days that ends with `day`, against the `baseline` days before it.

    `statistic` is chi-square over `dispersion` (the usual chi-square of such a window per degree of
    freedom, at least 1), `p_value` its tail. `psi` and `jensen_shannon` (bits, 0 to 1) are over all
    labels. `movers` are the labels whose share changed most: (label, share before, share now).
    """

    day: date
    window: int
    facts: int
    baseline_facts: int
    statistic: float
    degrees: int
    dispersion: float
    p_value: float
    psi: float
    jensen_shannon: float
    movers: tuple[tuple[str, float, float], ...]


def label_shift(days: Days, day: date, *, window: int = 1, baseline: int = BASELINE_DAYS) -> Shift | None:
    """The shift of the window ending with `day`; None where there is too little to judge.

    Too little: under 30 facts in the window, fewer than 7 windows of that size (one of 30 facts each)
    in the baseline, or everything under one label. The window is compared with the whole baseline, and
    each window of the baseline with the rest of it; the mean of the latter is the dispersion of
    McCullagh and Nelder (Generalized Linear Models, 2nd ed., 4.5), so its uncertainty makes the tail
    that of an F variable. Cells expected under 5 are pooled.
    """
    eve = day - timedelta(days=window)
    now, before = counted(days, day, window), counted(days, eve, baseline)
    facts, baseline_facts = sum(now.values()), sum(before.values())
    if facts < LEAST_FACTS or not baseline_facts:
        return None
    cells = _own_cells(before, facts / baseline_facts)
    usual = _usual_chi_squares(_table(days, eve, baseline, cells), window)
    if not cells or len(usual) < LEAST_WINDOWS:
        return None
    degrees = len(cells)
    dispersion = max(1.0, math.fsum(usual) / len(usual) / degrees)
    total = _row(before, cells)
    statistic = float(_chi_squares(_row(now, cells), total)[0]) / dispersion
    return Shift(
        day=day,
        window=window,
        facts=facts,
        baseline_facts=baseline_facts,
        statistic=statistic,
        degrees=degrees,
        dispersion=dispersion,
        # overlapping windows know no more than the windows that fit side by side
        p_value=f_tail(statistic / degrees, degrees, degrees * len(usual) / window),
        psi=population_stability(before, now),
        jensen_shannon=jensen_shannon(before, now),
        movers=_movers(before, now),
    )


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p-values adjusted for being several, in their order: those at most q are found at rate q.

    Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995) 289-300, as adjusted p-values.
    """
    count = len(p_values)
    adjusted = [1.0] * count
    least = 1.0
    order = sorted(range(count), key=lambda index: p_values[index], reverse=True)
    for rank, index in zip(range(count, 0, -1), order, strict=True):
        least = min(least, p_values[index] * count / rank)
        adjusted[index] = least
    return tuple(adjusted)


def population_stability(before: Mapping[str, int], now: Mapping[str, int]) -> float:
    """The population stability index of two counts, 0 or more; half a fact is added to every cell."""
    labels = sorted(before.keys() | now.keys())
    if not labels:
        return 0.0
    total_before = sum(before.values()) + len(labels) / 2
    total_now = sum(now.values()) + len(labels) / 2
    pairs = (
        ((now.get(label, 0) + 0.5) / total_now, (before.get(label, 0) + 0.5) / total_before)
        for label in labels
    )
    return math.fsum((q - p) * math.log(q / p) for q, p in pairs)


def jensen_shannon(before: Mapping[str, int], now: Mapping[str, int]) -> float:
    """The Jensen-Shannon divergence of two counts in bits: 0 if alike, 1 if they share no label.

    Lin, IEEE Trans. Inform. Theory 37 (1991) 145-151. 0.0 if either is empty.
    """
    total_before, total_now = sum(before.values()), sum(now.values())
    if not total_before or not total_now:
        return 0.0
    terms: list[float] = []
    for label in sorted(before.keys() | now.keys()):
        p, q = before.get(label, 0) / total_before, now.get(label, 0) / total_now
        terms.extend(share / 2 * math.log2(2 * share / (p + q)) for share in (p, q) if share)
    return min(1.0, max(0.0, math.fsum(terms)))


def counted(days: Days, day: date, window: int) -> dict[str, int]:
    """How often each label was given in the `window` days that end with `day`; zeros are left out."""
    total: dict[str, int] = {}
    for back in range(window):
        for label, count in days.get(day - timedelta(days=back), {}).items():
            if count:
                total[label] = total.get(label, 0) + count
    return total


def _own_cells(before: Mapping[str, int], scale: float) -> tuple[str, ...]:
    """The labels that have a cell of their own, the commonest first; all others share one more cell.

    That one holds the labels never seen before too. `scale` is the window's size over the baseline's.
    """
    own = sorted(before, key=lambda label: (-before[label], label))
    others = 0
    while own and min(before[own[-1]], others) * scale < LEAST_EXPECTED:
        others += before[own.pop()]
    return tuple(own)


def _row(counts: Mapping[str, int], cells: tuple[str, ...]) -> Matrix:
    own = [counts.get(label, 0) for label in cells]
    return np.array([[*own, sum(counts.values()) - sum(own)]], dtype=np.float64)


def _table(days: Days, last: date, baseline: int, cells: tuple[str, ...]) -> Matrix:
    """One row of cell counts a day, for the `baseline` days that end with `last`."""
    ago = range(baseline - 1, -1, -1)
    return np.concatenate([_row(days.get(last - timedelta(days=back), {}), cells) for back in ago])


def _usual_chi_squares(table: Matrix, window: int) -> list[float]:
    """The chi-squares of all windows of 30 facts and more in the baseline, each against the rest of it."""
    sums = np.cumsum(np.concatenate([np.zeros((1, table.shape[1])), table]), axis=0)
    windows = sums[window:] - sums[:-window]
    rest = sums[-1] - windows
    enough = (windows.sum(axis=1) >= LEAST_FACTS) & (rest.sum(axis=1) > 0)
    return [float(value) for value in _chi_squares(windows[enough], rest[enough])]


def _chi_squares(rows: Matrix, others: Matrix) -> Matrix:
    """Chi-square for two samples of unequal size, row by row (Numerical Recipes, 3rd ed., 14.3.3)."""
    ratio = np.sqrt(others.sum(axis=1, keepdims=True) / rows.sum(axis=1, keepdims=True))
    both = rows + others
    terms = (rows * ratio - others / ratio) ** 2 / np.where(both > 0, both, 1)
    return np.asarray(terms.sum(axis=1), dtype=np.float64)


def _movers(before: Mapping[str, int], now: Mapping[str, int]) -> tuple[tuple[str, float, float], ...]:
    total_before, total_now = sum(before.values()), sum(now.values())
    moved = [
        (label, before.get(label, 0) / total_before, now.get(label, 0) / total_now)
        for label in before.keys() | now.keys()
    ]
    moved.sort(key=lambda mover: (-abs(mover[2] - mover[1]), mover[0]))
    return tuple(moved[:3])
