"""`make demo`: real data through the whole line into a fresh folder, and a look at what came of it.

The steps are those of every day: the door accepts, the Dagster jobs `intake`, `consolidation` and `drift`
do the work, the search module reads. A second run finds nothing to do and shows the same views.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from examples.views import console, show_everything
from memstrata import intake
from memstrata.settings import opened
from memstrata.workflow.intake import accept
from memstrata.workflow.watch import waiting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dagster import DagsterInstance

    from memstrata.model import Draft
    from memstrata.ports import Installation

ROOT: Final = Path(__file__).resolve().parent.parent
EXAMPLES: Final = ROOT / "examples"
_QUIET: Final = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
#: A pass leaves what was accepted meanwhile, or after midnight, to the next one.
_MOST_PASSES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file of the examples: the group it goes to, and what it is."""

    file: str
    group_id: str
    what: str
    mapping: str | None = None


SOURCES: Final = (
    Source(
        file="congress/executive.csv",
        mapping="congress/mapping.yaml",
        group_id="congress",
        what="terms of presidents and vice-presidents",
    ),
    Source(file="bfcl/student.jsonl", group_id="bfcl/student", what="turns of a student"),
    Source(file="bfcl/finance.jsonl", group_id="bfcl/finance", what="turns of a fund manager"),
    Source(file="bfcl/healthcare.jsonl", group_id="bfcl/healthcare", what="turns of a patient"),
    Source(file="tau_bench/airline.jsonl", group_id="airline", what="tool traces of an airline's agent"),
)


def main(home: Path = ROOT / "demo-home") -> None:
    """Runs the demonstration in that folder."""
    prepare(home)
    from dagster import DagsterInstance  # reads DAGSTER_HOME, which `prepare` sets

    begun = time.perf_counter()
    with DagsterInstance.get() as instance:
        if take_in():
            work_in(instance)
            console.print(f"[dim]done in {time.perf_counter() - begun:.0f} seconds[/dim]")
        else:
            console.print(
                "Nothing to do: everything was taken in before. [dim]make clean begins anew[/dim]"
            )
        with opened() as installation:
            show_everything(installation, instance)


def prepare(home: Path) -> None:
    """Makes the folders of memory and Dagster, and points the settings of this process at them."""
    dagster = home / "dagster"
    dagster.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "dagster_home" / "dagster.yaml", dagster / "dagster.yaml")
    os.environ["DAGSTER_HOME"] = str(dagster)
    os.environ["MEMSTRATA_HOME"] = str(home / "memory")
    os.environ["MEMSTRATA_ONTOLOGY"] = str(EXAMPLES / "congress" / "ontology.yaml")
    for name in ("MEMSTRATA_STORE", "MEMSTRATA_LAKE"):
        os.environ.pop(name, None)


def take_in() -> bool:
    """Accepts what is not there yet; False if nothing is left to do."""
    with opened() as installation:
        for source in SOURCES:
            drafts = read(source)
            new = unknown(installation, drafts)
            for _ in accept(installation, new):
                pass
            if new:
                console.print(
                    f"  accepted {len(new):4} {source.what} [dim]{source.file}[/dim]", highlight=False
                )
        return bool(waiting(installation))


def read(source: Source) -> Iterable[Draft]:
    """The drafts of one file."""
    mapping = None if source.mapping is None else intake.load_mapping(EXAMPLES / source.mapping)
    options = intake.Options(group_id=source.group_id, mapping=mapping)
    return intake.read(EXAMPLES / source.file, options).drafts


def unknown(installation: Installation, drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts whose episodes the record does not hold."""
    record = installation.record
    return [one for one in drafts if record.latest(one.group_id, intake.episode_id(one)) is None]


def work_in(instance: DagsterInstance) -> None:
    """The three jobs of every day, in this process, recorded where `make up` shows them."""
    with told("loading the Dagster project"):
        from checks.outcome import DAY_TAG
        from pipelines.definitions import definitions

        jobs = {name: definitions.resolve_job_def(name) for name in ("intake", "consolidation", "drift")}
    with told("job intake: extract, resolve, fold, commit, embed"):
        for day in days_waiting():
            jobs["intake"].execute_in_process(instance=instance, partition_key=day, run_config=_QUIET)
    today = datetime.now(UTC).date().isoformat()
    with told("job consolidation: summaries and procedures"):
        jobs["consolidation"].execute_in_process(instance=instance, partition_key=today, run_config=_QUIET)
    with told("job drift: the checks"):
        jobs["drift"].execute_in_process(instance=instance, tags={DAY_TAG: today}, run_config=_QUIET)


def days_waiting() -> Iterator[str]:
    """The days to work in, as long as something waits."""
    for _ in range(_MOST_PASSES):
        with opened() as installation:
            todo = waiting(installation)
        if not todo:
            return
        for day in todo.days or (datetime.now(UTC).date(),):
            yield day.isoformat()


@contextmanager
def told(what: str) -> Iterator[None]:
    """A spinner on a terminal while it lasts, and a line with its seconds once it is done."""
    begun = time.perf_counter()
    with console.status(what):
        yield
    console.print(f"  {what} [dim]{time.perf_counter() - begun:.0f} s[/dim]", highlight=False)


if __name__ == "__main__":
    main()
