"""Who comes in: this machine alone without tokens; with them nobody without a valid one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from serving_world import ADA

from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens

if TYPE_CHECKING:
    from serving_world import Serving

OPEN = ("/health/live", "/health/ready", "/version", "/openapi.json")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_without_tokens_this_machine_is_answered(serving: Serving, host: str) -> None:
    assert serving.client(host=host).get("/v1/groups").status_code == 200


@pytest.mark.parametrize("host", ["10.0.0.7", "192.168.1.2", "::ffff:10.0.0.7", "testclient"])
def test_without_tokens_no_other_machine_is_answered(serving: Serving, host: str) -> None:
    answer = serving.client(host=host).get("/v1/groups")
    assert answer.status_code == 401
    assert "memstrata token create" in answer.json()["detail"]


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_without_tokens_nothing_comes_through_a_proxy(serving: Serving, header: str) -> None:
    assert serving.client().get("/v1/groups", headers={header: "for=10.0.0.7"}).status_code == 401


@pytest.mark.parametrize("url", ["http://evil.example:8765", "http://127.0.0.1.evil.example"])
def test_without_tokens_another_sites_name_for_this_machine_is_refused(serving: Serving, url: str) -> None:
    answer = serving.client(url=url).get("/v1/groups")
    assert answer.status_code == 403
    assert "rebinding" in answer.json()["detail"]


def test_without_tokens_another_sites_page_is_refused(serving: Serving) -> None:
    headers = {"Origin": "https://evil.example"}
    assert serving.client().get("/v1/groups", headers=headers).status_code == 403
    own = {"Origin": "http://127.0.0.1:8765"}
    assert serving.client().get("/v1/groups", headers=own).status_code == 200


def test_the_first_token_closes_the_door_to_whoever_has_none(serving: Serving) -> None:
    client = serving.client()
    assert client.get("/v1/groups").status_code == 200
    token = serving.token("acme/*")
    answer = client.get("/v1/groups")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert serving.client(token, host="10.0.0.7", url="http://memory.example").get("/v1/groups").is_success


@pytest.mark.parametrize("path", OPEN)
def test_what_holds_nothing_of_the_memory_is_open(serving: Serving, path: str) -> None:
    serving.token("acme")
    assert serving.client(host="10.0.0.7", url="http://memory.example").get(path).status_code == 200


@pytest.mark.parametrize(
    "said", ["", "mst_x", "Basic bXN0", "Bearer", "Bearer ", "Bearer mst_00_x", "Bearer x, Bearer y"]
)
def test_what_is_no_valid_token_is_told_alike(serving: Serving, said: str) -> None:
    serving.token("acme")
    answer = serving.client().get("/v1/groups", headers={"Authorization": said} if said else {})
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"


def test_expired_and_revoked_tokens_are_worth_nothing(serving: Serving) -> None:
    tokens = Tokens(serving.home)
    made, text = tokens.create("one", groups=["*"], rights=list(Right))
    client = serving.client(text)
    assert client.get("/v1/groups").status_code == 200
    tokens.revoke(made.token_id)
    assert client.get("/v1/groups").status_code == 401
    soon = datetime.now(UTC) + timedelta(milliseconds=30)
    short = serving.client(serving.token("*", expires_at=soon))
    while datetime.now(UTC) < soon:
        pass
    assert short.get("/v1/groups").status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/episodes", {"episodes": [ADA]}),
        ("POST", "/v1/core/human", {"operation": "set", "text": "x"}),
        ("POST", "/v1/decisions", {"kind": "merge", "pair": ["a", "b"]}),
        ("DELETE", "/v1/episodes/x", None),
        ("DELETE", "/v1/facts/x", None),
        ("POST", "/v1/operations", {"kind": "work"}),
        ("POST", "/v1/operations", {"kind": "rebuild"}),
        ("POST", "/v1/operations/ingest?name=a.md", None),
    ],
)
def test_a_reader_writes_nothing(
    serving: Serving, method: str, path: str, body: dict[str, object] | None
) -> None:
    client = serving.client(serving.token("default", can=[Right.READ]))
    answer = client.request(method, path, json=body)
    assert answer.status_code == 403
    assert "may not" in answer.json()["detail"]


def test_a_token_of_one_group_need_not_name_it(serving: Serving) -> None:
    client = serving.client(serving.token("acme/eng"))
    client.post("/v1/episodes", json={"episodes": [ADA], "wait": True})
    (found,) = client.get("/v1/groups").json()["items"]
    assert found["group_id"] == "acme/eng"
    assert client.get("/v1/facts", params={"about": "Ada Byron"}).json()["items"]
    assert client.post("/v1/search", json={"query": "Ada"}).json()["facts"]


def test_a_token_is_told_what_it_may_whatever_that_is(serving: Serving) -> None:
    assert serving.client().get("/v1/grant").json()["rights"] == ["decide", "operate", "read", "write"]
    token = serving.token("acme/*", can=(Right.WRITE,))
    said = serving.client(token).get("/v1/grant").json()
    assert said == {"who": "somebody", "groups": ["acme/*"], "rights": ["write"]}
