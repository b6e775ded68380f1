"""Where a benchmark keeps its graph: an empty place for each kind of store, its opening, and its peer."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.settings import load_settings, open_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from benchmarks.peers.graphiti import GraphitiPeer
    from memstrata.ports import GraphStore


@contextmanager
def empty_store(store: str, *groups: str) -> Iterator[str]:
    """A store of that kind without anything in those groups, for the block, as its `MEMSTRATA_STORE`.

    What else a server of NEO4J_URI holds is left alone. Raises `Incorrect` for a kind that cannot be
    measured.
    """
    if store not in _PLACES:
        raise Incorrect(f"--store {store}: there are {', '.join(_PLACES)}")
    with _PLACES[store](*groups) as url:
        yield url


def open_store(url: str) -> GraphStore:
    """The graph there; each process that reads or writes opens its own."""
    return open_graph(load_settings(MEMSTRATA_STORE=url))


@contextmanager
def beside(peer: str | None, url: str, *, dimension: int) -> Iterator[GraphitiPeer | None]:
    """The peer on the same server as the store at that URL; None where none is asked for.

    Raises `Incorrect` for another peer than graphiti, and where there is no server to share.
    """
    if peer is None:
        yield None
        return
    if peer != "graphiti":
        raise Incorrect(f"--peer {peer}: there is graphiti")
    if url.startswith("sqlite:"):
        raise Incorrect("--peer graphiti is measured on the server that both use; add --store neo4j")
    from benchmarks.peers.graphiti import GraphitiPeer  # only here: it makes its own environment

    user, password = os.environ["NEO4J_USER"], os.environ["NEO4J_PASSWORD"]
    with GraphitiPeer(url, user, password, dimension=dimension) as measured:
        yield measured


@contextmanager
def _in_a_file(*_: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{Path(folder) / 'graph.sqlite'}"


@contextmanager
def _on_a_server(*groups: str) -> Iterator[str]:
    from benchmarks.neo4j_server import empty_groups  # only here: the driver is an extra

    with empty_groups(*groups) as url:
        yield url


_PLACES: dict[str, Callable[..., AbstractContextManager[str]]] = {
    "sqlite": _in_a_file,
    "neo4j": _on_a_server,
}
