"""`memstrata project --to neo4j` builds the log's graph on a real server, whatever is there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Memstrata
    from neo4j_server import Server

    from memstrata.stores.neo4j import Neo4jGraph


@pytest.fixture
def told(
    neo4j_graph: Neo4jGraph, neo4j_server: Server, memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> Memstrata:
    """The command line in a folder whose SQLite memory holds three commits; the server is empty."""
    monkeypatch.setenv("NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("NEO4J_USER", neo4j_server.user)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    for said in ("Ada works at Acme.", "Ada lives in Lisbon.", "Ada works at Globex."):
        assert memstrata("add", said, "--wait").status == 0
    return memstrata


def exported(memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch, store: str) -> list[str]:
    with monkeypatch.context() as during:
        during.setenv("MEMSTRATA_STORE", store)
        done = memstrata("export", "--canonical", "--history")
    assert done.status == 0
    return done.out.splitlines()


def test_the_graph_on_the_server_is_the_one_of_the_log_however_often_it_is_built(
    told: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_sqlite = exported(told, monkeypatch, "")
    assert len(in_sqlite) > 4
    for _ in range(2):
        done = told("project", "--to", "neo4j", "--json")
        assert done.status == 0, done.err
        (group,) = json.loads(done.out)["groups"]
        assert (group["commits"], group["identical"], group["lines"]) == (3, True, len(in_sqlite))
        assert exported(told, monkeypatch, "neo4j") == in_sqlite


def test_a_dry_run_leaves_the_server_empty(told: Memstrata, neo4j_graph: Neo4jGraph) -> None:
    done = told("project", "--to", "neo4j", "--dry-run")
    assert (done.status, done.out) == (0, "default: would replay 3 commits\n")
    assert neo4j_graph.counts() == ()


def test_a_graph_emptied_behind_our_back_is_built_again_by_either_command(
    told: Memstrata, neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_sqlite = exported(told, monkeypatch, "")
    for store, command in (("", ("project", "--to", "neo4j")), ("neo4j", ("work", "--once"))):
        assert told("project", "--to", "neo4j").status == 0
        neo4j_graph._connection.execute("MATCH (n) DETACH DELETE n")
        with monkeypatch.context() as during:
            during.setenv("MEMSTRATA_STORE", "neo4j")
            assert "the graph lacks what the log has of 1 group" in told("status").out
            during.setenv("MEMSTRATA_STORE", store)
            done = told(*command)
        assert done.status == 0, done.err
        assert exported(told, monkeypatch, "neo4j") == in_sqlite


def test_what_is_built_says_how_to_use_it(told: Memstrata) -> None:
    done = told("project", "--to", "neo4j")
    assert "as in the store in use" in done.out
    assert "set MEMSTRATA_STORE=neo4j, then `memstrata embed`" in done.out


def test_without_a_server_nothing_is_built_and_the_memory_in_use_stays(
    told: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = exported(told, monkeypatch, "")
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    done = told("project", "--to", "neo4j")
    assert done.status == 1
    assert "start it with `make neo4j`, or set NEO4J_URI" in done.err
    assert exported(told, monkeypatch, "") == before
