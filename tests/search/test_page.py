"""Pages within a budget, and the tokens that lines cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.search.citing import Around, CitedTurn, packed
from memstrata.search.page import Page, cost_of, fitting
from memstrata.search.tokens import tokens_of


@dataclass(frozen=True, slots=True)
class Piece:
    line: str


_lines = st.text(st.characters(blacklist_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
_pieces = st.lists(_lines.map(Piece), max_size=12)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("word", 1),
        ("longest", 2),
        ("two words", 2),
        ("2024-06-01", 6),
        ("6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1", 34),
        ("山", 1),
        ("a\nb", 3),
        ("a\n    b", 3),
        ("   ", 1),
    ],
)
def test_tokens_are_counted_by_runs(text: str, tokens: int) -> None:
    assert tokens_of(text) == tokens


@given(st.lists(st.text(), max_size=6))
def test_a_text_costs_no_more_than_its_lines(lines: list[str]) -> None:
    assert tokens_of("\n".join(lines)) <= sum(map(cost_of, lines))


@given(st.integers(0, 200), st.lists(st.tuples(_pieces, st.floats(0.0, 1.0)), max_size=4), _lines)
def test_a_page_never_holds_more_than_its_room(
    room: int, sections: list[tuple[list[Piece], float]], last: str
) -> None:
    page = Page(room=room)
    for pieces, share in sections:
        kept = page.section("Title:", pieces, share=share)
        assert all(piece.line in page.text for piece in kept)
    page.put(last)
    assert page.tokens <= room


@given(_pieces, st.integers(-5, 80))
def test_what_fits_is_in_order_and_within_the_room(pieces: list[Piece], room: int) -> None:
    kept = fitting(pieces, room)
    assert sum(cost_of(piece.line) for piece in kept) <= max(room, 0)
    left = iter(pieces)
    assert all(piece in left for piece in kept)


def turn(number: int, *, is_neighbour: bool = False) -> CitedTurn:
    words = "word " * (number % 5)
    return CitedTurn(
        episode_id=f"e{number}",
        reference_time=datetime(2024, 1, 1, tzinfo=UTC),
        position=number,
        line=f"- {words}{number}",
        cut=False,
        is_neighbour=is_neighbour,
    )


@given(st.lists(st.integers(1, 12), unique=True, max_size=8), st.integers(0, 120))
def test_turns_fit_and_stand_once_in_order_of_time(found: list[int], room: int) -> None:
    given_turns = [
        Around(
            turn=turn(one),
            before=turn(one - 1, is_neighbour=True),
            after=turn(one + 1, is_neighbour=True),
        )
        for one in found
    ]
    kept = packed(given_turns, room)
    ids = [one.episode_id for one in kept]
    assert len(ids) == len(set(ids))
    assert sum(cost_of(one.line) for one in kept) <= room
    plain = fitting([one.turn for one in given_turns], room)
    assert {one.episode_id for one in kept if not one.is_neighbour} == {one.episode_id for one in plain}
    assert ids == sorted(ids, key=lambda one: int(one[1:]))
    if room >= sum(cost_of(one.line) for each in given_turns for one in (each.turn, *each.neighbours)):
        assert set(ids) == {f"e{one + side}" for one in found for side in (-1, 0, 1)}
