"""The boost for turns of whoever the question names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_world import CAROLINE, HELPER, an_episode

from memstrata.model import Speaker
from memstrata.search.defaults import NAMED_SPEAKER, USER_OVER_ASSISTANT
from memstrata.search.query import parse
from memstrata.search.speakers import is_named, named_words, preferred

EPISODES = {
    1: replace(an_episode("e1"), speaker=HELPER),
    2: replace(an_episode("e2"), speaker=CAROLINE),
    3: replace(an_episode("e3"), speaker=None),
}


def test_turns_of_a_named_speaker_rise() -> None:
    assert preferred(EPISODES, parse("What did Caroline say?")) == ({2}, NAMED_SPEAKER)


def test_without_a_named_speaker_users_rise() -> None:
    assert preferred(EPISODES, parse("What was said?")) == ({2}, USER_OVER_ASSISTANT)


@pytest.mark.parametrize(
    ("name", "query", "named"),
    [
        ("Caroline Berg", "what did CAROLINE do", True),
        ("Caroline Berg", "what did Carolin do", False),
        ("Caroline Berg", "what does Berg cost", False),
        (None, "u1", False),
        ("", "anything", False),
        ("user", "how does user registration work", False),
        ("User Berg", "what did user Berg say", True),
    ],
)
def test_a_speaker_is_named_by_the_first_word_of_the_name(
    name: str | None,
    query: str,
    named: bool,  # noqa: FBT001 (a column of the table)
) -> None:
    assert is_named(Speaker(id="u1", name=name), parse(query)) is named


def test_nobody_is_never_named() -> None:
    assert not is_named(None, parse("nobody"))


def test_the_words_of_a_named_speakers_whole_name_are_known() -> None:
    both = [replace(an_episode("e4"), speaker=Speaker(id="u9", name="Caroline Berg")), *EPISODES.values()]
    assert named_words(both, parse("What did Caroline say?")) == {"caroline", "berg"}
    assert named_words(both, parse("What was said?")) == frozenset()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What did Caroline say?", "What did say?"),
        ("Caroline's and CAROLINE\u2019s dogs", "and dogs"),
        ("Carolines dog", "Carolines dog"),
    ],
)
def test_a_name_is_taken_out_of_a_query_with_its_ending(text: str, left: str) -> None:
    assert parse(text).without({"caroline"}) == left
