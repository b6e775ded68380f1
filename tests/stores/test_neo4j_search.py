"""What is particular to searching a Neo4j server: recall, round trips, and what can go wrong there."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from contract_world import MODEL, NOW, SAID, embed, everything, unit
from graph_samples import GROUP, at, commit, fact

from memstrata.errors import Conflict, Fault
from memstrata.ids import identify
from memstrata.ports import Changes, Filters, Sought, Subject, VectorModel
from memstrata.search.searcher import Searcher
from memstrata.search.view import View
from memstrata.stores.neo4j import Neo4jGraph
from memstrata.stores.neo4j import finder as finder_module
from memstrata.stores.neo4j import vectors as vectors_module
from memstrata.stores.neo4j.connection import UNFILTERED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neo4j_server import Server

    from memstrata.ports import Handle, Scope, Vectors

WIDE = VectorModel(name="wide", dimension=64, engine="hand")
TOP = 10
ASKED = 40
#: Twenty groups: from one fact to half of all.
UNEVEN = (1, 1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 60, 80, 100, 125, 150, 200, 250, 400, 1_500)


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class Hand:
    """An embedder that gives every question the same vector."""

    model = MODEL

    def queries(self, texts: Sequence[str]) -> Vectors:
        return np.stack([unit(1, 0, 0, 0) for _ in texts])

    passages = queries


def vectors_of_a_world(count: int, *, seed: int, topics: int = 40) -> Vectors:
    """Unit vectors in one narrow cone, around topics, as those of embedders are."""
    rng = np.random.default_rng(seed)
    about = np.random.default_rng(7).standard_normal((topics, WIDE.dimension))
    cone = 2 * np.random.default_rng(8).standard_normal((1, WIDE.dimension))
    noise = rng.standard_normal((count, WIDE.dimension))
    rows = cone + about[rng.integers(topics, size=count)] + 0.7 * noise
    unit_rows: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit_rows


def fill(store: Neo4jGraph, group: str, vectors: Vectors) -> dict[Handle, int]:
    """A group with a fact for each vector; which row each handle has."""
    facts = tuple(
        fact(identify(group, n), f"note {n}", group=group, subject=f"s{n % 50}", object=f"o{n % 20}")
        for n in range(len(vectors))
    )
    store.apply(Changes(commit=commit(1, group=group), facts_created=facts))
    waiting = store.without_vector(Subject.FACT, limit=len(vectors))
    rows = {handle: int(text.removeprefix("note ")) for handle, text in waiting}
    store.put(Subject.FACT, WIDE, list(rows), vectors[list(rows.values())])
    return rows


def recall(
    store: Neo4jGraph, scope: Scope, rows: dict[Handle, int], vectors: Vectors, asked: Vectors
) -> float:
    """Of the exact nearest ten, the share that is found."""
    found = expected = 0
    for vector in asked:
        hits = store.nearest(Subject.FACT, vector, scope, limit=TOP)
        exact = set(np.argsort(-(vectors @ vector))[:TOP].tolist())
        found += len({rows[hit.handle] for hit in hits} & exact)
        expected += len(exact)
    return found / expected


@pytest.mark.slow
def test_the_index_finds_what_an_exact_search_finds_in_one_group(neo4j_graph: Neo4jGraph) -> None:
    vectors = vectors_of_a_world(3_000, seed=1)
    rows = fill(neo4j_graph, GROUP, vectors)
    assert recall(neo4j_graph, NOW, rows, vectors, vectors_of_a_world(ASKED, seed=2)) >= 0.95


@pytest.mark.slow
def test_the_index_finds_what_an_exact_search_finds_in_twenty_uneven_groups(
    neo4j_graph: Neo4jGraph,
) -> None:
    asked = vectors_of_a_world(8, seed=2)
    groups = {f"g{n}": vectors_of_a_world(size, seed=10 + n) for n, size in enumerate(UNEVEN)}
    rows = {group: fill(neo4j_graph, group, vectors) for group, vectors in groups.items()}
    for group, vectors in groups.items():
        scope = replace(NOW, groups=(group,))
        assert recall(neo4j_graph, scope, rows[group], vectors, asked) >= 0.95, group


@pytest.mark.slow
def test_a_group_too_large_to_compare_is_found_among_many_others(
    neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the index alone, though the group is a twentieth of all and its vectors are like theirs."""
    monkeypatch.setattr(finder_module, "SMALL", 20)
    ours, theirs = vectors_of_a_world(100, seed=3), vectors_of_a_world(1_900, seed=4)
    rows = fill(neo4j_graph, GROUP, ours)
    fill(neo4j_graph, "other", theirs)
    assert recall(neo4j_graph, NOW, rows, ours, vectors_of_a_world(ASKED, seed=2)) >= 0.95


