"""The REST API under load: 32 clients for 60 s, 90 % reads, clients and server on the same cores.

A real `memstrata serve` with its default options, over 50,000 declared facts and the turns beside them;
once with searches by words, once hybrid with a different question each time. Vectors of facts are
generated, questions are embedded. Every client has one request under way all the time, so that milliseconds
of an answer are those of its queue too: 32 clients at 200 requests a second wait 160 ms each.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx
import numpy as np
import psutil

from benchmarks import load_clients, load_world
from benchmarks.load_clients import Plan
from memstrata.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.load_clients import Seen

SEED: Final = 20_240_603
FACTS: Final = 50_000
CLIENTS: Final = 32
SECONDS: Final = 60.0
WARM_UP_SECONDS: Final = 5.0
#: Requests for which there is a question and a text of their own: no server on two cores answers more.
MOST_REQUESTS: Final = 60_000
NAMES: Final = 2_000
IDS: Final = 2_000
#: How searches are asked: by words alone, and as the service does by default. A context is always hybrid.
PRESETS: Final = {"words": "facts_words", "hybrid": None}
_PATIENCE_S: Final = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running server and what it has used."""

    port: int
    process: psutil.Process

    def processor_seconds(self) -> float:
        """Of it and the processes that it has started, those that have ended too."""
        used = 0.0
        for one in (self.process, *self.process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                spent = one.cpu_times()
                used += spent.user + spent.system + spent.children_user + spent.children_system
        return used

    def megabytes(self) -> float:
        """Resident memory of all its processes now."""
        family = (self.process, *self.process.children(recursive=True))
        return sum(one.memory_info().rss for one in family) / 2**20


def run(data: Path | None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; `cpu_ms` is the server's processor time a request, `clients_cpu_ms` theirs.

    `by_kind` has p50 and p99 of each kind of request, milliseconds. Raises `Fault` if the server does
    not start or ends early; an answer that is no 2xx, or holds nothing, counts in `errors`.
    """
    del data  # the input is generated
    return measured(facts=FACTS, seconds=SECONDS)


def measured(*, facts: int, seconds: float, options: tuple[str, ...] = ()) -> dict[str, object]:
    """The figures of both runs over that many facts; `options` are those of `memstrata serve`."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        load_world.filled(home, facts=facts, seed=SEED)
        figures: dict[str, object] = {}
        for at, (name, preset) in enumerate(PRESETS.items()):
            with serving(home, options) as server:
                plan = Plan(
                    port=server.port,
                    clients=CLIENTS,
                    warm_up=WARM_UP_SECONDS,
                    seconds=seconds,
                    seed=SEED + at,
                    preset=preset,
                    packs=preset is None,
                    questions=load_world.questions(facts=facts, count=MOST_REQUESTS, seed=SEED + at),
                    texts=load_world.told(MOST_REQUESTS // 5, seed=SEED + at * MOST_REQUESTS),
                    names=load_world.people(facts=facts, count=NAMES, seed=SEED),
                    ids=_ids(server.port),
                )
                figures[name] = _figures(server, plan)
    return {**figures, "facts": facts, "clients": CLIENTS, "seconds": seconds, "seed": SEED}


def _figures(server: Server, plan: Plan) -> dict[str, object]:
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        pool.apply(os.getpid)  # it has started
        used = server.processor_seconds()
        seen = pool.apply(load_clients.run, (plan,))
        used = server.processor_seconds() - used
    for one in seen.wrong:
        print(f"load: {one}", file=sys.stderr)
    asked = sum(map(len, seen.times.values()))
    whole = np.concatenate([np.array(times) for times in seen.times.values()])
    return {
        "requests_per_s": round(asked / seen.seconds, 1),
        "errors": seen.errors,
        "p50_ms": _percentile(whole, 50),
        "p99_ms": _percentile(whole, 99),
        "most_ms": _percentile(whole, 100),
        "requests": asked,
        "cpu_ms": round(1_000 * used / asked * _share_of_time(plan), 2),
        "clients_cpu_ms": round(1_000 * seen.processor_seconds / asked, 2),
        "kilobytes": round(seen.received / asked / 1_000, 1),
        "mb": round(server.megabytes()),
        "by_kind": _by_kind(seen),
    }


def _share_of_time(plan: Plan) -> float:
    """What part of the server's processor time was after the warm-up."""
    return plan.seconds / (plan.seconds + plan.warm_up)


def _by_kind(seen: Seen) -> dict[str, dict[str, float]]:
    return {
        kind: {
            "requests": len(seen.times[kind]),
            "p50_ms": _percentile(np.array(seen.times[kind]), 50),
            "p99_ms": _percentile(np.array(seen.times[kind]), 99),
        }
        for kind in load_clients.MIX
        if kind in seen.times
    }


def _percentile(times: np.ndarray[tuple[int], np.dtype[np.float64]], share: int) -> float:
    return round(float(np.percentile(times, share)), 1)


@contextmanager
def serving(home: Path, options: tuple[str, ...] = ()) -> Iterator[Server]:
    """A server over that home, ready, for the block; raises `Fault` if it does not start."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMSTRATA_")}
    log = home.with_name("serve.log")
    with log.open("wb") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", "memstrata", "serve", "--port", "0", *options],
            env={**environment, "MEMSTRATA_HOME": str(home)},
            stderr=written,
        )
    try:
        yield Server(port=_ready(process, log), process=psutil.Process(process.pid))
        if process.poll() is not None:
            raise Fault(f"the server ended while it was asked: {log.read_text()[-2_000:]}")
    finally:
        process.terminate()
        process.wait(_PATIENCE_S)


def _ready(process: subprocess.Popen[bytes], log: Path) -> int:
    """The port, once everything that the server needs is there."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline and process.poll() is None:
        first = log.read_text().partition("\n")
        if first[1] and "http://" in first[0]:
            port = int(first[0].rpartition(":")[2])
            with suppress(httpx.TransportError):
                if httpx.get(f"http://127.0.0.1:{port}/health/ready", timeout=_PATIENCE_S).is_success:
                    return port
        time.sleep(0.1)
    raise Fault(f"the server did not start: {log.read_text()[-2_000:]}")


def _ids(port: int) -> list[str]:
    """Ids of entities, as a client finds them."""
    found: list[str] = []
    cursor: str | None = None
    while len(found) < IDS:
        asked = {"limit": "1000"} | ({} if cursor is None else {"cursor": cursor})
        page = httpx.get(f"http://127.0.0.1:{port}/v1/entities", params=asked, timeout=_PATIENCE_S).json()
        found += [one["entity_id"] for one in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    return found[:IDS]
