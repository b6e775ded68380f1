"""Fusion, against what it promises."""

from __future__ import annotations

import math
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.ports import Hit
from memstrata.search.defaults import DEPTH
from memstrata.search.fusion import (
    WEIGHTS,
    Arm,
    Fusion,
    Ranking,
    first_of,
    fuse,
    normalised,
    reciprocal_ranks,
)

if TYPE_CHECKING:
    from random import Random

    from memstrata.search.fusion import Fused

scores = st.floats(-50, 50, allow_nan=False).map(lambda score: round(score, 3))
hits = st.lists(st.builds(Hit, st.integers(0, 30), scores), max_size=25, unique_by=lambda hit: hit.handle)
lowest = st.sampled_from([None, 0.0])
arms = st.lists(st.sampled_from(list(WEIGHTS)), unique=True, min_size=1, max_size=4)


@st.composite
def rankings(draw: st.DrawFn) -> list[Ranking]:
    return [Ranking(arm=arm, hits=tuple(draw(hits)), lowest=draw(lowest)) for arm in draw(arms)]


def words(*scored: tuple[int, float]) -> Ranking:
    return Ranking(arm=Arm.WORDS, hits=tuple(Hit(*one) for one in scored), lowest=0.0)


def vectors(*scored: tuple[int, float]) -> Ranking:
    return Ranking(arm=Arm.VECTORS, hits=tuple(Hit(*one) for one in scored))


def order(*given: Ranking, fusion: Fusion = Fusion.WEIGHTED) -> list[int | str]:
    return [one.handle for one in fuse(given, fusion)]


@given(rankings(), st.sampled_from(Fusion), st.randoms(use_true_random=False))
def test_the_order_of_arms_and_hits_makes_no_difference(
    given: list[Ranking], fusion: Fusion, random: Random
) -> None:
    shuffled = []
    for ranking in random.sample(given, len(given)):
        mixed = tuple(random.sample(ranking.hits, len(ranking.hits)))
        shuffled.append(Ranking(arm=ranking.arm, hits=mixed, lowest=ranking.lowest))
    assert fuse(shuffled, fusion) == fuse(given, fusion)


@given(rankings(), st.sampled_from(Fusion))
def test_all_that_any_arm_found_is_there_once_with_scores_from_0_to_1(
    given: list[Ranking], fusion: Fusion
) -> None:
    fused = fuse(given, fusion)
    assert sorted(one.handle for one in fused) == sorted({h.handle for r in given for h in r.hits})
    assert all(-1e-9 <= one.score <= 1 + 1e-9 for one in fused)
    assert all(above.score >= below.score - 1e-9 for above, below in pairwise(fused))


@given(rankings(), st.sampled_from(Fusion))
def test_what_is_at_least_as_good_in_every_arm_is_never_below(given: list[Ranking], fusion: Fusion) -> None:
    fused = fuse(given, fusion)
    scored = [{hit.handle: hit.score for hit in ranking.hits} for ranking in given]
    for worse, better in permutations(fused, 2):
        dominates = all(
            worse.handle not in one or one.get(better.handle, -math.inf) >= one[worse.handle]
            for one in scored
        )
        # RRF gives equal scores two ranks, by handle.
        if dominates and (fusion is Fusion.WEIGHTED or not _alike(better, worse, scored)):
            assert better.score >= worse.score - 1e-9


def _alike(one: Fused, other: Fused, scored: list[dict[int | str, float]]) -> bool:
    return any(arm.get(one.handle) == arm.get(other.handle) is not None for arm in scored)


@given(hits.filter(bool), hits)
def test_the_first_by_words_is_never_below_what_the_vectors_alone_found(
    by_words: list[Hit], by_vectors: list[Hit]
) -> None:
    given = [Ranking(arm=Arm.WORDS, hits=tuple(by_words), lowest=0.0)]
    if all(hit.score > 0 for hit in by_words):
        given.append(Ranking(arm=Arm.VECTORS, hits=tuple(by_vectors)))
        first = first_of(by_words)[0].handle
        above = order(*given)[: order(*given).index(first)]
        assert not set(above) - {hit.handle for hit in by_words}


