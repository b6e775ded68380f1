"""Who and what is meant: by they, by a helper verb alone, by what is pointed out, corrected, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Told = Callable[[str], list[str]]

ECHOES = [
    ("The deposit has been refunded, the fee hasn't.", "fee status refunded: denied .."),
    ("Torkel doesn't have a garden, but his aunt does.", "Torkel's aunt has garden: holds .."),
    ("Moa is no longer responsible for the archive; Nils is.", "Nils is_responsible_for archive: holds .."),
    ("User: My flatmate eats pork, but I don't.", "User eats pork: denied .."),
]


@pytest.mark.parametrize(("text", "fact"), ECHOES)
def test_a_helper_verb_alone_tells_the_same_or_its_contrary_of_another(
    told: Told, text: str, fact: str
) -> None:
    assert fact in told(text)


def test_they_are_the_firm_that_was_called_not_the_things_it_spoke_of(told: Told) -> None:
    facts = told(
        "Call with Ebba Lind (Norrsken Ltd). She sent the drawings. They still use the old portal."
    )
    assert "Norrsken Ltd uses old portal: holds .." in facts
    assert not any(fact.startswith("drawings") for fact in facts)


def test_they_who_do_something_are_no_things_of_which_something_was_done(told: Told) -> None:
    facts = told("Vendela asked for quotes. They have stock until May.")
    assert not any(fact.startswith("quotes") for fact in facts)


def test_a_town_that_somebody_moves_to_is_not_she(told: Told) -> None:
    facts = told("Tim: Any news from Ragna?\nLo: Yes, she has moved to Tromsø. She works on a ferry.")
    assert "Ragna works_on ferry: holds .." in facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "What Signe criticised was the late start.",
            ["Signe criticised late start: started .."],
        ),
        ("It was Hjördis, not Berit, who found the ring.", ["Hjördis found ring: started .."]),
        (
            "Sixten would rather work in Falun than in Gävle.",
            ["Sixten prefers_to_work_in Falun: holds .."],
        ),
        ("The jury rejected the appeal from Rask Capital.", ["jury rejected appeal: started .."]),
        ("Kjell runs faster than Lars.", []),
        (
            "Our supplier in Izmir raised its prices in July.",
            ["Our supplier in Izmir raised prices: started 2025-07.."],
        ),
        (
            "Klara's former boss Rainer lives in Kiel.",
            ["Klara boss Rainer: ended ..", "Rainer lives_in Kiel: holds .."],
        ),
        (
            "Not only Runa but also her uncle has gout.",
            ["Runa has gout: holds ..", "Runa's uncle has gout: holds .."],
        ),
        ("The tenants, Mr. and Mrs. Olsen, pay 900 euros.", []),
        ("The surplus has been collected.", ["surplus status collected: started .."]),
        ("Anna and Bo are teachers.", ["Anna is_a teacher: holds ..", "Bo is_a teacher: holds .."]),
        ("Bo's parents are teachers.", ["Bo's parents is_a teachers: holds .."]),
        ("User: I hurt my knee while skiing last winter.", ["User hurt my knee: started .."]),
        ("Per and Kari have been neighbours since 1998.", ["Per neighbour Kari: holds 1998.."]),
        ("My uncle used to be a sailor.", ["My uncle is sailor: ended .."]),
        ("Bodil has two sons and Timo one daughter.", ["Bodil has two sons: holds .."]),
        (
            "Torkel thinks Ylva still runs the inn. She doesn't: she sold the inn in May.",
            ["Ylva owns inn: ended ..2025-05"],
        ),
        ("In March Rask Tiles hired Ada Olin as head of design.", None),
    ],
)
def test_whom_and_when_a_clause_tells_of(told: Told, text: str, facts: list[str] | None) -> None:
    if facts is None:
        assert "Ada Olin is_a head of design: started 2025-03.." in told(text)
    else:
        assert sorted(told(text)) == sorted(facts)


def test_who_is_introduced_at_the_end_of_a_chain_of_relations_is_its_head(told: Told) -> None:
    facts = told("User: The coach of my nephew Olle, a man called Sten Dahl, bought a yacht.")
    assert "Sten Dahl coach_of Olle: holds .." in facts
    assert "Sten Dahl owns yacht: started .." in facts


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Train leaves from track 4. Edit: track 7!", "Train leaves_from track 7: holds .."),
        (
            "Ola: The tasting is on the 14th.\nIda: Isn't it the 15th?\nOla: Yes, you're right, the 15th.",
            "tasting scheduled_for 15th: holds 2025-08-15..",
        ),
        ("Desk: Your locker number is 31, right?\nVera: No, 13.", "Vera locker_number 13: holds .."),
        (
            "Clerk: So the pickup is on Monday?\nVera: No, on Tuesday.",
            "pickup scheduled_for Tuesday: holds 2025-07-29..",
        ),
        ("Ada: And which car did you have before?\nBo: An old Pantera.", "Bo has old Pantera: ended .."),
        ("The bakery opens at 6:30.", "bakery opens_at 6:30: holds .."),
    ],
)
def test_of_a_value_the_corrected_or_given_one_is_told(told: Told, text: str, fact: str) -> None:
    assert fact in told(text)


TALK = [
    "User: The Lumo 2 is the best headset I've ever had.",
    "User: I'll keep my fingers crossed.",
    "User: I need your advice.",
    "User: I'll give it a try tonight.",
    "User: You know what they say, an apple a day keeps the doctor away.",
    "User: I'm running late.",
    "User: I have a question.",
]


@pytest.mark.parametrize("text", TALK)
def test_praise_and_phrases_are_no_facts(told: Told, text: str) -> None:
    assert told(text) == []


def test_of_two_joined_before_a_singular_verb_only_the_nearer_one_is_meant(told: Told) -> None:
    facts = told("User: Meet my cousin Ansgar. He reads only Danish and his bike is broken.")
    assert not any(fact.startswith("Danish") for fact in facts)
