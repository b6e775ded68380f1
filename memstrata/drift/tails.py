"""Tail probabilities of the chi-square, F and Poisson distributions, without scipy.

Regularised incomplete gamma and beta functions by series and by continued fraction (modified Lentz):
Press et al., Numerical Recipes, 3rd ed., 6.2 and 6.4; Abramowitz and Stegun 6.5.29, 6.5.31, 26.5.8.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from memstrata.errors import Fault, Incorrect

if TYPE_CHECKING:
    from collections.abc import Iterator

_EPSILON = 1e-15
_TINY = 1e-300
_MOST_TERMS = 100_000  # about sqrt(a) terms are needed; a is half the degrees of freedom


def chi_square_tail(x: float, degrees: float) -> float:
    """P(X >= x) for a chi-square variable of `degrees` > 0 degrees of freedom; 1.0 for x <= 0."""
    _require_positive(degrees=degrees)
    half = x / 2  # 0 for the smallest of x, too
    return 1.0 if half <= 0 else _upper_gamma(degrees / 2, half)


def poisson_tail(count: int, mean: float) -> float:
    """P(N >= count) for a Poisson variable of that `mean` > 0; 1.0 for count <= 0."""
    _require_positive(mean=mean)
    return 1.0 if count <= 0 else _lower_gamma(count, mean)


def f_tail(x: float, degrees: float, degrees_below: float) -> float:
    """P(F >= x) for an F variable: `degrees` of the numerator, `degrees_below` of the denominator."""
    _require_positive(degrees=degrees, degrees_below=degrees_below)
    if x <= 0:
        return 1.0
    whole = degrees_below + degrees * x
    return _beta(degrees_below / 2, degrees / 2, degrees_below / whole, degrees * x / whole)


def _require_positive(**given: float) -> None:
    for name, value in given.items():
        if not (value > 0 and math.isfinite(value)):
            raise Incorrect(f"{name} is {value}; expected a finite number above 0")


def _lower_gamma(a: float, x: float) -> float:
    return _gamma_series(a, x) if x < a + 1 else 1 - _gamma_fraction(a, x)


def _upper_gamma(a: float, x: float) -> float:
    return 1 - _gamma_series(a, x) if x < a + 1 else _gamma_fraction(a, x)


def _gamma_factor(a: float, x: float) -> float:
    return math.exp(a * math.log(x) - x - math.lgamma(a))


def _gamma_series(a: float, x: float) -> float:
    """P(a, x) by its series, which converges quickly for x < a + 1."""
    term = total = 1 / a
    for n in range(1, _MOST_TERMS):
        term *= x / (a + n)
        total += term
        if term < total * _EPSILON:
            return min(1.0, total * _gamma_factor(a, x))
    raise Fault(f"the incomplete gamma series of a={a}, x={x} does not converge; report this")


def _gamma_fraction(a: float, x: float) -> float:
    """Q(a, x) by its continued fraction, which converges quickly for x >= a + 1."""

    def terms() -> Iterator[tuple[float, float]]:
        for n in range(1, _MOST_TERMS):
            yield n * (a - n), x + 1 - a + 2 * n

    return min(1.0, _gamma_factor(a, x) / _continued(x + 1 - a, terms()))


def _beta(a: float, b: float, x: float, rest: float) -> float:
    """I_x(a, b) with `rest` = 1 - x (exact where x is near 1), on the side where it converges quickly."""
    if not x or not rest:
        return 1.0 if x else 0.0
    factor = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    )
    if x < (a + 1) / (a + b + 2):
        return min(1.0, factor / (a * _continued(1.0, _beta_terms(a, b, x))))
    return max(0.0, 1 - factor / (b * _continued(1.0, _beta_terms(b, a, rest))))


def _beta_terms(a: float, b: float, x: float) -> Iterator[tuple[float, float]]:
    yield -(a + b) * x / (a + 1), 1.0
    for m in range(1, _MOST_TERMS):
        yield m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1.0
        yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1.0


def _continued(first: float, terms: Iterator[tuple[float, float]]) -> float:
    """`first` + n1/(d1 + n2/(d2 + ...)) by Lentz's method as Thompson and Barnett modified it."""
    value = c = first or _TINY
    d = 0.0
    for numerator, denominator in terms:
        d = denominator + numerator * d
        d = 1 / (d or _TINY)
        c = denominator + numerator / c
        c = c or _TINY
        step = c * d
        value *= step
        if abs(step - 1) < _EPSILON * 4:
            return value
    raise Fault("a continued fraction of a tail probability does not converge; report this")
