"""Vectors for what has none, and the change to another model: interrupted, refused, taken up again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scripted import draft, works

from memstrata.errors import Conflict, Fault, Missing
from memstrata.ports import Subject, VectorModel
from memstrata.search.searcher import Searcher
from memstrata.search.view import View
from memstrata.workflow.embed import BATCH, MOST_CHARACTERS, embed, switch, waiting
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belief_world import World

    from memstrata.ports import Installation, Vectors

VIEW = View(groups=("g",))
NAMES = ("Ada Byron", "Grace Hopper", "Alan Turing")


@dataclass(slots=True, kw_only=True)
class LettersEmbedder:
    """Counts of letters, under any name; fails when told to, after so many calls."""

    name: str = "letters"
    dimension: int = 8
    engine: str = "by hand"
    calls_left: int | None = None
    texts: list[str] = field(default_factory=list)

    @property
    def model(self) -> VectorModel:
        return VectorModel(name=self.name, dimension=self.dimension, engine=self.engine)

    def passages(self, texts: Sequence[str]) -> Vectors:
        if self.calls_left is not None:
            self.calls_left -= 1
            if self.calls_left < 0:
                raise Fault("the server is away")
        self.texts += texts
        table = np.array([[1 + text.count(chr(97 + at)) for at in range(self.dimension)] for text in texts])
        return np.asarray(table / np.linalg.norm(table, axis=1, keepdims=True), np.float32)

    queries = passages


def using(world: World, embedder: LettersEmbedder | None) -> Installation:
    return replace(world.installation, embedder=embedder)


@pytest.fixture
def told(world: World) -> World:
    """A world of a few facts, without vectors."""
    for at, company in enumerate(("Acme", "Beta Ltd", "Gamma")):
        world.accept(draft(f"e{at}", works(NAMES[at], company), day=at))
    world.work()
    return world


def test_everything_that_is_searched_gets_a_vector(told: World) -> None:
    installation = using(told, LettersEmbedder())
    before = waiting(told.graph)
    assert embed(installation) == sum(before.values())
    assert before[Subject.FACT] == before[Subject.EPISODE] == 3
    assert set(waiting(told.graph).values()) == {0}
    assert embed(installation) == 0


def test_nothing_is_embedded_without_an_embedder(told: World) -> None:
    assert embed(using(told, None)) == 0


def test_a_limit_is_kept_across_subjects(told: World) -> None:
    total = sum(waiting(told.graph).values())
    assert embed(using(told, LettersEmbedder()), limit=4) == 4
    assert sum(waiting(told.graph).values()) == total - 4
    assert embed(using(told, LettersEmbedder()), limit=0) == 0


def test_of_a_very_long_text_the_beginning_is_embedded(world: World) -> None:
    world.accept(draft("e", works("Tom", "a" * 3 * MOST_CHARACTERS), day=0))
    world.work()
    embedder = LettersEmbedder()
    embed(using(world, embedder))
    assert max(map(len, embedder.texts)) == MOST_CHARACTERS


def test_progress_counts_what_is_stored(told: World) -> None:
    steps: list[int] = []
    done = embed(using(told, LettersEmbedder()), on_progress=steps.append)
    assert sum(steps) == done
    assert max(steps) <= BATCH


def test_another_model_is_refused_with_the_way_out_and_nothing_is_embedded(told: World) -> None:
    embed(using(told, LettersEmbedder()), limit=1)
    other = LettersEmbedder(name="others")
    with pytest.raises(Conflict, match=r"letters \(8 dimensions\).*others.*memstrata embed --switch"):
        embed(using(told, other))
    assert other.texts == []


@pytest.mark.parametrize("other", [{"name": "others"}, {"dimension": 4}])
def test_a_switch_drops_the_old_vectors_and_embeds_everything(told: World, other: dict[str, str]) -> None:
    total = embed(using(told, LettersEmbedder()))
    installation = using(told, LettersEmbedder(**other))
    switched = switch(installation)
    assert switched.dropped == LettersEmbedder().model
    assert embed(installation) == total
    assert told.graph.model() == switched.model


def test_another_engine_of_the_same_model_needs_no_switch(told: World) -> None:
    total = embed(using(told, LettersEmbedder()), limit=2) + sum(waiting(told.graph).values())
    quicker = using(told, LettersEmbedder(engine="a quicker one"))
    assert switch(quicker).dropped is None
    assert embed(quicker) == total - 2


def test_a_dry_run_drops_nothing(told: World) -> None:
    embed(using(told, LettersEmbedder()))
    assert switch(using(told, LettersEmbedder(name="others")), dry_run=True).dropped is not None
    assert set(waiting(told.graph).values()) == {0}


def test_an_embedder_that_does_not_work_costs_no_vectors(told: World) -> None:
    embed(using(told, LettersEmbedder()))
    with pytest.raises(Fault):
        switch(using(told, LettersEmbedder(name="others", calls_left=0)))
    assert told.graph.model() == LettersEmbedder().model


def test_an_interrupted_switch_is_taken_up_where_it_stopped(told: World) -> None:
    total = embed(using(told, LettersEmbedder()))
    broken = using(told, LettersEmbedder(name="others", calls_left=2))  # the trial, and the first subject
    switch(broken)
    with pytest.raises(Fault):
        embed(broken)
    again = using(told, LettersEmbedder(name="others"))
    assert switch(again).dropped is None
    done = embed(again)
    assert 0 < done < total
    assert set(waiting(told.graph).values()) == {0}


def test_a_switch_needs_an_embedder(told: World) -> None:
    with pytest.raises(Missing, match="set MEMSTRATA_EMBEDDER"):
        switch(using(told, None))


def test_words_answer_while_the_vectors_are_of_another_model_or_gone(told: World) -> None:
    embed(using(told, LettersEmbedder()))
    other = LettersEmbedder(name="others")
    searcher = Searcher(graph=told.graph, clock=told.clock, embedder=other)
    before = searcher.search("Acme", VIEW)
    switch(using(told, other))
    during = searcher.search("Acme", VIEW)
    embed(using(told, other))
    after = searcher.search("Acme", VIEW)
    assert before.facts
    assert during.facts
    assert any("memstrata embed --switch" in note for note in before.notes)
    assert any("no vectors are stored yet" in note for note in during.notes)
    assert not any("words alone" in note for note in after.notes)


def test_words_answer_while_the_embedder_is_away(told: World) -> None:
    embed(using(told, LettersEmbedder()))
    away = Searcher(graph=told.graph, clock=told.clock, embedder=LettersEmbedder(calls_left=0))
    results = away.search("Acme", VIEW)
    assert results.facts
    assert any("the server is away" in note for note in results.notes)


def test_a_pass_tells_why_nothing_was_embedded_and_keeps_its_commits(world: World) -> None:
    world.accept(draft("e", works("Tom", "Acme"), day=0))
    worked = work(using(world, LettersEmbedder(calls_left=1)))
    assert worked.committed
    assert worked.not_embedded == "the server is away"
    assert worked.embedded == 1
    assert not work(using(world, LettersEmbedder())).not_embedded
