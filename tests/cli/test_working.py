"""`memstrata work` as it goes on: a refusal is told once, its group left alone for a while."""

from __future__ import annotations

import json
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest

from memstrata.settings import opened
from memstrata.workflow.holds import hold

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

    from conftest import Memstrata

    Started = Callable[..., subprocess.Popen[str]]

REFUSED = "group g was not committed"


class Worker:
    """A worker that goes on, and what it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.said: list[str] = []
        for stream in (process.stdout, process.stderr):
            threading.Thread(target=self._listen, args=(stream,), daemon=True).start()

    def _listen(self, stream: object) -> None:
        self.said.extend(stream)  # type: ignore[call-overload]

    def says(self, text: str, *, within: float = 60) -> bool:
        """Whether it says that, in time."""
        end = time.monotonic() + within
        while not any(text in line for line in self.said):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def end(self) -> int:
        """Interrupts it as a person would, and gives its exit status."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(timeout=60)


@pytest.fixture
def begin(started: Started) -> Iterator[Callable[[], Worker]]:
    running: list[subprocess.Popen[str]] = []

    def start() -> Worker:
        running.append(started("work"))
        return Worker(running[-1])

    yield start
    for process in running:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_refusal_is_told_once_and_what_mends_it_is_noticed_at_once(
    memstrata: Memstrata, begin: Callable[[], Worker]
) -> None:
    memstrata("add", "Ada works at Acme.", "--group", "g", "--wait")
    with opened() as installation:
        hold(installation, "g", who="a test", reason="it looks wrong")
    memstrata("add", "Ada lives in Lisbon.", "--group", "g")
    worker = begin()
    assert worker.says(REFUSED)
    memstrata("add", "Bob works at Acme.", "--group", "h")
    assert worker.says("h: 1 episode")
    time.sleep(4)  # two more tries
    assert sum(REFUSED in line for line in worker.said) == 1
    assert memstrata("rebuild", "--group", "g").status == 0
    assert worker.says("g: 1 episode", within=30)
    assert worker.end() == 0


@pytest.mark.slow
def test_a_worker_outlives_a_graph_that_is_away(
    memstrata: Memstrata, begin: Callable[[], Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMSTRATA_STORE", "bolt://127.0.0.1:1")
    memstrata("add", "Ada works at Acme.")
    worker = begin()
    assert worker.says("no Neo4j server answers at bolt://127.0.0.1:1")
    memstrata("add", "Ada lives in Lisbon.")
    time.sleep(4)
    assert len(worker.said) == 1
    assert worker.end() == 0
    monkeypatch.setenv("MEMSTRATA_STORE", "")
    assert memstrata("work", "--once").status == 0
    (counts,) = json.loads(memstrata("status", "--json").out)["groups"]
    assert counts["episodes"] == 2
