"""What is asked beside an entity's facts: its summary, its names, verdicts on them; and spans of time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from memstrata.model import Block, Summary

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving

TOLD = (
    ("Bob Smith works at Acme since 2019.", "2020-01-05"),
    ("Robert Smith lives in Berlin.", "2021-06-01"),
    ("Bob Smith knows Carol Jones.", "2022-03-01"),
)


def _tell(client: TestClient) -> None:
    for content, at in TOLD:
        episode = {"content": content, "reference_time": at}
        assert client.post("/v1/episodes", json={"episodes": [episode], "wait": True}).status_code == 201


def _judge(client: TestClient, kind: str, *pair: str, wait: bool = True) -> None:
    body = {"kind": kind, "pair": pair, "reason": f"{kind} for a reason", "wait": wait}
    assert client.post("/v1/decisions", json=body).status_code == 201


def _id(client: TestClient, name: str) -> str:
    facts = client.get("/v1/facts", params={"about": name}).json()["items"]
    fact: dict[str, Any] = facts[0]["version"]["fact"]
    return str(fact["subject"] if facts[0]["subject"] == name else fact["object"])


def test_the_names_of_an_entity_are_those_that_stand_for_it_now(client: TestClient) -> None:
    _tell(client)
    bob = _id(client, "Bob Smith")
    (only,) = client.get(f"/v1/entities/{bob}/names").json()["items"]
    assert (only["name"], only["mentions"], only["first_at"]) == ("Bob Smith", 2, "2020-01-05T00:00:00Z")
    _judge(client, "merge", "Bob Smith", "Robert Smith")
    one = _id(client, "Bob Smith")
    names = client.get(f"/v1/entities/{one}/names").json()["items"]
    assert [one["name"] for one in names] == ["Bob Smith", "Robert Smith"]
    first = client.get(f"/v1/episodes/{names[1]['episode_id']}").json()["episode"]
    assert first["content"] == TOLD[1][0]


def test_the_verdicts_on_an_entity_come_the_latest_first_with_whom_they_are_about_now(
    client: TestClient,
) -> None:
    _tell(client)
    bob, carol = _id(client, "Bob Smith"), _id(client, "Carol Jones")
    assert client.get(f"/v1/entities/{bob}/verdicts").json() == {"items": [], "next_cursor": None}
    _judge(client, "keep_apart", "Bob Smith", "Carol Jones")
    _judge(client, "merge", "Bob Smith", "Robert Smith")
    one = _id(client, "Bob Smith")
    merged, apart = client.get(f"/v1/entities/{one}/verdicts").json()["items"]
    assert (merged["decision"]["kind"], merged["decision"]["reason"]) == ("merge", "merge for a reason")
    assert merged["left"]["entity_id"] == merged["right"]["entity_id"] == one
    assert {merged["left"]["name"], merged["right"]["name"]} == {"Bob Smith", "Robert Smith"}
    assert {apart["left"]["entity_id"], apart["right"]["entity_id"]} == {one, carol}
    assert merged["seq"] > apart["seq"]
    (hers,) = client.get(f"/v1/entities/{carol}/verdicts").json()["items"]
    assert hers == apart


def test_a_verdict_that_waits_for_a_commit_says_so(client: TestClient) -> None:
    _tell(client)
    _judge(client, "keep_apart", "Bob Smith", "Carol Jones", wait=False)
    (found,) = client.get(f"/v1/entities/{_id(client, 'Bob Smith')}/verdicts").json()["items"]
    assert found["seq"] is None


def test_verdicts_come_in_pages(client: TestClient) -> None:
    _tell(client)
    for other in ("Carol Jones", "Acme", "Berlin"):
        _judge(client, "keep_apart", "Bob Smith", other)
    path = f"/v1/entities/{_id(client, 'Bob Smith')}/verdicts"
    whole = client.get(path).json()["items"]
    assert len(whole) == 3
    found, cursor = [], None
    for _ in range(4):
        page = client.get(path, params={"limit": 1, **({"cursor": cursor} if cursor else {})}).json()
        found += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == whole
    assert cursor is None
    assert client.get(path, params={"cursor": "nonsense"}).status_code == 400


@pytest.mark.parametrize("what", ["names", "verdicts", "summary"])
def test_of_an_entity_that_never_was_there_is_nothing(client: TestClient, what: str) -> None:
    answer = client.get(f"/v1/entities/nobody/{what}")
    assert answer.status_code == 404
    assert "nobody" in answer.json()["detail"]


def test_a_summary_is_read_as_of_a_system_time(serving: Serving, client: TestClient) -> None:
    for year, text in ((2020, "Worked at Acme."), (2022, "Works at Globex.")):
        block = Block(topic="works at", text=text, facts=("f",), evidence=("a",))
        summary = Summary(
            entity_id="e",
            group_id="default",
            blocks=(block,),
            input_hash=text,
            created_at=datetime(year, 1, 1, tzinfo=UTC),
        )
        serving.installation.graph.put_summaries([summary])
    latest = client.get("/v1/entities/e/summary").json()["summary"]
    assert latest["blocks"] == [
        {"topic": "works at", "text": "Works at Globex.", "facts": ["f"], "evidence": ["a"]}
    ]
    before = client.get("/v1/entities/e/summary", params={"system_as_of": "2021"}).json()["summary"]
    assert before["blocks"][0]["text"] == "Worked at Acme."


def test_an_entity_without_a_summary_has_none(client: TestClient) -> None:
    _tell(client)
    answer = client.get(f"/v1/entities/{_id(client, 'Bob Smith')}/summary")
    assert (answer.status_code, answer.json()) == (200, {"summary": None})


def test_spans_say_where_facts_begin_and_when_commits_were(client: TestClient) -> None:
    none = {"first": None, "last": None}
    empty = client.get("/v1/spans").json()
    assert (empty["valid"], empty["system"]) == (none, none)
    _tell(client)
    spans = client.get("/v1/spans").json()
    assert spans["valid"] == {"first": "2019-01-01T00:00:00Z", "last": "2022-03-01T00:00:00Z"}
    assert spans["system"]["first"] < spans["system"]["last"] <= spans["now"]
    other = {"content": "Dan works at Acme since 1999.", "reference_time": "2000", "group_id": "old"}
    client.post("/v1/episodes", json={"episodes": [other], "wait": True})
    assert client.get("/v1/spans").json()["valid"] == spans["valid"]
    both = client.get("/v1/spans", params={"groups": "*"}).json()
    assert both["valid"] == {"first": "1999-01-01T00:00:00Z", "last": "2022-03-01T00:00:00Z"}
