"""Cypher and its schema as tools, on a graph in Neo4j."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from agents import ALL, over_stdio

if TYPE_CHECKING:
    from pathlib import Path

    from neo4j_server import Server

    from memstrata.stores.neo4j import Neo4jGraph

pytestmark = pytest.mark.slow


def test_a_query_is_answered_within_its_group_and_a_wrong_name_with_the_nearest(
    neo4j_server: Server, neo4j_graph: Neo4jGraph, tmp_path: Path
) -> None:
    store = {
        "MEMSTRATA_STORE": neo4j_server.uri,
        "NEO4J_USER": neo4j_server.user,
        "NEO4J_PASSWORD": neo4j_server.password,
    }
    with over_stdio(tmp_path, *ALL, **store) as agent:
        agent.ask("add_memory", name="x", episode_body="Ada lives in Lisbon.", group_id="a")
        agent.ask("add_memory", name="x", episode_body="Zoe lives in Zanzibar.", group_id="b")
        schema = agent.ask("schema", group_id="a")
        assert "Entity" in {one["name"] for one in schema.data["labels"]}
        assert "lives_in" in {one["name"] for one in schema.data["relations"]}
        rows = agent.ask("read_cypher", query="MATCH (n:Entity) RETURN n.name AS name", group_id="a")
        assert {one["name"] for one in rows.data["rows"]} == {"Ada", "Lisbon"}
        assert "Zanzibar" not in rows.whole
        named = agent.ask(
            "read_cypher",
            query="MATCH (n:Entity {name: $name}) RETURN n.name AS name",
            parameters={"name": "Ada"},
            group_id="a",
        )
        assert named.data["rows"] == [{"name": "Ada"}]
        wrong = agent.call("read_cypher", query="MATCH (n:Entitty) RETURN n", group_id="a")
        assert wrong.kind == "ungrounded_query"
        assert wrong.data["error"]["problems"][0]["nearest"][0] == "Entity"
        for query in ("MATCH (n) DETACH DELETE n", "CREATE (n:Entity) RETURN n"):
            assert agent.call("read_cypher", query=query, group_id="a").kind == "ungrounded_query"
        cut = agent.ask(
            "read_cypher", query="MATCH (n:Entity) RETURN n.name AS name", group_id="a", limit=1
        )
        assert len(cut.data["rows"]) == 1
        assert "more rows" in cut.text
