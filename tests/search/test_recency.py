"""The later above the earlier: only of what both speak of, and only for questions how it stands now."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_world import an_episode

from memstrata.model import Speaker
from memstrata.search.defaults import MOST_LATER, MOST_REPLACED
from memstrata.search.fusion import Fused
from memstrata.search.recency import asks_how_it_stands, later_first, said

BEGUN = datetime(2024, 1, 1, tzinfo=UTC)
TARGET = ("weekly", "word", "target")


def order(
    *told: tuple[float, str], words: tuple[str, ...] = TARGET, who: tuple[str, ...] = ()
) -> list[int]:
    """The places of turns, told in this order with these scores, as they are ranked."""
    fused = sorted(
        (Fused(handle=at, score=score, found=()) for at, (score, _) in enumerate(told)),
        key=lambda one: -one.score,
    )
    turns = {
        at: said(
            replace(
                an_episode("e1"),
                content=text,
                speaker=Speaker(id=who[at] if who else "u1"),
                reference_time=BEGUN + timedelta(days=at),
            )
        )
        for at, (_, text) in enumerate(told)
    }
    return [int(one.handle) for one in later_first(fused, turns, words)]


FIRST = "My weekly word target is 1,200 words"
THEN = "The weekly target was adjusted to 1,350"


def test_a_later_figure_for_the_same_thing_goes_first() -> None:
    assert order((0.9, FIRST), (0.5, THEN)) == [1, 0]


def test_it_goes_just_above_and_passes_nothing_else() -> None:
    assert order((0.8, FIRST), (0.9, "Nothing to do with it"), (0.5, THEN)) == [1, 2, 0]


@pytest.mark.parametrize(
    "later",
    [
        "Still 1,200 words as my weekly target",
        "The weekly target has been changed",
        "I bought 12 pears",
    ],
)
def test_what_has_no_other_figure_or_another_matter_stays_below(later: str) -> None:
    assert order((0.9, FIRST), (0.5, later)) == [0, 1]


def test_what_was_hardly_found_stays_below() -> None:
    assert order((0.9, FIRST), (0.2, THEN)) == [0, 1]


def test_another_speaker_puts_nothing_out_of_date() -> None:
    assert order((0.9, FIRST), (0.5, THEN), who=("u1", "u2")) == [0, 1]


def test_of_many_later_turns_that_say_the_same_the_best_found_go_first() -> None:
    later = [(0.7 - at / 100, THEN) for at in range(MOST_LATER + 2)]
    above, below = range(1, MOST_LATER + 1), range(MOST_LATER + 1, MOST_LATER + 3)
    assert order((0.9, FIRST), *later) == [*above, 0, *below]


def test_what_stands_behind_the_first_few_is_not_asked_what_replaces_it() -> None:
    before = [(0.9 - at / 100, f"Nothing {'to do ' * at}with it") for at in range(MOST_REPLACED)]
    ranked = order(*before, (0.5, FIRST), (0.4, THEN))
    assert ranked == list(range(MOST_REPLACED + 2))


TEXTS = st.sampled_from([FIRST, THEN, "My weekly target is 1,500", "It rained", "12 pears"])
TOLD = st.lists(st.tuples(st.floats(0, 1), TEXTS), max_size=12)


@given(TOLD)
def test_nothing_is_lost_and_doing_it_again_changes_nothing_above(told: list[tuple[float, str]]) -> None:
    assert sorted(order(*told)) == list(range(len(told)))


@given(TOLD)
def test_what_nothing_later_replaces_keeps_its_order(told: list[tuple[float, str]]) -> None:
    idle = [at for at, (_, text) in enumerate(told) if text == "It rained"]
    kept = [at for at in order(*told) if at in idle]
    assert kept == sorted(kept, key=lambda at: (-round(told[at][0], 12), at))


@pytest.mark.parametrize(
    ("question", "stands"),
    [
        ("What is my weekly target?", True),
        ("What's the deadline?", True),
        ("How many commits have been merged?", True),
        ("What time should I be there?", True),
        ("What is the deadline of the first sprint?", True),
        ("When did Alice move?", False),
        ("What was the first deadline?", False),
        ("In what order were these mentioned?", False),
        ("weekly target", False),
    ],
)
def test_a_question_for_a_value_in_the_present_asks_how_it_stands(
    question: str,
    stands: bool,  # noqa: FBT001 (a column of the table)
) -> None:
    assert asks_how_it_stands(question) is stands
