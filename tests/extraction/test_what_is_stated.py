"""Questions, conditions and wishes are told from what is stated, by the sentence around a quote too."""

from __future__ import annotations

import pytest
from extraction_samples import judged, says

from memstrata.extraction.candidates import Name
from memstrata.model import Verdict

CARL, ULM = Name(text="Carl"), Name(text="Ulm")
DOUBTED = ("is_stated", Verdict.SECOND_PASS)


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        ("If it rains, Carl works in Ulm.", "If it rains, Carl works in Ulm."),
        ("Carl works in Ulm", "If it rains, Carl works in Ulm."),
        ("Carl works in Ulm", "If Carl works in Ulm, I am glad."),
        ("Carl works in Ulm", "Carl works in Ulm if he gets the job."),
        ("Carl works in Ulm", "Carl works in Ulm from May on unless they cancel it."),
        ("Carl works in Ulm", "I asked whether Carl works in Ulm."),
        ("Carl works in Ulm", "I don't know if Carl works in Ulm."),
        ("Carl works in Ulm", "Suppose Carl works in Ulm."),
        ("Carl works in Ulm", "Imagine that Carl works in Ulm."),
        ("Carl works in Ulm", "Even if Carl works in Ulm, he may stay."),
        ("Carl would love to work in Ulm", "Carl would love to work in Ulm."),
        ("he'd really like to work in Ulm", "Carl says he'd really like to work in Ulm."),
        ("Carl hopes to work in Ulm", "Carl hopes to work in Ulm."),
        ("Carl dreams of working in Ulm", "Carl dreams of working in Ulm."),
    ],
)
def test_what_holds_in_a_case_or_a_wish_alone_is_doubted(quote: str, content: str) -> None:
    assert judged(says(quote, "works_in", ULM, subject=CARL), content) == DOUBTED


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        ("Carl works in Ulm", "Carl works in Ulm, and if you visit, call him."),
        ("Carl works in Ulm", "Carl works in Ulm but would move if they paid more."),
        ("Carl works in Ulm", "If you need him, Carl works in Ulm."),
        ("Carl works in Ulm", "If anyone asks, Carl works in Ulm."),
        ("Carl works in Ulm", "If it rains, call me; Carl works in Ulm."),
        ("Carl works in Ulm", "Ask him if you like. Carl works in Ulm."),
        ("Carl works in Ulm", "Carl works in Ulm. If he leaves, we hire Bo."),
        ("Carl works in Ulm", "Carl works in Ulm even if it is far."),
        ("Carl works in Ulm", "He looks as if he slept badly, Carl works in Ulm."),
        ("Carl works in Ulm", "Few if any know that Carl works in Ulm."),
        ("Carl works in Ulm and wants to leave", "Carl works in Ulm and wants to leave."),
        ("Carl wants to leave because he works in Ulm", "Carl wants to leave because he works in Ulm."),
        ("Carl works in Ulm, he would like to rest", "Carl works in Ulm, he would like to rest."),
    ],
)
def test_what_is_said_beside_a_case_or_a_wish_stands(quote: str, content: str) -> None:
    assert judged(says(quote, "works_in", ULM, subject=CARL), content) is None


@pytest.mark.parametrize("predicate", ["wants_to_work_in", "hopes_for", "would_like_to_live_in", "plans"])
def test_a_wish_that_is_told_as_one_stands(predicate: str) -> None:
    said = says("Carl wants to work in Ulm", predicate, ULM, subject=CARL)
    assert judged(said, "Carl wants to work in Ulm.") is None
