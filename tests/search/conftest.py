"""The small world in each store, with and without vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_world import ConceptEmbedder, SmallLog, StoppedClock, build, embed, retract_last

from memstrata.search.reads import Reads
from memstrata.search.searcher import Searcher
from memstrata.stores.memory import MemoryGraph
from memstrata.stores.sqlite.graph import SqliteGraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from small_world import Graph


@pytest.fixture(params=["memory", "sqlite"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Graph]:
    if request.param == "memory":
        graph: Graph = MemoryGraph()
        build(graph)
        yield graph
        return
    with SqliteGraph(tmp_path / "graph.sqlite") as graph:
        build(graph)
        yield graph


@pytest.fixture
def words_only(world: Graph) -> Searcher:
    return Searcher(graph=world, clock=StoppedClock())


@pytest.fixture
def hybrid(world: Graph) -> Searcher:
    embedder = ConceptEmbedder()
    embed(world, embedder)
    return Searcher(graph=world, clock=StoppedClock(), embedder=embedder)


@pytest.fixture
def reads(world: Graph) -> Reads:
    return Reads(texts=world, reader=world, clock=StoppedClock(), log=SmallLog())


@pytest.fixture
def retracted(world: Graph) -> None:
    retract_last(world)
