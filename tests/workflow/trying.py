"""A process that tries another version, or promotes it and commits: `trying.py HOME run|promote|rollback`.

It says when it begins, and after each batch or step; killed anywhere and called again, it goes on.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from committing import installation_in
from other_version import OtherExtractor

from memstrata.errors import Incorrect
from memstrata.ports import Days, Promotion
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.promotions import promote, rollback
from memstrata.workflow.reextract import run_candidate

VERSION = Promotion(version="other-2", days=Days())


def tell(said: object) -> None:
    """To whoever waits for it."""
    sys.stdout.write(f"{said}\n")
    sys.stdout.flush()


def main(home: Path, what: str) -> None:
    """Does it; prints the number of calls of the extractor at the end of a run."""
    extractor = OtherExtractor(renamed={"Lab": "Labo", "Mill": "Mine"}, at_once=5)
    installation = replace(installation_in(home), embedder=None)
    tell("begun")
    if what == "run":
        run_candidate(
            installation,
            days=VERSION.days,
            extractor=extractor,
            on_progress=lambda _: tell(extractor.calls),
        )
    else:
        with suppress(Incorrect):  # decided before it was killed
            if what == "promote":
                promote(installation, "g", VERSION)
            else:
                rollback(installation, "g")
            tell("decided")
        commit_pending(installation, "g", on_progress=lambda done: tell(f"committed {done}"))
    installation.graph.close()
    installation.record.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
