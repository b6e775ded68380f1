"""Whose fact a quote is, beyond the plain cases: what is reported, who is done something, who is meant."""

from __future__ import annotations

import time

import pytest
from extraction_samples import ANA, BOT, NOON, I, Scripted, episode, judged, reply_to, says

from memstrata.extraction.candidates import Name
from memstrata.extraction.model import ModelExtractor
from memstrata.model import Extraction, Verdict

DOUBTED = ("is_said_of_the_subject", Verdict.SECOND_PASS)


@pytest.mark.parametrize(
    "quote",
    [
        "Tom told me he has a PhD",
        "I think my coworker has a PhD",
        "I heard that Priya has a PhD",
        "the guy next door has a PhD",
        "a friend of mine has a PhD",
        "One of my coworkers has a PhD",
        "She has a PhD",
        "she's got a PhD",
        "My co-worker, who has a PhD, sits next to me",
        "My colleague told me she has a PhD",
    ],
)
def test_a_degree_of_another_is_doubted_as_the_speakers(quote: str) -> None:
    assert judged(says(quote, "has_degree", "PhD")) == DOUBTED
    assert judged(says(quote, "has_degree", "PhD", subject=Name(text="Ana", speaker=ANA))) == DOUBTED


@pytest.mark.parametrize(
    ("quote", "predicate", "target"),
    [
        ("my wife gave me a watch", "received", "a watch"),
        ("My boss made me team lead", "became", "team lead"),
        ("My doctor put me on metformin", "takes", "metformin"),
        ("My doctor told me to stop drinking coffee", "avoids", "coffee"),
        ("my teacher taught us Latin", "learned", "Latin"),
        ("I know my neighbour keeps bees", "knows", "bees"),
        ("I think I have a PhD", "has_degree", "PhD"),
        ("Tom told me I have a PhD", "has_degree", "PhD"),
        ("He is my boss", "boss", "He"),
        ("Have lived in Porto for ten years", "lives_in", "Porto"),
        ("Formerly worked at Acme", "worked_at", "Acme"),
        ("my dog is Rex", "has_dog", Name(text="Rex")),
    ],
)
def test_what_the_speaker_has_or_is_done_is_the_speakers(
    quote: str, predicate: str, target: Name | str
) -> None:
    assert judged(says(quote, predicate, target)) is None


def test_whom_an_assistant_speaks_to_may_be_called_by_the_first_name() -> None:
    ana = Name(text="Ana", addressee=ANA)
    said = says("You live in Turin.", "lives_in", Name(text="Turin"), subject=ana)
    assert judged(said, by=BOT) == ("is_no_suggestion", Verdict.SECOND_PASS)


@pytest.mark.parametrize("answer", ["Yes, let's do that", "Ok, I'll move to Turin"])
def test_what_the_user_agrees_to_is_the_users_own_and_what_the_assistant_said_is_no_evidence(
    answer: str,
) -> None:
    before = [episode("You should move to Turin.", speaker=BOT, episode_id="e0", reference_time=NOON)]
    turin = Name(text="Turin")
    assert judged(says(answer, "moves_to", turin), before=before) is None
    quoted = says("You should move to Turin.", "moves_to", turin)
    assert judged(quoted, answer, before=before) == ("quote_is_in_the_episode", Verdict.REJECT)


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        ("Don't you love Turin", "Don't you love Turin?"),
        ("Isn't Turin great", "Isn't Turin great?"),
        ("If I lived in Turin, I would swim", "If I lived in Turin, I would swim."),
        ("I wish I lived in Turin", "I wish I lived in Turin."),
        ("I'm wondering whether Turin suits me", "I'm wondering whether Turin suits me."),
    ],
)
def test_what_is_asked_wished_or_imagined_is_doubted(quote: str, content: str) -> None:
    assert judged(says(quote, "lives_in", Name(text="Turin")), content) == (
        "is_stated",
        Verdict.SECOND_PASS,
    )


def test_another_name_of_the_subject_is_no_second_thing_but_in_what_is_said_of_names() -> None:
    robert = Name(text="Robert", attributes={"aliases": ("Bob",)})
    bob = Name(text="Bob")
    for subject, target in ((robert, bob), (bob, robert)):
        found = judged(says("Bob Robert", "knows", target, subject=subject))
        assert found == ("ends_differ", Verdict.QUARANTINE)
    assert judged(says("Robert or Bob", "nickname", bob, subject=robert)) is None
    assert judged(says("I know Bob", "knows", bob, subject=I)) is None


def test_a_reply_of_a_thousand_items_on_a_long_text_takes_no_time_that_grows_with_both() -> None:
    text = "I like tea. " * 500
    items = [
        {"subject": "I", "predicate": "likes", "object": f"tea {number}", "object_is_literal": True}
        | {"fact": f"Ana has {number} teas", "kind": "holds", "evidence": "I like tea"}
        for number in range(1_000)
    ]
    began = time.process_time()
    found = ModelExtractor(Scripted(reply_to(*items))).extract(episode(text, speaker=ANA))
    assert isinstance(found, Extraction)
    assert len(found.assertions) + len(found.held) == len(items)
    assert time.process_time() - began < 8  # 0.5 s where it was written, 29 s before
