import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from memstrata.drift.tails import chi_square_tail, f_tail, poisson_tail
from memstrata.errors import Incorrect

degrees = st.floats(0.5, 500)


@example(x=5e-324, df=1.0)
@given(x=st.floats(0, 2000), df=degrees)
def test_the_chi_square_tail_is_that_of_scipy(x: float, df: float) -> None:
    assert chi_square_tail(x, df) == pytest.approx(stats.chi2.sf(x, df), rel=1e-8, abs=1e-15)


@example(x=3.7e-24, upper=0.5, lower=1.0)
@given(x=st.floats(0, 100), upper=st.floats(0.5, 60), lower=st.floats(0.5, 5000))
def test_the_f_tail_is_that_of_scipy(x: float, upper: float, lower: float) -> None:
    assert f_tail(x, upper, lower) == pytest.approx(stats.f.sf(x, upper, lower), rel=1e-7, abs=1e-12)


@given(count=st.integers(0, 400), mean=st.floats(1e-6, 400))
def test_the_poisson_tail_is_that_of_scipy(count: int, mean: float) -> None:
    assert poisson_tail(count, mean) == pytest.approx(
        stats.poisson.sf(count - 1, mean), rel=1e-7, abs=1e-14
    )


@pytest.mark.parametrize(
    ("x", "df", "tail"),
    [(3.841458820694124, 1, 0.05), (18.307038053275146, 10, 0.05), (23.209251158954356, 10, 0.01)],
)
def test_the_chi_square_tail_reproduces_the_printed_tables(x: float, df: int, tail: float) -> None:
    assert chi_square_tail(x, df) == pytest.approx(tail, rel=1e-10)


def test_nothing_beyond_zero_is_certain() -> None:
    assert chi_square_tail(0, 3) == chi_square_tail(-1, 3) == f_tail(0, 2, 2) == poisson_tail(0, 1) == 1.0


@pytest.mark.parametrize("wrong", [0, -1, math.inf, math.nan])
def test_degrees_that_are_no_positive_number_are_refused(wrong: float) -> None:
    with pytest.raises(Incorrect, match="expected a finite number above 0"):
        chi_square_tail(1, wrong)
