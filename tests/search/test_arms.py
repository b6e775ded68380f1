"""The arms that decide something themselves."""

from __future__ import annotations

import pytest

from memstrata.ports import Hit
from memstrata.search.arms import stands_out
from memstrata.search.fusion import Arm, Ranking


def cosines(*scores: float) -> Ranking:
    return Ranking(arm=Arm.VECTORS, hits=tuple(Hit(at, score) for at, score in enumerate(scores)))


@pytest.mark.parametrize("scores", [(0.86, 0.75, 0.74), (0.90, 0.84, 0.83, 0.82, 0.81)])
def test_a_cosine_ahead_of_the_crowd_stands_out(scores: tuple[float, ...]) -> None:
    assert stands_out(cosines(*scores))


@pytest.mark.parametrize("scores", [(0.77, 0.76, 0.75), (0.80, 0.79, 0.785, 0.78, 0.70)])
def test_a_crowd_in_which_all_are_alike_has_nothing_that_stands_out(scores: tuple[float, ...]) -> None:
    assert not stands_out(cosines(*scores))


@pytest.mark.parametrize("scores", [(0.7,), (0.71, 0.70)])
def test_too_few_to_make_a_crowd_are_given_the_benefit_of_the_doubt(scores: tuple[float, ...]) -> None:
    assert stands_out(cosines(*scores))
