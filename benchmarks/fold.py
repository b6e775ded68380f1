"""Folds 300k generated assertions in one process, and measures its speed and its memory at two sizes."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from memstrata.bitemporal import fold
from memstrata.bitemporal.wire import read_placements
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind, Placement
from memstrata.ontology import Cardinality, Ontology, Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIZE = 300_000
_SEED = 7
_NOW = datetime(2025, 1, 1, tzinfo=UTC)
_ROOT = Path(__file__).parents[1]
_ONTOLOGY = Ontology(
    relations=(
        Relation(name="works_at", cardinality=Cardinality.ONE),
        Relation(name="lives_in", cardinality=Cardinality.ONE),
        Relation(name="status", cardinality=Cardinality.ONE),
        Relation(name="knows", symmetric=True),
    )
)
_PREDICATES = ("works_at", "lives_in", "status", "knows", "likes", "uses", "mentioned")
_UNITS = (Precision.YEAR, Precision.MONTH, Precision.MONTH, Precision.DAY, Precision.INSTANT)
_INPUT = (
    "people with 30 assertions each over 7 relations (3 of one value, 1 symmetric), 6 objects a relation; "
    "55 % holds, 25 % started, 13 % ended, 7 % denied; a third with a stated start, a fifth with a stated "
    "end, year to instant; everything live"
)


def run(data: Path | None) -> dict[str, object]:
    """Assertions a second (parsing excluded) and the peak memory of a process, whole and half as many.

    `assertions_per_cpu_s` is the same by the processor's time, which waiting for others does not enter.

    `data`: a file in the wire form of `memstrata fold`, instead of the generated assertions.
    """
    whole = _measured(data, _SIZE)
    half = _measured(data, _SIZE // 2)
    return {
        "assertions_per_s": whole["assertions_per_s"],
        "assertions_per_cpu_s": whole["assertions_per_cpu_s"],
        "peak_mb": whole["peak_mb"],
        "peak_mb_half": half["peak_mb"],
        "start_mb": whole["start_mb"],
        "assertions": whole["assertions"],
        "facts": whole["facts"],
        "input": str(data) if data else _INPUT,
        "seed": _SEED,
    }


def _measured(data: Path | None, size: int) -> dict[str, float]:
    """The figures of one process of its own, so that its peak is that of this size alone."""
    command = [sys.executable, "-m", "benchmarks.fold", str(size), *([str(data.resolve())] if data else [])]
    done = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _measure(data: Path | None, size: int) -> dict[str, float]:
    start_mb = _peak_mb()
    placements = list(_generated(size) if data is None else _read(data, size))
    began, worked = time.perf_counter(), time.process_time()
    facts = fold(placements, _ONTOLOGY)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - worked
    return {
        "assertions_per_s": round(len(placements) / seconds),
        "assertions_per_cpu_s": round(len(placements) / cpu_seconds),
        "peak_mb": round(_peak_mb(), 1),
        "start_mb": round(start_mb, 1),
        "assertions": len(placements),
        "facts": len(facts),
    }


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _read(data: Path, size: int) -> Iterator[Placement]:
    with data.open("rb") as lines:
        for number, placement in enumerate(read_placements(lines)):
            if number == size:
                return
            yield placement


def _generated(size: int) -> Iterator[Placement]:
    chance = random.Random(_SEED)
    for number in range(size):
        subject, predicate = f"person-{number // 30}", chance.choice(_PREDICATES)
        spoken = _NOW - timedelta(minutes=chance.randrange(3_000_000))
        kind = chance.choices((Kind.HOLDS, Kind.STARTED, Kind.ENDED, Kind.DENIED), (55, 25, 13, 7))[0]
        begin = _stated(chance, spoken) if chance.random() < 0.33 else None
        end = None
        if chance.random() < 0.2:
            end = _stated(chance, spoken)
            if begin and end.at < begin.at:
                begin, end = end, begin
        if kind is Kind.ENDED and begin and not end and begin.at > spoken:
            begin = None
        yield Placement(
            id=f"assertion-{number}",
            group_id=f"group-{number % 3000 // 300}",
            episode_id=f"episode-{number // 4}",
            subject=subject,
            predicate=predicate,
            object=f"{predicate}-{chance.randrange(6)}",
            fact=f"{subject} {predicate} something, as said in sentence {number}.",
            kind=kind,
            reference_time=spoken,
            recorded_at=_NOW,
            valid_at=begin,
            invalid_at=end,
            confidence=chance.choice((0.7, 0.8, 0.9, 1.0)),
        )


def _stated(chance: random.Random, spoken: datetime) -> StatedTime:
    at = spoken - timedelta(minutes=chance.randrange(2_000_000))
    unit = chance.choice(_UNITS)
    if unit is Precision.INSTANT:
        return StatedTime(at)
    at = at.replace(hour=0, minute=0)
    if unit is not Precision.DAY:
        at = at.replace(day=1)
    return StatedTime(at.replace(month=1) if unit is Precision.YEAR else at, unit)


if __name__ == "__main__":
    print(json.dumps(_measure(Path(sys.argv[2]) if len(sys.argv) > 2 else None, int(sys.argv[1]))))
