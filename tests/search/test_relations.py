"""Facts named in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.search.relations import Triple, triples_in


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Alice WORKS_FOR Acme", ("Alice", "WORKS_FOR", "Acme")),
        (
            "Lyndon B. Johnson HOLDS_OFFICE Vice President",
            ("Lyndon B. Johnson", "HOLDS_OFFICE", "Vice President"),
        ),
        ("IBM EMPLOYS Bob", ("IBM", "EMPLOYS", "Bob")),
        ("alice works_for acme", ("alice", "works_for", "acme")),
        ("Alice LIKES", ("Alice", "LIKES", "")),
        ("Alice -WORKS_FOR-> Acme", ("Alice", "WORKS_FOR", "Acme")),
        ("a-b --[LINKS TO]--> c-d", ("a-b", "LINKS TO", "c-d")),
    ],
)
def test_the_likeliest_reading_comes_first(text: str, triple: tuple[str, str, str]) -> None:
    first = next(iter(triples_in(text)))
    assert (first.subject, first.predicate, first.object) == triple


@pytest.mark.parametrize("text", ["Alice", "", "  ", "🎂", "7 8"])
def test_what_holds_no_relation_has_no_reading(text: str) -> None:
    assert list(triples_in(text)) == []


def test_relations_are_the_same_whatever_their_case_and_blanks() -> None:
    triple = Triple(subject="a", predicate="Works for", object="b")
    assert triple.relates_by("WORKS_FOR")
    assert not triple.relates_by("WORKS")


@given(st.text(max_size=100))
def test_every_reading_has_a_subject_and_a_relation(text: str) -> None:
    for triple in triples_in(text):
        assert triple.subject
        assert triple.predicate
