"""What chats and notes leave out, and what in them is invented, joked or handed on: one a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.extraction.offline.elliptical import left_out

if TYPE_CHECKING:
    from collections.abc import Callable

    Told = Callable[[str], list[str]]

FACTS = [
    ("Ivy: Moved to Leeds in May!", ["Ivy lives_in Leeds: started 2025-05.."]),
    ("Ivy: Still living in Porto", ["Ivy lives_in Porto: holds .."]),
    ("Ivy: allergic to wheat btw", ["Ivy is_allergic_to wheat: holds .."]),
    ("Ivy: Not eating bread anymore.", ["Ivy eats bread: ended .."]),
    ("Ivy: Never been to Malta", ["Ivy has_been_to Malta: denied .."]),
    ("Ivy: Hi! Sold the piano.", ["Ivy owns piano: ended .."]),
    ("Ivy: quit in March.", ["Ivy holds position: ended ..2025-03"]),
    ("Ivy: Don't like olives.", ["Ivy likes olives: denied .."]),
    ("Ivy: Used to play the oboe", ["Ivy plays oboe: ended .."]),
    ("Ivy: doing a welding course now", ["Ivy does welding course: holds .."]),
    ("Met Sunniva at the fair. She imports tea.", ["Sunniva imports tea: holds .."]),
]

SILENT = [
    "Ivy: Don't forget the bread",
    "Ivy: Can't wait to see the fjords",
    "Ivy: told you so",
    "Ivy: Founded by two brothers",
    "Kim: How is Ann?\nIvy: Moved to Leeds.",
    "Moved to Leeds last week.",
    "User: Write a scene where Inspector Hale finds a letter in a boat.",
    "User: Make up a character.\nAssistant: Runa Dahl lives in a mill and keeps owls.",
    "In my novel, Runa Dahl owns a mill.",
    "Somebody said that Norvik closes its yard.",
    "They told me that Norvik sold its yard, no idea if that's true.",
    "Ivy: I'm moving into the zoo, just kidding",
    "Ivy: I'm basically made of tea",
    "Great, the lift is stuck again.",
    "In case Noor visits, the key hangs by the door.",
    "12:00:01 DEBUG cache misses the key a81f",
]


@pytest.mark.parametrize(("text", "facts"), FACTS)
def test_what_is_left_out_is_completed(told: Told, text: str, facts: list[str]) -> None:
    assert told(text) == facts


@pytest.mark.parametrize("text", SILENT)
def test_what_is_not_meant_as_a_fact_tells_none(told: Told, text: str) -> None:
    assert told(text) == []


def test_completed_words_keep_their_place() -> None:
    assert list(left_out("Ok. Just moved to Bergen.")) == [(4, 4, "I "), (4, 8, "just")]


def test_a_question_is_not_completed() -> None:
    assert list(left_out("Moved to Bergen?")) == []


def test_of_a_note_only_what_its_writer_does_is_completed() -> None:
    assert list(left_out("Moved to Bergen.", spoken=False)) == []
    assert list(left_out("Visited the farm.", spoken=False)) == [(0, 0, "I "), (0, 7, "visited")]
