"""How scores of turns add up: spreading to neighbours, votes of facts, boosts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.ports import Beside
from memstrata.search.defaults import FACTS_WEIGHT, SPREAD
from memstrata.search.fusion import Arm, Fused
from memstrata.search.turns import raised, received, spread, with_facts

scores = st.floats(0, 1).map(lambda score: round(score, 4))
found = st.dictionaries(st.integers(0, 19), scores, max_size=20)


def turns(scored: dict[int, float]) -> tuple[Fused, ...]:
    return tuple(Fused(handle=handle, score=score, found=()) for handle, score in scored.items())


def row(length: int) -> dict[int | str, Beside]:
    """One saga: turn 0, turn 1, ..."""
    return {
        at: Beside(before=at - 1 if at else None, after=at + 1 if at + 1 < length else None)
        for at in range(length)
    }


@given(found)
def test_a_turn_receives_a_share_of_each_neighbours_score(scored: dict[int, float]) -> None:
    shares = received(scored, row(20))
    for at in range(20):
        expected = SPREAD * (scored.get(at - 1, 0.0) + scored.get(at + 1, 0.0))
        assert shares.get(at, 0.0) == pytest.approx(expected)


@given(found)
def test_spreading_and_votes_rank_from_0_to_1_and_lose_nothing(scored: dict[int, float]) -> None:
    votes = dict.fromkeys(scored, 1.0)
    ranking = with_facts(spread(turns(scored), row(20)), votes)
    assert set(scored) <= {one.handle for one in ranking}
    assert all(0.0 <= one.score <= 1.0 for one in ranking)
    assert all(above.score >= below.score - 1e-9 for above, below in pairwise(ranking))


def test_a_turn_that_only_its_neighbour_brought_says_so() -> None:
    ranking = spread(turns({1: 1.0}), row(3))
    assert [one.handle for one in ranking] == [1, 0, 2]
    assert [(one.found[0].arm, one.found[0].rank) for one in ranking[1:]] == [
        (Arm.BESIDE, 1),
        (Arm.BESIDE, 2),
    ]


def test_without_neighbours_the_order_stays() -> None:
    assert [one.handle for one in spread(turns({1: 0.2, 2: 0.9}), {})] == [2, 1]


@given(found, st.dictionaries(st.integers(0, 19), st.floats(0.01, 1), max_size=5))
def test_votes_of_facts_only_raise(scored: dict[int, float], votes: dict[int, float]) -> None:
    most = 1.0 + 2 * SPREAD + FACTS_WEIGHT
    ranking = with_facts(turns(scored), votes)
    assert {one.handle for one in ranking} == {*scored, *votes}
    for one in ranking:
        gained = one.score * most - scored.get(int(one.handle), 0.0)
        assert (gained > 1e-9) is (one.handle in votes)
        assert any(place.arm is Arm.FACTS for place in one.found) is (one.handle in votes)


@given(found, st.frozensets(st.integers(0, 19)))
def test_a_boost_keeps_the_order_among_the_raised_and_among_the_rest(
    scored: dict[int, float], preferred: frozenset[int]
) -> None:
    ranking = raised(turns(scored), dict.fromkeys(preferred, 0.2))
    assert all(0.0 <= one.score <= 1.0 for one in ranking)
    for group in (preferred, set(scored) - preferred):
        kept = [scored[int(one.handle)] for one in ranking if one.handle in group]
        assert kept == sorted(kept, reverse=True)
