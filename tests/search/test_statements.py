"""How much a turn states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_world import CAROLINE, HELPER, an_episode

from memstrata.search.defaults import STATED_ENOUGH
from memstrata.search.statements import stated, statements

LONG = " ".join(["word"] * STATED_ENOUGH)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("You play any instruments?", 0),
        ("That's great! Do you play?", 3),
        ("Do you play? I do", 2),
        ("Since 3.11 it works", 5),
        ("¿Tocas algo? Yo toco el piano.", 4),
        ("你会弹琴吗？", 0),  # noqa: RUF001 (other scripts' marks)
        ("我会弹钢琴。", 2),
        ("هل تعزف؟", 0),
    ],
)
def test_words_outside_of_questions_count(text: str, words: int) -> None:
    assert stated(text) == pytest.approx(words / STATED_ENOUGH)


def test_more_than_enough_is_enough() -> None:
    assert stated(LONG) == stated(f"{LONG} {LONG}.") == 1.0


@given(st.text(max_size=200))
def test_any_text_states_a_part_of_enough(text: str) -> None:
    assert 0.0 <= stated(text) <= 1.0


@given(st.text(alphabet="ab .!", max_size=60), st.text(alphabet="ab ", max_size=30))
def test_a_question_behind_it_adds_nothing(text: str, asked: str) -> None:
    assert stated(f"{text}. {asked}?") == stated(f"{text}.")


def test_a_question_to_people_states_nothing_one_to_an_assistant_tells_enough() -> None:
    asked = replace(an_episode("e1"), content="Will you come to Rome?", speaker=CAROLINE)
    to_people = {1: replace(asked, saga="dinner")}
    to_an_assistant = {2: asked, 3: replace(an_episode("e2"), content="Sure?", speaker=HELPER)}
    assert statements(to_people | to_an_assistant) == {1: 0.0, 2: 1.0, 3: 1.0}
