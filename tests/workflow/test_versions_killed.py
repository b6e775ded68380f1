"""kill -9 within a candidate run, and between a promotion and its commits."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from committing import installation_in
from scripted import draft, works
from trying import VERSION

from memstrata.stores.memory import MemoryGraph
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.intake import accept
from memstrata.workflow.rebuild import parity
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from memstrata.ports import Coverage

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
EPISODES = 60


def told(home: Path) -> tuple[str, ...]:
    """Sixty episodes, committed; what is believed then."""
    installation = installation_in(home)
    made = [
        draft(f"e{number}", works(f"Person {number % 7}", ("Lab", "Mill", "Shop")[number % 3]), day=number)
        for number in range(EPISODES)
    ]
    list(accept(installation, made))
    assert work(installation).failed == ()
    believed = tuple(canonical_lines(installation.graph, "g"))
    installation.graph.close()
    installation.record.close()
    return believed


def killed(home: Path, what: str, after: float, *, lines: int = 0) -> list[str]:
    """Kills the process `after` seconds from its `lines`th line on; gives the lines that it printed."""
    process = subprocess.Popen(
        [sys.executable, str(HERE / "trying.py"), str(home), what], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(lines + 1)]
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    seen += process.communicate()[0].splitlines()
    return [line.strip() for line in seen if line.strip()]


def finished(home: Path, what: str) -> list[str]:
    """The same to its end."""
    done = subprocess.run(
        [sys.executable, str(HERE / "trying.py"), str(home), what],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")


def coverage(home: Path) -> Coverage:
    installation = installation_in(home)
    installation.record.compact(context_turns=2)  # takes in what was written and not registered
    found = installation.record.coverage("g", VERSION)
    installation.record.rebuild_index()
    assert installation.record.coverage("g", VERSION) == found
    assert installation.record.pending("g", limit=1).episodes == ()
    installation.graph.close()
    installation.record.close()
    return found


def test_a_candidate_run_that_is_killed_goes_on_with_what_it_had_not_kept(tmp_path: Path) -> None:
    chance = random.Random(11)  # noqa: S311 (a seed, no secret)
    told(tmp_path)
    for _ in range(4):
        kept = coverage(tmp_path).ready
        killed(tmp_path, "run", chance.uniform(0, 0.05), lines=1 if kept < EPISODES else 0)
        assert coverage(tmp_path).ready >= kept
    kept = coverage(tmp_path).ready
    calls = [line for line in finished(tmp_path, "run") if line.isdigit()]
    assert coverage(tmp_path).ready == EPISODES
    assert int(calls[-1] if calls else 0) == EPISODES - kept, "what was kept is not asked again"


@pytest.mark.parametrize("seed", range(3))
def test_a_promotion_and_a_rollback_that_are_killed_anywhere_end_as_if_they_were_not(
    tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 (a seed, no secret)
    before = told(tmp_path)
    finished(tmp_path, "run")
    for what in ("promote", "rollback"):
        # Within the decision, or right after it and before its commits.
        killed(tmp_path, what, chance.uniform(0, 0.1), lines=chance.choice([0, 1]))
        installation = installation_in(tmp_path)
        assert work(installation).failed == ()
        assert parity(installation, "g", MemoryGraph()).difference == ""
        installation.graph.close()
        installation.record.close()
        if what == "promote":
            finished(tmp_path, what)
            installation = installation_in(tmp_path)
            work(installation)
            between = tuple(canonical_lines(installation.graph, "g"))
            assert "Labo" in str(between)
            assert "Mill" not in str(between)
            installation.graph.close()
            installation.record.close()
    decided = installation_in(tmp_path)
    if decided.record.coverage("g", VERSION).in_force:
        finished(tmp_path, "rollback")
    assert tuple(canonical_lines(decided.graph, "g")) == before
    decided.record.rebuild_index()
    assert not any(one.commits for one in work(decided).committed)
    assert parity(decided, "g", MemoryGraph()).difference == ""
    decided.graph.close()
    decided.record.close()
