"""A Neo4j server that is killed, has a full disk, deadlocks or lacks an index: nothing lost, nothing wrong.

Nothing is pretended: each test brings it about on a real server, its own where it could do harm.
"""

from __future__ import annotations

import re
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import neo4j
import pytest
from contract_world import MODEL, NOW, SAID, asked, embed, everything, unit
from graph_samples import GROUP, triples

from memstrata.errors import Damaged, Fault
from memstrata.ports import Subject
from memstrata.stores.memory import MemoryGraph
from memstrata.stores.neo4j import Neo4jGraph, finder, schema
from memstrata.workflow.export import canonical_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j_server import OwnServer, Server

    from memstrata.ports import Changes, GraphStore

FIRST, SECOND = triples(1, 20), triples(2, 200)
#: So many locks has a transaction that is well on its way.
WELL_ON = 100


def graph_on(server: OwnServer, *, patience: float = 1.0) -> Neo4jGraph:
    return Neo4jGraph(server.uri, server.user, server.password, patience=patience)


def lines(store: GraphStore) -> tuple[str, ...]:
    return tuple(canonical_lines(store, GROUP, history=True))


def replayed(*changes: Changes) -> tuple[str, ...]:
    """What a graph holds to which these were applied in peace."""
    with MemoryGraph() as store:
        for one in changes:
            store.apply(one)
        return lines(store)


@contextmanager
def killed_within_a_commit(server: OwnServer, *, comes_back: bool = False) -> Iterator[None]:
    """Kills the server as soon as a transaction is well on its way, and starts it again if it is to."""

    def watch() -> None:
        with graph_on(server) as beside:
            while not beside._connection.execute(
                "SHOW TRANSACTIONS YIELD activeLockCount WHERE activeLockCount > $many RETURN 1",
                many=WELL_ON,
            ):
                time.sleep(0.01)
            server.kill()
        if comes_back:
            server.start()

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield
    watcher.join()
    assert server.runs == comes_back


def test_a_server_killed_within_a_commit_has_nothing_of_it_when_it_is_back(own_neo4j: OwnServer) -> None:
    with graph_on(own_neo4j) as graph:
        graph.apply(FIRST)
        with killed_within_a_commit(own_neo4j), pytest.raises(Fault, match=r"make neo4j.*try again"):
            graph.apply(SECOND)
        own_neo4j.start()
        assert graph.last_seq(GROUP) == 1
        assert lines(graph) == replayed(FIRST)
        graph.apply(SECOND)
        assert lines(graph) == replayed(FIRST, SECOND)


def test_a_commit_waits_for_a_server_that_restarts_and_is_done_once(own_neo4j: OwnServer) -> None:
    with graph_on(own_neo4j, patience=90) as graph:
        graph.apply(FIRST)
        with killed_within_a_commit(own_neo4j, comes_back=True):
            graph.apply(SECOND)
        assert graph.last_seq(GROUP) == 2
        assert lines(graph) == replayed(FIRST, SECOND)


def test_a_disk_that_takes_no_more_is_a_fault_and_loses_nothing(own_neo4j: OwnServer) -> None:
    with graph_on(own_neo4j) as graph:
        graph.apply(FIRST)
        own_neo4j.limit_files(1)
        with pytest.raises(Fault, match=r"disk's free space and the server's logs"):
            graph.apply(SECOND)
        with pytest.raises(Fault, match=r"needs to be restarted"):
            graph.apply(SECOND)
        own_neo4j.kill()
        own_neo4j.start()
        assert lines(graph) == replayed(FIRST)
        graph.apply(SECOND)
        assert lines(graph) == replayed(FIRST, SECOND)


def test_of_two_that_lock_one_another_out_the_loser_tries_again_and_both_finish(
    neo4j_graph: Neo4jGraph, neo4j_server: Server
) -> None:
    connection = neo4j_graph._connection
    connection.execute("CREATE (:Literal {name: 'left', turns: 0}), (:Literal {name: 'right', turns: 0})")
    both_have_one, tries = threading.Barrier(2), []

    def turn(transaction: neo4j.ManagedTransaction, *names: str) -> None:
        tries.append(names)
        for name in names:
            text = "MATCH (n:Literal {name: $name}) SET n.turns = n.turns + 1"
            transaction.run(text, name=name).consume()
            if len(tries) <= both_have_one.parties and name == names[0]:
                both_have_one.wait(timeout=30)

    def somebody_else() -> None:
        with (
            neo4j.GraphDatabase.driver(
                neo4j_server.uri, auth=(neo4j_server.user, neo4j_server.password)
            ) as driver,
            driver.session() as session,
        ):
            session.execute_write(turn, "right", "left")

    other = threading.Thread(target=somebody_else)
    other.start()
    connection.write(lambda transaction: turn(transaction, "left", "right"))
    other.join()
    found = connection.execute("MATCH (n:Literal) WHERE n.turns IS NOT NULL RETURN n.name, n.turns")
    assert {tuple(record.values()) for record in found} == {("left", 2), ("right", 2)}
    assert len(tries) > both_have_one.parties, "nobody was the loser of a deadlock"


def test_a_transaction_for_which_there_is_no_memory_is_a_fault_that_says_what_to_give(
    own_neo4j: OwnServer,
) -> None:
    too_much = (
        "CREATE (n:Literal) WITH n UNWIND range(1, 60000000) AS m WITH n, collect([m]) AS ms "
        "SET n.many = size(ms)"
    )
    with graph_on(own_neo4j, patience=0.1) as graph:
        with pytest.raises(Fault, match=r"MemoryPoolOutOfMemory.*try again.*db\.memory\.transaction\.max"):
            graph._connection.write(lambda transaction: transaction.run(too_much).consume())
        assert not graph._connection.execute("MATCH (n:Literal) RETURN n")
        graph.apply(FIRST)
        assert graph.last_seq(GROUP) == 1


