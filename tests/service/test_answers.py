"""What is really answered is what the document says, to the last record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from serving_world import ADA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient
    from serving_world import Serving

MORE = {
    "content": "Ada Byron moved to Porto in May 2024.",
    "reference_time": "2024-06-01",
    "speaker": {"id": "u1", "name": "Bob"},
    "saga": "s",
    "metadata": {"tag": ["a", 1]},
}


@pytest.fixture
def told(client: TestClient) -> TestClient:
    client.post("/v1/episodes", json={"episodes": [ADA, MORE, {**MORE, "episode_id": "n"}], "wait": True})
    client.post(
        "/v1/episodes",
        json={"episodes": [{**MORE, "episode_id": "n", "content": "Ada Byron lives in Oslo."}]},
    )
    client.post("/v1/core/human", json={"operation": "set", "text": "Prefers short answers."})
    client.post("/v1/core/work", json={"operation": "rule", "rule": {"about": "Ada Byron"}})
    return client


def _asked(client: TestClient) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Method, template, path and what is sent: every kind of record is in an answer."""
    fact = client.get("/v1/facts", params={"about": "Ada Byron"}).json()["items"][0]["version"]["fact"]
    episode = client.get("/v1/episodes").json()["items"][0]["episode_id"]
    about = {"params": {"entity": "Ada Byron"}}
    everything = {"json": {"query": "Ada Byron Acme Porto", "preset": "everything", "history": True}}
    yield "get", "/v1/facts", "/v1/facts", {"params": {"history": True}}
    yield "get", "/v1/facts/{fact_id}", f"/v1/facts/{fact['id']}", {}
    yield "get", "/v1/entities", "/v1/entities", {}
    yield "get", "/v1/entities/{entity_id}", f"/v1/entities/{fact['subject']}", {}
    yield "get", "/v1/entities/{entity_id}/names", f"/v1/entities/{fact['subject']}/names", {}
    yield "get", "/v1/entities/{entity_id}/summary", f"/v1/entities/{fact['subject']}/summary", {}
    yield "get", "/v1/episodes", "/v1/episodes", {}
    yield "get", "/v1/episodes/{episode_id}", f"/v1/episodes/{episode}", {}
    yield "get", "/v1/episodes/{episode_id}", "/v1/episodes/n", {}
    yield "get", "/v1/history", "/v1/history", {"params": {"asked": "Ada Byron"}}
    yield "get", "/v1/timeline", "/v1/timeline", about
    yield "get", "/v1/neighbours", "/v1/neighbours", about
    yield "get", "/v1/path", "/v1/path", {"params": {"start": "Ada Byron", "end": "Acme"}}
    yield "get", "/v1/diff", "/v1/diff", {"params": {"after": "2020"}}
    yield "get", "/v1/spans", "/v1/spans", {}
    yield "get", "/v1/groups", "/v1/groups", {}
    yield "get", "/v1/grant", "/v1/grant", {}
    yield "get", "/v1/core", "/v1/core", {}
    yield "get", "/v1/core/{label}", "/v1/core/human", {}
    yield "get", "/v1/core/{label}/history", "/v1/core/work/history", {}
    yield "get", "/v1/decisions", "/v1/decisions", {}
    yield "get", "/health/ready", "/health/ready", {}
    yield "post", "/v1/search", "/v1/search", everything
    yield "post", "/v1/context", "/v1/context", {"json": {"query": "Ada Byron Acme"}}
    yield (
        "post",
        "/v1/episodes",
        "/v1/episodes",
        {"json": {"episodes": [{**ADA, "group_id": "h"}], "wait": True}},
    )
    yield "post", "/v1/operations", "/v1/operations", {"json": {"kind": "export"}}
    yield "get", "/v1/operations", "/v1/operations", {}
    verdict = {"kind": "keep_apart", "pair": ["Ada Byron", "Acme"]}
    yield "post", "/v1/decisions", "/v1/decisions", {"json": verdict}
    yield "delete", "/v1/facts/{fact_id}", f"/v1/facts/{fact['id']}", {}


def test_real_answers_are_what_the_document_says(serving: Serving, told: TestClient) -> None:
    document = told.get("/openapi.json").json()
    for method, template, path, sent in _asked(told):
        answer = told.request(method, path, **sent)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        responses = document["paths"][template][method]["responses"]
        schema = responses[str(answer.status_code)]["content"]["application/json"]["schema"]
        whole = {**schema, "components": document["components"]}
        errors = [
            f"{'.'.join(map(str, one.instance_path))}: {one.message}"
            for one in jsonschema_rs.validator_for(whole).iter_errors(answer.json())
        ]
        assert not errors, f"{method} {path}: {errors[:3]}"
