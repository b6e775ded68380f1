"""Graphiti itself, in an environment of its own: it reads our graph, and we take in what it wrote."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import orjson
import pytest

from benchmarks.peers.graphiti import GraphitiPeer
from memstrata.model import Draft, SourceType, TimeSource
from memstrata.ports import VectorModel
from memstrata.settings import load_settings, opened
from memstrata.stores.neo4j.graphiti import read_graphiti
from memstrata.workflow.importing import import_graphiti
from memstrata.workflow.intake import accept
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from neo4j_server import Server

    from memstrata.ports import Installation, NamedVersion, Vectors
    from memstrata.stores.neo4j import Neo4jGraph

pytestmark = pytest.mark.slow

DIMENSION = 16
OURS, THEIRS = "ours", "theirs"
ONTOLOGY = "relations:\n  - {name: WORKS_FOR, cardinality: one}\n"


@dataclass(frozen=True)
class Letters:
    """An embedder that counts letters: texts with the same words are near."""

    model = VectorModel(name="letters", dimension=DIMENSION, engine="test")

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vector(text) for text in texts])

    queries = passages

    def _vector(self, text: str) -> Vectors:
        vector = np.full(DIMENSION, 0.01, np.float32)
        for letter in text.lower():
            vector[ord(letter) % DIMENSION] += 1
        return vector / np.linalg.norm(vector)


@pytest.fixture
def peer(neo4j_server: Server, neo4j_graph: Neo4jGraph) -> Iterator[GraphitiPeer]:
    """Graphiti on the server, after our indexes were made."""
    with GraphitiPeer(
        neo4j_server.uri, neo4j_server.user, neo4j_server.password, dimension=DIMENSION
    ) as peer:
        peer.prepare()
        yield peer


@pytest.fixture
def installation(tmp_path: Path, neo4j_graph: Neo4jGraph) -> Iterator[Installation]:
    """A memory of ours whose graph is on the server."""
    with opened(load_settings(MEMSTRATA_HOME=tmp_path, MEMSTRATA_EMBEDDER="none")) as made:
        yield replace(made, graph=neo4j_graph, embedder=Letters(), ontology=ONTOLOGY)


def triple(subject: str, predicate: str, target: object, *, day: int) -> Draft:
    content = {
        "subject": {"name": subject, "type": "Person"},
        "predicate": predicate,
        "object": target,
        "fact": f"{subject} {predicate} {target}",
    }
    return Draft(
        group_id=OURS,
        source="test",
        source_type=SourceType.FACT_TRIPLE,
        content=orjson.dumps(content).decode(),
        reference_time=datetime(2024, 1, day, tzinfo=UTC),
        time_source=TimeSource.OWN,
        episode_id=f"e{day}",
    )


def test_graphiti_finds_our_current_facts_between_entities_and_nothing_else(
    installation: Installation, peer: GraphitiPeer
) -> None:
    said = [triple("Ada", "WORKS_FOR", "Acme", day=1), triple("Ada", "AGED", {"literal": "36"}, day=2)]
    for drafts in (said, [triple("Ada", "WORKS_FOR", "Globex", day=9)]):
        list(accept(installation, drafts))
        assert work(installation).failed == ()
    question = "who is Ada WORKS_FOR"
    vectors = {question: Letters().queries([question])[0].tolist()}
    _, (found,) = peer.search([question], group=OURS, vectors=vectors)
    assert {edge["fact"]: edge["invalid_at"] for edge in found} == {
        "Ada WORKS_FOR Acme": "2024-01-09T00:00:00+00:00",
        "Ada WORKS_FOR Globex": None,
    }
    globex = next(edge for edge in found if edge["fact"].endswith("Globex"))
    assert peer.get("edge", globex["uuid"])["edge"] == globex
    assert globex["episodes"] == ["e9"]
    ada = peer.get("entity", globex["source"])
    assert (ada["name"], set(ada["labels"]), ada["group"]) == ("Ada", {"Entity", "Person"}, OURS)
    episode = peer.get("episode", "e9")
    assert episode["valid_at"] == "2024-01-09T00:00:00+00:00"
    assert "Globex" in episode["content"]


def test_a_graph_that_graphiti_wrote_comes_in_with_its_own_times(
    neo4j_server: Server, peer: GraphitiPeer, tmp_path: Path
) -> None:
    peer.add(
        [
            {
                "name": "m1",
                "body": "Ada: I work for Acme.",
                "source_type": "message",
                "reference_time": "2024-01-01T00:00:00+00:00",
                "facts": [
                    {
                        "from": "Ada",
                        "to": "Acme",
                        "relation": "WORKS_FOR",
                        "fact": "Ada works for Acme",
                        "valid_at": "2024-01-01T00:00:00Z",
                    }
                ],
            },
            {
                "name": "m2",
                "body": "Ada: I work for Globex now.",
                "source_type": "message",
                "reference_time": "2024-06-01T00:00:00+00:00",
                "contradicts": ["Ada works for Acme"],
                "facts": [
                    {
                        "from": "Ada",
                        "to": "Globex",
                        "relation": "WORKS_FOR",
                        "fact": "Ada works for Globex",
                        "valid_at": "2024-06-01T00:00:00Z",
                    }
                ],
            },
        ],
        group=THEIRS,
    )
    graph = read_graphiti(neo4j_server.uri, neo4j_server.user, neo4j_server.password, group_id=THEIRS)
    assert {(edge.fact, edge.expired_at is None) for edge in graph.edges} == {
        ("Ada works for Acme", False),
        ("Ada works for Globex", True),
    }
    with opened(load_settings(MEMSTRATA_HOME=tmp_path, MEMSTRATA_EMBEDDER="none")) as memory:
        done = import_graphiti(memory, graph, "imported")
        assert (done.refused, done.episodes) == ((), 4)
        versions = [
            one
            for fact_id in {version.fact.id for version in memory.graph.all_versions("imported")}
            for one in memory.graph.history("imported", fact_id)
        ]
    june = datetime(2024, 6, 1, tzinfo=UTC)
    assert {_told(one) for one in versions} == {
        ("Ada", "Acme", None, True),
        ("Ada", "Acme", june, False),
        ("Ada", "Globex", None, False),
    }


def _told(named: NamedVersion) -> tuple[str, str, datetime | None, bool]:
    """Of whom, of what, until when in the world, and whether it is believed no more."""
    fact = named.version.fact
    return (named.subject, named.object, fact.invalid_at, named.version.expired_at is not None)
