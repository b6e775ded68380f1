"""`/v1/review/proposals`: relations that a model proposes to declare, and verdicts on that, over HTTP."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memstrata.language_models.scripted import ScriptedModel
from memstrata.memory.access import Right
from memstrata.workflow.adjudicate import adjudicate

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving

    from memstrata.ports import Prompt

PATH = "/v1/review/proposals"


def _exclusive(prompt: Prompt) -> str:
    numbers = re.findall(r"^(\d+)\. ", prompt.user, re.MULTILINE)
    told = [{"item": int(one), "reason": "one home", "verdict": "exclusive"} for one in numbers]
    return json.dumps({"answers": told})


def proposed(serving: Serving, client: TestClient, *predicates: str) -> None:
    for predicate in predicates:
        for name in ("Leeds", "Porto"):
            triple = {"subject": "Noor", "predicate": predicate, "object": name}
            told = {"content": triple, "source_type": "fact_triple"}
            client.post("/v1/episodes", json={"episodes": [told], "wait": True})
    model = ScriptedModel(_exclusive)
    adjudicate(replace(serving.installation, model=model), "default", whole=True)


def listed(client: TestClient, **asked: Any) -> list[dict[str, Any]]:
    answer = client.get(PATH, params=asked)
    assert answer.status_code == 200, answer.text
    items = answer.json()["items"]
    assert isinstance(items, list)
    return items


def test_what_is_proposed_is_listed_with_its_facts_page_by_page(
    serving: Serving, client: TestClient
) -> None:
    proposed(serving, client, "settled_in", "rents")
    first = client.get(PATH, params={"limit": 1}).json()
    (rents,) = first["items"]
    assert (rents["predicate"], rents["state"], rents["reason"]) == ("rents", "open", "one home")
    assert rents["declaration"] == "{name: rents, cardinality: one}"
    for one in rents["facts"]:
        record = client.get(f"/v1/facts/{one['fact_id']}").json()
        assert record["versions"][-1]["version"]["fact"]["fact"] == one["fact"]
    (rest,) = listed(client, cursor=first["next_cursor"])
    assert rest["predicate"] == "settled_in"
    assert client.get(PATH, params={"cursor": "another"}).status_code == 400


def test_a_verdict_is_a_decision_that_says_who_and_why(serving: Serving, client: TestClient) -> None:
    proposed(serving, client, "settled_in", "rents")
    said = {"predicate": "settled_in", "verdict": "reject", "reason": "two are common", "wait": True}
    decided = client.post(PATH, json=said)
    assert decided.status_code == 201, decided.text
    client.post(PATH, json={"predicate": "rents", "verdict": "accept"})
    (rents,) = listed(client)
    assert (rents["predicate"], rents["state"]) == ("rents", "accepted")
    (settled,) = listed(client, state="rejected")
    assert settled["verdict"]["decision_id"] == decided.json()["decision_id"]
    assert (settled["verdict"]["by"], settled["verdict"]["reason"]) == ("person", "two are common")


def test_a_token_signs_its_verdict_and_needs_the_right_to_decide(
    serving: Serving, client: TestClient
) -> None:
    proposed(serving, client, "settled_in")
    reader = serving.client(serving.token("default", can=[Right.READ]))
    decider = serving.client(serving.token("default", can=[Right.DECIDE]))
    said = {"predicate": "settled_in", "verdict": "accept"}
    assert reader.post(PATH, json=said).status_code == 403
    assert decider.get(PATH).status_code == 403
    assert decider.post(PATH, json=said).status_code == 201
    (one,) = listed(reader)
    assert one["verdict"]["who"] == "somebody"


def test_what_cannot_be_decided_is_refused_with_its_reason(serving: Serving, client: TestClient) -> None:
    proposed(serving, client, "settled_in")
    unknown = client.post(PATH, json={"predicate": "drinks", "verdict": "accept"})
    assert unknown.status_code == 404
    assert "not proposed in group 'default' to declare 'drinks'" in unknown.json()["detail"]
    assert client.post(PATH, json={"predicate": "settled_in", "verdict": "edit"}).status_code == 422
    assert client.get(PATH, params={"state": "odd"}).status_code == 422
    assert [one["state"] for one in listed(client)] == ["open"]


def test_a_verdict_with_a_key_is_given_once(serving: Serving, client: TestClient) -> None:
    proposed(serving, client, "settled_in")
    said = {"predicate": "settled_in", "verdict": "reject"}
    headers = {"Idempotency-Key": "one"}
    first = client.post(PATH, json=said, headers=headers)
    again = client.post(PATH, json=said, headers=headers)
    assert first.json() == again.json()
    verdicts = [
        one["decision"]
        for one in client.get("/v1/decisions", params={"limit": 100}).json()["items"]
        if one["decision"]["target"].get("proposal")
    ]
    assert len(verdicts) == 1
