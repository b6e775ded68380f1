"""Graphiti behind standard input and output: one JSON request a line, one JSON answer a line.

Runs in the peer's own environment, where Memstrata is not installed. Its models are replaced by what the
requests bring: vectors by text, and the replies that a language model would give to an episode.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from graphiti_core import Graphiti
from graphiti_core.cross_encoder.client import CrossEncoderClient
from graphiti_core.edges import EntityEdge
from graphiti_core.embedder.client import EmbedderClient
from graphiti_core.llm_client.client import LLMClient
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode

if TYPE_CHECKING:
    from collections.abc import Iterable

#: A fact as a prompt shows it: an entry of a list, as Python or as JSON writes it.
_KNOWN_FACT = re.compile(r"""['"]idx['"]:\s*(\d+)[^{}]*?['"]fact['"]:\s*(['"])(.*?)\2""")


class ScriptedModel(LLMClient):
    """Answers each kind of prompt from the script of the episode that is being added, at once."""

    def __init__(self) -> None:
        super().__init__(LLMConfig(api_key="none", model="scripted"))
        self.script: dict[str, Any] = {}
        self.calls = 0

    async def _generate_response(
        self, messages: list[Any], response_model: Any = None, *_: Any, **__: Any
    ) -> dict[str, Any]:
        self.calls += 1
        kind = "" if response_model is None else response_model.__name__
        answers = {
            "ExtractedEntities": self._entities,
            "ExtractedEdges": self._edges,
            "EdgeTimestamps": lambda _: self._times()[0],
            "BatchEdgeTimestamps": lambda _: {"timestamps": self._times()},
            "EdgeDuplicate": self._contradicted,
            "NodeResolutions": lambda _: {"entity_resolutions": []},
            "SummarizedEntities": lambda _: {"summaries": []},
            "EntitySummary": lambda _: {"summary": ""},
            "Summary": lambda _: {"summary": ""},
        }
        return answers.get(kind, lambda _: {})("\n".join(message.content for message in messages))

    def _entities(self, _: str) -> dict[str, Any]:
        names = dict.fromkeys(end for fact in self.script["facts"] for end in (fact["from"], fact["to"]))
        return {"extracted_entities": [{"name": name, "entity_type_id": 0} for name in names]}

    def _edges(self, _: str) -> dict[str, Any]:
        return {
            "edges": [
                {
                    "source_entity_name": fact["from"],
                    "target_entity_name": fact["to"],
                    "relation_type": fact["relation"],
                    "fact": fact["fact"],
                }
                for fact in self.script["facts"]
            ]
        }

    def _times(self) -> list[dict[str, Any]]:
        return [
            {"valid_at": fact.get("valid_at"), "invalid_at": fact.get("invalid_at")}
            for fact in self.script["facts"]
        ]

    def _contradicted(self, prompt: str) -> dict[str, Any]:
        wrong = set(self.script.get("contradicts", ()))
        found = [int(number) for number, _, fact in _KNOWN_FACT.findall(prompt) if fact in wrong]
        return {"duplicate_facts": [], "contradicted_facts": found}


