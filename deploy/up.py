"""Starts what one looks at a memory with: the API with its pages, and Dagster's webserver and daemon.

Both stand on the same home: the one of MEMSTRATA_HOME, else the demo's if it has run, else `.memstrata`.
One Ctrl-C ends both; where one cannot start, or ends by itself, the other is ended too.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

ROOT: Final = Path(__file__).resolve().parents[1]
DEMO: Final = ROOT / "demo-home"
LOCAL: Final = "127.0.0.1"
_REFUSED, _MISSING = 2, 4
_START_SECONDS: Final = 120.0
#: How long each is waited for after it was told to end, before it is told more firmly.
_GRACE_SECONDS: Final = 25.0
_FIRMLY_SECONDS: Final = 5.0
_LOOKS: Final = 0.2
#: What each needs, and the extra that brings it.
_NEEDED: Final = {
    "uvicorn": "service",
    "fastapi": "service",
    "dagster": "platform",
    "dagster_webserver": "platform",
}


class Stopped(Exception):
    """A signal came that asks to end."""


def main() -> int:
    """The exit status: 0 stopped, 1 one ended by itself, 2 a port is taken, 4 an extra is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8765, help="of the API and the pages")
    parser.add_argument("--dagster-port", type=int, default=3000)
    given = parser.parse_args()
    missing = sorted(
        {f"'memstrata[{extra}]'" for name, extra in _NEEDED.items() if not importlib.util.find_spec(name)}
    )
    if missing:
        return _complain(
            _MISSING, f"a package is missing; pip install {' '.join(missing)}, or make install"
        )
    for port, name, make in (
        (given.port, "the API", "API_PORT=8766"),
        (given.dagster_port, "Dagster", "DAGSTER_PORT=3001"),
    ):
        if _is_taken(port):
            return _complain(
                _REFUSED, f"port {port}, for {name}, is taken; end what listens there, or: make up {make}"
            )
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stopped)
    return _run(_environment(), given.port, given.dagster_port)


def _complain(status: int, said: str) -> int:
    print(f"make up: {said}", file=sys.stderr)
    return status


def _stopped(_number: int, _frame: FrameType | None) -> None:
    raise Stopped


def _environment() -> dict[str, str]:
    """That of both, with one home as a whole path."""
    found = dict(os.environ)
    if not found.get("MEMSTRATA_HOME") and (DEMO / "memory").is_dir():
        found["MEMSTRATA_HOME"] = str(DEMO / "memory")
        found["MEMSTRATA_ONTOLOGY"] = str(ROOT / "examples/congress/ontology.yaml")
        found["DAGSTER_HOME"] = str(DEMO / "dagster")
    found["MEMSTRATA_HOME"] = str(Path(found.get("MEMSTRATA_HOME") or ROOT / ".memstrata").absolute())
    found.setdefault("DAGSTER_HOME", str(ROOT / "dagster_home"))
    found.setdefault("MEMSTRATA_SERVE_WORK", "false")  # Dagster takes in what is accepted
    return found


def _run(environment: Mapping[str, str], port: int, dagster_port: int) -> int:
    from memstrata.memory.tokens import Tokens  # here: what is missing has been told by now

    has_tokens = Tokens(Path(environment["MEMSTRATA_HOME"])).is_configured
    started: dict[str, subprocess.Popen[bytes]] = {}
    status = 0
    try:
        started["the API"] = _started(
            environment, "memstrata", "serve", "--host", LOCAL, "--port", str(port)
        )
        started["Dagster"] = _started(
            environment,
            *("dagster", "dev", "--host", LOCAL, "--port", str(dagster_port)),
            *("--module-name", "pipelines.definitions"),
        )
        urls = f"http://{LOCAL}:{port}/health/live", f"http://{LOCAL}:{dagster_port}/server_info"
        ended = _until_answering(started, urls)
        if not ended:
            _tell(environment["MEMSTRATA_HOME"], port, dagster_port, has_tokens=has_tokens)
            ended = _until_ended(started)
        status = _complain(1, f"{ended} has ended; its last words are above")
    except Stopped:
        print("ending both", file=sys.stderr)
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # what is asked for is being done
        _end(list(started.values()))
    return status


def _started(environment: Mapping[str, str], module: str, *words: str) -> subprocess.Popen[bytes]:
    """A process in a session of its own, so that Ctrl-C comes to it from here alone, and in order."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *words],
        cwd=ROOT,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def _until_answering(started: Mapping[str, subprocess.Popen[bytes]], urls: tuple[str, ...]) -> str:
    """Waits until all answer, or for two minutes; the name of what has ended instead, "" if nothing has."""
    until = time.monotonic() + _START_SECONDS
    waiting = list(urls)
    while waiting and time.monotonic() < until:
        if ended := _ended(started):
            return ended
        try:
            with urllib.request.urlopen(waiting[0], timeout=5):  # noqa: S310 (this machine's own address)
                waiting.pop(0)
        except OSError:  # it does not listen yet, or is busy with its start
            time.sleep(_LOOKS)
    return ""


def _until_ended(started: Mapping[str, subprocess.Popen[bytes]]) -> str:
    while not (ended := _ended(started)):
        time.sleep(_LOOKS)
    return ended


def _ended(started: Mapping[str, subprocess.Popen[bytes]]) -> str:
    return next((name for name, process in started.items() if process.poll() is not None), "")


def _tell(home: str, port: int, dagster_port: int, *, has_tokens: bool) -> None:
    print(f"\nmemory   {home}")
    print(f"pages    http://{LOCAL}:{port}/  (REST under /v1, MCP at /mcp)")
    print(f"Dagster  http://{LOCAL}:{dagster_port}/")
    if has_tokens:
        print(
            "tokens   there are some: log in on the pages with one (mst_...), elsewhere send it as\n"
            "         Authorization: Bearer mst_...; memstrata token list shows them,\n"
            "         memstrata token create --name me --group '*' --can read makes one"
        )
    print("Ctrl-C ends both.", flush=True)


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    """Ends all with everything they have started: kindly, then firmly, then at once."""
    for process in processes:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)  # to it alone: it ends its own, in order
    _wait(_GRACE_SECONDS, processes, lambda one: one.poll() is None)
    for number in (signal.SIGTERM, signal.SIGKILL):  # to what it has left behind
        for process in processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        _wait(_FIRMLY_SECONDS, processes, _is_there)


def _wait(
    seconds: float,
    processes: list[subprocess.Popen[bytes]],
    goes_on: Callable[[subprocess.Popen[bytes]], bool],
) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and any(map(goes_on, processes)):
        time.sleep(_LOOKS)


def _is_there(process: subprocess.Popen[bytes]) -> bool:
    """Whether anything of its process group is there still."""
    process.poll()
    try:
        os.killpg(process.pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _is_taken(port: int) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((LOCAL, port))
        except OSError:
            return True
    return False


if __name__ == "__main__":
    sys.exit(main())
