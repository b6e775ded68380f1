"""The forms of a word that a question brings along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.search.inflection import forms_of
from memstrata.search.query import MOST_WORDS, parse

FAMILIES = [
    ("paint", "paints", "painted", "painting"),
    ("hike", "hikes", "hiked", "hiking"),
    ("stop", "stops", "stopped", "stopping"),
    ("study", "studies", "studied", "studying"),
    ("watch", "watches", "watched", "watching"),
    ("play", "plays", "played", "playing"),
    ("miss", "misses", "missed", "missing"),
]


@pytest.mark.parametrize("family", FAMILIES)
def test_each_form_of_a_regular_verb_brings_all_the_others(family: tuple[str, ...]) -> None:
    for word in family:
        assert set(family) <= set(forms_of(word)), word


@pytest.mark.parametrize(("one", "many"), [("book", "books"), ("activity", "activities"), ("box", "boxes")])
def test_singular_and_plural_bring_each_other(one: str, many: str) -> None:
    assert many in forms_of(one)
    assert one in forms_of(many)


@pytest.mark.parametrize("word", ["at", "3.11", "tcp ip", "größe", "東京", "v2", ""])
def test_what_is_no_plain_english_word_stays_as_it_is(word: str) -> None:
    assert forms_of(word) == (word,)


@pytest.mark.parametrize("word", ["thing", "bring", "red", "bus", "class", "this"])
def test_what_only_looks_inflected_is_not_cut(word: str) -> None:
    assert all(form.startswith(word) for form in forms_of(word))


@given(st.text(st.characters(codec="ascii", categories=["Ll"]), min_size=1, max_size=12))
def test_the_word_comes_first_and_no_form_twice(word: str) -> None:
    forms = forms_of(word)
    assert forms[0] == word
    assert len(set(forms)) == len(forms)


def test_the_words_of_a_query_come_before_all_other_forms() -> None:
    query = parse("What books has Melanie painted?")
    assert query.forms[: len(query.words)] == query.words
    assert {"book", "painting"} <= set(query.forms)


def test_stop_words_bring_no_forms() -> None:
    assert parse("NOT").forms == ("not",)


def test_a_long_text_keeps_its_words_and_brings_no_more_than_there_is_room_for() -> None:
    query = parse(
        " ".join(f"word{at}" for at in range(40)) + " paint" * 3 + " hike stop watch play miss box"
    )
    assert set(query.words) <= set(query.forms)
    assert len(query.forms) <= MOST_WORDS
