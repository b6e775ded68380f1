"""The generated world of the search benchmark: people, places of work, facts with vectors, questions."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from memstrata.ids import identify
from memstrata.instants import Precision
from memstrata.model import Commit, Entity, Fact, Kind, Placement
from memstrata.ports import Changes, Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.ports import GraphStore, Handle, VectorModel, Vectors

SEARCHED: Final = "searched"
BATCH: Final = 1_000
TOPICS: Final = 200
ASKED_FROM: Final = 30_000_000
BEGINNING: Final = datetime(2015, 1, 1, tzinfo=UTC)

_SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ra",
    "te",
    "su",
    "ne",
    "vi",
    "do",
    "pa",
    "ri",
    "go",
    "le",
    "sa",
    "tu",
    "be",
)
_RELATIONS = (
    ("WORKS_FOR", "works for"),
    ("LIVES_IN", "lives in"),
    ("MANAGES", "manages"),
    ("MEMBER_OF", "is a member of"),
    ("REPORTS_TO", "reports to"),
    ("VISITED", "visited"),
)
_ASKED = (
    "Where does {person} work?",
    "Who works for {place}?",
    "What do you know about {person} and {place}?",
    "Since when has {person} been a member of the board?",
    "Which people in the {place} team report to a manager?",
    "Has anybody visited {place} lately?",
)


class Clock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The present instant."""
        return datetime.now(UTC)


class World:
    """Facts by number: each number gives the same fact and the same vector in every process."""

    def __init__(
        self, graph: GraphStore, model: VectorModel, *, people: int, first_person: int = 0
    ) -> None:
        self.people = people
        self._first_person = first_person
        self._graph = graph
        self._model = model
        self._numbers: dict[str, int] = {}
        self._handles: list[Handle] = []
        self._known: set[tuple[str, str]] = set()
        rng = np.random.default_rng(7)
        self._topics = unit(rng.standard_normal((TOPICS, model.dimension), dtype=np.float32))
        # All e5 vectors lie in one narrow cone; so do these.
        self._cone = unit(rng.standard_normal((1, model.dimension), dtype=np.float32))[0]

    def add(self, group_id: str, numbers: Iterable[int], *, batch: int = BATCH) -> None:
        """Commits the facts of those numbers, `batch` a commit, and puts their vectors."""
        waiting = list(numbers)
        for start in range(0, len(waiting), batch):
            self._commit(group_id, waiting[start : start + batch])
            self._embed(max(batch, BATCH))

    def handles(self) -> list[Handle]:
        """The handles of the facts that got a vector here."""
        return self._handles

    def asked(self, count: int) -> dict[str, Vectors]:
        """Vectors of questions that no fact has: as much to a topic as facts are, and half as much."""
        numbers = range(ASKED_FROM, ASKED_FROM + count)
        return {
            kind: np.concatenate([self._vector(number, topic=topic) for number in numbers])
            for kind, topic in (("clear", 0.7), ("vague", 0.35))
        }

    def ends(self, number: int) -> tuple[Entity, Entity]:
        """The person and the place that the fact of that number is about."""
        rng = random.Random(number)
        # Some people are talked of far more than others; there is one place to four people.
        person = self._first_person + int(self.people * rng.random() ** 2)
        place = self._first_person + int(self.people / 4 * rng.random() ** 2)
        return _entity("person", person, 2), _entity("place", place, 1)

    def _commit(self, group_id: str, numbers: Sequence[int]) -> None:
        facts, entities = [], {}
        for number in numbers:
            fact, ends = self._fact(group_id, number)
            facts.append(fact)
            entities.update({(group_id, one.entity_id): one for one in ends})
            self._numbers[fact.id] = number
        new = [one for key, one in entities.items() if key not in self._known]
        self._known.update(entities)
        seq = self._graph.last_seq(group_id) + 1
        instant = datetime.now(UTC)
        self._graph.apply(
            Changes(
                commit=Commit(
                    seq=seq,
                    group_id=group_id,
                    instant=instant,
                    episodes=(),
                    decisions=(),
                    extractor_version="generated",
                    ontology_hash="none",
                    resolver_version="none",
                ),
                entities=tuple(new),
                placements_recorded=tuple(_placement(fact, instant) for fact in facts),
                facts_created=tuple(facts),
                evidence_added=tuple((fact.id, fact.evidence[0]) for fact in facts),
            )
        )

    def _embed(self, at_once: int) -> None:
        while waiting := self._graph.without_vector(Subject.FACT, limit=at_once):
            handles = [handle for handle, _ in waiting]
            versions = self._graph.versions(handles)
            # Facts of another process are left to that process.
            ours = [handle for handle in handles if versions[handle].version.fact.id in self._numbers]
            if not ours:
                return
            numbers = [self._numbers[versions[handle].version.fact.id] for handle in ours]
            self._graph.put(Subject.FACT, self._model, ours, self._vectors(numbers))
            self._handles += ours

    def _fact(self, group_id: str, number: int) -> tuple[Fact, tuple[Entity, Entity]]:
        person, place = self.ends(number)
        predicate, words = _RELATIONS[number * 7 % len(_RELATIONS)]
        started = BEGINNING + timedelta(days=number % 3_000)
        fact_id = identify(group_id, number)
        fact = Fact(
            id=fact_id,
            group_id=group_id,
            subject=_in(group_id, person).entity_id,
            predicate=predicate,
            object=_in(group_id, place).entity_id,
            fact=f"{person.name} {words} {place.name}, as note {number} says.",
            valid_at=started,
            valid_at_precision=Precision.DAY,
            invalid_at=started + timedelta(days=200) if number % 10 == 0 else None,
            invalid_at_precision=Precision.DAY if number % 10 == 0 else None,
            evidence=(identify(fact_id, "evidence"),),
            contested=False,
            confidence=1.0,
        )
        return fact, (_in(group_id, person), _in(group_id, place))

    def _vectors(self, numbers: Sequence[int]) -> Vectors:
        return np.concatenate([self._vector(number, topic=0.7) for number in numbers])

    def _vector(self, number: int, *, topic: float) -> Vectors:
        """One row: the cone, the topic of that number as strongly as given, and noise."""
        noise = np.random.default_rng(number).standard_normal((1, self._model.dimension), dtype=np.float32)
        about = self._topics[number % TOPICS]
        return unit(2.0 * self._cone + topic * about + 0.7 / self._model.dimension**0.5 * noise)


