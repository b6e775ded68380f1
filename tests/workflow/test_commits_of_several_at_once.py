"""Several processes and threads that commit the same group at once: nothing is lost, nobody fails."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from committing import installation_in
from scripted import draft, works

from memstrata.stores.memory import MemoryGraph
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.extract import extract
from memstrata.workflow.intake import accept
from memstrata.workflow.rebuild import parity
from memstrata.workflow.work import compact, work

if TYPE_CHECKING:
    from memstrata.ports import Installation

HERE = Path(__file__).parent


def _must_hold_all(installation: Installation, episodes: set[str]) -> None:
    commits = list(installation.record.commits("g"))
    instants = [one.instant for one in commits]
    assert [one.seq for one in commits] == list(range(1, len(commits) + 1))
    assert instants == sorted(set(instants))
    assert sorted(one.episode_id for commit in commits for one in commit.episodes) == sorted(episodes)
    assert {one.episode_id for one in installation.graph.all_placements("g")} == episodes
    with MemoryGraph() as scratch:
        assert parity(installation, "g", scratch).difference == ""


@pytest.mark.slow
def test_processes_that_commit_one_group_at_once_all_succeed(tmp_path: Path) -> None:
    names, count = ("Ann", "Bob", "Cid"), 12
    root = HERE.parents[1]
    running = [
        subprocess.Popen(
            [sys.executable, str(HERE / "committing.py"), str(tmp_path), name, str(count)],
            env={"PYTHONPATH": f"{root}:{HERE}"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    assert [(one.communicate()[1], one.returncode) for one in running] == [("", 0)] * len(names)
    installation = installation_in(tmp_path)
    assert work(installation).failed == ()
    _must_hold_all(installation, {f"{name}-{number}" for name in names for number in range(count)})
    installation.graph.close()
    installation.record.close()


def test_threads_that_commit_one_group_at_once_share_what_is_pending(tmp_path: Path) -> None:
    installation = installation_in(tmp_path)
    said = [draft(f"e{n}", works(f"Ann Lee {n % 9}", f"Lab {n % 7}"), day=n % 5) for n in range(300)]
    list(accept(installation, said))
    compact(installation)
    extract(installation)
    with ThreadPoolExecutor(2) as pool:
        done = list(
            pool.map(lambda hurried: commit_pending(installation, "g", urgent=hurried), (False, True))
        )
    assert sum(one.episodes for one in done) == len(said)
    _must_hold_all(installation, {str(one.episode_id) for one in said})
    installation.graph.close()
    installation.record.close()
