"""`memstrata import` takes in what the door lets in, and tells what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Memstrata
    from neo4j_server import Server

    from memstrata.stores.neo4j import Neo4jGraph

GRAPH = """
CREATE (t:Episodic {uuid: 't1', name: 'm1', group_id: 'plant', content: $said, source: 'text',
  source_description: 'notes', created_at: datetime('2024-01-01'), valid_at: datetime('2024-01-01'),
  entity_edges: ['e1']})
CREATE (a:Entity {uuid: 'a', name: 'Ada', group_id: 'plant', summary: '',
  created_at: datetime('2024-01-01')})
CREATE (b:Entity {uuid: 'b', name: 'Acme', group_id: 'plant', summary: '',
  created_at: datetime('2024-01-01')})
CREATE (a)-[:RELATES_TO {uuid: 'e1', name: 'WORKS_FOR', fact: 'Ada works for Acme', group_id: 'plant',
  episodes: ['t1'], created_at: datetime('2024-01-01')}]->(b)
"""


@pytest.fixture
def importing(
    neo4j_graph: Neo4jGraph, neo4j_server: Server, memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> Memstrata:
    monkeypatch.setenv("NEO4J_URI", neo4j_server.uri)
    monkeypatch.setenv("NEO4J_USER", neo4j_server.user)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    return memstrata


@pytest.mark.parametrize("dry", [("--dry-run",), ()], ids=["said beforehand", "done"])
def test_an_episode_that_the_door_refuses_is_told_and_the_rest_comes_in(
    importing: Memstrata, neo4j_graph: Neo4jGraph, dry: tuple[str, ...]
) -> None:
    neo4j_graph._connection.execute(GRAPH, said="Ada\0works")
    done = importing("import", "--from-group", "plant", "--group", "g", *dry)
    assert done.status == 3
    assert "1 item refused" in done.err
    assert "refused: episode t1: content" in done.err
    came_in = "Ada works for Acme" in importing("export", "--canonical").out
    assert came_in == (not dry)


def test_a_graph_that_comes_in_whole_is_done(importing: Memstrata, neo4j_graph: Neo4jGraph) -> None:
    neo4j_graph._connection.execute(GRAPH, said="Ada works for Acme.")
    done = importing("import", "--from-group", "plant", "--group", "g")
    assert (done.status, done.out) == (0, "g: 2 episodes, 1 fact version in 1 commit\n")
    assert "refused" not in done.err
