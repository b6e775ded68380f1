"""What was withdrawn, cleared or could not be processed, over REST: taken back, tried again, told of."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from serving_world import ADA

from memstrata.memory.access import Right

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving

MORE = {"content": "Ada Byron moved to Porto in May 2024.", "reference_time": "2024-06-01"}


def _facts(client: TestClient) -> set[str]:
    return {one["version"]["fact"]["fact"] for one in client.get("/v1/facts").json()["items"]}


def _ended(client: TestClient, operation_id: str) -> dict[str, Any]:
    until = time.monotonic() + 30
    while True:
        said: dict[str, Any] = client.get(f"/v1/operations/{operation_id}").json()
        if said["state"] not in ("queued", "running") or time.monotonic() > until:
            return said
        time.sleep(0.02)


def _cleared(client: TestClient, **also: str) -> dict[str, Any]:
    answer = client.post("/v1/operations", json={"kind": "clear", **also})
    assert answer.status_code == 202, answer.text
    return _ended(client, answer.json()["operation_id"])


@pytest.fixture
def told(client: TestClient) -> set[str]:
    client.post("/v1/episodes", json={"episodes": [ADA, MORE], "wait": True})
    return _facts(client)


def test_a_retracted_fact_is_restored_by_its_decision(client: TestClient, told: set[str]) -> None:
    fact = client.get("/v1/facts").json()["items"][0]["version"]["fact"]
    withdrawn = client.delete(f"/v1/facts/{fact['id']}", params={"wait": True}).json()
    assert _facts(client) == told - {fact["fact"]}
    path = f"/v1/decisions/{withdrawn['decision_id']}/restore"
    answer = client.post(path, params={"wait": True, "reason": "it was true"})
    assert (answer.status_code, answer.json()["kind"]) == (201, "accept")
    assert answer.json()["reason"] == "it was true"
    assert _facts(client) == told
    again = client.post(path)
    assert again.status_code == 404
    assert "counts again already" in again.json()["detail"]


def test_an_id_of_no_withdrawal_is_not_found(client: TestClient, told: set[str]) -> None:
    answer = client.post("/v1/decisions/nothing/restore")
    assert answer.status_code == 404
    assert "no withdrawn fact" in answer.json()["detail"]


def test_a_cleared_group_believes_nothing_and_once_more_retracts_nothing(
    client: TestClient, told: set[str]
) -> None:
    before = client.get("/v1/groups").json()["items"][0]["versions"]
    said = _cleared(client, reason="a fresh start")
    assert (said["state"], said["result"]) == ("done", {"retracted": 2})
    assert _facts(client) == set()
    assert client.get("/v1/groups").json()["items"][0]["versions"] >= before
    decisions = client.get("/v1/decisions").json()["items"]
    assert {one["decision"]["reason"] for one in decisions} == {"a fresh start"}
    assert _cleared(client)["result"] == {"retracted": 0}
    assert len(client.get("/v1/decisions").json()["items"]) == len(decisions)


def test_clearing_needs_the_right_to_decide(serving: Serving) -> None:
    writer = serving.client(serving.token("default", can=[Right.READ, Right.WRITE]))
    answer = writer.post("/v1/operations", json={"kind": "clear"})
    assert answer.status_code == 403


def test_what_could_not_be_processed_is_listed_page_by_page_and_released(
    serving: Serving, client: TestClient
) -> None:
    told = [{**ADA, "episode_id": f"note-{number}"} for number in range(3)]
    client.post("/v1/episodes", json={"episodes": told})
    client.get("/v1/episodes")  # takes them into the log
    record, now = serving.installation.record, serving.installation.clock.now()
    for episode in record.awaiting(limit=10):
        while not record.failed(episode, stage="extraction", reason="the model was away", at=now):
            pass
    first = client.get("/v1/dead-letters", params={"limit": 2}).json()
    rest = client.get("/v1/dead-letters", params={"cursor": first["next_cursor"]}).json()
    letters = [*first["items"], *rest["items"]]
    assert [one["episode_id"] for one in letters] == ["note-0", "note-1", "note-2"]
    assert {one["reason"] for one in letters} == {"the model was away"}
    assert rest["next_cursor"] is None
    assert client.post("/v1/dead-letters/note-1/release").status_code == 202
    left = client.get("/v1/dead-letters").json()["items"]
    assert [one["episode_id"] for one in left] == ["note-0", "note-2"]
    again = client.post("/v1/dead-letters/note-1/release")
    assert again.status_code == 404
    assert "no dead letter" in again.json()["detail"]


def test_communities_of_a_group_name_their_members(client: TestClient) -> None:
    pytest.importorskip("graspologic_native")
    texts = ("Ann Lee works at Initech.", "Bob Moor works at Initech.", "Ann Lee knows Bob Moor.")
    told = [{"content": text, "reference_time": "2024-05-14"} for text in texts]
    client.post("/v1/episodes", json={"episodes": told, "wait": True})
    (found,) = client.get("/v1/communities").json()["items"]
    assert {"Ann Lee", "Bob Moor", "Initech"} <= {one["name"] for one in found["members"]}
    assert found["report"]
