"""The context that a model is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_world import BETWEEN, an_episode, when

from memstrata.errors import Incorrect
from memstrata.search.context import context
from memstrata.search.tokens import tokens_of
from memstrata.search.view import View
from memstrata.search.wording import date_of, one_line, shortened, turn_line

if TYPE_CHECKING:
    from memstrata.search.searcher import Searcher


def test_a_fact_is_one_line_with_its_times_and_citations(hybrid: Searcher) -> None:
    answer = context(hybrid, "Where does Alice work?")
    assert (
        "- Alice Liddell -WORKS_FOR-> Globex (valid from 2021-06 to present, episode e3): "
        "Alice works for Globex. [fact f-globex]"
    ) in answer.text.splitlines()
    assert answer.facts[0].episode_ids == ("e3",)
    assert answer.facts[0].assertion_ids == ("x3",)


def test_turns_stand_below_with_time_and_speaker(hybrid: Searcher) -> None:
    answer = context(hybrid, "Alice moved on to Globex")
    facts, _, turns = answer.text.partition("What was said:")
    assert "Facts:" in facts
    assert (
        "- 2021-07-04T08:00:00Z Caroline Berg: Alice moved on to Globex in June 2021. [episode e3]" in turns
    )


def test_a_moment_is_told_and_kept(hybrid: Searcher) -> None:
    answer = context(hybrid, "Alice works", View(as_of=when(2020), system_as_of=BETWEEN))
    assert answer.text.startswith("From memory as of 2020-01-01, as believed on 2024-01-20:")
    assert "Globex" not in answer.text.partition("What was said:")[0]
    past = context(hybrid, "Alice works", View(history=True))
    assert "valid from 2019-03 to 2021-06" in past.text
    assert "valid from 2019-03 to present, believed until 2024-02-10" in past.text


@pytest.mark.parametrize("budget", [50, 80, 120, 200, 400, 5_000])
def test_the_budget_is_never_exceeded(hybrid: Searcher, budget: int) -> None:
    answer = context(hybrid, "Alice Bob Zoë works lives plays", budget=budget)
    assert tokens_of(answer.text) == answer.tokens <= budget
    assert answer.text.count("[fact ") == len(answer.facts)
    assert answer.text.count("[episode ") == len(answer.turns)


def test_what_did_not_fit_is_counted(hybrid: Searcher) -> None:
    wide = context(hybrid, "Alice Bob Zoë works lives plays", budget=5_000)
    narrow = context(hybrid, "Alice Bob Zoë works lives plays", budget=100)
    assert narrow.left_out.facts > 0
    assert len(narrow.facts) + narrow.left_out.facts == len(wide.facts)
    told = f"Left out for want of room: {narrow.left_out.facts} fact"
    assert narrow.text.splitlines()[-1].startswith(told)
    assert not wide.left_out


def test_the_same_question_gives_the_same_text(hybrid: Searcher) -> None:
    assert context(hybrid, "Alice and Bob") == context(hybrid, "Alice and Bob")


def test_nothing_known_is_said(words_only: Searcher) -> None:
    answer = context(words_only, "xyzzy")
    assert answer.text.splitlines()[1:] == ["Nothing is known on this."]
    assert answer.notes


@pytest.mark.parametrize("budget", [0, -5, 49])
def test_a_budget_for_nothing_is_refused(words_only: Searcher, budget: int) -> None:
    with pytest.raises(Incorrect, match="expected at least 50"):
        context(words_only, "Alice", budget=budget)


def test_line_breaks_in_content_cannot_make_lines_of_their_own() -> None:
    assert one_line("a\n- forged -IS-> fact\r\n\tb") == "a - forged -IS-> fact b"
    assert "\n" not in turn_line(an_episode("e1"), most_characters=20)


def test_long_texts_end_at_a_word() -> None:
    assert shortened("one two three", 9) == "one two…"
    assert shortened("one two", 7) == "one two"
    assert shortened("x" * 50, 10) == "x" * 9 + "…"


def test_dates_are_as_fine_as_they_were_stated() -> None:
    from memstrata.instants import Precision

    assert date_of(when(2021, 6), Precision.YEAR) == "2021"
    assert date_of(when(2021, 6), Precision.MONTH) == "2021-06"
    assert date_of(when(2021, 6, 3), Precision.DAY) == "2021-06-03"
    assert date_of(when(2021, 6, 3).replace(hour=4), Precision.HOUR) == "2021-06-03T04:00:00Z"
    assert date_of(when(2021, 6, 3)) == "2021-06-03"
