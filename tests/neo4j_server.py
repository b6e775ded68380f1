"""A real Neo4j server for the tests, shared by a run's workers: local, or that of MEMSTRATA_TEST_NEO4J_URI.

The tests empty its database, again and again. So NEO4J_URI, which may name somebody's memory, is not used.

The first worker that needs it starts it; it ends with the run, however that ends. Where none can be had the
tests are skipped, saying so; with MEMSTRATA_REQUIRE_NEO4J=1 (set in .ci/run) that is a failure.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_SERVE = Path(__file__).parents[1] / "deploy" / "neo4j-local" / "serve.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where a server listens, and for whom; `lock` is held by whoever uses its one database."""

    uri: str
    user: str
    password: str
    lock: Path

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keeps other workers of the run away from the database."""
        with self.lock.open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def find_server(folder: Path) -> Server:
    """The server of this run; `folder` is shared by its workers."""
    lock = folder / "neo4j.lock"
    if uri := os.environ.get("MEMSTRATA_TEST_NEO4J_URI"):
        return Server(
            uri=uri,
            user=os.environ.get("NEO4J_USER", "neo4j"),
            password=os.environ.get("NEO4J_PASSWORD", ""),
            lock=lock,
        )
    lacking = [name for name in ("java", "mvn") if shutil.which(name) is None]
    if lacking:
        _go_without(f"no {' and no '.join(lacking)} here, and MEMSTRATA_TEST_NEO4J_URI is not set")
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        answer = folder / "neo4j.json"
        if not answer.exists():
            answer.write_text(_started(folder), "utf-8")
        found = json.loads(answer.read_text("utf-8"))
    return Server(uri=found["uri"], user=found["user"], password=found["password"], lock=lock)


def _started(folder: Path) -> str:
    run = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    command = [sys.executable, str(_SERVE), "--port", "0", "--home", str(folder / "neo4j")]
    environment = {name: value for name, value in os.environ.items() if name != "NEO4J_URI"}
    # It lives for minutes: what the second compiler would take is more than it would save.
    environment["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1"
    with (folder / "neo4j.log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "--watch", str(run)],
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            env=environment,
        )
    assert server.stdout is not None
    line = server.stdout.readline().decode()
    if not line:
        _go_without(f"the local server did not start: {(folder / 'neo4j.log').read_text('utf-8')[-500:]}")
    # It outlives this worker, and watches the run itself.
    server.stdout.close()
    server.returncode = 0
    return line


def _go_without(why: str) -> None:
    why = f"the Neo4j part is left out: {why}"
    if os.environ.get("MEMSTRATA_REQUIRE_NEO4J") == "1":
        pytest.fail(f"{why}; MEMSTRATA_REQUIRE_NEO4J=1 wants it", pytrace=False)
    pytest.skip(why)
