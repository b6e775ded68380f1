"""Bad input: each a status with a problem+json that says what to do; nothing is written by it."""

from __future__ import annotations

import errno
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from serving_world import ADA

from memstrata.errors import Fault
from memstrata.service.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi.testclient import TestClient
    from serving_world import Serving

JSON = {"Content-Type": "application/json"}


def _is_problem(answer: Any, status: int, said: str) -> None:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) >= {"type", "title", "status", "detail", "instance"}
    assert problem["status"] == status
    assert said in problem["detail"]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 400, "no JSON"),
        (b"[]", 422, "dictionary"),
        (b'{"query": "x", "grups": []}', 422, "did you mean groups?"),
        (b'{"query": "x", "filters": {"relation": []}}', 422, "did you mean relations?"),
        (b'{"query": "x", "limit": 1000}', 422, "less than or equal to 200"),
        (b'{"query": "x", "as_of": "yesterday"}', 422, "is not a time"),
        (b'{"query": "x", "as_of": "2024-05-14T10:00:00"}', 422, "no UTC offset"),
        (b'{"query": "x", "during": ["2024"]}', 422, "two times"),
        (b'{"query": "x", "during": ["2024", "2023"]}', 400, "reversed"),
        (b'{"query": "x", "preset": "facst"}', 400, "did you mean 'facts'?"),
        (b'{"query": "x", "for": ["facts"]}', 422, "'fact'"),
        (b'{"query": "x", "groups": ["a b"]}', 400, "is no path"),
        (b'{"query": "x", "groups": ["ac*"]}', 400, "whole"),
        (b'{"query": ""}', 422, "at least 1"),
        (b'{"query": "x", "rerank": "node_distance"}', 400, "centre"),
        (b'{"query": "\\ud800"}', 422, "query"),
        (b"[" * 100_000, 400, ""),
    ],
)
def test_a_malformed_search_is_refused_with_what_was_expected(
    client: TestClient, body: bytes, status: int, said: str
) -> None:
    _is_problem(client.post("/v1/search", content=body, headers=JSON), status, said)


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("GET", "/nowhere", 404, "/openapi.json"),
        ("GET", "/v1/facts/", 404, "/openapi.json"),
        ("PUT", "/v1/search", 405, "does not take that method"),
        ("GET", "/v1/episodes?cursor=abc", 400, "next_cursor"),
        ("GET", "/v1/entities?cursor=WyJlcGlzb2RlcyIsIjEiXQ", 400, "next_cursor"),
        ("GET", "/v1/facts?cursor=%21", 400, "cursor"),
        ("GET", "/v1/episodes?limit=0", 422, "greater than or equal to 1"),
        ("GET", "/v1/search?query=x&quer=y", 422, "no field 'quer'"),
        ("GET", "/v1/search?query=x&properties=role", 422, "NAME=VALUE"),
        ("GET", "/v1/episodes/unknown", 404, "unknown"),
        ("DELETE", "/v1/episodes/unknown", 404, "unknown"),
        ("GET", "/v1/facts/unknown", 404, "unknown"),
        ("DELETE", "/v1/facts/unknown", 404, "unknown"),
        ("GET", "/v1/operations/unknown", 404, "no such operation"),
        ("GET", "/v1/timeline?entity=Nobody", 400, "Nobody"),
        ("GET", "/v1/schema", 501, "Neo4j"),
        ("GET", "/v1/export?group_id=../x", 400, "segment"),
    ],
)
def test_a_bad_request_is_answered_with_a_problem(
    client: TestClient, method: str, path: str, status: int, said: str
) -> None:
    _is_problem(client.request(method, path), status, said)


def test_cypher_on_a_store_without_it_is_unsupported_and_names_one_that_has_it(client: TestClient) -> None:
    _is_problem(client.post("/v1/cypher", json={"query": "MATCH (n) RETURN n"}), 501, "Neo4j")


def test_a_body_that_is_no_json_is_an_unsupported_media_type(client: TestClient) -> None:
    answer = client.post("/v1/search", content=b"query=x", headers={"Content-Type": "text/plain"})
    _is_problem(answer, 415, "Content-Type: application/json")


def test_a_body_past_the_limit_is_refused_declared_or_not(serve: Callable[..., Serving]) -> None:
    client = serve(Limits(body=1_000)).client()
    big = b'{"query": "' + b"x" * 2_000 + b'"}'
    _is_problem(client.post("/v1/search", content=big, headers=JSON), 413, "1,000 bytes")
    _is_problem(client.post("/v1/search", content=iter([big]), headers=JSON), 413, "1,000 bytes")


