"""What a query is read as."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.errors import Incorrect
from memstrata.search.query import (
    LONGEST_NAME,
    MOST_NAME_WORDS,
    MOST_WORDS,
    STOP_WORDS,
    parse,
    tokenize,
)


def test_words_are_lower_case_in_order_and_without_stop_words() -> None:
    assert parse("Where does Alice work, and where did Bob work?").words == ("alice", "work", "bob")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("TCP/IP", ("tcp ip", "tcp")),
        ("e-mail", ("e mail", "mail")),
        ('"quoted words" AND (x OR NOT y*)', ("quoted", "words", "x", "y")),
        ("works_for:Acme^2", ("works for acme", "works", "acme", "2")),
        ("naïve Ångström", ("naïve", "ångström")),
        ("山", ("山",)),
        ("हिन्दी", ("हिन्दी",)),
        ("Alice's car", ("alice", "car")),
        ("party 🎂 tonight", ("party", "tonight")),
        ("C++", ("c",)),
        ("24/7", ("24 7",)),
        ("A/B tests", ("a b", "tests")),
        ("and/or", ("and", "or")),
        ("pick up at 10:30.", ("pick", "up", "10 30")),
        ("bob@acme.org", ("bob acme org", "bob", "acme", "org")),
    ],
)
def test_joined_words_are_phrases_and_all_other_punctuation_parts_words(
    text: str, words: tuple[str, ...]
) -> None:
    assert parse(text).words == words


def test_capitals_make_an_abbreviation_of_a_stop_word() -> None:
    assert parse("who works in IT").words == ("works", "it")
    assert parse("is it raining").words == ("raining",)
    assert parse("WHO IS IN IT NOW").words == ("now",)
    assert parse("IT").words == ("it",)


def test_operators_in_capitals_are_stop_words_all_the_same() -> None:
    assert parse("Oslo AND NOT Bergen OR Rome").words == ("oslo", "bergen", "rome")


def test_stop_words_are_kept_when_there_is_nothing_else() -> None:
    assert parse("to be or not to be").words == ("to", "be", "or", "not")


@pytest.mark.parametrize("text", ["🎂", "?!", '"', "---", "* ^ :", "( ) \\", "\u0301"])
def test_a_query_without_letters_and_digits_has_neither_words_nor_names(text: str) -> None:
    assert parse(text).words == ()
    assert parse(text).names == ()


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_a_blank_query_is_refused(text: str) -> None:
    with pytest.raises(Incorrect, match="the query is empty"):
        parse(text)


def test_a_pasted_document_is_cut_to_its_first_distinct_words() -> None:
    words = [f"word{n}" for n in range(2_000)]
    query = parse(" ".join([*words[:5], *words])[:10_000])
    assert query.words == tuple(words[:MOST_WORDS])
    assert len(query.names) <= LONGEST_NAME * MOST_NAME_WORDS


def test_names_are_taken_as_written_longest_first() -> None:
    names = parse("When was Lyndon B. Johnson born?").names
    assert "Lyndon B. Johnson" in names
    assert "Johnson" in names
    assert names.index("Lyndon B. Johnson") < names.index("Johnson")


def test_a_full_stop_may_belong_to_a_name() -> None:
    assert {"Acme Inc", "Acme Inc."} <= set(parse("Who works for Acme Inc.").names)


def test_a_quoted_passage_is_a_name_of_any_length() -> None:
    title = "The Hitchhiker's Guide to the Galaxy of Things"
    assert title in parse(f'who wrote "{title}"?').names


def test_no_name_consists_of_stop_words_alone_unless_the_query_does() -> None:
    assert not STOP_WORDS & {name.lower() for name in parse("where is the car of Alice").names}
    assert "The Who" in parse("The Who").names


@given(st.text(max_size=300))
def test_any_text_is_a_query_or_blank(text: str) -> None:
    try:
        query = parse(text)
    except Incorrect:
        assert not text.strip()
        return
    assert len(set(query.words)) == len(query.words)
    for word in query.words:
        assert all(unicodedata.category(character)[0] in "LNM" for character in word.replace(" ", ""))
        assert unicodedata.category(word[0])[0] in "LN"


@given(st.text(max_size=200))
def test_tokens_are_where_they_say_and_leave_no_letter_out(text: str) -> None:
    tokens = tokenize(text)
    assert all(text[token.start : token.stop] == token.text for token in tokens)
    inside = {at for token in tokens for at in range(token.start, token.stop)}
    letters = {at for at, character in enumerate(text) if unicodedata.category(character)[0] in "LN"}
    assert letters <= inside


@given(st.text(st.characters(max_codepoint=127), max_size=200))
def test_a_text_in_ascii_is_cut_as_in_any_other_company(text: str) -> None:
    among_others = tokenize(f"{text} é")
    assert tokenize(text) == among_others[:-1]
