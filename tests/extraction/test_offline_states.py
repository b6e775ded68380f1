"""What begins and what ends a state is told as one relation, in the words of the event."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from extraction_samples import episode

from memstrata.extraction.wire import write_facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.extraction.offline.extractor import OfflineExtractor

    Told = Callable[[str], list[str]]

LIVES = [
    ("Tom joined Globex in 2019.", "Tom works_at Globex: started 2019.."),
    ("Tom was hired by Globex in 2019.", "Tom works_at Globex: started 2019.."),
    ("Globex hired Tom in 2019.", "Tom works_at Globex: started 2019.."),
    ("Tom took a job at Globex in 2019.", "Tom works_at Globex: started 2019.."),
    ("Tom works for Globex.", "Tom works_at Globex: holds .."),
    ("Tom is employed by Globex.", "Tom works_at Globex: holds .."),
    ("Tom left Globex in 2021.", "Tom works_at Globex: ended ..2021"),
    ("Tom quit his job at Globex in 2021.", "Tom works_at Globex: ended ..2021"),
    ("Tom resigned from Globex in 2021.", "Tom works_at Globex: ended ..2021"),
    ("Tom was laid off by Globex in 2021.", "Tom works_at Globex: ended ..2021"),
    ("Tom leaves Globex in September.", "Tom works_at Globex: ended ..2025-09"),
    ("Tom joined the choir in 2019.", "Tom member_of choir: started 2019.."),
    ("Tom is a member of the choir.", "Tom member_of choir: holds .."),
    ("Tom left the choir in 2021.", "Tom member_of choir: ended ..2021"),
    ("Tom settled in Paris in 2019.", "Tom lives_in Paris: started 2019.."),
    ("Tom resides in Paris.", "Tom lives_in Paris: holds .."),
    ("Tom left Paris in 2021.", "Tom lives_in Paris: ended ..2021"),
    ("Tom moved out of Paris in 2021.", "Tom lives_in Paris: ended ..2021"),
    ("Tom bought a boat in 2019.", "Tom owns boat: started 2019.."),
    ("Tom has a boat.", "Tom owns boat: holds .."),
    ("Tom sold his boat in 2021.", "Tom owns boat: ended ..2021"),
    ("Tom gave away his boat.", "Tom owns boat: ended .."),
    ("We adopted Lintel 300 in 2019.", "we uses Lintel 300: started 2019.."),
    ("We dropped Lintel 300 in 2021.", "we uses Lintel 300: ended ..2021"),
    ("We migrated off Lintel 300 in 2021.", "we uses Lintel 300: ended ..2021"),
    ("Lena married Tom in 2015.", "Lena married_to Tom: started 2015.."),
    ("Lena divorced Tom in 2020.", "Lena married_to Tom: ended ..2020"),
    ("Tom enrolled at Wyndham College in 2018.", "Tom studies_at Wyndham College: started 2018.."),
    ("Tom attends Wyndham College.", "Tom studies_at Wyndham College: holds .."),
    ("Tom graduated from Wyndham College in 2021.", "Tom studies_at Wyndham College: ended ..2021"),
    ("Tom dropped out of Wyndham College in 2020.", "Tom studies_at Wyndham College: ended ..2020"),
    ("Tom took over the Larkspur project in 2022.", "Tom leads Larkspur project: started 2022.."),
    ("Tom heads the design team.", "Tom leads design team: holds .."),
    ("Tom took up the cello in 2019.", "Tom plays cello: started 2019.."),
    ("Tom gave up the cello in 2021.", "Tom plays cello: ended ..2021"),
    ("Tom subscribed to Tarnwick News in 2020.", "Tom subscribes_to Tarnwick News: started 2020.."),
    ("Tom unsubscribed from Tarnwick News in 2021.", "Tom subscribes_to Tarnwick News: ended ..2021"),
    ("Tom became CEO of Globex in 2019.", "Tom ceo_of Globex: started 2019.."),
    ("Tom was appointed CEO of Globex in 2019.", "Tom ceo_of Globex: started 2019.."),
    ("Tom took over as CEO of Globex in 2019.", "Tom ceo_of Globex: started 2019.."),
    ("Tom stepped down as CEO of Globex in 2021.", "Tom ceo_of Globex: ended ..2021"),
    ("Tom resigned as editor at Globex in May.", "Tom editor_at Globex: ended ..2025-05"),
    ("Tom resigned as CEO of Globex in 2021.", "Tom ceo_of Globex: ended ..2021"),
]
ELSE = [
    ("Tom left the keys on the table.", "left"),
    ("Tom joined the call.", "joined"),
    ("Tom bought milk yesterday.", "bought"),
    ("Tom sold cars.", "sold"),
    ("Tom got a promotion.", "got"),
    ("Polgate acquired Fernhill in 2022.", "acquired"),
    ("Olaf hired a car.", "hired"),
    ("Bramble is based in Paris.", "based_in"),
    ("Tom hasn't left Globex.", "left"),
    ("Tom didn't join Globex in 2019.", "joined"),
]


@pytest.mark.parametrize(("text", "fact"), LIVES)
def test_an_event_is_told_of_the_state_that_it_begins_or_ends(told: Told, text: str, fact: str) -> None:
    assert told(text) == [fact]


@pytest.mark.parametrize(("text", "predicate"), ELSE)
def test_an_event_that_shows_no_state_keeps_its_word(told: Told, text: str, predicate: str) -> None:
    assert [line.split()[1] for line in told(text)] == [predicate]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Tom left Globex in 2021.", "Tom left Globex"),
        ("Globex hired Tom.", "Globex hired Tom"),
        ("Tom sold his boat.", "Tom sold boat"),
        ("Tom stepped down as CEO of Globex.", "Tom stepped down as CEO of Globex"),
        ("Tom was appointed CEO of Globex.", "Tom was appointed CEO of Globex"),
    ],
)
def test_the_sentence_keeps_the_words_of_the_event(
    extractor: OfflineExtractor, text: str, sentence: str
) -> None:
    (line,) = map(json.loads, write_facts(extractor.extract(episode(text))))
    assert line["fact"] == sentence


def test_an_undated_denial_of_a_beginning_denies_the_state(told: Told) -> None:
    assert told("Tom hasn't joined Globex.") == ["Tom works_at Globex: denied .."]


def test_an_end_is_of_the_relation_told_before_of_the_two(told: Told) -> None:
    lines = told("Tom enrolled at Salvia in 2019. Tom left Salvia in 2021.")
    assert lines[-1] == "Tom studies_at Salvia: ended ..2021"


def test_who_resigns_lays_down_the_office_told_before(told: Told) -> None:
    lines = told("Tom is the mayor of Eskelund. He resigned in 2021.")
    assert lines == ["Tom mayor_of Eskelund: holds ..", "Tom mayor_of Eskelund: ended ..2021"]


def test_what_was_sold_is_the_thing_and_not_where_it_stands(told: Told) -> None:
    lines = told("Tom bought a house in Lyon in 2018 and sold it in 2022.")
    assert lines[-1] == "Tom owns house: ended ..2022"


def test_whoever_starts_somewhere_as_something_does_both(told: Told) -> None:
    lines = told("User: I started at Globex as a nurse in 2020.")
    assert sorted(lines) == ["User is_a nurse: started 2020..", "User works_at Globex: started 2020.."]


def test_what_was_ones_own_is_named_as_it_was_bought(told: Told) -> None:
    lines = told("User: I bought a car in 2020. I sold my car in May.")
    assert lines == ["User owns car: started 2020..", "User owns car: ended ..2025-05"]


def test_one_joins_after_what_one_left(told: Told) -> None:
    assert told("User: I left Globex in June 2024 and joined Salvia.") == [
        "User works_at Globex: ended ..2024-06",
        "User works_at Salvia: started ..",
    ]