def questions(world: World, rng: random.Random, *, facts: int, count: int) -> list[str]:
    """Different questions about people and places of the first `facts` facts."""
    asked: dict[str, None] = {}
    while len(asked) < count:
        person, _ = world.ends(rng.randrange(facts))
        _, place = world.ends(rng.randrange(facts))
        asked[rng.choice(_ASKED).format(person=person.name, place=place.name)] = None
    return list(asked)


def unit(rows: Vectors) -> Vectors:
    """The rows at length 1, as float32."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = (rows / lengths).astype(np.float32)
    return scaled


def _entity(kind: str, number: int, words: int) -> Entity:
    rng = random.Random(f"{kind} {number}")
    name = " ".join("".join(rng.choices(_SYLLABLES, k=3)).capitalize() for _ in range(words))
    return Entity(entity_id=f"{kind} {number}", group_id=SEARCHED, name=name, type=kind)


def _in(group_id: str, entity: Entity) -> Entity:
    return Entity(
        entity_id=identify(group_id, entity.entity_id),
        group_id=group_id,
        name=entity.name,
        type=entity.type,
    )


def _placement(fact: Fact, instant: datetime) -> Placement:
    return Placement(
        id=fact.evidence[0],
        group_id=fact.group_id,
        episode_id="generated",
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        fact=fact.fact,
        kind=Kind.STARTED,
        reference_time=BEGINNING,
        recorded_at=instant,
    )
