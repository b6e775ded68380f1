"""The boost for turns of whoever the question names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_world import CAROLINE, HELPER, an_episode

from memstrata.model import Speaker
from memstrata.search.defaults import USER_OVER_ASSISTANT
from memstrata.search.query import parse
from memstrata.search.speakers import is_named, preferred

EPISODES = {
    1: replace(an_episode("e1"), speaker=HELPER),
    2: replace(an_episode("e2"), speaker=CAROLINE),
    3: replace(an_episode("e3"), speaker=None),
}


def test_turns_of_a_named_speaker_rise_by_a_fifth() -> None:
    assert preferred(EPISODES, parse("What did Caroline say?")) == ({2}, 0.2)


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
