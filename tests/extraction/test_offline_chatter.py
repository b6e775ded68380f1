"""What is said in passing is no fact; what sounds alike and tells something is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Told = Callable[[str], list[str]]

CHATTER = [
    "The bowl is gorgeous.",
    "The path is super long.",
    "It was such a valuable experience.",
    "That is a big deal.",
    "Advanced degrees open doors.",
    "User: Language is a gateway.",
    "User: Those moments help me.",
    "The biggest challenge is motivation.",
    "User: I was younger then.",
    "User: On the other hand, things change.",
    "User: Exercise has been a bit of a journey for me.",
    "User: I\u2019m super excited.",
]
FACTS = [
    ("User: I leave the house at seven.", ["User leaves house: holds .."]),
    ("The invoice is wrong.", ["invoice is wrong: holds .."]),
    ("Her flat is small.", ["flat is small: holds .."]),
    ("Bettina is shy.", ["Bettina is shy: holds .."]),
    ("The case was closed in May.", ["case status closed: started 2025-05.."]),
    ("Bettina has hypertension, which runs in her family.", ["Bettina has hypertension: holds .."]),
    ("Slates cost 89 dollars.", ["Slates costs 89 dollars: holds .."]),
]
APOSTROPHES = [
    ("User: I\u2019m vegetarian.", ["User is vegetarian: holds .."]),
    ("User: I don\u2019t eat pork.", ["User eats pork: denied .."]),
    ("User: I\u2019ve worked at Vesper since 2019.", ["User works_at Vesper: holds 2019.."]),
    (
        "Bettina\u2019s dog, Pretzel, is lazy.",
        ["Bettina dog Pretzel: holds ..", "Pretzel is lazy: holds .."],
    ),
]


@pytest.mark.parametrize("text", CHATTER)
def test_chatter_is_no_fact(told: Told, text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(("text", "facts"), FACTS)
def test_what_tells_a_condition_is_a_fact(told: Told, text: str, facts: list[str]) -> None:
    assert set(facts) <= set(told(text))


@pytest.mark.parametrize(("text", "facts"), APOSTROPHES)
def test_a_typographic_apostrophe_is_an_apostrophe(told: Told, text: str, facts: list[str]) -> None:
    assert sorted(told(text)) == sorted(facts)