class GivenVectors(EmbedderClient):
    """Vectors that the requests bring; of any other text, one made of its letters."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.known: dict[str, list[float]] = {}

    async def create(self, input_data: str | list[str] | Iterable[Any]) -> list[float]:
        """The vector of a text."""
        text = input_data if isinstance(input_data, str) else " ".join(map(str, input_data))
        return self.known.get(text) or self._made(text)

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        """The vectors of texts."""
        return [await self.create(text) for text in input_data_list]

    def _made(self, text: str) -> list[float]:
        vector = [0.0] * self.dimension
        for at, letter in enumerate(text):
            vector[(ord(letter) * 31 + at) % self.dimension] += 1.0
        length = sum(one * one for one in vector) ** 0.5 or 1.0
        return [one / length for one in vector]


class NoReranker(CrossEncoderClient):
    """Leaves the order as it is; the searches that are measured ask none."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        """The passages as they come."""
        del query
        return [(passage, 1.0 / (at + 1)) for at, passage in enumerate(passages)]


class Peer:
    """One Graphiti on one server."""

    def __init__(self, server: dict[str, Any]) -> None:
        self.model = ScriptedModel()
        self.vectors = GivenVectors(server["dimension"])
        self.added: list[str] = []
        self.graphiti = Graphiti(
            server["uri"],
            server["user"],
            server["password"],
            llm_client=self.model,
            embedder=self.vectors,
            cross_encoder=NoReranker(),
        )

    async def prepare(self, _: dict[str, Any]) -> dict[str, Any]:
        """Creates Graphiti's indexes and constraints."""
        await self.graphiti.build_indices_and_constraints()
        return {}

    async def search(self, request: dict[str, Any]) -> dict[str, Any]:
        """Milliseconds and found edges of each query; `vectors` by text may come along."""
        self.vectors.known |= request.get("vectors", {})
        took, found = [], []
        for query in request["queries"]:
            began = time.perf_counter()
            edges = await self.graphiti.search(
                query, group_ids=[request["group"]], num_results=request.get("limit", 10)
            )
            took.append((time.perf_counter() - began) * 1_000)
            found.append([_edge(edge) for edge in edges])
        return {"ms": took, "found": found}

    async def add(self, request: dict[str, Any]) -> dict[str, Any]:
        """Milliseconds of each episode added, and how many model calls all took."""
        took = []
        before = self.model.calls
        for episode in request["episodes"]:
            self.model.script = episode
            began = time.perf_counter()
            added = await self.graphiti.add_episode(
                name=episode["name"],
                episode_body=episode["body"],
                source_description=episode.get("source", "benchmark"),
                reference_time=datetime.fromisoformat(episode["reference_time"]).astimezone(UTC),
                source=EpisodeType[episode.get("source_type", "text")],
                group_id=request["group"],
            )
            took.append((time.perf_counter() - began) * 1_000)
            self.added += [added.episode.uuid, *(node.uuid for node in added.nodes)]
        return {"ms": took, "calls": self.model.calls - before}

    async def take_back(self, _: dict[str, Any]) -> dict[str, Any]:
        """Removes the nodes that were added here, with their edges."""
        await self.graphiti.driver.execute_query(
            "MATCH (n:Entity|Episodic) WHERE n.uuid IN $uuids DETACH DELETE n", uuids=self.added
        )
        self.added.clear()
        return {}

    async def get(self, request: dict[str, Any]) -> dict[str, Any]:
        """One edge, entity or episode by its uuid."""
        driver = self.graphiti.driver
        match request["kind"]:
            case "edge":
                return {"edge": _edge(await EntityEdge.get_by_uuid(driver, request["uuid"]))}
            case "entity":
                node = await EntityNode.get_by_uuid(driver, request["uuid"])
                return {"name": node.name, "labels": node.labels, "group": node.group_id}
            case _:
                episode = await EpisodicNode.get_by_uuid(driver, request["uuid"])
                return {
                    "content": episode.content,
                    "valid_at": episode.valid_at.isoformat(),
                    "source": episode.source.value,
                }


def _edge(edge: EntityEdge) -> dict[str, Any]:
    return {
        "uuid": edge.uuid,
        "name": edge.name,
        "fact": edge.fact,
        "source": edge.source_node_uuid,
        "target": edge.target_node_uuid,
        "episodes": edge.episodes,
        "valid_at": None if edge.valid_at is None else edge.valid_at.isoformat(),
        "invalid_at": None if edge.invalid_at is None else edge.invalid_at.isoformat(),
    }


async def _serve() -> None:
    peer: Peer | None = None
    # In a thread: Graphiti has tasks of its own in this loop, and their transactions must not stay open.
    while line := await asyncio.to_thread(sys.stdin.readline):
        request = json.loads(line)
        try:
            if request["do"] == "open":
                peer, answer = Peer(request), {}
            else:
                assert peer is not None, "open comes first"  # noqa: S101 (our own other half calls)
                answer = await getattr(peer, request["do"])(request)
        except Exception as error:  # noqa: BLE001 (whatever goes wrong is the other half's to tell)
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(_serve())
