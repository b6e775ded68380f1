"""The command line in an empty folder: called in this process, or as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from memstrata.cli import main
from memstrata.cli.session import complaints, console

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    status: int
    out: str
    err: str


#: Wide enough that no line of an answer is broken.
WIDTH = 200


class Memstrata(Protocol):
    """Calls the command line with these words."""

    def __call__(self, *words: str) -> Done: ...


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("MEMSTRATA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MEMSTRATA_EMBEDDER", "none")
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    for screen in (console, complaints):  # they may have been made before, for another width
        monkeypatch.setattr(screen, "_width", WIDTH)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def memstrata(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Memstrata:
    def call(*words: str) -> Done:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["memstrata", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return Done(status=int(ended.value.code or 0), out=said.out, err=said.err)

    return call


@pytest.fixture
def started(folder: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts the command line as a process; `before` runs in it first."""

    def start(*words: str, before: Callable[[], None] | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "memstrata", *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            preexec_fn=before,  # noqa: PLW1509 (a limit on the child's files, and no threads here)
        )

    return start
