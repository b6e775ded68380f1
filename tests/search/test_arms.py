"""The arms that decide something themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.ports import Edge, Hit, Scope
from memstrata.search.arms import by_one_hop, stands_out
from memstrata.search.fusion import Arm, Ranking
from memstrata.stores.memory import MemoryGraph

if TYPE_CHECKING:
    from collections.abc import Sequence


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


def edge(handle: int, subject: str, target: str) -> Edge:
    return Edge(
        handle=handle, group_id="default", subject=subject, object=target, leads_on=True, valid_at=None
    )


class Neighbours(MemoryGraph):
    """`edges_about` from a table, latest first."""

    EDGES = (
        edge(9, "acme", "oslo"),
        edge(3, "alice", "bob"),
        edge(2, "alice", "acme"),
        edge(1, "alice", "zoe"),
    )

    def edges_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Edge, ...]:
        return tuple(one for one in self.EDGES if {one.subject, one.object} & set(entity_ids))[:limit]


def test_facts_that_join_two_seeds_come_first_then_the_latest() -> None:
    ranking = by_one_hop(Neighbours(), ("alice", "acme", "alice"), Scope(groups=("default",)))
    assert [hit.handle for hit in ranking.hits] == [2, 9, 3, 1]


def test_without_seeds_there_is_no_hop() -> None:
    assert by_one_hop(Neighbours(), (), Scope(groups=("default",))).hits == ()
