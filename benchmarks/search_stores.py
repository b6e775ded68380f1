"""Where the search benchmark keeps its graph: an empty place for each kind of store, and its opening."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.settings import load_settings, open_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from memstrata.ports import GraphStore


@contextmanager
def empty_store(store: str) -> Iterator[str]:
    """An empty store of that kind for the block, as its `MEMSTRATA_STORE`.

    Raises `Incorrect` for a kind that cannot be measured.
    """
    if store not in _PLACES:
        raise Incorrect(f"--store {store}: there are {', '.join(_PLACES)}")
    with _PLACES[store]() as url:
        yield url


def open_store(url: str) -> GraphStore:
    """The graph there; each process that reads or writes opens its own."""
    return open_graph(load_settings(MEMSTRATA_STORE=url))


@contextmanager
def _in_a_file() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{Path(folder) / 'graph.sqlite'}"


@contextmanager
def _on_a_server() -> Iterator[str]:
    from benchmarks.neo4j_server import empty_groups  # only here: the driver is an extra
    from benchmarks.search_world import SEARCHED
    from benchmarks.search_writers import OTHER

    with empty_groups(SEARCHED, OTHER) as url:
        yield url


_PLACES: dict[str, Callable[[], AbstractContextManager[str]]] = {
    "sqlite": _in_a_file,
    "neo4j": _on_a_server,
}