@pytest.mark.slow
def test_filters_that_few_pass_find_all_of_them(neo4j_graph: Neo4jGraph) -> None:
    vectors = vectors_of_a_world(1_000, seed=5)
    rare = (fact("rare", "a rare note", predicate="rare", subject="s1", object="o1"),)
    fill(neo4j_graph, GROUP, vectors)
    neo4j_graph.apply(Changes(commit=commit(2), facts_created=rare))
    ((handle, _),) = neo4j_graph.without_vector(Subject.FACT, limit=9)
    neo4j_graph.put(Subject.FACT, WIDE, [handle], -vectors[:1])
    scope = replace(NOW, filters=Filters(relations=("rare",)))
    found = neo4j_graph.find(Subject.FACT, Sought(words=("note",), vector=vectors[0]), scope, limit=TOP)
    assert [hit.handle for hit in found.words] == [hit.handle for hit in found.vectors] == [handle]


@pytest.fixture
def asked(neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that are put to the server, as they come."""
    names: list[str] = []
    fetch = neo4j_graph._connection.fetch

    def counted(name: str, **values: Any) -> Any:
        names.append(name)
        return fetch(name, **values)

    monkeypatch.setattr(neo4j_graph._connection, "fetch", counted)
    return names


def test_all_arms_are_one_round_trip(neo4j_graph: Neo4jGraph, asked: list[str]) -> None:
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 0, 0, 0)})
    asked.clear()
    sought = Sought(words=("tom",), names=("tom",), vector=unit(1, 0, 0, 0))
    found = neo4j_graph.find(Subject.FACT, sought, NOW, limit=9)
    assert (len(found.words), len(found.vectors), len(found.names)) == (1, 1, 1)
    assert asked == [f"search/facts{UNFILTERED}"]


def test_a_search_for_facts_is_three_round_trips(
    neo4j_graph: Neo4jGraph, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_module, "SEEN_SECONDS", 60.0)
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 0, 0, 0)})
    searcher = Searcher(graph=neo4j_graph, clock=SystemClock(), embedder=Hand())
    view = View(groups=(GROUP,))
    searcher.search("Where does Tom work?", view)
    asked.clear()
    assert searcher.search("Where does Tom work?", view).facts
    assert [name.removesuffix(UNFILTERED) for name in asked] == [
        "search/facts",
        "reading/edges_about",
        "reading/versions",
    ]


@pytest.mark.parametrize("history", [False, True], ids=["now", "ever"])
@pytest.mark.parametrize("filters", [Filters(), Filters(relations=("SAW",))], ids=["all", "some"])
def test_what_a_query_names_comes_with_its_first_edges(
    neo4j_graph: Neo4jGraph, filters: Filters, *, history: bool
) -> None:
    neo4j_graph.apply(everything())
    neo4j_graph.apply(
        Changes(
            commit=commit(2),
            facts_created=tuple(
                fact(f"saw{n}", f"Tom saw {n}", predicate="SAW", subject="id-tom", valid_at=at(n))
                for n in range(4)
            ),
        )
    )
    scope = replace(NOW, filters=filters, history=history)
    sought = Sought(names=("tom", "acme"), starts=2, edges=3)
    found = neo4j_graph.find(Subject.FACT, sought, scope, limit=9)
    entities = neo4j_graph.entities_at([hit.handle for hit in found.names])
    assert found.starts == tuple(dict.fromkeys(entities[hit.handle].entity_id for hit in found.names))
    assert len(found.starts) == 2
    assert found.edges == neo4j_graph.edges_about(found.starts, scope, limit=3)
    assert found.edges


@pytest.mark.parametrize("history", [False, True], ids=["now", "ever"])
def test_a_search_without_filters_finds_what_a_filter_that_all_pass_finds(
    neo4j_graph: Neo4jGraph, asked: list[str], *, history: bool
) -> None:
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 0, 0, 0)})
    plain = replace(NOW, history=history)
    passing = replace(plain, filters=Filters(least_confidence=0.0))
    sought = Sought(words=("tom", "acme"), names=("tom",), vector=unit(1, 0, 0, 0), starts=1, edges=9)
    for subject in (Subject.FACT, Subject.ENTITY):
        found = neo4j_graph.find(subject, sought, plain, limit=9)
        assert found == neo4j_graph.find(subject, sought, passing, limit=9)
        assert found.words
        assert asked[-2:] == [f"{asked[-1]}{UNFILTERED}", asked[-1]]


def test_another_model_is_noticed_by_the_search_that_meets_it(
    neo4j_server: Server, neo4j_graph: Neo4jGraph, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_module, "SEEN_SECONDS", 60.0)
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 0, 0, 0)})
    assert neo4j_graph.model() == MODEL
    flat = VectorModel(name="flat", dimension=2, engine="hand")
    with Neo4jGraph(neo4j_server.uri, neo4j_server.user, neo4j_server.password) as other:
        other.forget()
        ((handle, _),) = other.without_vector(Subject.FACT, limit=9)
        other.put(Subject.FACT, flat, [handle], unit(0, 1)[np.newaxis])
    asked.clear()
    assert neo4j_graph.model() == MODEL
    assert not asked
    with pytest.raises(Conflict, match="flat"):
        neo4j_graph.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)
    assert neo4j_graph.model() == flat


def test_a_model_is_asked_for_again_after_a_while(
    neo4j_server: Server, neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 0, 0, 0)})
    monkeypatch.setattr(vectors_module, "SEEN_SECONDS", 60.0)
    assert neo4j_graph.model() == MODEL
    with Neo4jGraph(neo4j_server.uri, neo4j_server.user, neo4j_server.password) as other:
        other.forget()
    assert neo4j_graph.model() == MODEL
    monkeypatch.setattr(vectors_module, "SEEN_SECONDS", 0.0)
    assert neo4j_graph.model() is None


@pytest.mark.parametrize(
    "words",
    [
        ("語",),
        ("🙂",),
        ("the", "of", "and"),
        ("x" * 10_000,),
        tuple(f"w{n}" for n in range(3_000)),
        ("a/b-c:d*",),
    ],
    ids=["one CJK character", "emoji", "stop words", "10,000 characters", "3,000 words", "operators"],
)
def test_odd_words_match_nothing_that_does_not_say_them(
    neo4j_graph: Neo4jGraph, words: tuple[str, ...]
) -> None:
    neo4j_graph.apply(everything())
    assert neo4j_graph.match(Subject.FACT, words, NOW, limit=9) == ()


def test_odd_words_are_found_where_they_stand(neo4j_graph: Neo4jGraph) -> None:
    said = ("語", "to be or not to be", "x" * 10_000)
    facts = tuple(fact(f"f{n}", text, predicate="p", subject=f"s{n}") for n, text in enumerate(said))
    neo4j_graph.apply(Changes(commit=commit(1), facts_created=facts))
    for text in said:
        (hit, *_) = neo4j_graph.match(Subject.FACT, [text], NOW, limit=9)
        assert neo4j_graph.versions([hit.handle])[hit.handle].version.fact.fact == text
    assert neo4j_graph.match(Subject.FACT, ["x" * 9_999], NOW, limit=9) == ()


def test_more_groups_than_one_query_can_hold_are_all_asked(neo4j_graph: Neo4jGraph) -> None:
    neo4j_graph.apply(everything())
    groups = (*(f"none {n}" for n in range(300)), GROUP)
    words = ("tom", *(f"word {n}" for n in range(20)))
    assert len(neo4j_graph.match(Subject.FACT, words, replace(NOW, groups=groups), limit=9)) == 1


def test_words_look_deeper_where_little_of_what_they_meet_is_in_scope(neo4j_graph: Neo4jGraph) -> None:
    ended = tuple(
        fact(f"f{n}", "zebra zebra", predicate="p", subject=f"s{n}", invalid_at=at(5)) for n in range(60)
    )
    lasting = (fact("g", "zebra and so much else that is said here at length"),)
    neo4j_graph.apply(Changes(commit=commit(1), facts_created=ended + lasting))
    assert len(neo4j_graph.match(Subject.FACT, ["zebra"], NOW, limit=5)) == 1


def test_a_group_that_was_found_to_be_large_is_not_counted_again(
    neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finder_module, "SMALL", 0)
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 0, 0, 0)})
    counted: list[int] = []
    fetch = neo4j_graph._connection.fetch

    def probing(name: str, **values: Any) -> Any:
        counted.append(values["asked"]["probe"])
        return fetch(name, **values)

    monkeypatch.setattr(neo4j_graph._connection, "fetch", probing)
    asked_first = replace(
        NOW, groups=(GROUP, "never asked before")
    )  # what was found of others is remembered
    found = [neo4j_graph.nearest(Subject.FACT, unit(1, 0, 0, 0), asked_first, limit=9) for _ in range(3)]
    assert [len(hits) for hits in found] == [1, 1, 1]
    assert (counted[0], counted[-2:]) == (1, [0, 0])  # the first asks twice if it has to make the index


def test_a_missing_vector_index_is_made_again(
    neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finder_module, "SMALL", 0)
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 0, 0, 0)})
    neo4j_graph._connection.execute("DROP INDEX memstrata_fact_vectors")
    assert len(neo4j_graph.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)) == 1


def test_a_new_model_may_have_another_dimension(
    neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finder_module, "SMALL", 0)
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 0, 0, 0)})
    neo4j_graph.forget()
    ((handle, _),) = neo4j_graph.without_vector(Subject.FACT, limit=9)
    with pytest.raises(Conflict, match="dimensions"):
        neo4j_graph.put(Subject.FACT, MODEL, [handle], unit(0, 1)[np.newaxis])
    flat = VectorModel(name="flat", dimension=2, engine="hand")
    neo4j_graph.put(Subject.FACT, flat, [handle], unit(0, 1)[np.newaxis])
    assert len(neo4j_graph.nearest(Subject.FACT, unit(0, 1), NOW, limit=9)) == 1


def test_handles_say_in_which_space_their_vectors_are(neo4j_graph: Neo4jGraph) -> None:
    neo4j_graph.apply(everything())
    embed(neo4j_graph, {SAID: unit(1, 2, 0, 0)})
    (hit,) = neo4j_graph.match(Subject.FACT, ["tom"], NOW, limit=9)
    found = neo4j_graph.vectors_of(Subject.FACT, [hit.handle, "none"])
    assert list(found) == [hit.handle]
    assert found[hit.handle].dtype == np.float32
    assert found[hit.handle] == pytest.approx(unit(1, 2, 0, 0))


class Gate:
    """A way to the server that can be shut: what it carries dies with it, as when a server goes away."""

    def __init__(self, server: Server) -> None:
        host, port = server.uri.rpartition("/")[2].rsplit(":", 1)
        self._target = (host, int(port))
        self._open: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.uri = f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def shut(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in self._open:
            one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        try:
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
                self._open += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_carry, args=(one, other), daemon=True).start()
        except OSError:
            return


def _carry(one: socket.socket, other: socket.socket) -> None:
    try:
        while data := one.recv(65_536):
            other.sendall(data)
    except OSError:
        return


def test_a_server_that_goes_away_during_reads_is_a_fault(
    neo4j_server: Server, neo4j_graph: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    neo4j_graph.apply(everything())
    gate = Gate(neo4j_server)
    with Neo4jGraph(gate.uri, neo4j_server.user, neo4j_server.password) as behind:
        monkeypatch.setattr(behind._connection, "_patience", 0.2)
        assert len(behind.match(Subject.FACT, ["tom"], NOW, limit=9)) == 1
        gate.shut()
        with pytest.raises(Fault, match="no Neo4j server answers"):
            behind.match(Subject.FACT, ["tom"], NOW, limit=9)
        with pytest.raises(Fault):
            behind.versions(["any"])
