"""What somebody tries who has a token and wants more: each attempt gets what its token may, and no more."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from serving_world import ADA

from memstrata.memory.access import Right

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving

pytestmark = pytest.mark.slow  # each has a memory of its own

OWN, FOREIGN = "acme/eng", "acme/vault"
CANARY = "Zanzibarcanary"


@pytest.fixture
def owner(serving: Serving) -> TestClient:
    owner = serving.client(serving.token("*"))
    for group in (OWN, FOREIGN):
        told = {**ADA, "content": f"Ada Byron has worked at {CANARY} since 2021.", "group_id": group}
        assert owner.post("/v1/episodes", json={"episodes": [told], "wait": True}).status_code == 201
        edit = {"operation": "set", "text": CANARY, "group_id": group}
        assert owner.post("/v1/core/human", json=edit).status_code == 200
    return owner


@pytest.fixture
def stranger(serving: Serving, owner: TestClient) -> TestClient:
    del owner
    return serving.client(serving.token(OWN, f"{OWN}/*"))


def test_who_may_only_write_is_not_told_what_stands_there(serving: Serving, owner: TestClient) -> None:
    writer = serving.client(serving.token(OWN, can=[Right.WRITE]))
    closing = {"content": "Ada Byron left it in 2022 and has worked at Acme since 2023.", "group_id": OWN}
    same = {**ADA, "content": f"Ada Byron has worked at {CANARY} since 2021.", "group_id": OWN}
    for said in (closing, same):
        answer = writer.post("/v1/episodes", json={"episodes": [said], "wait": True})
        assert answer.status_code == 201
        assert CANARY not in answer.text
        (committed,) = answer.json()["committed"]
        assert (committed["created"], committed["ended"]) == ([], [])
        assert committed["commit"]
    edited = writer.post("/v1/core/human", json={"operation": "append", "text": "More.", "group_id": OWN})
    assert edited.json() == {"label": "human", "block": None}
    block = owner.get("/v1/core/human", params={"group_id": OWN}).json()
    assert block["text"] == f"{CANARY}\nMore."


def test_no_name_of_a_file_takes_the_place_of_a_record(stranger: TestClient) -> None:
    names = ("json", "jsonl", "lock", "writing", "a.json", "..", "x" * 251 + ".txt", "ä" * 255)
    ids = []
    for name in names:
        sent = b'{"kind": "export"}'
        begun = stranger.post("/v1/operations/ingest", params={"name": name}, content=sent)
        assert begun.status_code == 202, begun.text
        ids.append(begun.json()["operation_id"])
    for id_ in ids:
        assert _ended(stranger, id_)["kind"] == "ingest"
    listed = stranger.get("/v1/operations").json()["items"]
    assert sorted(one["operation_id"] for one in listed) == sorted(ids)


def _ended(client: TestClient, operation_id: str) -> dict[str, Any]:
    until = time.monotonic() + 20
    said: dict[str, Any] = {}
    while said.get("state") not in ("done", "failed") and time.monotonic() < until:
        answer = client.get(f"/v1/operations/{operation_id}")
        assert answer.status_code == 200
        said = answer.json()
    return said


def test_no_other_method_is_a_way_round(stranger: TestClient) -> None:
    for path in ("/v1/episodes", f"/v1/export?group_id={FOREIGN}", "/v1/groups"):
        for method in ("HEAD", "OPTIONS", "TRACE", "PROPFIND"):
            answer = stranger.request(method, path)
            assert answer.status_code == 405
            assert CANARY not in answer.text + str(answer.headers)
    for header in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        answer = stranger.post(f"/v1/core/human?group_id={FOREIGN}", headers={header: "GET"}, json={})
        assert answer.status_code in (403, 422)
        assert CANARY not in answer.text


#: Spellings of the foreign group, and of both at once.
SPELT = (
    f"group_id={OWN}&group_id={FOREIGN}",
    f"group_id={FOREIGN}&group_id={OWN}",
    f"group_id={OWN}&group_id[]={FOREIGN}",
    f"group_id={OWN}%00{FOREIGN}",
    f"group_id={OWN}/../vault",
    "group_id=acme%252Fvault",
    "group_id=acme/*",
    "group_id=*",
    "group_id=ACME/VAULT",
    "group_id=acme\uff0fvault",
    f"group_id={FOREIGN}\u200b",
    f"group_id=%20{FOREIGN}",
)


def test_no_spelling_of_a_group_reaches_another(stranger: TestClient) -> None:
    for path in ("/v1/export", "/v1/episodes", "/v1/decisions", "/v1/core/human/history"):
        for query in SPELT:
            answer = stranger.get(f"{path}?{query}")
            if answer.status_code == 200:  # the last of two is meant, and it is the own one
                assert query.endswith(f"group_id={OWN}")
                assert FOREIGN not in answer.text
            else:
                assert answer.status_code in (400, 403, 422)
                assert CANARY not in answer.text


def test_patterns_give_the_own_groups_alone(stranger: TestClient) -> None:
    asked = {"query": "Ada Byron"}
    for more in ({}, {"groups": "*"}, {"groups": "acme/*"}):
        for path in ("/v1/search", "/v1/context"):
            answer = stranger.get(path, params=asked | more)
            assert answer.status_code == 200
            assert CANARY in answer.text  # of the own group
            assert FOREIGN not in answer.text
        for path in ("/v1/facts", "/v1/core"):
            answer = stranger.get(path, params=more)
            assert {one.get("group_id", OWN) for one in answer.json()["items"]} == {OWN}
            assert FOREIGN not in answer.text
    assert stranger.get("/v1/facts", params={"groups": "acme/vault/*"}).status_code == 403


def test_no_spelling_of_a_path_gets_past_the_gate(serving: Serving, owner: TestClient) -> None:
    del owner
    nobody = serving.client()
    for path in (
        "/health/live%2f..%2f..%2fv1%2fgroups",
        "/pages/%2e%2e/v1/groups",
        "/pages/..%2f..%2fgate.py",
        "/pages/%2e%2e%2f%2e%2e%2ftokens.json",
        "//v1/groups",
        "/v1//groups",
        "/V1/groups",
        "/v1/groups/",
        "/v1/groups%00",
        "/openapi.json/../v1/groups",
        "/version;/v1/groups",
    ):
        answer = nobody.get(path)
        assert answer.status_code in (401, 404), path
        assert "items" not in answer.text


def test_an_answer_kept_for_one_token_is_given_to_no_other(serving: Serving, owner: TestClient) -> None:
    key = {"Idempotency-Key": "the-same"}
    body = {"operation": "append", "text": "x", "group_id": FOREIGN}
    kept = owner.post("/v1/core/human", json=body, headers=key)
    assert CANARY in kept.text
    for token in (serving.token(OWN), serving.token(FOREIGN, can=[Right.READ]), serving.token("acme/*")):
        answer = serving.client(token).post("/v1/core/human", json=body, headers=key)
        assert "idempotent-replayed" not in answer.headers
        assert answer.status_code in (200, 403)
    nobody = serving.client().post("/v1/core/human", json=body, headers=key)
    assert nobody.status_code == 401
    again = owner.post("/v1/core/human", json=body, headers=key)
    assert again.content == kept.content


def test_ids_of_other_groups_stay_apart_from_the_own_ones(serving: Serving, owner: TestClient) -> None:
    """The same episode id, saga, account and key of the source in two groups are two things."""
    same = {"episode_id": "the-id", "saga": "talk", "speaker": {"id": "u1"}, "native_id": "n1"}
    for group, text in ((FOREIGN, f"{CANARY} belongs to Ada."), (OWN, "Nothing to see.")):
        said = {**same, "content": text, "reference_time": "2024-05-14", "group_id": group}
        owner.post("/v1/episodes", json={"episodes": [said], "wait": True})
    stranger = serving.client(serving.token(OWN))
    record = stranger.get("/v1/episodes/the-id", params={"group_id": OWN})
    assert record.json()["episode"]["content"] == "Nothing to see."
    assert record.json()["earlier"] == []
    stranger.delete("/v1/episodes/the-id", params={"group_id": OWN, "wait": True})
    there = owner.get("/v1/episodes/the-id", params={"group_id": FOREIGN}).json()
    assert not there["is_retracted"]
    assert CANARY in there["episode"]["content"]


def test_a_validator_of_a_cache_tells_nothing(stranger: TestClient, owner: TestClient) -> None:
    begun = owner.post("/v1/operations", json={"kind": "export", "group_id": FOREIGN}).json()[
        "operation_id"
    ]
    file = owner.get(f"/v1/operations/{begun}/file")
    until = time.monotonic() + 10
    while file.status_code != 200 and time.monotonic() < until:
        file = owner.get(f"/v1/operations/{begun}/file")
    tag = {"If-None-Match": file.headers["etag"], "Range": "bytes=0-10"}
    assert stranger.get(f"/v1/operations/{begun}/file", headers=tag).status_code == 404
    assert file.headers["cache-control"] == "no-store"


def test_numbers_for_prometheus_name_no_group_and_no_unknown_path(
    stranger: TestClient, owner: TestClient
) -> None:
    for n in range(50):
        stranger.get(f"/v1/facts/guess-{n}", params={"groups": FOREIGN})
        stranger.get(f"/nowhere/{n}")
    told = owner.get("/metrics").text
    assert FOREIGN not in told
    assert "guess" not in told
    assert "nowhere" not in told
