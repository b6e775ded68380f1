"""The reading modules over an installation: what every face and command asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.search.core import CoreMemory
from memstrata.search.reads import Reads
from memstrata.search.searcher import Searcher

if TYPE_CHECKING:
    from memstrata.ports import Installation


def searcher_of(installation: Installation) -> Searcher:
    """Search by words, meaning, names and hops."""
    return Searcher(
        graph=installation.graph,
        clock=installation.clock,
        embedder=installation.embedder,
        reranker=installation.reranker,
    )


def reads_of(installation: Installation) -> Reads:
    """Exact reads by name and id."""
    graph = installation.graph
    return Reads(texts=graph, reader=graph, clock=installation.clock, log=installation.record)


def core_of(installation: Installation) -> CoreMemory:
    """The core blocks."""
    return CoreMemory(log=installation.record, reads=reads_of(installation))
