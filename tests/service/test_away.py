"""What a server needs is away while it serves: over REST and MCP alike that is told, and nothing is lost.

A real server process, a real Neo4j that is killed, a real endpoint that stops; nothing is pretended.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from agents import over_http
from embeddings_server import Answer
from embeddings_server import serving as endpoint_serving
from serving_world import ADA

from memstrata.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from neo4j_server import OwnServer
    from served import Server
    from serving_world import Serving

    from memstrata.model import Episode, Extraction
    from memstrata.ports import Extractor

pytestmark = pytest.mark.slow

#: What asks the graph, over REST and as a tool.
ROUTES = (
    "/v1/search?query=Ada",
    "/v1/context?query=Ada",
    "/v1/facts",
    "/v1/entities",
    "/v1/export",
    "/v1/groups",
)
TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_memory_facts", {"query": "Ada"}),
    ("search_nodes", {"query": "Ada"}),
    ("context", {"query": "Ada"}),
    ("as_of", {"query": "Ada", "as_of": "2024"}),
    ("history", {"about": "Ada Byron"}),
)
SECOND = {**ADA, "content": "Bo Diddley has worked at Acme since 2020."}
THIRD = "Cy Young has worked at Acme since 2019."


def _is_told(server: Server, said: str) -> None:
    """Every question is answered with a problem that says what to do, and not as a fault of ours.

    All are asked at once: the first wait for half a minute, in case the store only starts again. Readiness
    is looked at every few seconds, so that one may say for as long what was so before.
    """
    with server.client() as client, ThreadPoolExecutor(len(ROUTES) + 1) as pool:
        assert client.get("/health/live").status_code == 200
        until = time.monotonic() + 90
        while client.get("/health/ready", timeout=90).status_code == 200 and time.monotonic() < until:
            time.sleep(0.5)
        asked = {route: pool.submit(client.get, route, timeout=90) for route in (*ROUTES, "/health/ready")}
        for route, waiting in asked.items():
            answer = waiting.result()
            assert answer.status_code == 503, (route, answer.text)
            assert answer.headers["content-type"] == "application/problem+json"
            assert said in answer.json()["detail"], route
    with over_http(f"{server.url}/mcp") as agent, ThreadPoolExecutor(len(TOOLS) + 1) as pool:
        status = pool.submit(agent.ask, "get_status")
        for tool, waiting in [(tool, pool.submit(agent.call, tool, **given)) for tool, given in TOOLS]:
            refused = waiting.result()
            assert refused.is_error, tool
            assert refused.kind == "unavailable", (tool, refused.text)
            assert said in refused.text
        assert status.result().data["status"] == "error"


def _accepts_meanwhile(server: Server) -> None:
    with server.client() as client:
        waited = client.post("/v1/episodes", json={"episodes": [SECOND], "wait": True}, timeout=90)
        assert waited.status_code == 202
        assert waited.json()["committed"][0]["waiting"]
    with over_http(f"{server.url}/mcp") as agent:
        kept = agent.ask("add_memory", name="x", episode_body=THIRD, reference_time="2024-05-14")
        assert kept.data["is_committed"] is False
        assert "do not send it again" in kept.text


def _has_all(server: Server) -> None:
    """Once it is back everything is there, what was accepted meanwhile too."""
    names: set[str] = set()
    until = time.monotonic() + 90
    with server.client() as client:
        while not {"Ada Byron", "Bo Diddley", "Cy Young"} <= names and time.monotonic() < until:
            answer = client.get("/v1/entities", timeout=90)
            if answer.status_code == 200:
                names = {one["name"] for one in answer.json()["items"]}
            time.sleep(0.3)
        assert {"Ada Byron", "Bo Diddley", "Cy Young"} <= names
        assert client.get("/health/ready").status_code == 200
    with over_http(f"{server.url}/mcp") as agent:
        assert agent.ask("search_memory_facts", query="Bo Diddley").data["facts"]


@pytest.mark.timeout(600)
def test_a_neo4j_that_is_killed_is_told_and_what_came_meanwhile_is_there_when_it_is_back(
    start: Callable[..., Server], own_neo4j: OwnServer
) -> None:
    access = {"NEO4J_USER": own_neo4j.user, "NEO4J_PASSWORD": own_neo4j.password}
    server = start(MEMSTRATA_STORE="neo4j", NEO4J_URI=own_neo4j.uri, **access)
    with server.client() as client:
        assert client.post("/v1/episodes", json={"episodes": [ADA], "wait": True}).status_code == 201
    own_neo4j.kill()
    try:
        _is_told(server, "try again")
        _accepts_meanwhile(server)
    finally:
        own_neo4j.start()
    _has_all(server)


def test_a_graph_file_that_cannot_be_read_is_told_and_nothing_accepted_is_lost(
    start: Callable[..., Server],
) -> None:
    server = start()
    with server.client() as client:
        assert client.post("/v1/episodes", json={"episodes": [ADA], "wait": True}).status_code == 201
    assert server.stop() in (0, -15)
    graph = server.home / "graph.db"
    whole = graph.read_bytes()
    for beside in server.home.glob("graph.db-*"):
        beside.unlink()
    server = start()
    with graph.open("r+b") as file:  # the disk gives back rubbish from now on
        file.write(os.urandom(len(whole)))
    with server.client() as client:
        for route in ROUTES:
            answer = client.get(route)
            assert answer.status_code == 503, (route, answer.status_code, answer.text)
            assert answer.headers["content-type"] == "application/problem+json"
        assert client.post("/v1/episodes", json={"episodes": [SECOND]}).status_code == 202
    with over_http(f"{server.url}/mcp") as agent:
        assert agent.call("search_memory_facts", query="Ada").kind == "unavailable"
    server.process.kill()
    server.process.wait()
    for left in server.home.glob("graph.db*"):
        left.unlink()
    with start().client() as client:  # it is a projection: another is made from the log
        id_ = client.post("/v1/operations", json={"kind": "rebuild", "group_id": "default"}).json()[
            "operation_id"
        ]
        until = time.monotonic() + 60
        while client.get(f"/v1/operations/{id_}").json()["state"] != "done" and time.monotonic() < until:
            time.sleep(0.1)
        until = time.monotonic() + 60
        names: set[str] = set()
        while not {"Ada Byron", "Bo Diddley"} <= names and time.monotonic() < until:
            names = {one["name"] for one in client.get("/v1/entities").json()["items"]}
            time.sleep(0.2)
        assert {"Ada Byron", "Bo Diddley"} <= names


def test_while_the_embeddings_endpoint_is_down_words_answer_and_say_so(
    start: Callable[..., Server],
) -> None:
    with endpoint_serving() as endpoint:
        model = {
            "MEMSTRATA_EMBEDDER": "openai:small",
            "OPENAI_BASE_URL": endpoint.url,
            "OPENAI_API_KEY": "k",
        }
        server = start(**model)
        with server.client() as client:
            assert client.post("/v1/episodes", json={"episodes": [ADA], "wait": True}).status_code == 201
            until = time.monotonic() + 60
            while (
                client.get("/v1/groups").json()["items"][0]["facts_without_vector"]
                and time.monotonic() < until
            ):
                time.sleep(0.1)
            found = client.get("/v1/search", params={"query": "Ada Byron"}).json()
            assert found["notes"] == []
    with server.client() as client:  # nobody listens there any more
        began = time.monotonic()
        for _ in range(3):
            found = client.get("/v1/search", params={"query": "Ada Byron", "for": "fact"}).json()
            assert found["facts"][0]["fact"]["version"]["fact"]["fact"] == "Ada Byron works at Acme"
            assert "words alone" in found["notes"][0]
        assert time.monotonic() - began < 20
        context = client.get("/v1/context", params={"query": "Ada Byron"}).json()
        assert "Acme" in context["text"]
        assert client.post("/v1/episodes", json={"episodes": [SECOND], "wait": True}).status_code == 201
        assert client.get("/health/ready").status_code == 200
    with over_http(f"{server.url}/mcp") as agent:
        found = agent.ask("search_memory_facts", query="Ada Byron")
        assert found.data["facts"]
        assert "words alone" in found.text


def test_an_embeddings_endpoint_that_answers_with_errors_takes_no_words_with_it(
    start: Callable[..., Server],
) -> None:
    with endpoint_serving() as endpoint:
        endpoint.instead.extend([Answer(status=500, body="{}")] * 200)
        model = {
            "MEMSTRATA_EMBEDDER": "openai:small",
            "OPENAI_BASE_URL": endpoint.url,
            "OPENAI_API_KEY": "k",
        }
        with start(**model).client() as client:
            assert client.post("/v1/episodes", json={"episodes": [ADA], "wait": True}).status_code == 201
            found = client.get("/v1/search", params={"query": "Ada Byron", "for": "fact"}).json()
            assert found["facts"]
            assert found["notes"]


class LanguageModel:
    """An extractor whose language model is away as long as it is told, and that then reads as another."""

    def __init__(self, reading: Extractor) -> None:
        self._reading = reading
        self.is_away = True
        self.version, self.context_turns = reading.version, reading.context_turns

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        if self.is_away:
            raise Fault("the language model does not answer; try again later")
        yield from self._reading.extract_all(items)


def test_while_the_language_model_is_down_writes_are_kept_and_questions_answered(serving: Serving) -> None:
    service, client = serving.app.state.service, serving.client()
    assert client.post("/v1/episodes", json={"episodes": [ADA], "wait": True}).status_code == 201
    model = LanguageModel(serving.installation.extractor)
    away = replace(service, installation=replace(service.installation, extractor=model))
    serving.app.state.service = away
    waited = client.post("/v1/episodes", json={"episodes": [SECOND], "wait": True})
    assert waited.status_code == 202
    assert "does not answer" in waited.json()["committed"][0]["waiting"]
    assert len(client.get("/v1/episodes").json()["items"]) == 2
    assert client.get("/v1/facts", params={"about": "Ada Byron"}).json()["items"]
    model.is_away = False
    again = client.post("/v1/episodes", json={"episodes": [SECOND], "wait": True})  # does no harm
    assert again.status_code == 201
    assert client.get("/v1/facts", params={"about": "Bo Diddley"}).json()["items"]
    assert len(client.get("/v1/episodes").json()["items"]) == 2
