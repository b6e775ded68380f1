"""Rerankers: orders that can be checked by eye, and what they promise of any ranking."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.search.fusion import Fused
from memstrata.search.reranking import by_distance, by_judgement, by_mentions, by_recency, mmr

scored = st.lists(st.floats(0, 1), max_size=10).map(lambda given: sorted(given, reverse=True))


def ranking(*scores: float) -> tuple[Fused, ...]:
    return tuple(Fused(handle=at, score=score, found=()) for at, score in enumerate(scores))


def handles(given: tuple[Fused, ...]) -> list[int]:
    return [int(one.handle) for one in given]


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def test_mmr_takes_something_new_before_the_same_again() -> None:
    vectors = {0: unit(1, 0), 1: unit(1, 0.01), 2: unit(0, 1)}
    assert handles(mmr(ranking(1.0, 0.95, 0.6), vectors, limit=3)) == [0, 2, 1]


def test_mmr_of_relevance_alone_is_the_order_given() -> None:
    vectors = {0: unit(1, 0), 1: unit(1, 0), 2: unit(0, 1)}
    assert handles(mmr(ranking(1.0, 0.9, 0.1), vectors, limit=3, relevance_counts=1.0)) == [0, 1, 2]


@given(scored, st.integers(1, 12), st.randoms(use_true_random=False))
def test_mmr_gives_each_once_the_best_first_and_no_more_than_asked(
    scores: list[float], limit: int, random: object
) -> None:
    rows = {at: unit(*(random.random() + 0.01 for _ in range(3))) for at in range(len(scores))}  # type: ignore[attr-defined]
    given = mmr(ranking(*scores), rows, limit=limit)
    assert len(set(handles(given))) == len(given) == min(limit, len(scores))
    assert handles(given)[:1] == ([0] if scores else [])


def test_distance_puts_what_was_not_reached_last() -> None:
    assert handles(by_distance(ranking(0.9, 0.8, 0.7), {2: 1, 1: 2})) == [2, 1, 0]


def test_mentions_put_what_is_spoken_of_most_first() -> None:
    assert handles(by_mentions(ranking(0.9, 0.8, 0.7), {1: 3, 0: 1})) == [1, 0, 2]


def test_recency_weighs_score_and_rank_in_time_alike() -> None:
    times = {0: datetime(2020, 1, 1, tzinfo=UTC), 1: datetime(2024, 1, 1, tzinfo=UTC)}
    assert handles(by_recency(ranking(0.9, 0.8, 0.7), times)) == [1, 0, 2]


def test_a_judge_has_the_last_word() -> None:
    assert handles(by_judgement(ranking(0.9, 0.8, 0.7), {0: -3.0, 1: 2.0})) == [1, 0, 2]


@pytest.mark.parametrize("rule", [by_distance, by_mentions, by_recency, by_judgement])
@given(scores=scored)
def test_a_reranker_that_knows_nothing_keeps_the_order(rule: object, scores: list[float]) -> None:
    assert rule(ranking(*scores), {}) == ranking(*scores)  # type: ignore[operator]
