"""A process that accepts episodes and works them off in small passes: `committing.py HOME WHO COUNT`."""

from __future__ import annotations

import sys
from pathlib import Path

from scripted import RealClock, Says, ScriptedExtractor, draft

from memstrata.ports import Installation
from memstrata.stores.lake import Record
from memstrata.stores.leases import FileLeases
from memstrata.stores.sqlite import SqliteGraph
from memstrata.workflow.intake import accept
from memstrata.workflow.work import work


def installation_in(home: Path) -> Installation:
    """An installation on files, with the real time."""
    return Installation(
        record=Record(home),
        graph=SqliteGraph(home / "graph.db"),
        leases=FileLeases(home / "locks"),
        extractor=ScriptedExtractor(),
        embedder=None,
        clock=RealClock(),
    )


def main(home: Path, who: str, count: int) -> None:
    """Accepts `count` episodes, one a pass. Exits with what failed, if something did."""
    installation = installation_in(home)
    for number in range(count):
        said = Says(subject=f"Person {number % 3}", predicate="knows", object=f"{who} {number}")
        list(accept(installation, [draft(f"{who}-{number}", said, day=number)]))
        failed = work(installation).failed
        if failed:
            sys.exit(str(failed))
    installation.graph.close()
    installation.record.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
