"""`/v1/review/items`: what waits for a person, and verdicts on it, over HTTP."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memstrata.model import Draft, SourceType, TimeSource
from memstrata.workflow.waiting import remember

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving


def doubtful(serving: Serving) -> None:
    """A triple that is dated to the year 1."""
    triple = {
        "subject": "Maren",
        "predicate": "works_at",
        "object": "Oakmere",
        "valid_at": "0001-01-01T00:00:00Z",
    }
    draft = Draft(
        group_id="default",
        source="test",
        source_type=SourceType.FACT_TRIPLE,
        content=json.dumps(triple),
        reference_time=datetime(2025, 5, 1, tzinfo=UTC),
        time_source=TimeSource.OWN,
    )
    list(remember(serving.installation, [draft]))


def test_what_waits_is_listed_counted_and_accepted(serving: Serving, client: TestClient) -> None:
    doubtful(serving)
    [entry] = client.get("/v1/review/items").json()["items"]
    assert (entry["rule"], entry["says"]["subject"]) == ("times_are_plausible", "Maren")
    assert client.get("/v1/review/counts").json() == {
        "items": [{"rule": "times_are_plausible", "count": 1}]
    }
    assert client.get("/v1/review/items", params={"rule": "is_stated"}).json()["items"] == []
    body = {"verdict": "edit", "changes": {"valid_at": "2019"}, "reason": "the form says so", "wait": True}
    decided = client.post(f"/v1/review/items/{entry['entry_id']}", json=body)
    assert decided.status_code == 201, decided.text
    assert decided.json()["kind"] == "edit"
    assert client.get("/v1/review/items").json()["items"] == []
    [fact] = serving.installation.graph.all_facts("default")
    assert fact.valid_at == datetime(2019, 1, 1, tzinfo=UTC)


def test_an_edit_that_cannot_stand_is_refused_with_its_reason(serving: Serving, client: TestClient) -> None:
    doubtful(serving)
    [entry] = client.get("/v1/review/items").json()["items"]
    bad = client.post(
        f"/v1/review/items/{entry['entry_id']}", json={"verdict": "edit", "changes": {"kind": "was"}}
    )
    assert bad.status_code in {400, 422}
    assert "expected one of started" in bad.text


def test_a_write_that_waits_tells_how_many_facts_it_left_to_a_person(client: TestClient) -> None:
    dated = {"subject": "Maren", "predicate": "works_at", "object": "Oakmere"}
    doubted = {"content": {**dated, "valid_at": "0001-01-01T00:00:00Z"}, "source_type": "fact_triple"}
    plain = {
        "content": dated,
        "source_type": "fact_triple",
        "group_id": "elsewhere",
        "episode_id": "form-8",
    }
    episodes = [{**doubted, "episode_id": "form-7"}, plain]
    told = {"episodes": [{**one, "reference_time": "2025-05-01"} for one in episodes], "wait": True}
    for _ in ("at first", "sent again"):
        done = client.post("/v1/episodes", json=told).json()["committed"]
        by_group = {one["group_id"]: (len(one["created"]), one["held"]) for one in done}
        assert by_group == {"default": (0, 1), "elsewhere": (1, 0)}
    [entry] = client.get("/v1/review/items").json()["items"]
    client.post(f"/v1/review/items/{entry['entry_id']}", json={"verdict": "reject", "wait": True})
    assert client.post("/v1/episodes", json=told).json()["committed"][0]["held"] == 0


def test_one_that_waits_is_shown_with_the_text_of_its_episode(serving: Serving, client: TestClient) -> None:
    doubtful(serving)
    [entry] = client.get("/v1/review/items").json()["items"]
    shown = client.get(f"/v1/review/items/{entry['entry_id']}").json()
    assert shown["entry"] == entry
    assert json.loads(shown["content"])["object"] == "Oakmere"
    for where in ({}, {"group_id": "elsewhere"}):
        assert client.get("/v1/review/items/nothing", params=where).status_code == 404
    assert (
        client.get(f"/v1/review/items/{entry['entry_id']}", params={"group_id": "elsewhere"}).status_code
        == 404
    )


def test_a_batch_is_meant_by_rule_by_relation_or_both(serving: Serving, client: TestClient) -> None:
    doubtful(serving)
    for meant, count in (
        ({"predicate": "lives_in"}, 0),
        ({"rule": "times_are_plausible", "predicate": "lives_in"}, 0),
        ({"predicate": "works_at"}, 1),
    ):
        told = client.post("/v1/review/items", json={"verdict": "reject", **meant, "dry_run": True})
        assert told.json() == {"count": count}, meant
    unmeant = client.post("/v1/review/items", json={"verdict": "reject"})
    assert (unmeant.status_code, len(client.get("/v1/review/items").json()["items"])) == (400, 1)
    assert "a rule, a relation or both" in unmeant.json()["detail"]
    done = client.post("/v1/review/items", json={"verdict": "reject", "predicate": "works_at"})
    assert (done.json(), client.get("/v1/review/items").json()["items"]) == ({"count": 1}, [])


def test_what_is_not_there_is_404_as_everywhere(serving: Serving, client: TestClient) -> None:
    doubtful(serving)
    for path, body in (
        ("items/nothing", {"verdict": "accept"}),
        ("items/nothing", {"verdict": "reject"}),
        ("items/nothing", {"verdict": "edit", "changes": {"object": "Ashby"}}),
        ("proposals", {"predicate": "never_proposed", "verdict": "reject"}),
    ):
        unknown = client.post(f"/v1/review/{path}", json=body)
        assert unknown.status_code == 404, unknown.text
        assert unknown.json()["type"] == "urn:memstrata:problem:not-found"
        assert "memstrata review" in unknown.json()["detail"]
