from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from record_crash import Died, Steps, accept_more, die_at, first_work, second_work
from record_samples import episode, everything

from memstrata.stores.lake import Record
from memstrata.stores.lake.columns import decode_episodes
from memstrata.stores.lake.parts import Lake

HERE = Path(__file__).parent
# Names of parts hold numbers and chance, and how many compactions there were depends on the crash.
INCIDENTAL = ("parts", "sources")


def end(home: Path) -> dict[str, list[tuple[object, ...]]]:
    """Does the work again to its end, and says what is then in the record; the lake must say the same."""
    with Record(home) as record:
        second_work(record)
        second_work(record)
        said = everything(record)
        assert all(
            not list((home / "spool" / stream).iterdir()) for stream in ("episodes", "decisions", "commits")
        )
        assert set(Lake(str(home / "lake")).parts()) == {path for path, _ in said["parts"]}
        record.rebuild_index()
        again = everything(record)
        assert {**again, "heads": _settled(again)} == {**said, "heads": _settled(said)}
        in_parts = [
            (one.group_id, one.episode_id, one.revision)
            for path in Lake(str(home / "lake")).parts()
            if path.startswith("log/episodes/")
            for one in decode_episodes((home / "lake" / path).read_bytes(), path)
        ]
        assert len(in_parts) == len(set(in_parts)) == len(said["episodes"])
    return {name: rows for name, rows in said.items() if name not in INCIDENTAL} | {"heads": _settled(said)}


def _settled(said: dict[str, list[tuple[object, ...]]]) -> list[tuple[object, ...]]:
    """The heads without the number of the compaction that queued them."""
    return [(*head[:11], bool(head[11]), *head[12:]) for head in said["heads"]]


def beliefs(said: dict[str, list[tuple[object, ...]]]) -> dict[str, object]:
    """What must not depend on the moment of a crash: not in how many commits things were taken in."""
    return {
        "heads": said["heads"],
        "episodes": said["episodes"],
        "extractions": said["extractions"],
        "decisions": [row[:5] for row in said["decisions"]],
        "intended": said["intended"],
    }


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("prepared")
    with Record(home) as record:
        first_work(record)
        accept_more(record)
    return home


@pytest.fixture(scope="module")
def expected(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    home = tmp_path_factory.mktemp("whole") / "home"
    shutil.copytree(prepared, home)
    return beliefs(end(home))


def steps_of(prepared: Path, home: Path) -> int:
    shutil.copytree(prepared, home)
    with Record(home) as record:
        steps = Steps(-1, lambda: None)
        die_at(record, steps)
        second_work(record)
        return steps.taken


@pytest.mark.parametrize("every", [19, pytest.param(1, marks=pytest.mark.slow)])
def test_a_death_before_or_after_any_step_changes_nothing_in_the_end(
    prepared: Path, expected: dict[str, object], tmp_path: Path, every: int
) -> None:
    def die() -> None:
        raise Died

    count = steps_of(prepared, tmp_path / "count")
    assert count > 80
    for last in range(0, count, every):
        home = tmp_path / str(last)
        shutil.copytree(prepared, home)
        record = Record(home)
        die_at(record, Steps(last, die))
        with pytest.raises(Died):
            second_work(record)
        record._opened[0]._inside.close()
        assert beliefs(end(home)) == expected, f"after dying at step {last}"
        shutil.rmtree(home)


@pytest.mark.slow
def test_kill_9_at_random_steps_changes_nothing_in_the_end(
    prepared: Path, expected: dict[str, object], tmp_path: Path
) -> None:
    count = steps_of(prepared, tmp_path / "count")
    for last in random.Random(3).sample(range(count), 15):  # noqa: S311 (a seed, no secret)
        home = tmp_path / str(last)
        shutil.copytree(prepared, home)
        for again in (last, last // 2):
            died = subprocess.run(
                [sys.executable, "-c", KILLED, str(HERE), str(home), str(again)], check=False, timeout=60
            )
            assert died.returncode in (-signal.SIGKILL, 0)
        assert beliefs(end(home)) == expected, f"after dying at step {last}"


KILLED = """
import sys
sys.path.insert(0, sys.argv[1])
from record_crash import main
main(*sys.argv[2:])
"""

ACCEPTER = """
import sys; from pathlib import Path
sys.path.insert(0, sys.argv[1])
from record_samples import episode
from memstrata.stores.lake import Record
record = Record(Path(sys.argv[2]))
for number in range(10**6):
    names = [f"{sys.argv[3]}-{number}-{part}" for part in range(3)]
    record.accept([episode(name, name * 50) for name in names])
    print(number, flush=True)
"""

COMPACTER = """
import sys; from pathlib import Path
from memstrata.stores.lake import Record
record = Record(Path(sys.argv[1]))
while True:
    record.compact(context_turns=2)
"""


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_accepters_and_compacters_are_killed(tmp_path: Path) -> None:
    chance = random.Random(5)  # noqa: S311 (a seed, no secret)
    acknowledged: dict[str, int] = {}
    for round_ in range(5):
        names = [f"{round_}a", f"{round_}b"]
        accepters = [
            subprocess.Popen(
                [sys.executable, "-c", ACCEPTER, str(HERE), str(tmp_path), name],
                stdout=subprocess.PIPE,
                text=True,
            )
            for name in names
        ]
        compacters = [subprocess.Popen([sys.executable, "-c", COMPACTER, str(tmp_path)]) for _ in range(2)]
        first = {name: process.stdout.readline() for name, process in zip(names, accepters, strict=True)}
        time.sleep(chance.uniform(0.3, 1))
        for process in (*compacters, *accepters):
            process.send_signal(signal.SIGKILL)
        for name, process in zip(names, accepters, strict=True):
            said = first[name] + process.communicate()[0]
            acknowledged[name] = said.count("\n")  # a line that is cut off does not count
        for process in compacters:
            assert process.wait() == -signal.SIGKILL
    with Record(tmp_path) as record:
        record.compact(context_turns=2)
        stored = [one.episode_id for one in record.accepted_on(episode("x").ingested_at.date())]
        said = everything(record)
        record.rebuild_index()
        assert everything(record)["episodes"] == said["episodes"]
    assert sum(acknowledged.values()) > 50
    assert len(stored) == len(set(stored))
    found = set(stored)
    for name, count in acknowledged.items():
        lost = [n for n in range(count) for part in range(3) if f"{name}-{n}-{part}" not in found]
        assert lost == []
    for one in found:
        name, number, _ = one.split("-")
        assert all(f"{name}-{number}-{part}" in found for part in range(3)), "a call was taken in part"