def test_more_at_once_than_the_limit_is_told_to_come_back(
    serve: Callable[..., Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    serving = serve(Limits(requests=1))
    begun, release = threading.Event(), threading.Event()

    def slow() -> tuple[()]:
        begun.set()
        release.wait(10)
        return ()

    monkeypatch.setattr(serving.installation.graph, "counts", slow, raising=False)
    first = threading.Thread(target=lambda: serving.client().get("/v1/groups"))
    first.start()
    assert begun.wait(5)
    answer = serving.client().get("/v1/decisions")
    release.set()
    first.join()
    _is_problem(answer, 503, "try again")
    assert answer.headers["retry-after"] == "1"
    assert serving.client().get("/v1/decisions").status_code == 200


def test_one_token_leaves_room_for_others(
    serve: Callable[..., Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    serving = serve(Limits(requests=4, requests_of_one=1))
    greedy, other = (serving.client(serving.token("*")) for _ in range(2))
    begun, release = threading.Event(), threading.Event()

    def slow() -> tuple[()]:
        begun.set()
        release.wait(10)
        return ()

    monkeypatch.setattr(serving.installation.graph, "counts", slow, raising=False)
    first = threading.Thread(target=lambda: greedy.get("/v1/groups"))
    first.start()
    assert begun.wait(5)
    refused, answered = greedy.get("/v1/decisions"), other.get("/v1/decisions")
    release.set()
    first.join()
    _is_problem(refused, 429, "wait for some")
    assert refused.headers["retry-after"] == "1"
    assert answered.status_code == 200


def test_a_full_disk_is_told_as_such(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(serving.installation.record, "accept", full)
    answer = serving.client().post("/v1/episodes", json={"episodes": [ADA]})
    _is_problem(answer, 503, "make some")


def test_an_answer_that_takes_too_long_is_given_up(
    serve: Callable[..., Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    serving = serve(Limits(answer_seconds=0.2))
    monkeypatch.setattr(serving.installation.graph, "counts", lambda: time.sleep(0.8) or (), raising=False)
    _is_problem(serving.client().get("/v1/groups"), 504, "ask for less")


def test_a_store_that_is_down_is_told_and_what_is_accepted_meanwhile_stays(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = serving.client()

    class Down:
        def __getattr__(self, name: str) -> Any:
            def away(*given: object, **named: object) -> Any:
                raise Fault("the graph does not answer; start it, then try again")

            return away

    up = serving.app.state.service
    serving.app.state.service = replace(up, installation=replace(up.installation, graph=Down()))
    serving.app.state.pulse.installation = serving.app.state.service.installation
    answer = client.post("/v1/search", json={"query": "Ada"})
    _is_problem(answer, 503, "does not answer")
    assert answer.headers["retry-after"]
    _is_problem(client.get("/health/ready"), 503, "not ready")
    assert client.get("/health/live").status_code == 200
    accepted = client.post("/v1/episodes", json={"episodes": [ADA]})
    waited = client.post("/v1/episodes", json={"episodes": [{**ADA, "content": "Bo."}], "wait": True})
    assert (accepted.status_code, waited.status_code) == (202, 202)
    assert "does not answer" in waited.json()["committed"][0]["waiting"]
    serving.app.state.service = up
    assert len(client.get("/v1/episodes").json()["items"]) == 2


def test_what_nobody_foresaw_says_nothing_of_itself_but_its_id(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise RuntimeError("secret content")

    monkeypatch.setattr(serving.installation.graph, "counts", broken, raising=False)
    answer = serving.client().get("/v1/groups", headers={"X-Request-Id": "mine-1"})
    _is_problem(answer, 500, "X-Request-Id")
    assert answer.headers["x-request-id"] == "mine-1"
    said = capsys.readouterr().err
    assert "secret content" not in answer.text + said
    assert "RuntimeError" in said
    assert "mine-1" in said


def test_logs_hold_no_query_unless_asked_for(
    client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    client.get("/v1/search", params={"query": "confidential matter"})
    said = capsys.readouterr().err
    assert '"route":"/v1/search"' in said
    assert "confidential" not in said


def test_answers_are_kept_by_nobody(client: TestClient) -> None:
    headers = client.get("/v1/groups").headers
    assert headers["cache-control"] == "no-store"
    assert headers["vary"] == "Authorization"
    assert "access-control-allow-origin" not in headers
