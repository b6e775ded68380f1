"""Turns in a search: names of speakers out of the vector, days, and a server that goes away meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from small_world import ConceptEmbedder

from memstrata.errors import Fault
from memstrata.search.fusion import Arm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.ports import Vectors
    from memstrata.search.searcher import Searcher


class Listening(ConceptEmbedder):
    """Keeps what it was asked, and answers at most so many times."""

    def __init__(self, most: int = 100) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.most = most

    def queries(self, texts: Sequence[str]) -> Vectors:
        if len(self.asked) >= self.most:
            raise Fault("the embedder is away")
        self.asked += texts
        return super().queries(texts)


def test_the_name_of_a_speaker_stays_out_of_the_vector_of_turns(hybrid: Searcher) -> None:
    embedder = Listening()
    found = replace(hybrid, embedder=embedder).search("What job has Caroline?", preset="episodes").episodes
    assert embedder.asked == ["What job has Caroline?", "What job has ?"]
    assert any(place.arm is Arm.VECTORS for one in found for place in one.found)


def test_the_name_of_somebody_else_stays_in(hybrid: Searcher) -> None:
    embedder = Listening()
    replace(hybrid, embedder=embedder).search("What job has Alice?", preset="episodes")
    assert embedder.asked == ["What job has Alice?"]


def test_a_query_that_is_a_name_alone_is_asked_as_it_is(hybrid: Searcher) -> None:
    embedder = Listening()
    replace(hybrid, embedder=embedder).search("Caroline", preset="episodes")
    assert embedder.asked == ["Caroline"]


def test_an_embedder_that_goes_away_meanwhile_takes_nothing_with_it(hybrid: Searcher) -> None:
    asked = "What job has Caroline?"
    found = replace(hybrid, embedder=Listening(most=1)).search(asked, preset="episodes").episodes
    assert any(place.arm is Arm.VECTORS for one in found for place in one.found)


def test_turns_of_a_day_that_the_query_names_rise(words_only: Searcher) -> None:
    def first(query: str) -> str:
        return words_only.search(query, preset="episodes").episodes[0].episode.episode_id

    assert first("Alice in March 2019") == "e1"
    assert first("Alice in July 2021") == "e3"
