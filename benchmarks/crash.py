"""kill -9 at 100 random moments of intake, commit and rebuild: nothing acknowledged may be lost.

A child process accepts triples, acknowledges each batch on its standard output, works, and now and then
rebuilds; it is killed after a random time and started again on the same folder. In the end everything
that was acknowledged must be in the graph, and graph and log must be equal.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.projection import GROUP, triples
from benchmarks.workplace import workplace
from memstrata.stores.memory import MemoryGraph
from memstrata.workflow.intake import accept
from memstrata.workflow.rebuild import parity, rebuild
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 13
KILLS = 100
_LONGEST = 2.5


def run(data: Path | None, *, kills: int = KILLS) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; `phases` counts in which phase each kill struck."""
    del data
    generator = random.Random(SEED)
    acknowledged: set[str] = set()
    phases: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(kills):
            phase = _kill_once(Path(folder), number, generator.uniform(0.3, _LONGEST), acknowledged)
            phases[phase] = phases.get(phase, 0) + 1
        with workplace(Path(folder)) as (installation, _):
            work(installation)
            present = {
                one.episode_id
                for one in installation.record.episodes(GROUP, [(id_, 1) for id_ in acknowledged])
            }
            agrees = parity(installation, GROUP, MemoryGraph())
            stored = {placement.episode_id for placement in installation.graph.all_placements(GROUP)}
    return {
        "kills": kills,
        "lost": len(acknowledged - (present & stored)),
        "parity": agrees.equal,
        "difference": agrees.difference,
        "acknowledged": len(acknowledged),
        "phases": phases,
        "seed": SEED,
    }


def _kill_once(folder: Path, number: int, seconds: float, acknowledged: set[str]) -> str:
    """Runs the child for that long after it has started, kills it, and returns what it was doing."""
    child = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.crash", str(folder), str(number)],
        stdout=subprocess.PIPE,
        text=True,
    )
    if child.stdout is None:  # cannot be: it was asked for
        return "start"
    first = child.stdout.readline()
    timer = threading.Timer(seconds, child.kill)
    timer.start()
    phase = "start"
    for line in (first, *child.stdout):
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "acknowledged" and line.endswith("\n"):
            acknowledged.update(rest.split())
        elif word == "phase":
            phase = rest
    timer.cancel()
    child.wait()
    return phase


def child(folder: Path, number: int) -> None:
    """Accepts, works and rebuilds until it is killed."""
    say: Callable[[str], None] = lambda text: print(text, flush=True)  # noqa: E731 (one word for one line)
    generator = random.Random(1000 + number)
    first = number * 100_000
    with workplace(folder) as (installation, _):
        say("phase start")
        while True:
            say("phase intake")
            for batch in accept(installation, triples(60, generator, first=first)):
                say(f"acknowledged {' '.join(batch.episode_ids)}")
            first += 60
            say("phase work")
            work(installation)
            if generator.random() < 0.3:
                say("phase rebuild")
                rebuild(installation, GROUP)
            time.sleep(0)


if __name__ == "__main__":
    child(Path(sys.argv[1]), int(sys.argv[2]))
