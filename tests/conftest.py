"""What tests of several parts share: a real Neo4j server."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from neo4j_server import OwnServer, find_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j_server import Server
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

    from memstrata.stores.neo4j import Neo4jGraph

_ROOT = Path(__file__).parents[1]
_EMPTY = (
    "MATCH (n) WHERE NOT n:Memstrata OR n.name <> 'schema' CALL (n) { DETACH DELETE n } IN TRANSACTIONS"
)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Whatever needs the server is slow."""
    if {"neo4j_server", "kept_own_neo4j"}.intersection(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)  # the environment of `make test-models` has no xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """One worker has all modules that use the server: nobody waits while another has its one database."""
    if config.getvalue("dist") != "loadscope":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class _ByServer(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "neo4j" if _uses_server(nodeid.partition("::")[0]) else super()._split_scope(nodeid)

    return _ByServer(config, log)


@cache
def _uses_server(module: str) -> bool:
    text = (_ROOT / module).read_text("utf-8")
    return any(name in text for name in ("neo4j_server", "neo4j_graph", "own_neo4j"))


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """The server of this run."""
    base = tmp_path_factory.getbasetemp()
    return find_server(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture(scope="session")
def opened_neo4j_graph(neo4j_server: Server) -> Iterator[Neo4jGraph]:
    """The graph on it, opened once; tests take `neo4j_graph`."""
    from memstrata.stores.neo4j import Neo4jGraph

    with neo4j_server.alone():
        graph = Neo4jGraph(neo4j_server.uri, neo4j_server.user, neo4j_server.password)
    with graph:
        yield graph


@pytest.fixture
def neo4j_graph(
    neo4j_server: Server, opened_neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Neo4jGraph]:
    """An empty graph on a real server, for this test alone; closing it keeps it open for the others."""
    monkeypatch.setattr(opened_neo4j_graph, "close", lambda: None)
    with neo4j_server.alone():
        opened_neo4j_graph._connection.execute(_EMPTY)
        yield opened_neo4j_graph


@pytest.fixture(scope="module")
def module_neo4j_graph(neo4j_server: Server, opened_neo4j_graph: Neo4jGraph) -> Iterator[Neo4jGraph]:
    """An empty graph on a real server, for all tests of a module that only read it."""
    with neo4j_server.alone():
        opened_neo4j_graph._connection.execute(_EMPTY)
        yield opened_neo4j_graph


@pytest.fixture(scope="session")
def kept_own_neo4j(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnServer]:
    """The server that tests kill; they take `own_neo4j`."""
    server = OwnServer(tmp_path_factory.mktemp("own"))
    yield server
    if server.runs:
        server.kill()


@pytest.fixture
def own_neo4j(kept_own_neo4j: OwnServer) -> OwnServer:
    """A running server with an empty database, which a test may kill."""
    from memstrata.stores.neo4j.connection import Connection

    kept_own_neo4j.start()
    connection = Connection(kept_own_neo4j.uri, kept_own_neo4j.user, kept_own_neo4j.password)
    connection.execute(_EMPTY)
    connection.close()
    return kept_own_neo4j
