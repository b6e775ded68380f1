from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(home: Path) -> str:
    """The demonstration in that folder, searching by words alone: vectors take most of its minutes."""
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, pathlib; from examples.demo import main; main(pathlib.Path(sys.argv[1]))",
            str(home),
        ],
        cwd=ROOT,
        env={**os.environ, "MEMSTRATA_EMBEDDER": "none", "COLUMNS": "80"},
        capture_output=True,
        encoding="utf-8",
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def views(shown: str) -> str:
    """What it shows once the work is done."""
    return shown[shown.index("What the memory holds") :]


@pytest.mark.slow
def test_the_demonstration_shows_the_same_again_without_doing_anything(tmp_path: Path) -> None:
    first = run(tmp_path / "home")
    assert "accepted  131 terms of presidents and vice-presidents" in first
    heading = "Search as of 1963-11-23: President of the United States"
    found = first[first.index(heading) :].splitlines()[2:4]
    assert " ".join(" ".join(found).split()).startswith(
        "1963-11-22 .. 1969-01-20 President of the United States HELD_BY Lyndon Baines Johnson"
    )
    for title in ("One history", "One summary", "One procedure", "The checks", "make up"):
        assert title in first
    assert "passed" in first[first.index("The checks") :]
    assert all(len(line) <= 80 for line in first.splitlines() if not line.startswith("$ "))
    second = run(tmp_path / "home")
    assert second.startswith("Nothing to do: everything was taken in before.")
    assert views(second) == views(first)
