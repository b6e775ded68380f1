"""A text is read again where the parser took a word for what it cannot be; what is odd tells nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.extraction.offline.masking import Rewording, mask, reworded

if TYPE_CHECKING:
    from collections.abc import Callable

    Told = Callable[[str], list[str]]

MENDED = [
    ("Halvor doesn't eat quinoa.", ["Halvor eats quinoa: denied .."]),
    ("Mrs. Anders is intolerant to lactose.", ["Mrs. Anders is_intolerant_to lactose: holds .."]),
    (
        "Kvistad Dairies ships yoghurt to the Norrland schools.",
        ["Kvistad Dairies ships yoghurt: holds ..", "Kvistad Dairies ships_to Norrland schools: holds .."],
    ),
    ("Runa has gout.", ["Runa has gout: holds .."]),
    (
        "Kolbe Tools orders copper pipes from Brunn Metals.",
        ["Kolbe Tools orders copper pipes: holds ..", "Kolbe Tools orders_from Brunn Metals: holds .."],
    ),
    ("Gunvor no longer sings in the parish choir.", ["Gunvor member_of parish choir: ended .."]),
    (
        "Ture and Wilma work at Almqvist Glass.",
        ["Ture works_at Almqvist Glass: holds ..", "Wilma works_at Almqvist Glass: holds .."],
    ),
    ("User: My favourite soup is roasted pumpkin.", ["User favourite_soup roasted pumpkin: holds .."]),
    ("Ludde, the oldest of the cousins, studies law in Lund.", ["Ludde studies law: holds .."]),
    ("Greta and Sixten run the kiosk.", ["Greta runs kiosk: holds ..", "Sixten runs kiosk: holds .."]),
    (
        "Disk arr-12 was moved from shelf 4 to shelf 9.",
        ["arr-12 moved_from shelf 4: ended ..", "arr-12 moved_to shelf 9: started .."],
    ),
    ("- The pool remains closed until May", ["pool is closed: holds ..2026-05"]),
]


@pytest.mark.parametrize(("text", "facts"), MENDED)
def test_a_word_taken_for_what_it_cannot_be_is_read_again(told: Told, text: str, facts: list[str]) -> None:
    assert sorted(told(text)) == sorted(facts)


NO_SENTENCES = [
    "Selling: old sofa, 40 euros, pick up in Falun.",
    "Runar's visits to Oslo.",
    "Two seats at the front.",
]


@pytest.mark.parametrize("text", NO_SENTENCES)
def test_what_only_looks_like_a_sentence_tells_nothing(told: Told, text: str) -> None:
    assert told(text) == []


def test_a_rewording_keeps_the_way_back_to_the_original() -> None:
    masked = mask("Tova hates quinoa.", ())
    again = reworded(masked, [Rewording(start=11, end=17, word="bread", lemma="quinoa")])
    assert again.text == "Tova hates bread."
    assert again.words(11, 16) == "quinoa"
    assert [cut.lemma_in(again.original) for cut in again.cuts] == ["quinoa"]
