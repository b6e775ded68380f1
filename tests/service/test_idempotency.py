"""The same key with the same request is done once; the answer survives a restart, and crosses no token."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING

from serving_world import ADA

from memstrata.memory.access import OWNER
from memstrata.service.idempotency import KEPT_SECONDS, Answers, Asked, Kept

if TYPE_CHECKING:
    from pathlib import Path

    from fastapi.testclient import TestClient
    from serving_world import Serving

KEY = {"Idempotency-Key": "order-17"}
NOTE = {"content": "Ada Byron moved to Porto."}


def test_the_same_key_and_body_give_the_same_answer_without_doing_it_again(client: TestClient) -> None:
    body = {"episodes": [NOTE]}
    first = client.post("/v1/episodes", json=body, headers=KEY)
    second = client.post("/v1/episodes", json=body, headers=KEY)
    assert first.status_code == second.status_code == 202
    assert first.content == second.content
    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert len(client.get("/v1/episodes").json()["items"]) == 1


def test_the_same_key_with_another_body_or_route_is_a_conflict(client: TestClient) -> None:
    client.post("/v1/episodes", json={"episodes": [NOTE]}, headers=KEY)
    other = client.post("/v1/episodes", json={"episodes": [ADA]}, headers=KEY)
    elsewhere = client.post("/v1/core/human", json={"operation": "set", "text": "x"}, headers=KEY)
    assert other.status_code == elsewhere.status_code == 409
    assert "another key" in other.json()["detail"]
    assert len(client.get("/v1/episodes").json()["items"]) == 1


def test_an_error_is_not_kept_so_that_the_same_request_may_succeed_later(client: TestClient) -> None:
    edit = {"operation": "replace", "old": "short", "text": "long"}
    assert client.post("/v1/core/human", json=edit, headers=KEY).status_code == 400
    client.post("/v1/core/human", json={"operation": "set", "text": "short"})
    assert client.post("/v1/core/human", json=edit, headers=KEY).status_code == 200


def test_one_tokens_key_says_nothing_to_another(serving: Serving) -> None:
    one, other = (serving.client(serving.token(group)) for group in ("acme", "beta"))
    assert one.post("/v1/episodes", json={"episodes": [NOTE]}, headers=KEY).status_code == 202
    answer = other.post("/v1/episodes", json={"episodes": [NOTE]}, headers=KEY)
    assert answer.status_code == 202
    assert "idempotent-replayed" not in answer.headers


def _asked(fingerprint: str = "a") -> Asked:
    return Asked(key="k", grant=OWNER, fingerprint=fingerprint)


def test_answers_outlive_the_process_that_gave_them(tmp_path: Path) -> None:
    given, _ = Answers(tmp_path).once(_asked(), lambda: Kept(status=201, body=b"{}"))
    again, is_replay = Answers(tmp_path).once(_asked(), lambda: Kept(status=500, body=b""))
    assert (again, is_replay) == (given, True)


def test_a_request_cut_off_before_its_answer_is_done_when_it_is_sent_again(tmp_path: Path) -> None:
    class Cut(BaseException):
        pass

    def cut() -> Kept:
        raise Cut

    with contextlib.suppress(Cut):
        Answers(tmp_path).once(_asked(), cut)
    answer, is_replay = Answers(tmp_path).once(_asked(), lambda: Kept(status=202, body=b"1"))
    assert (answer.status, is_replay) == (202, False)


def test_answers_go_after_a_day(tmp_path: Path) -> None:
    answers = Answers(tmp_path)
    answers.once(_asked(), lambda: Kept(status=201, body=b"{}"))
    assert answers.forget_old() == 0
    for path in (tmp_path / "service" / "answers").iterdir():
        past = time.time() - KEPT_SECONDS - 1
        os.utime(path, (past, past))
    assert answers.forget_old() > 0
    _, is_replay = answers.once(_asked("b"), lambda: Kept(status=201, body=b"{}"))
    assert not is_replay
