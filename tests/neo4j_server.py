"""A real Neo4j server for the tests, shared by a run's workers: local, or that of MEMSTRATA_TEST_NEO4J_URI.

The tests empty its database, again and again. So NEO4J_URI, which may name somebody's memory, is not used.

The first worker that needs it starts it; it ends with the run, however that ends. Where none can be had the
tests are skipped, saying so; with MEMSTRATA_REQUIRE_NEO4J=1 (set in .ci/run) that is a failure.

Tests that kill a server, or fill its disk, have one of their own.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
import signal
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
    _require_java("and MEMSTRATA_TEST_NEO4J_URI is not set")
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        answer = folder / "neo4j.json"
        if not answer.exists():
            answer.write_text(_started(folder), "utf-8")
        found = json.loads(answer.read_text("utf-8"))
    return Server(uri=found["uri"], user=found["user"], password=found["password"], lock=lock)


def _require_java(more: str) -> None:
    lacking = [name for name in ("java", "mvn") if shutil.which(name) is None]
    if lacking:
        _go_without(f"no {' and no '.join(lacking)} here, {more}")


class OwnServer:
    """A server that a test may kill and start again: data and port stay. It ends with this worker."""

    def __init__(self, folder: Path) -> None:
        _require_java("and a test that kills a server needs one of its own")
        self._folder = folder
        self._port = "0"
        self._serving: subprocess.Popen[bytes] | None = None
        self.uri = self.user = self.password = ""

    def start(self) -> None:
        """Starts it, unless it runs, and waits until it answers."""
        if self.runs:
            return
        self._serving = _serve(self._folder, self._port, watched=os.getpid())
        found = json.loads(_said(self._serving, self._folder))
        self.uri, self.user, self.password = found["uri"], found["user"], found["password"]
        self._port = self.uri.rpartition(":")[2]

    @property
    def runs(self) -> bool:
        """Whether it has been started and not killed."""
        return self._serving is not None and self._serving.poll() is None

    def kill(self) -> None:
        """Ends it at once, in the middle of whatever it does, and without a word to anybody."""
        assert self._serving is not None
        os.kill(self._java, signal.SIGKILL)
        self._serving.wait()

    def limit_files(self, size: int) -> None:
        """Lets no file of its grow beyond so many bytes, as a full disk would; kill it after that."""
        resource.prlimit(self._java, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    @property
    def _java(self) -> int:
        assert self._serving is not None
        process = self._serving.pid
        (child,) = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()
        return int(child)


def _started(folder: Path) -> str:
    run = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    server = _serve(folder, "0", watched=run)
    line = _said(server, folder)
    # It outlives this worker, and watches the run itself.
    server.returncode = 0
    return line


def _serve(folder: Path, port: str, *, watched: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(_SERVE), "--port", port, "--home", str(folder / "neo4j")]
    environment = {name: value for name, value in os.environ.items() if name != "NEO4J_URI"}
    # It lives for minutes: what the second compiler would take is more than it would save.
    environment["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1"
    with (folder / "neo4j.log").open("ab") as log:
        return subprocess.Popen(
            [*command, "--watch", str(watched)],
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            env=environment,
        )


def _said(server: subprocess.Popen[bytes], folder: Path) -> str:
    """The line that it says once it answers."""
    assert server.stdout is not None
    with server.stdout as stdout:
        line = stdout.readline().decode()
    if not line:
        _go_without(f"the local server did not start: {(folder / 'neo4j.log').read_text('utf-8')[-500:]}")
    return line


def _go_without(why: str) -> None:
    why = f"the Neo4j part is left out: {why}"
    if os.environ.get("MEMSTRATA_REQUIRE_NEO4J") == "1":
        pytest.fail(f"{why}; MEMSTRATA_REQUIRE_NEO4J=1 wants it", pytrace=False)
    pytest.skip(why)
