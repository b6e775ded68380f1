"""What a server accepts it takes in by itself: in a process of its own, through kills, beside readers."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from serving_world import ADA

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx
    from served import Server

pytestmark = pytest.mark.slow

MODULE = "memstrata.service.background"


def _working(server: Server) -> list[int]:
    """The processes that work beneath a server."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                home = f"MEMSTRATA_HOME={server.home}".encode()
                is_ours = home in (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if is_ours and MODULE.encode() in words:
                found.append(int(entry.name))
    return found


def _until(holds: Callable[[], Any], *, within: float = 60.0) -> Any:
    end = time.monotonic() + within
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def _found(client: httpx.Client, words: str) -> list[str]:
    answer = client.get("/v1/search", params={"query": words, "for": "fact"})
    return [one["fact"]["version"]["fact"]["fact"] for one in answer.json()["facts"]]


def _waiting(client: httpx.Client) -> float:
    lines = client.get("/metrics").text.splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith("memstrata_waiting{"))


def test_what_nobody_waits_for_is_found_without_any_other_command(start: Callable[..., Server]) -> None:
    server = start()
    with server.client() as client:
        assert client.post("/v1/episodes", json={"episodes": [ADA]}).status_code == 202
        found = _until(lambda: _found(client, "Ada Byron Acme"))
        assert found == ["Ada Byron works at Acme"]
        (pid,) = _working(server)
    assert server.stop() in (0, -signal.SIGTERM)
    assert not Path(f"/proc/{pid}").exists()


def test_told_not_to_work_it_leaves_that_to_others(start: Callable[..., Server]) -> None:
    server = start("--no-work")
    with server.client() as client:
        client.post("/v1/episodes", json={"episodes": [ADA]})
        time.sleep(3)
        assert not _found(client, "Ada Byron Acme")
        assert not _working(server)
        assert client.get("/v1/groups").json()["items"][0]["pending_episodes"] == 1


def test_of_several_servers_one_works_and_another_goes_on_when_that_is_killed(
    start: Callable[..., Server],
) -> None:
    first = start("--workers", "2")
    second = start()
    (pid,) = _until(lambda: _working(first))
    time.sleep(2)
    assert _working(first) == [pid]
    first.process.kill()  # its servers may live on for a while; told to stop, they let go
    second.stop()
    third = start()
    with third.client() as client:
        client.post("/v1/episodes", json={"episodes": [ADA]})
        assert _until(lambda: _found(client, "Ada Byron Acme"))


def test_a_kill_in_the_middle_of_the_work_loses_nothing(start: Callable[..., Server]) -> None:
    told = [{"content": f"Worker{n} Byron has worked at Acme{n} since 2021."} for n in range(1_200)]
    server = start()
    with server.client() as client:
        client.post("/v1/episodes", json={"episodes": told[:1_000]})
        client.post("/v1/episodes", json={"episodes": told[1_000:]})
        time.sleep(4)  # in the middle: they take longer
        (pid,) = _working(server)
        os.kill(pid, signal.SIGKILL)
        assert _until(lambda: _working(server) not in ([], [pid]))  # another has taken its place
        time.sleep(3)
        (other,) = _working(server)
    server.process.kill()
    server.process.wait()
    assert _until(lambda: not Path(f"/proc/{other}").exists())  # it outlives no server
    with start().client() as client:
        assert _until(lambda: not _waiting(client), within=120)
        counts = client.get("/v1/groups").json()["items"][0]
        assert (counts["episodes"], counts["pending_episodes"]) == (1_200, 0)
        assert counts["facts"] == 1_200
        assert client.get("/v1/dead-letters").json()["items"] == []


def test_readers_do_not_wait_for_the_work(start: Callable[..., Server]) -> None:
    told = [{"content": f"Worker{n} Byron has worked at Acme{n} since 2021."} for n in range(1_000)]
    server = start()
    with server.client() as client:
        client.post("/v1/episodes", json={"episodes": [ADA], "wait": True})
        client.post("/v1/episodes", json={"episodes": told})
        seconds = []
        until = time.monotonic() + 5
        while time.monotonic() < until:
            began = time.monotonic()
            assert client.get("/v1/search", params={"query": "Ada Byron", "for": "fact"}).status_code == 200
            seconds.append(time.monotonic() - began)
        assert sorted(seconds)[len(seconds) // 2] < 0.25  # a machine that others use, too
        assert _until(lambda: not _waiting(client), within=120)