@given(hits)
def test_vectors_that_tell_nothing_apart_leave_the_order_of_the_words(by_words: list[Hit]) -> None:
    alone = Ranking(arm=Arm.WORDS, hits=tuple(by_words), lowest=0.0)
    alike = Ranking(arm=Arm.VECTORS, hits=tuple(Hit(hit.handle, 0.8) for hit in by_words))
    assert order(alone, alike) == order(alone)


def test_scales_of_arms_do_not_matter() -> None:
    by_words = words((1, 20.0), (2, 10.0))
    assert order(by_words, vectors((2, 0.91), (3, 0.90), (1, 0.80))) == order(
        by_words, vectors((2, 91.0), (3, 90.0), (1, 80.0))
    )


def test_a_narrow_band_of_cosines_counts_as_much_as_the_words() -> None:
    fused = {one.handle: one.score for one in fuse([words((1, 9.0)), vectors((2, 0.83), (3, 0.82))])}
    assert fused[1] == pytest.approx(fused[2]) == pytest.approx(0.5)
    assert fused[3] == 0.0


def test_two_equal_matches_of_words_both_count() -> None:
    first, second = fuse([words((1, 5.0), (2, 4.5))])
    assert first.score == 1.0
    assert second.score == pytest.approx(0.9)


def test_a_full_ranking_is_normalised_over_its_own_range() -> None:
    full = tuple(Hit(at, 200.0 - at) for at in range(DEPTH + 20))
    shares = normalised(first_of(full), 0.0)
    assert (shares[0], shares[-1], len(shares)) == (1.0, 0.0, DEPTH)


def test_an_arm_that_was_asked_and_found_nothing_still_counts() -> None:
    assert fuse([words(), vectors((1, 0.9))])[0].score == 0.5
    assert fuse([vectors((1, 0.9))])[0].score == 1.0


def test_ties_go_to_the_words_and_then_to_the_lower_handle() -> None:
    assert order(words((9, 2.0)), vectors((1, 0.9))) == [9, 1]
    assert order(words((9, 2.0), (4, 2.0), (5, 2.0))) == [4, 5, 9]


def test_each_result_tells_which_arms_found_it_and_at_what_rank() -> None:
    fused = {one.handle: one for one in fuse([words((1, 3.0), (2, 2.0)), vectors((2, 0.9))])}
    told = [(found.arm, found.rank, found.score) for found in fused[2].found]
    assert told == [(Arm.VECTORS, 1, 0.9), (Arm.WORDS, 2, 2.0)]
    assert [found.arm for found in fused[1].found] == [Arm.WORDS]


def test_reciprocal_ranks_look_at_ranks_alone() -> None:
    near, far = words((1, 3.0), (2, 2.9)), words((1, 300.0), (2, 2.9))
    assert [one.score for one in fuse([near], Fusion.RRF)] == [one.score for one in fuse([far], Fusion.RRF)]
    assert reciprocal_ranks((Hit(1, 5.0), Hit(2, 1.0)), None) == (1.0, 61 / 62)


def test_a_repeated_handle_counts_once_with_its_best_score() -> None:
    assert first_of((Hit(1, 1.0), Hit(1, 3.0), Hit(2, 2.0))) == (Hit(1, 3.0), Hit(2, 2.0))


@given(rankings(), st.sampled_from(Fusion), st.integers(0, 40))
def test_a_limit_cuts_the_ranking_and_changes_nothing_else(
    given: list[Ranking], fusion: Fusion, limit: int
) -> None:
    assert fuse(given, fusion, limit=limit) == fuse(given, fusion)[:limit]


def test_nothing_found_is_nothing() -> None:
    assert fuse([]) == ()
    assert fuse([words(), vectors()]) == ()
