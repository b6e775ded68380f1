"""One episode with `wait=true` at 1k, 10k, 50k facts, read by the offline extractor; and batches.

The store is filled with declared triples about people who all have names of their own; sentences are about
people of whom half are known. spaCy is loaded before anything is timed. `batch_facts_per_s` is a whole pass
over 1,000 triples (compaction, extraction, commit), `vector_lag_ms` the pass that embeds what one write has
brought, with nothing else waiting. A peer adds episodes about new people to the same group on the same
server; its models are scripted and answer at once.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import orjson

from benchmarks.stores import beside, empty_store, open_store
from benchmarks.workplace import workplace
from memstrata.errors import Fault
from memstrata.model import Draft, SourceType, TimeSource
from memstrata.ports import Subject
from memstrata.settings import load_settings, open_embedder
from memstrata.workflow.embed import embed
from memstrata.workflow.intake import accept
from memstrata.workflow.waiting import remember
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.peers.graphiti import GraphitiPeer
    from memstrata.ports import Embedder, Installation

SIZES: Final = {"1k": 1_000, "10k": 10_000, "50k": 50_000}
WRITES: Final = 100
BATCH: Final = 1_000
EMBEDDED: Final = 10
PEER_WRITES: Final = 8
SEED: Final = 11
GROUP: Final = "write"
#: A server compiles what it runs often while it runs it.
_WARMING: Final = 60
_FIRST: Final = datetime(2020, 1, 1, tzinfo=UTC)
_SYLLABLES: Final = "kalomiratesunevidoparigolesatube"
_PLACES: Final = ("Works", "Labs", "Foods", "Shipping")
_SENTENCES: Final = (
    "{who} has worked at {place} since March {year}. {who} owns a vineyard.",
    "{who} joined {place} in {year}. {who} plays the cello.",
    "{who} left {place} in April {year}. {who} lives in {town}.",
    "{who}, who works for {place}, moved to {town} in May {year}.",
    "The CFO of {place}, {who}, speaks Basque. {who} is allergic to latex.",
)


def run(data: Path | None, *, store: str = "sqlite", peer: str | None = None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md; `facts_per_write` says how much a write brought on average.

    `cpu_ms` is this process's processor time a write, the median. Raises `Fault` if a write was not
    committed, `Incorrect` for a store or a peer that cannot be measured.
    """
    del data  # the input is generated
    figures: dict[str, dict[str, float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        empty_store(store, GROUP) as url,
        closing(open_store(url)) as graph,
        workplace(Path(folder), graph=graph) as (installation, _),
    ):
        embedder = open_embedder(load_settings(MEMSTRATA_HOME=Path(folder)))
        generator, stored, told = random.Random(SEED), 0, 0
        for label, size in SIZES.items():
            figures.setdefault("batch_facts_per_s", {})[label] = round(_filled(installation, stored, size))
            stored = size
            measured = _writes(installation, generator, told)
            told += WRITES + _WARMING
            if embedder is not None:
                measured["vector_lag_ms"] = _vector_lag(
                    replace(installation, embedder=embedder), embedder, generator, told
                )
                told += EMBEDDED
                with beside(peer, url, dimension=embedder.model.dimension) as other:
                    if other is not None:
                        measured["peer_p50_ms"] = _peer_times(other, stored)
            for name, value in measured.items():
                figures.setdefault(name, {})[label] = value
    return {**figures, "store": store, "writes": WRITES, "seed": SEED}


def _peer_times(peer: GraphitiPeer, stored: int) -> float:
    """Milliseconds that the peer takes to add an episode, the median; what it added is taken out again."""
    episodes = [_to_peer(2_000_000 + stored + number) for number in range(PEER_WRITES + 2)]
    took = peer.add(episodes, group=GROUP)
    peer.take_back()
    return round(statistics.median(took[2:]), 1)


def _to_peer(number: int) -> dict[str, object]:
    """An episode about a new person, with what a language model would find in it."""
    who, where, town = person(number), place(number), _word(number * 31 + 5, 3)
    at = (_FIRST + timedelta(minutes=number)).isoformat()
    facts = (("WORKS_AT", where, f"{who} works at {where}"), ("LIVES_IN", town, f"{who} lives in {town}"))
    return {
        "name": f"peer {number}",
        "body": f"{who} has worked at {where} since last year. {who} lives in {town}.",
        "reference_time": at,
        "facts": [
            {"from": who, "relation": relation, "to": end, "fact": fact, "valid_at": at}
            for relation, end, fact in facts
        ],
    }


def _filled(installation: Installation, stored: int, size: int) -> float:
    """Fills the store up to `size` triples; facts a second of the last batch."""
    for first in range(stored, size - BATCH, 10_000):
        _take_in(installation, first, min(size - BATCH, first + 10_000))
    begun = time.perf_counter()
    _take_in(installation, max(stored, size - BATCH), size)
    return (size - max(stored, size - BATCH)) / (time.perf_counter() - begun)


def _take_in(installation: Installation, first: int, end: int) -> None:
    for _ in accept(installation, triples(first, end)):
        pass
    if failed := work(installation).failed:
        raise Fault(f"the pass over the triples failed: {failed[0][1]}")


def _writes(installation: Installation, generator: random.Random, first: int) -> dict[str, float]:
    wall, processor, facts = [], [], 0
    for number in range(first, first + _WARMING + WRITES):
        draft = sentence(number, generator)
        begun, used = time.perf_counter(), time.process_time()
        (answer,) = remember(installation, [draft])
        if answer.waiting:
            raise Fault(f"a waiting write was not committed: {answer.waiting}")
        if number >= first + _WARMING:
            wall.append(1000 * (time.perf_counter() - begun))
            processor.append(1000 * (time.process_time() - used))
            facts += len(answer.created)
    return {
        "p50_ms": round(statistics.median(wall), 1),
        "p95_ms": round(statistics.quantiles(wall, n=20)[-1], 1),
        "cpu_ms": round(statistics.median(processor), 1),
        "facts_per_write": facts / WRITES,
    }


def _vector_lag(
    installation: Installation, embedder: Embedder, generator: random.Random, first: int
) -> float:
    """Milliseconds until what one write brought has its vectors; the median of ten."""
    embedder.passages(["warm"])
    _vectors_of_the_rest(installation, embedder)
    times = []
    for number in range(first, first + EMBEDDED):
        list(remember(installation, [sentence(number, generator)]))
        begun = time.perf_counter()
        embed(installation)
        times.append(1000 * (time.perf_counter() - begun))
    return round(statistics.median(times), 1)


def _vectors_of_the_rest(installation: Installation, embedder: Embedder) -> None:
    """Gives everything that is stored a vector of no meaning, so that only what comes after is embedded."""
    graph, model = installation.graph, embedder.model
    made = np.random.default_rng(SEED)
    for subject in Subject:
        while missing := graph.without_vector(subject, limit=5_000):
            vectors = made.standard_normal((len(missing), model.dimension), dtype=np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            graph.put(subject, model, [handle for handle, _ in missing], vectors)


def triples(first: int, end: int) -> Iterator[Draft]:
    """Declared triples, each about a person and a place; two a person."""
    for number in range(first, end):
        who, where = person(number // 2), place(number // 3)
        relation = ("works_at", "visited")[number % 2]
        content = {
            "subject": {"name": who, "type": "person"},
            "predicate": relation,
            "object": {"name": where, "type": "organization"},
            "fact": f"{who} {relation.replace('_', ' ')} {where}.",
        }
        yield _draft(orjson.dumps(content).decode(), SourceType.FACT_TRIPLE, number)


def sentence(number: int, generator: random.Random) -> Draft:
    """A text about one person, known to the store or new."""
    who = person(generator.randrange(500) if number % 2 else 1_000_000 + number)
    text = _SENTENCES[number % len(_SENTENCES)].format(
        who=who, place=place(number), town=_word(number * 31 + 5, 3), year=2001 + number % 20
    )
    return _draft(text, SourceType.TEXT, 1_000_000 + number)


def person(number: int) -> str:
    """A name that no other number below two million has."""
    return f"{_word(number % 4096, 3)} {_word(number // 4096 * 101 + number % 97, 4)}"


def place(number: int) -> str:
    """The name of a company."""
    return f"{_word(number * 7919 + 13, 4)} {_PLACES[number % len(_PLACES)]}"


def _word(number: int, syllables: int) -> str:
    spoken = ""
    for _ in range(syllables):
        number, last = divmod(number, len(_SYLLABLES) // 2)
        spoken += _SYLLABLES[2 * last : 2 * last + 2]
    return spoken.capitalize()


def _draft(text: str, kind: SourceType, minute: int) -> Draft:
    return Draft(
        group_id=GROUP,
        source="write",
        source_type=kind,
        content=text,
        reference_time=_FIRST + timedelta(minutes=minute),
        time_source=TimeSource.OWN,
    )
