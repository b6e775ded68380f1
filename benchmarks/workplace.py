"""A memory in a folder of its own, with a clock that the benchmark sets."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect, Missing
from memstrata.settings import load_settings, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import GraphStore, Installation


class SetClock:
    """A clock that stands where it was set; the real time until then."""

    def __init__(self) -> None:
        self._instant: datetime | None = None

    def set(self, instant: datetime) -> None:
        """Puts the clock."""
        self._instant = instant

    def now(self) -> datetime:
        """The instant set, else the real one."""
        return self._instant or datetime.now(UTC)


@contextmanager
def workplace(
    home: Path, *, embedder: str = "none", graph: GraphStore | None = None
) -> Iterator[tuple[Installation, SetClock]]:
    """An installation in `home`, closed afterwards; its graph is there too, unless one is given."""
    clock = SetClock()
    settings = load_settings(MEMSTRATA_HOME=home, MEMSTRATA_EMBEDDER=embedder)
    with opened(settings) as installation:
        yield replace(installation, clock=clock, graph=graph or installation.graph), clock


@contextmanager
def graph_of(store: str) -> Iterator[GraphStore | None]:
    """The graph to measure: None for `sqlite`, the emptied server at NEO4J_URI for `neo4j`.

    Raises `Missing` where no server is named, `Incorrect` for another store.
    """
    if store == "sqlite":
        yield None
        return
    if store != "neo4j":
        raise Incorrect(f"store {store!r}: expected sqlite or neo4j")
    if "NEO4J_URI" not in os.environ:
        raise Missing(
            "no Neo4j server: set NEO4J_URI (and NEO4J_USER, NEO4J_PASSWORD) to one that may be emptied"
        )
    from memstrata.stores.neo4j.graph import Neo4jGraph

    graph = Neo4jGraph(
        os.environ["NEO4J_URI"],
        os.environ.get("NEO4J_USER", "neo4j"),
        os.environ.get("NEO4J_PASSWORD", ""),
    )
    try:
        graph.clear()
        yield graph
    finally:
        graph.close()
