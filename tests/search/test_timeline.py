"""The life of an entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_world import BETWEEN, when

from memstrata.errors import Incorrect
from memstrata.search.view import View

if TYPE_CHECKING:
    from memstrata.search.reads import Reads
    from memstrata.search.timeline import Timeline


def told(answer: Timeline) -> list[str]:
    return [spell.fact.version.fact.id for spell in answer.spells]


def test_a_life_is_told_in_order_of_valid_time_with_what_closed_what(reads: Reads) -> None:
    answer = reads.timeline("Alice")
    assert told(answer) == ["f-acme", "f-globex"]
    acme, globex = answer.spells
    assert acme.followed_by is not None
    assert acme.followed_by.version.fact.id == "f-globex"
    assert acme.ended_in == ()
    assert acme.episode_ids == ("e1", "e2", "e3")
    assert (globex.followed_by, globex.ended_in) == (None, ())
    assert answer.mentions == 1
    assert [episode_id for _, episode_id in answer.episodes] == ["e1", "e2", "e3"]
    assert answer.is_whole


def test_what_closed_a_fact_is_named_though_it_is_about_somebody_else(reads: Reads) -> None:
    (spell,) = reads.timeline("Acme").spells
    assert spell.followed_by is not None
    assert spell.followed_by.object == "Globex"


def test_a_life_is_told_as_it_was_believed(reads: Reads) -> None:
    (spell,) = reads.timeline("Alice", View(system_as_of=BETWEEN)).spells
    assert spell.fact.version.fact.invalid_at is None
    assert spell.followed_by is None


def test_valid_time_does_not_narrow_a_life(reads: Reads) -> None:
    assert told(reads.timeline("Alice", View(as_of=when(1999)))) == ["f-acme", "f-globex"]


def test_a_life_cut_by_its_limit_says_so(reads: Reads) -> None:
    assert not reads.timeline("Alice", limit=1).is_whole


def test_a_life_of_nobody_is_refused(reads: Reads) -> None:
    with pytest.raises(Incorrect, match="did you mean 'Bob'"):
        reads.timeline("Bob the Builder")
