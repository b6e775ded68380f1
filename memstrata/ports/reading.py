"""The graph as readers see it: search, neighbours, history, whole exports, summaries and procedures."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from memstrata.bitemporal import Moment

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from memstrata.model import Entity, Episode, Fact, Placement, Procedure, Summary, Version

    Vectors = NDArray[np.float32]


#: What a store finds something by; it means nothing outside that store.
Handle = int | str


class Subject(StrEnum):
    """What can be searched."""

    FACT = "fact"
    ENTITY = "entity"
    EPISODE = "episode"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where and when to look: these groups only, at a moment, or through all history."""

    groups: tuple[str, ...]
    moment: Moment = field(default_factory=Moment)
    history: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found, and its score in that arm: higher is better, scales differ between arms."""

    handle: Handle
    score: float


class TextIndex(Protocol):
    """BM25 over words."""

    def match(self, subject: Subject, words: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The best hits for any of the words, best first, ties by handle; () for no words."""

    def named(self, names: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """Entities whose name or alias equals one of the names, case and accents aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorModel:
    """Which model made a vector, on which engine; vectors of two models never meet."""

    name: str
    dimension: int
    engine: str


class VectorIndex(Protocol):
    """Nearest neighbours by cosine, within a scope."""

    def model(self) -> VectorModel | None:
        """The model of the vectors stored; None while there are none."""

    def without_vector(self, subject: Subject, *, limit: int) -> tuple[tuple[Handle, str], ...]:
        """Handles and texts that have no vector yet, oldest first."""

    def put(
        self, subject: Subject, model: VectorModel, handles: Sequence[Handle], vectors: Vectors
    ) -> None:
        """Stores unit vectors, one row a handle.

        Raises `Conflict` if vectors of another model or dimension are stored, or a row is zero.
        """

    def nearest(self, subject: Subject, vector: Vectors, scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The nearest in scope, by cosine, best first; exact for small groups."""

    def forget(self) -> None:
        """Drops all vectors (before another model's are put)."""


class GraphReader(Protocol):
    """Reads for people and agents."""

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, Version]:
        """The fact versions of those handles; unknown ones are absent."""

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        """The entities of those handles."""

    def episodes_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Episode]:
        """The episodes of those handles, pending ones included."""

    def facts_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Handle, ...]:
        """Facts in scope with one of the entities as subject or object: latest valid time first."""

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """The latest names of those entities, living or gone; literals and unknown ids are absent."""

    def history(self, group_id: str, fact_id: str) -> tuple[Version, ...]:
        """All versions of a fact, oldest first; () if there never was one."""

    def evidence(self, group_id: str, assertion_ids: Collection[str]) -> tuple[Placement, ...]:
        """The latest placement of each of those assertions (it names the episode and the quote)."""

    def successors(self, group_id: str, old_id: str) -> tuple[str, ...]:
        """For an id of a fact or entity that is gone: the living ones that share its evidence or names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much one group holds now."""

    group_id: str
    last_seq: int
    episodes: int
    pending_episodes: int
    entities: int
    facts: int
    versions: int
    placements: int
    facts_without_vector: int


class Exporter(Protocol):
    """Whole reads, for exports, checks and consolidation; each streams in a fixed order."""

    def counts(self) -> tuple[Counts, ...]:
        """One entry a group, sorted by group."""

    def all_facts(self, group_id: str) -> Iterator[Fact]:
        """The current facts, in the order of the fold's wire format."""

    def all_versions(self, group_id: str) -> Iterator[Version]:
        """Every version; evidence is that of the last belief in which the version stood."""

    def all_entities(self, group_id: str) -> Iterator[Entity]:
        """The current entities, by id."""

    def all_placements(self, group_id: str) -> Iterator[Placement]:
        """Every placement, live and retracted, by (id, recorded_at)."""

    def entities_since(self, group_id: str, instant: datetime | None) -> tuple[str, ...]:
        """Ids of entities whose facts or evidence changed after that system instant, sorted."""


class SemanticMemory(Protocol):
    """What consolidation has made of the facts; each piece stays readable as of its time."""

    def summary_hashes(self, group_id: str) -> Mapping[str, str]:
        """The input hash of each entity's latest summary, by entity id."""

    def put_summaries(self, summaries: Sequence[Summary]) -> None:
        """Makes each the entity's latest, from its `created_at` on; all or none."""

    def summary(self, group_id: str, entity_id: str, *, at: datetime | None = None) -> Summary | None:
        """The entity's summary as of a system instant (None: the latest); None if there was none."""

    def put_procedures(self, group_id: str, procedures: Sequence[Procedure], at: datetime) -> None:
        """Makes these the group's procedures from `at` on; those not among them end there."""

    def procedures(self, group_id: str, *, at: datetime | None = None) -> tuple[Procedure, ...]:
        """The group's procedures as of a system instant: by support, then length, then id."""
