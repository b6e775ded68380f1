"""The arms that decide something themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.ports import Hit, Scope
from memstrata.search.arms import by_one_hop, stands_out
from memstrata.search.fusion import Arm, Ranking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.ports import Handle


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


class Neighbours:
    """`facts_about` from a table; the other reads are not asked here."""

    ABOUT: dict[str, tuple[Handle, ...]] = {"alice": (3, 2, 1), "acme": (9, 2)}  # noqa: RUF012 (never written)

    def facts_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Handle, ...]:
        return tuple(handle for one in entity_ids for handle in self.ABOUT.get(one, ()))[:limit]


def test_facts_that_join_two_seeds_come_first_then_the_latest() -> None:
    ranking = by_one_hop(Neighbours(), ("alice", "acme", "alice"), Scope(groups=("default",)))
    assert [hit.handle for hit in ranking.hits] == [2, 3, 9, 1]


def test_without_seeds_there_is_no_hop() -> None:
    assert by_one_hop(Neighbours(), (), Scope(groups=("default",))).hits == ()
