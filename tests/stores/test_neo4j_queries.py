"""Reading Cypher on a real server: nothing of another group, nothing written, errors that can be mended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest
from contract_world import everything
from graph_samples import commit, entity, episode, fact, mention, named

from memstrata.errors import Fault, Incorrect
from memstrata.grounding import UngroundedQuery, described, read_cypher
from memstrata.model import ObjectKind
from memstrata.ontology import load_ontology
from memstrata.ports import Changes

if TYPE_CHECKING:
    from memstrata.ports import Rows
    from memstrata.stores.neo4j import Neo4jGraph

MINE, OTHER = "acme", "acme-b"
SECRET = "Zebulon"  # noqa: S105 (no password)


@pytest.fixture(scope="module")
def graph(module_neo4j_graph: Neo4jGraph) -> Neo4jGraph:
    """Two groups that look alike; the other one's names and sentences all hold the secret."""
    graph = module_neo4j_graph
    graph.apply(everything())
    graph.apply(
        Changes(
            commit=commit(2, group=MINE),
            facts_created=(
                fact("f2", "Tom is 40.", predicate="age", object="40", object_kind=ObjectKind.LITERAL),
            ),
        )
    )
    tom = mention(SECRET, group=OTHER)
    graph.apply(
        Changes(
            commit=commit(1, group=OTHER, episodes=("e1",)),
            episodes=(episode("e1", f"{SECRET} works.", group=OTHER),),
            mentions=((tom, f"s-{SECRET.lower()}"),),
            names=(named(SECRET, group=OTHER),),
            entities=(entity(SECRET, group=OTHER), entity(f"{SECRET} Acme", group=OTHER)),
            facts_created=(
                fact(
                    "g1",
                    f"{SECRET} works at Acme.",
                    group=OTHER,
                    subject=f"id-{SECRET.lower()}",
                    object=f"id-{SECRET.lower()} acme",
                ),
            ),
        )
    )
    return graph


def asked(graph: Neo4jGraph, query: str, group: str = MINE, **parameters: str) -> Rows:
    return read_cypher(graph, query, parameters, group_id=group)


def test_facts_are_answered_as_rows(graph: Neo4jGraph) -> None:
    found = asked(
        graph,
        "MATCH (p:Entity {name: $who})-[r:RELATES_TO]->(o) "
        "RETURN p.name AS who, r.name AS relation, coalesce(o.name, o.text) AS what ORDER BY what",
        who="Tom",
    )
    assert found.columns == ("who", "relation", "what")
    assert found.rows == (("Tom", "age", "40"), ("Tom", "works_at", "Acme"))
    assert not found.is_cut


def test_nodes_come_without_vectors_and_bookkeeping(graph: Neo4jGraph) -> None:
    ((node,),) = asked(graph, "MATCH (p:Person {name: 'Tom'}) RETURN p").rows
    assert node["name"] == "Tom"
    assert node["labels"] == ["Entity", "Person"]
    assert not {"words", "handle", "group_id", "name_embedding", "believed_from"} & set(node)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) RETURN n",
        "MATCH (n)-[r]-(m) RETURN n, r, m",
        "MATCH p = (n)-[*1..3]-(m) RETURN p",
        "MATCH (n:Entity) RETURN n.name AS said UNION ALL MATCH (m:Episodic) RETURN m.content AS said",
        "MATCH (n:Entity) WHERE n.name CONTAINS 'Z' OR true RETURN n.name // }) MATCH (x) RETURN x",
        "MATCH (t {name: 'Tom'}) OPTIONAL MATCH (n) RETURN t.name, collect(n.name)",
        "UNWIND [1] AS i CALL (i) { MATCH (n:Entity) RETURN collect(n.name) AS names } RETURN names",
        "MATCH (t {name: 'Tom'}) RETURN COLLECT { MATCH (n:Entity) RETURN n.name } AS names",
        "MATCH (t {name: 'Tom'}) RETURN [(n:Entity)--(m) | m.name] AS names",
        "MATCH (t {name: 'Tom'}) WHERE EXISTS { (:Entity {name: 'Zebulon'}) } RETURN 'Zebulon' AS found",
        "MATCH (a:Entity)((x)-[:RELATES_TO]-(y)){1,2}(b) RETURN a.name, b.name",
        "MATCH p = SHORTEST 1 (a {name: 'Tom'})-[:RELATES_TO]-{1,3}(b) RETURN [n IN nodes(p) | n.name]",
        "MATCH (n IS Entity|Episodic WHERE true) RETURN n{.*}",
        "MATCH (n {name: 'Tom'}) WITH n.name AS name MATCH (m) WHERE m.name <> name RETURN properties(m)",
    ],
)
def test_no_query_sees_another_group(graph: Neo4jGraph, query: str) -> None:
    assert SECRET not in orjson.dumps(asked(graph, query).rows).decode()
    assert SECRET in orjson.dumps(asked(graph, "MATCH (n) RETURN n", OTHER).rows).decode()


