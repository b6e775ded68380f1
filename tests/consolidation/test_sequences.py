from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.consolidation.sequences import closed_sequences
from memstrata.errors import Incorrect

if TYPE_CHECKING:
    import random

    from memstrata.consolidation.sequences import Found, Run

runs_drawn = st.lists(st.tuples(st.integers(0, 4), st.text("abc", max_size=8)), max_size=8)


def naive(runs: list[Run], min_support: int, least: int, most: int) -> Found:
    """Every substring, its sources, and no one that a longer one with as many sources contains."""
    sources: dict[str, set[object]] = {}
    for source, items in runs:
        text = "".join(items)
        for start in range(len(text)):
            for stop in range(start + 1, min(len(text), start + most) + 1):
                sources.setdefault(text[start:stop], set()).add(source)
    frequent = {text: own for text, own in sources.items() if len(own) >= min_support}
    return {
        tuple(text): frozenset(own)
        for text, own in frequent.items()
        if len(text) >= least
        and not any(
            text != other and text in other and len(theirs) == len(own)
            for other, theirs in frequent.items()
        )
    }


@given(runs=runs_drawn, min_support=st.integers(1, 3), least=st.integers(1, 3), more=st.integers(0, 8))
def test_the_closed_sequences_are_those_of_the_definition(
    runs: list[Run], min_support: int, least: int, more: int
) -> None:
    found = closed_sequences(runs, min_support=min_support, least=least, most=least + more)
    assert found == naive(runs, min_support, least, least + more)


@given(runs=runs_drawn, order=st.randoms())
def test_the_order_of_runs_does_not_matter(runs: list[Run], order: random.Random) -> None:
    shuffled = runs.copy()
    order.shuffle(shuffled)
    assert closed_sequences(runs, min_support=2) == closed_sequences(shuffled, min_support=2)


def test_a_part_is_told_only_if_more_sources_have_it_than_the_whole() -> None:
    runs: list[Run] = [(1, "abc"), (2, "abc"), (3, "bc")]
    assert closed_sequences(runs, min_support=2) == {
        ("a", "b", "c"): frozenset({1, 2}),
        ("b", "c"): frozenset({1, 2, 3}),
    }


def test_one_source_that_does_a_thing_often_is_one_source() -> None:
    assert closed_sequences([(1, "abab"), (1, "ab")], min_support=2) == {}


@pytest.mark.parametrize(("min_support", "least", "most"), [(0, 2, 3), (2, 0, 3), (2, 4, 3)])
def test_bounds_that_make_no_sense_are_refused(min_support: int, least: int, most: int) -> None:
    with pytest.raises(Incorrect, match="expected min_support of at least 1"):
        closed_sequences([], min_support=min_support, least=least, most=most)
