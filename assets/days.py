"""The days that partition the assets, and what all assets share: owner, version of the rules, passes.

A day is the UTC day on which episodes were accepted, the present one included; for what consolidation
makes it is the day of its run.
"""

import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable

from dagster import AssetExecutionContext, BackfillPolicy, DailyPartitionsDefinition

#: The first day there is a partition for; days before it are never asked for.
FIRST_DAY = os.environ.get("MEMSTRATA_FIRST_DAY", "2025-01-01")
DAYS = DailyPartitionsDefinition(start_date=FIRST_DAY, end_offset=1)
OWNERS = ["team:memory"]
#: A range of days is one run, which takes them in their order: what came first is worked in first.
IN_ONE_RUN = BackfillPolicy.single_run()


def days_of(context: AssetExecutionContext) -> list[date]:
    """The days that this run is about, in their order."""
    return sorted(date.fromisoformat(key) for key in context.partition_keys)


def tell(context: AssetExecutionContext, day: date, metadata: Mapping[str, object]) -> None:
    """Shows what became of one day, with that day, however many the run is about."""
    context.add_asset_metadata(metadata, partition_key=day.isoformat())


class Stopwatch:
    """Counts seconds from its creation."""

    def __init__(self) -> None:
        self._start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return round(time.perf_counter() - self._start, 3)


def hash_of(*packages: str) -> str:
    """The code version of an asset: 12 hex digits of all rules, prompts and data in those packages."""
    digest = hashlib.sha256()
    for package in packages:
        for name, content in sorted(_contents(files(package), package)):
            digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()[:12]


def _contents(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        name = f"{path}/{item.name}"
        if item.is_dir():
            if item.name != "__pycache__":
                yield from _contents(item, name)
        elif item.name.endswith((".py", ".md", ".csv", ".sql", ".json")):
            yield name, item.read_bytes()
