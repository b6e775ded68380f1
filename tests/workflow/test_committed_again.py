"""Committing again what has not changed: no passage is worked out or written, no vector is made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from belief_world import MortalGraph, World
from other_version import OtherExtractor
from scripted import draft, works

from memstrata.ports import Days, Promotion, Subject
from memstrata.stores.sqlite import SqliteGraph
from memstrata.workflow.promotions import promote, rollback
from memstrata.workflow.reextract import run_candidate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import Changes


class MemoryNoting(MortalGraph):
    """Notes what commits change."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[Changes] = []

    def apply(self, changes: Changes) -> None:
        """See `ports.Projector`."""
        self.noted.append(changes)
        super().apply(changes)


@pytest.fixture
def noting(tmp_path: Path) -> Iterator[tuple[World, list[Changes]]]:
    graph = MemoryNoting()
    with World(tmp_path, graph=graph) as world:
        world.accept(
            draft("a", works("Ann Lee", "Lab"), day=1, saga="s", position=1),
            draft("b", works("Bob Moor", "Mill"), day=2, saga="s", position=2),
            draft("c", works("Cid Tor", "Lab"), day=3),
        )
        world.work()
        graph.noted.clear()
        yield world, graph.noted


def test_another_version_that_finds_the_same_writes_no_passage_and_no_fact(
    noting: tuple[World, list[Changes]],
) -> None:
    world, noted = noting
    run_candidate(world.installation, days=Days(), extractor=OtherExtractor())
    promote(world.installation, "g", Promotion(version="other-2", days=Days()))
    world.work()
    rollback(world.installation, "g")
    world.work()
    assert [len(one.episodes) for one in noted] == [3, 3]
    for one in noted:
        assert (one.passages, one.facts_created, one.facts_expired) == ((), (), ())


def test_a_turn_that_awaits_extraction_for_its_context_keeps_its_passages_unless_it_stands_beside(
    noting: tuple[World, list[Changes]],
) -> None:
    world, noted = noting
    world.accept(draft("z", works("Zoe Hill", "Mill"), day=0, saga="s", position=0))
    world.work()
    (one,) = noted
    assert {episode.episode_id for episode in one.episodes} >= {"z", "a"}
    assert [name for name, _ in one.passages] == ["a", "z"]
    world.check()


def test_a_file_keeps_passages_and_their_vectors(tmp_path: Path) -> None:
    with World(tmp_path / "home", graph=SqliteGraph(tmp_path / "graph.db")) as world:
        world.accept(draft("a", works("Ann Lee", "Lab"), day=1, saga="s", position=1))
        world.accept(draft("c", works("Cid Tor", "Lab"), day=3))
        world.work()
        handles = [handle for handle, _ in world.graph.without_vector(Subject.EPISODE, limit=9)]
        run_candidate(world.installation, days=Days(), extractor=OtherExtractor())
        promote(world.installation, "g", Promotion(version="other-2", days=Days()))
        world.work()
        again = [handle for handle, _ in world.graph.without_vector(Subject.EPISODE, limit=9)]
        assert again == handles
