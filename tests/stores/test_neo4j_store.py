"""The Neo4j store keeps the contract, and what is particular to a server."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from contract import GraphStoreContract, everything
from graph_samples import GROUP, at, commit, entity, episode, fact, mention, named, triples

from memstrata.errors import Conflict, Fault, Incorrect, Unsupported
from memstrata.model import ObjectKind
from memstrata.ports import Changes
from memstrata.stores.neo4j import Neo4jGraph, schema
from memstrata.stores.neo4j.connection import Connection, require_version
from memstrata.stores.neo4j.projector import Neo4jProjector
from memstrata.stores.neo4j.rows import key_of, labels_of, turn_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j_server import Server


class TestNeo4jGraph(GraphStoreContract):
    @pytest.fixture
    def store(self, neo4j_graph: Neo4jGraph) -> Neo4jGraph:
        return neo4j_graph


def asked(graph: Neo4jGraph, text: str) -> list[list[object]]:
    return [list(record.values()) for record in graph._connection.execute(text)]


# --- what Graphiti's readers see ---


def test_relationships_between_entities_are_what_is_believed_now(neo4j_graph: Neo4jGraph) -> None:
    neo4j_graph.apply(everything())
    neo4j_graph.apply(
        Changes(commit=commit(2), facts_expired=("f1",), facts_created=(fact("f1", "Tom works there."),))
    )
    found = asked(
        neo4j_graph, "MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity) RETURN a.name, r.name, r.fact, b.name"
    )
    assert found == [["Tom", "works_at", "Tom works there.", "Acme"]]
    assert asked(neo4j_graph, "MATCH (v:FactVersion) RETURN v.fact") == [["Tom works at Acme."]]


def test_contested_facts_and_literals_are_no_relationships_between_entities(
    neo4j_graph: Neo4jGraph,
) -> None:
    contested = fact("f2", "Tom works at Acme, or not.", contested=True)
    literal = fact("f3", "Tom is 42.", predicate="age", object="42", object_kind=ObjectKind.LITERAL)
    neo4j_graph.apply(replace(everything(), facts_created=(fact("f1"), contested, literal)))
    assert asked(neo4j_graph, "MATCH (:Entity)-[r:RELATES_TO]->(:Entity) RETURN r.uuid") == [["f1"]]
    assert asked(neo4j_graph, "MATCH (:Entity)-[:RELATES_TO]->(l:Literal) RETURN l.text") == [["42"]]
    assert len(list(neo4j_graph.all_facts(GROUP))) == 3


def test_a_fact_names_its_episodes_and_an_episode_its_facts(neo4j_graph: Neo4jGraph) -> None:
    neo4j_graph.apply(everything())
    cited = "MATCH (e:Episodic) MATCH ()-[r:RELATES_TO]->() RETURN e.entity_edges, r.episodes"
    assert asked(neo4j_graph, cited) == [[["f1"], ["e1"]]]
    neo4j_graph.apply(Changes(commit=commit(2), evidence_removed=(("f1", "a1"),)))
    assert asked(neo4j_graph, cited) == [[[], []]]


def test_a_new_revision_of_an_episode_names_the_facts_that_still_rest_on_it(
    neo4j_graph: Neo4jGraph,
) -> None:
    neo4j_graph.apply(everything())
    neo4j_graph.apply(Changes(commit=commit(2), episodes=(episode("e1", "Said anew.", revision=2),)))
    assert asked(neo4j_graph, "MATCH (e:Episodic) RETURN e.revision, e.entity_edges") == [[2, ["f1"]]]


def test_a_type_is_a_second_label_unless_the_label_means_something_else(neo4j_graph: Neo4jGraph) -> None:
    people = (entity("Tom"), entity("Ann", type="Literal"), entity("Bob", type="a b`]"))
    neo4j_graph.apply(Changes(commit=commit(1), entities=people))
    found = asked(neo4j_graph, "MATCH (e:Entity) RETURN e.name, labels(e) ORDER BY e.name")
    assert found == [["Ann", ["Entity"]], ["Bob", ["Entity"]], ["Tom", ["Entity", "Person"]]]
    neo4j_graph.apply(Changes(commit=commit(2), entities=(entity("Tom", type="Robot"),)))
    assert asked(neo4j_graph, "MATCH (e:Robot) RETURN labels(e)") == [[["Entity", "Robot"]]]


def test_mentions_follow_the_entities_that_names_stand_for(neo4j_graph: Neo4jGraph) -> None:
    neo4j_graph.apply(everything())
    mentioned = "MATCH (e:Episodic)-[:MENTIONS]->(n:Entity) RETURN e.uuid, n.name ORDER BY n.name"
    assert asked(neo4j_graph, mentioned) == [["e1", "Acme"], ["e1", "Tom"]]
    moved = Changes(
        commit=commit(2), names=(named("Tom", entity_id="id-thomas"),), entities=(entity("Thomas"),)
    )
    neo4j_graph.apply(moved)
    assert asked(neo4j_graph, mentioned) == [["e1", "Acme"], ["e1", "Thomas"]]


def test_turns_of_a_saga_are_linked_in_order_however_they_come(neo4j_graph: Neo4jGraph) -> None:
    turns = {n: episode(f"t{n}", str(n), saga="s", position=n) for n in range(5)}
    for seq, which in enumerate(((0, 4), (2,), (1, 3)), start=1):
        neo4j_graph.apply(Changes(commit=commit(seq), episodes=tuple(turns[n] for n in which)))
    linked = "MATCH (a)-[:NEXT_EPISODE]->(b) RETURN a.uuid, b.uuid ORDER BY a.uuid"
    assert asked(neo4j_graph, linked) == [[f"t{n}", f"t{n + 1}"] for n in range(4)]
    neo4j_graph.apply(Changes(commit=commit(4), episodes_gone=("t2",)))
    assert asked(neo4j_graph, linked) == [["t0", "t1"], ["t1", "t3"], ["t3", "t4"]]
    assert asked(neo4j_graph, "MATCH (:Saga)-[h:HAS_EPISODE]->() RETURN count(h)") == [[4]]


# --- long and odd values ---


def test_a_literal_longer_than_an_index_takes_comes_back(neo4j_graph: Neo4jGraph) -> None:
    long = fact("f1", "Tom says a lot.", object="ü" * 20_000, object_kind=ObjectKind.LITERAL)
    neo4j_graph.apply(Changes(commit=commit(1), facts_created=(long,)))
    assert [one.object for one in neo4j_graph.all_facts(GROUP)] == [long.object]


def test_long_texts_have_a_short_key_of_their_own() -> None:
    assert key_of("short") == "short"
    assert key_of("a" * 5_000) != key_of("a" * 5_001)
    assert len(key_of("ü" * 5_000)) < 100


def test_types_that_are_no_plain_words_are_no_labels() -> None:
    assert labels_of("Person") == ["Person"]
    assert [labels_of(one) for one in (None, "", "Entity", "a b", "1st", "x`y", "x" * 64)] == [[]] * 7


def test_turns_sort_as_text() -> None:
    turns = [
        episode("b", position=-3),
        episode("b", position=2),
        episode("a", position=10),
        episode("a", position=10, reference_time=at(1)),
        episode("z", reference_time=at(-9)),
        episode("\uffee", reference_time=at(2)),
        episode("\U0001d4b3", reference_time=at(2)),
    ]
    assert [turn_of(one) for one in turns] == sorted(turn_of(one) for one in turns)


# --- commits at once, and again ---


def test_of_two_projections_of_one_group_at_once_one_is_refused(neo4j_graph: Neo4jGraph) -> None:
    outcomes: list[str] = []

    def project() -> None:
        try:
            neo4j_graph.apply(triples(1, 20))
            outcomes.append("applied")
        except Conflict:
            outcomes.append("refused")

    threads = [threading.Thread(target=project) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["applied", "refused", "refused"]
    assert neo4j_graph.counts()[0].facts == 20


def test_groups_are_projected_side_by_side(neo4j_graph: Neo4jGraph) -> None:
    groups = [f"g{n}" for n in range(4)]
    threads = [
        threading.Thread(target=lambda group=group: neo4j_graph.apply(triples(1, 10, group=group)))
        for group in groups
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.facts for one in neo4j_graph.counts()] == [10] * 4


def test_a_write_whose_answer_was_lost_is_not_done_twice(neo4j_graph: Neo4jGraph) -> None:
    class Twice(Connection):
        def __init__(self) -> None:
            """Works through the connection that is there."""

        def write(self, work: object) -> object:
            neo4j_graph._connection.write(work)  # type: ignore[arg-type]
            return neo4j_graph._connection.write(work)  # type: ignore[arg-type]

    Neo4jProjector(Twice()).apply(everything())
    assert neo4j_graph.last_seq(GROUP) == 1
    assert len(list(neo4j_graph.all_facts(GROUP))) == 1


def test_a_group_whose_emptying_was_interrupted_is_empty_and_takes_no_commit(
    neo4j_graph: Neo4jGraph,
) -> None:
    neo4j_graph.apply(everything())
    asked(neo4j_graph, "MATCH (g:Group) SET g.emptying = true")
    assert neo4j_graph.last_seq(GROUP) == 0
    with pytest.raises(Conflict, match="rebuild"):
        neo4j_graph.apply(everything())
    neo4j_graph.clear(GROUP)
    neo4j_graph.apply(everything())
    assert neo4j_graph.last_seq(GROUP) == 1


def test_what_others_keep_in_the_database_is_left_alone(neo4j_graph: Neo4jGraph) -> None:
    asked(neo4j_graph, "CREATE (:Entity {uuid: 'theirs', group_id: 'theirs', name: 'Theirs'})")
    neo4j_graph.apply(everything())
    neo4j_graph.clear()
    assert asked(neo4j_graph, "MATCH (e:Entity) RETURN e.name") == [["Theirs"]]


def test_a_group_in_which_others_keep_nodes_is_neither_filled_nor_emptied(neo4j_graph: Neo4jGraph) -> None:
    asked(neo4j_graph, f"CREATE (:Episodic {{uuid: 'theirs', group_id: '{GROUP}', name: 'Theirs'}})")
    with pytest.raises(Incorrect, match=r"did not write.*memstrata import"):
        neo4j_graph.last_seq(GROUP)
    with pytest.raises(Incorrect, match="did not write"):
        neo4j_graph.clear(GROUP)
    assert asked(neo4j_graph, "MATCH (e:Episodic) RETURN e.name") == [["Theirs"]]


# --- servers that do not answer as they should ---


def test_no_server_is_a_fault_that_says_how_to_start_one() -> None:
    with pytest.raises(Fault, match=r"make neo4j.*NEO4J_URI"):
        Neo4jGraph("bolt://127.0.0.1:1", "neo4j", "secret-password")


def test_a_wrong_password_is_refused_without_showing_it(neo4j_server: Server) -> None:
    with pytest.raises(Incorrect, match="NEO4J_PASSWORD") as caught:
        Neo4jGraph(neo4j_server.uri, neo4j_server.user, "not-the-password")
    assert "not-the-password" not in str(caught.value)


@pytest.mark.parametrize("uri", ["http://127.0.0.1:7687", "neo4j", "bolt://"])
def test_an_address_of_nothing_is_refused(uri: str) -> None:
    with pytest.raises(Incorrect, match="expected neo4j://"):
        Connection(uri, "neo4j", "x")


@pytest.mark.parametrize("agent", ["Neo4j/4.4.30", "Neo4j/5.25.1", "Something/1"])
def test_an_older_server_is_not_supported(agent: str) -> None:
    with pytest.raises(Unsupported, match=r"5\.26"):
        require_version(agent, "bolt://here")


@pytest.mark.parametrize("agent", ["Neo4j/5.26.30", "Neo4j/2025.01.0", "Neo4j/2026.02.0"])
def test_newer_servers_are_welcome(agent: str) -> None:
    require_version(agent, "bolt://here")


@pytest.fixture
def newer_schema(neo4j_graph: Neo4jGraph) -> Iterator[Neo4jGraph]:
    asked(neo4j_graph, "MATCH (s:Memstrata {name: 'schema'}) SET s.version = 99")
    yield neo4j_graph
    asked(neo4j_graph, f"MATCH (s:Memstrata {{name: 'schema'}}) SET s.version = {schema.VERSION}")


def test_a_newer_schema_is_refused(newer_schema: Neo4jGraph) -> None:
    with pytest.raises(Incorrect, match="version 99"):
        schema.prepare(newer_schema._connection)


def test_the_mention_of_an_unknown_name_leaves_nothing_behind(neo4j_graph: Neo4jGraph) -> None:
    neo4j_graph.apply(everything())
    before = asked(neo4j_graph, "MATCH (n) RETURN count(n)")
    with pytest.raises(Exception, match="no name has"):
        neo4j_graph.apply(
            Changes(
                commit=commit(2), episodes=(episode("e2"),), mentions=((mention("Eve", "e2"), "s-eve"),)
            )
        )
    assert asked(neo4j_graph, "MATCH (n) RETURN count(n)") == before
