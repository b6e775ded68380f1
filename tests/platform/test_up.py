"""`make up`: the API and Dagster start together on one home, and end together."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
_SECONDS = 120


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "dagster").mkdir(exist_ok=True)
    (tmp_path / "dagster" / "dagster.yaml").write_text("telemetry: {enabled: false}\n", encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMSTRATA_")}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "MEMSTRATA_HOME": str(tmp_path / "home"),
        "MEMSTRATA_EMBEDDER": "none",
        "DAGSTER_HOME": str(tmp_path / "dagster"),
        # By this everything that was started is found again, whoever started it.
        "UP_TEST_MARK": str(tmp_path),
    }


@contextmanager
def _up(tmp_path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "deploy/up.py"), *options],
        cwd=ROOT,
        env=_environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=(tmp_path / "stderr").open("w", encoding="utf-8"),
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(60)
        for pid in _left(tmp_path):
            os.kill(pid, signal.SIGKILL)


def _left(tmp_path: Path) -> list[int]:
    """The processes with the mark in their environment that are there still."""
    mark = f"UP_TEST_MARK={tmp_path}\0".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes() and "Z (" not in (folder / "status").read_text():
                found.append(int(folder.name))
        except OSError:  # it has ended meanwhile, or is somebody else's
            continue
    return found


def _told(process: subprocess.Popen[str]) -> str:
    """What it says once both answer."""
    said = ""
    assert process.stdout is not None
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line, "it ended before both answered"
        said += line
    return said


def test_both_answer_on_one_home_and_one_ctrl_c_leaves_no_process(tmp_path: Path) -> None:
    api, dagster = _free_port(), _free_port()
    with _up(tmp_path, "--port", str(api), "--dagster-port", str(dagster)) as process:
        said = _told(process)
        assert str(tmp_path / "home") in said
        assert "token" not in said
        assert httpx.get(f"http://127.0.0.1:{api}/v1/groups").json() == {"items": []}
        assert httpx.get(f"http://127.0.0.1:{api}/").headers["content-type"].startswith("text/html")
        assert httpx.get(f"http://127.0.0.1:{dagster}/server_info").status_code == 200
        assert len(_left(tmp_path)) >= 4
        os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it
        assert process.wait(_SECONDS) == 0
        assert _left(tmp_path) == []


def test_where_one_ends_by_itself_the_other_is_ended_too(tmp_path: Path) -> None:
    with _up(tmp_path, "--port", str(_free_port()), "--dagster-port", str(_free_port())) as process:
        api = _until_started(tmp_path)
        os.kill(api, signal.SIGKILL)
        assert process.wait(_SECONDS) == 1
        assert "the API has ended" in (tmp_path / "stderr").read_text("utf-8")
        assert _left(tmp_path) == []


def _until_started(tmp_path: Path) -> int:
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until:
        for pid in _left(tmp_path):
            if b"memstrata\0serve" in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
        time.sleep(0.1)
    raise AssertionError("the API was not started")


@pytest.mark.parametrize("which", ["--port", "--dagster-port"])
def test_a_port_that_is_taken_is_told_and_nothing_is_started(tmp_path: Path, which: str) -> None:
    other = {"--port": "--dagster-port", "--dagster-port": "--port"}[which]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with _up(tmp_path, which, port, other, str(_free_port())) as process:
            assert process.wait(_SECONDS) == 2
            assert f"port {port}" in (tmp_path / "stderr").read_text("utf-8")
            assert _left(tmp_path) == []


def test_without_an_extra_it_says_which_and_starts_nothing(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['uvicorn'] = None; sys.argv = ['up.py']; import runpy; "
        f"runpy.run_path({str(ROOT / 'deploy/up.py')!r}, run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 4
    assert "memstrata[service]" in done.stderr
    assert _left(tmp_path) == []


def test_where_there_are_tokens_it_says_how_to_log_in_and_a_termination_ends_both_too(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    Tokens(home).create("ada", groups=["*"], rights=[Right.READ])
    with _up(tmp_path, "--port", str(_free_port()), "--dagster-port", str(_free_port())) as process:
        said = _told(process)
        assert "log in" in said
        assert "memstrata token create" in said
        process.terminate()
        assert process.wait(_SECONDS) == 0
        assert _left(tmp_path) == []