def test_the_schema_is_that_of_the_group(graph: Neo4jGraph) -> None:
    ontology = load_ontology(
        "relations:\n"
        "  - {name: works_at, cardinality: one, description: Somebody's employer.}\n"
        "  - {name: owns, description: What belongs to somebody.}\n"
    )
    schema = described(graph, MINE, ontology)
    assert {(kind.name, kind.count) for kind in schema.labels} >= {
        ("Entity", 2),
        ("Person", 1),
        ("Organization", 1),
        ("Episodic", 1),
        ("Literal", 1),
    }
    assert not {"Name", "Mention", "Placement", "Group", "Memstrata"} & {
        kind.name for kind in schema.labels
    }
    assert [(one.name, one.count, one.cardinality) for one in schema.relations] == [
        ("age", 1, "many"),
        ("works_at", 1, "one"),
        ("owns", 0, "many"),
    ]
    assert "invalid_at" in schema.properties_of(["RELATES_TO"], of_nodes=False)
    assert SECRET not in str(schema)


def test_what_the_database_says_is_led_back_to_the_query(graph: Neo4jGraph) -> None:
    query = "MATCH (p:Person)\nRETURN p.name, nobody"
    with pytest.raises(UngroundedQuery) as caught:
        asked(graph, query)
    (problem,) = caught.value.problems
    assert (problem.line, problem.column, problem.token) == (2, 16, "nobody")


def test_rows_and_time_are_limited(graph: Neo4jGraph) -> None:
    found = read_cypher(graph, "UNWIND range(1, 50) AS n RETURN n", group_id=MINE, limit=3)
    assert (len(found.rows), found.is_cut) == (3, True)
    endless = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(*)"
    with pytest.raises(Fault, match="longer than"):
        read_cypher(graph, endless, group_id=MINE, seconds=0.5)
    with pytest.raises(Incorrect, match="1 to 1000"):
        read_cypher(graph, "RETURN 1", group_id=MINE, limit=0)


def test_an_answer_is_whole_rows_of_a_million_bytes_at_most(graph: Neo4jGraph) -> None:
    long = "UNWIND range(1, 9) AS n RETURN n, reduce(said = '', w IN range(1, 30000) | said + 'ten bytes ')"
    found = read_cypher(graph, long, group_id=MINE)
    assert (len(found.rows), found.is_cut, found.is_too_large) == (3, True, True)
    assert found.rows[2] == (3, "ten bytes " * 30_000)
    few = read_cypher(graph, long, group_id=MINE, limit=2)
    assert (len(few.rows), few.is_cut, few.is_too_large) == (2, True, False)
    enormous = "RETURN reduce(said = '', w IN range(1, 110000) | said + 'ten bytes ')"
    assert (read_cypher(graph, enormous, group_id=MINE).rows) == ()


def test_a_session_for_queries_cannot_write_whatever_it_is_given(graph: Neo4jGraph) -> None:
    before = asked(graph, "MATCH (n) RETURN count(*)").rows
    with pytest.raises(Exception, match=r"(?i)access mode"):
        graph.run_cypher("CREATE (n:Entity {group_id: 'acme'})", {}, limit=1, seconds=5, size=99)
    assert asked(graph, "MATCH (n) RETURN count(*)").rows == before


def test_an_empty_group_is_told(graph: Neo4jGraph) -> None:
    with pytest.raises(Incorrect, match="holds nothing"):
        asked(graph, "MATCH (n) RETURN n", "nowhere")