# --- indexes ---


def test_a_search_makes_an_index_of_words_again_that_somebody_dropped(own_neo4j: OwnServer) -> None:
    with graph_on(own_neo4j) as graph:
        graph.apply(everything())
        before = found_everywhere(graph)
        for index in ("memstrata_facts", "memstrata_entities", "memstrata_passages"):
            graph._connection.execute(f"DROP INDEX {index}")
            assert found_everywhere(graph) == before


def found_everywhere(graph: Neo4jGraph) -> tuple[object, ...]:
    subjects = (Subject.FACT, Subject.ENTITY, Subject.EPISODE)
    found = tuple(graph.match(subject, ["tom"], NOW, limit=9) for subject in subjects)
    assert all(found)
    return (*found, graph.named(["tom"], NOW, limit=9))


def test_a_vector_index_that_somebody_dropped_is_made_again_with_all_that_stands(
    own_neo4j: OwnServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finder, "SMALL", 0)  # a small group is compared without the index
    with graph_on(own_neo4j) as graph:
        graph.apply(everything())
        embed(graph, {SAID: unit(1, 0, 0, 0)})
        graph._connection.execute("DROP INDEX memstrata_fact_vectors")
        (hit,) = graph.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)
        assert hit.score == pytest.approx(1.0)
        assert graph.model() == MODEL


def test_opening_makes_indexes_and_constraints_again_that_somebody_dropped(own_neo4j: OwnServer) -> None:
    def there() -> set[str]:
        return {record["name"] for record in graph._connection.fetch("schema/indexes")}

    with graph_on(own_neo4j) as graph:
        graph.apply(everything())
        before = there()
        graph._connection.execute("DROP INDEX memstrata_facts")
        graph._connection.execute("DROP INDEX memstrata_fact_passage")
        graph._connection.execute("DROP CONSTRAINT memstrata_entity")
        assert lines(graph) == replayed(everything())
        assert len(there()) == len(before) - 3
        graph_on(own_neo4j).close()
        assert there() == before


def test_what_somebody_wrote_while_a_constraint_was_gone_is_no_graph_of_ours(own_neo4j: OwnServer) -> None:
    with graph_on(own_neo4j) as graph:
        graph.apply(everything())
        execute = graph._connection.execute
        execute("DROP CONSTRAINT memstrata_entity")
        execute("MATCH (n:Entity) WITH n LIMIT 1 CREATE (m:Entity) SET m = properties(n)")
        with pytest.raises(Damaged, match=r"somebody else has written.*empty the database.*memstrata work"):
            graph_on(own_neo4j)
        execute("MATCH (n) DETACH DELETE n")
        graph_on(own_neo4j).close()
        graph.apply(everything())
        assert lines(graph) == replayed(everything())


def test_a_failed_index_keeps_the_graph_closed_until_it_is_dropped_as_the_message_says(
    own_neo4j: OwnServer,
) -> None:
    with graph_on(own_neo4j) as graph:
        graph.apply(everything())
        execute = graph._connection.execute
        execute("DROP INDEX memstrata_fact_version_handle")
        too_long = "".join(chr(97 + n * n * 7919 % 26) for n in range(60_000))
        execute("CREATE (:FactVersion {group_id: 'x', handle: $handle})", handle=too_long)
        execute(schema.named()["memstrata_fact_version_handle"])
        with pytest.raises(Fault, match=r"memstrata_fact_version_handle .*failed; drop it"):
            graph_on(own_neo4j)
        execute("MATCH (n:FactVersion {group_id: 'x'}) DELETE n")
        execute("DROP INDEX memstrata_fact_version_handle")
        with graph_on(own_neo4j) as opened:
            assert asked(opened, "acme") == [SAID]


def test_a_failed_index_of_somebody_elses_is_no_concern_of_ours(own_neo4j: OwnServer) -> None:
    with graph_on(own_neo4j) as graph:
        execute = graph._connection.execute
        too_long = "".join(chr(97 + n * n * 7919 % 26) for n in range(60_000))
        execute("CREATE (:Theirs {said: $said})", said=too_long)
        execute("CREATE INDEX theirs FOR (n:Theirs) ON (n.said)")
        try:
            graph_on(own_neo4j).close()
        finally:
            execute("DROP INDEX theirs")


def test_a_search_waits_for_an_index_that_is_being_filled(own_neo4j: OwnServer) -> None:
    with graph_on(own_neo4j) as graph:
        graph.apply(everything())
        execute = graph._connection.execute
        execute("DROP INDEX memstrata_facts")
        execute(
            "MATCH (a:Entity) WITH a LIMIT 1 UNWIND range(1, 10000) AS n "
            "CREATE (a)-[:RELATES_TO {uuid: toString(n), group_id: 'x', words: reduce("
            "words = '', w IN range(1, 60) | words + ' w' + (n * w % 5003))}]->(a)"
        )
        execute(schema.named()["memstrata_facts"])
        try:
            schema.prepare(graph._connection, patience=0)
        except Fault as error:  # a quick server may have filled it by now
            assert re.search(r"still being filled \(memstrata_facts.*try again in a while", str(error))  # noqa: PT017 (it need not come)
        assert asked(graph, "acme") == [SAID]
