"""`memstrata serve` as a process: killed, told to stop, hung up on, read slowly."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from served import environment
from serving_world import ADA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from served import Server

pytestmark = pytest.mark.slow


@contextmanager
def _raw(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(server.address, timeout=10) as connection:
        yield connection


def test_what_was_acknowledged_outlives_a_kill_and_so_do_keys(start: Callable[..., Server]) -> None:
    body = {"episodes": [ADA]}
    key = {"Idempotency-Key": "before-the-kill"}
    server = start()
    with server.client() as client:
        first = client.post("/v1/episodes", json=body, headers=key)
        assert first.status_code == 202
    server.process.kill()
    server.process.wait()
    with start().client() as client:
        assert len(client.get("/v1/episodes").json()["items"]) == 1
        again = client.post("/v1/episodes", json=body, headers=key)
        assert again.headers["idempotent-replayed"] == "true"
        assert again.content == first.content
        assert client.post("/v1/episodes", json={"episodes": []}, headers=key).status_code == 422
        other = {"episodes": [{"content": "something else"}]}
        assert client.post("/v1/episodes", json=other, headers=key).status_code == 409


def test_a_kill_in_the_middle_of_an_ingest_is_told_and_what_it_accepted_stays(
    start: Callable[..., Server],
) -> None:
    server = start()
    many = "".join(json.dumps({"role": "user", "content": f"Note {n}."}) + "\n" for n in range(20_000))
    with server.client() as client:
        params = {"name": "notes.jsonl", "reference_time": "2024-05-14"}
        id_ = client.post("/v1/operations/ingest", params=params, content=many).json()["operation_id"]
        until = time.monotonic() + 30
        while not client.get(f"/v1/operations/{id_}").json()["done"] and time.monotonic() < until:
            time.sleep(0.01)
    server.process.kill()
    server.process.wait()
    with start().client() as client:
        said = client.get(f"/v1/operations/{id_}").json()
        assert said["state"] == "interrupted"
        assert "send the file again" in said["advice"]
        accepted = sum(
            one["episodes"] + one["pending_episodes"] for one in client.get("/v1/groups").json()["items"]
        )
        assert accepted >= said["done"] > 0
        again = client.post("/v1/operations/ingest", params=params, content=many).json()["operation_id"]
        until = time.monotonic() + 60
        while client.get(f"/v1/operations/{again}").json()["state"] != "done" and time.monotonic() < until:
            time.sleep(0.05)
        assert client.get(f"/v1/operations/{again}").json()["done"] == 20_000


def test_told_to_stop_it_answers_what_it_is_answering(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start()
    answers: list[int] = []

    def write() -> None:
        with server.client() as client:
            body = {"episodes": [ADA], "wait": True}
            answers.append(client.post("/v1/episodes", json=body).status_code)

    writer = threading.Thread(target=write)
    writer.start()
    until = time.monotonic() + 30
    while not any(tmp_path.rglob("spool/**/*.jsonl")) and time.monotonic() < until:
        time.sleep(0.01)  # accepted now; the first waiting write loads a parser, which takes far longer
    status = server.stop()
    writer.join(30)
    assert answers == [201]
    assert status in (0, -signal.SIGTERM)
    with start().client() as client:
        assert client.get("/v1/facts", params={"about": "Ada Byron"}).json()["items"]


def test_clients_that_hang_up_keep_nobody_from_an_answer(start: Callable[..., Server]) -> None:
    server = start()
    head = b"POST /v1/episodes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    for _ in range(80):  # more than may be under way at once
        with _raw(server) as connection:
            connection.sendall(head + b"Content-Length: 1000\r\n\r\n{")
    for _ in range(20):
        with _raw(server) as connection:
            connection.sendall(b"GET /v1/search?query=Ada HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    with server.client() as client:
        until = time.monotonic() + 10
        while client.get("/v1/groups").status_code != 200 and time.monotonic() < until:
            time.sleep(0.1)
        assert client.get("/v1/groups").status_code == 200
        assert client.get("/v1/episodes").json()["items"] == []


def test_slow_readers_keep_nobody_from_an_answer(start: Callable[..., Server]) -> None:
    server = start()
    with server.client() as client:
        said = [{"content": f"Note {n}. " + "x" * 4_000} for n in range(1_000)]
        client.post("/v1/episodes", json={"episodes": said})
        slow = []
        for _ in range(70):  # more than may be under way at once
            connection = socket.create_connection(server.address, timeout=10)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            connection.sendall(b"GET /v1/episodes?limit=1000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            connection.recv(100)
            slow.append(connection)
        began = time.monotonic()
        assert client.get("/v1/groups").status_code == 200
        assert time.monotonic() - began < 5
        for connection in slow:
            connection.close()


def test_several_workers_serve_one_memory(start: Callable[..., Server]) -> None:
    server = start("--workers", "2")
    with server.client() as client:
        client.post("/v1/episodes", json={"episodes": [ADA], "wait": True})
    for _ in range(6):
        with server.client() as client:  # a connection each, so that both are asked
            assert client.get("/v1/facts", params={"about": "Ada Byron"}).json()["items"]
    assert server.stop() in (0, -signal.SIGTERM)


def _refused(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memstrata", "serve", *words],
        cwd=tmp_path,
        env=environment(tmp_path / "home"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_a_token_no_address_that_others_reach_is_listened_on(tmp_path: Path) -> None:
    done = _refused(tmp_path, "--host", "0.0.0.0", "--port", "0")  # noqa: S104 (it is refused)
    assert done.returncode == 2
    assert "memstrata token create" in done.stderr


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = _refused(tmp_path, "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "give another --port" in done.stderr


def test_its_workers_end_with_a_server_that_was_killed(start: Callable[..., Server]) -> None:
    server = start("--workers", "2")
    server.process.kill()
    server.process.wait()
    until = time.monotonic() + 30
    while _listens(server) and time.monotonic() < until:
        time.sleep(0.1)
    assert not _listens(server)


def _listens(server: Server) -> bool:
    with socket.socket() as asking:
        asking.settimeout(10)
        return asking.connect_ex(server.address) == 0
