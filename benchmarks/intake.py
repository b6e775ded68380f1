"""How many episodes a second the door acknowledges: one client waiting for each, then in batches of 500.

The input: generated triples, each with its identity worked out as the door does it. What is measured ends
with the fsync; compaction and everything after it come later, and are not in it.
"""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from memstrata.intake.identity import content_hash, episode_id
from memstrata.model import Draft, Episode, SourceType, TimeSource
from memstrata.stores.lake import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SINGLE = 1_500
BATCHED = 100_000
BATCH = 500
_FIRST = datetime(2020, 1, 1, tzinfo=UTC)


def run(data: Path | None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; `open_ms` is the time until a fresh home can accept."""
    del data  # the input is generated
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        with Record(Path(folder)) as record:
            opened = time.perf_counter() - begun
            single = _rate(record, list(_drafts("single", SINGLE)), 1)
            batched = _rate(record, list(_drafts("batched", BATCHED)), BATCH)
    return {
        "acknowledged_per_s": round(single),
        "batched_per_s": round(batched),
        "open_ms": round(opened * 1000, 1),
        "episodes": SINGLE + BATCHED,
    }


def _rate(record: Record, drafts: Sequence[Draft], size: int) -> float:
    begun = time.perf_counter()
    for start in range(0, len(drafts), size):
        record.accept([_accepted(draft) for draft in drafts[start : start + size]])
    return len(drafts) / (time.perf_counter() - begun)


def _accepted(draft: Draft) -> Episode:
    return Episode(
        episode_id=episode_id(draft),
        revision=0,
        group_id=draft.group_id,
        source=draft.source,
        source_type=draft.source_type,
        content=draft.content,
        reference_time=draft.reference_time,
        time_source=draft.time_source,
        ingested_at=datetime.now(UTC),
        content_hash=content_hash(draft),
    )


def _drafts(source: str, count: int) -> Iterator[Draft]:
    for number in range(count):
        triple = {"subject": f"Person {number}", "predicate": "KNOWS", "object": f"Person {number + 7}"}
        yield Draft(
            group_id="intake",
            source=source,
            source_type=SourceType.FACT_TRIPLE,
            content=orjson.dumps(triple).decode(),
            reference_time=_FIRST + timedelta(minutes=number),
            time_source=TimeSource.OWN,
        )
