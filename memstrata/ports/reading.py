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
    SUMMARY = "summary"
    PROCEDURE = "procedure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What must be so of whatever is found; within one field any value will do, between fields all count.

    A **fact** passes `types` if one of its ends is an entity of one of them, `relations` by its
    predicate, `least_confidence` by its own, `sources` and `speakers` (ids or names) if one episode that
    it rests on passes both, `properties` (name, value) if one of its ends has for each of them a fact in
    scope with that predicate and that literal object. An **entity** passes `types` and `properties` by
    itself, the others if one fact in scope that passes them all has it as an end. An **episode** passes
    `sources` and `speakers` by itself, `properties` if its metadata has each of them (a text as it is,
    any other value as its JSON text, of a list each item), the others if one fact in scope that passes
    them all rests on it. A **summary** passes as its entity does, a **procedure** only where
    nothing but `sources` and `speakers` is asked, if one of its evidence passes.

    All values compare exactly; whoever asks has looked up how they are written (`GraphReader.vocabulary`).
    Entities count as they stand in scope (in history as they ever stood there), a fact rests on the
    evidence that its version shows, episodes that something rests on as they stand in scope, valid time
    aside. A literal object is no end, whatever it says.
    """

    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    least_confidence: float | None = None

    def __bool__(self) -> bool:
        """Whether anything is asked."""
        return self != _NO_FILTERS


_NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where and when to look: these groups only, at a moment, or through all history.

    `during` is a half-open period of valid time: what was true at some instant of it, and what happened
    in it; it stands instead of `moment.valid`. An episode is in scope from its reference time on. With
    `history` no valid time counts, and every version up to `moment.system`.
    """

    groups: tuple[str, ...]
    moment: Moment = field(default_factory=Moment)
    during: tuple[datetime, datetime] | None = None
    history: bool = False
    filters: Filters = _NO_FILTERS


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found, and its score in that arm: higher is better, scales differ between arms."""

    handle: Handle
    score: float


class TextIndex(Protocol):
    """BM25 over words."""

    def match(self, subject: Subject, words: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The best hits for any of the words, best first, ties by handle; () for no words.

        An episode scores as the best of its passages.
        """

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
        """Texts that have no vector yet, each with the handle that `put` takes for it.

        In one group those of an earlier commit come first; within one commit in any order. Of a fact it
        is the sentence, of an entity the name; a version that reads as the one before needs no new
        vector. An episode has a text for each of its passages, with handles of their own (a passage that
        stays the same in its place keeps its vector); pending episodes wait for their commit.
        """

    def put(
        self, subject: Subject, model: VectorModel, handles: Sequence[Handle], vectors: Vectors
    ) -> None:
        """Stores unit vectors, one row a handle; handles that are gone by now are passed over.

        Raises `Conflict` if vectors of another model or dimension are stored, or a row is zero.
        """

    def nearest(self, subject: Subject, vector: Vectors, scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The nearest in scope, by cosine, best first; exact for small groups.

        An episode scores as the best of its passages.
        """

    def vectors_of(self, subject: Subject, handles: Sequence[Handle]) -> Mapping[Handle, Vectors]:
        """The stored vectors of what was found, each of shape (dimension,); what has none is absent.

        Of an episode it is the first passage's.
        """

    def forget(self) -> None:
        """Drops all vectors (before another model's are put)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What all arms look for at once; `words` for `match`, `names` for `named`, `vector` for `nearest`.

    `starts` and `edges`: of how many of the entities found by name the facts are wanted as well, and how
    many of each. They are a wish: see `Candidates.starts`.
    """

    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    vector: Vectors | None = None
    starts: int = 0
    edges: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What each arm found, as `match`, `nearest` and `named` give it.

    `starts` are the ids of the first `Sought.starts` of `names`, each once, in that order; `edges` what
    `GraphReader.edges_about` gives for them. A store to which one round trip is nothing leaves both out
    (None), as does one where names or groups are too many: then they are asked for.
    """

    words: tuple[Hit, ...] = ()
    vectors: tuple[Hit, ...] = ()
    names: tuple[Hit, ...] = ()
    starts: tuple[str, ...] | None = None
    edges: tuple[Edge, ...] | None = None


class Finder(Protocol):
    """All arms asked together: on a server one round trip instead of three."""

    def find(self, subject: Subject, sought: Sought, scope: Scope, *, limit: int) -> Candidates:
        """At most `limit` hits an arm, as `match`, `nearest` and `named` give them; names are of entities.

        When facts are sought, `names` are the entities that the query calls by name: where traversal
        starts; an entity need not pass the filters to be a start. Of other subjects `names` is empty.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedVersion:
    """A version of a fact, with the latest names of its subject and object.

    A literal names itself, as does the id of an entity that has no name.
    """

    version: Version
    subject: str
    object: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A fact as traversal sees it: the ids that it joins. `leads_on` is False for a literal object."""

    handle: Handle
    group_id: str
    subject: str
    object: str
    leads_on: bool
    valid_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """The turns directly before and after one in its saga; None at its ends, or without a saga."""

    before: Handle | None = None
    after: Handle | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Everything that filters can name in some groups, each sorted.

    `properties` are the predicates of facts with a literal object, and the keys of episodes' metadata.
    """

    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()


class GraphReader(Protocol):
    """Reads for people and agents."""

    def groups(self) -> tuple[str, ...]:
        """Every group that has commits or pending episodes, sorted."""

    def vocabulary(self, groups: Sequence[str]) -> Vocabulary:
        """What filters can name in those groups now. It may look at everything: it is for messages."""

    def beginnings(self, group_id: str) -> tuple[datetime, datetime] | None:
        """The first and the last instant at which a fact believed now begins; contested ones aside.

        None if none has a beginning that is known.
        """

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, NamedVersion]:
        """The fact versions of those handles, with names; unknown handles are absent."""

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        """The entities of those handles."""

    def episodes_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Episode]:
        """The episodes of those handles, pending ones included."""

    def beside(self, handles: Sequence[Handle], scope: Scope) -> Mapping[Handle, Beside]:
        """The neighbours of those episodes in their sagas, as they stand in scope (filters aside).

        Order in a saga: position (none last), then reference time, then episode id. With history they are
        those that stand at `moment.system`; no revision is a neighbour of another. Pending episodes have no
        neighbours and are nobody's; unknown handles are absent.
        """

    def edges_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Edge, ...]:
        """Facts in scope with one of the entities as subject or object, latest valid time first.

        At most `limit` an entity, its latest; what two of them share comes once. Ties come in any order,
        always the same; a literal object is no entity.
        """

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """The latest names of those entities, living or gone; literals and unknown ids are absent."""

    def mention_counts(self, group_id: str, entity_ids: Collection[str]) -> Mapping[str, int]:
        """In how many current episodes each of those entities is mentioned; 0 for unknown ones."""

    def history(self, group_id: str, fact_id: str) -> tuple[NamedVersion, ...]:
        """All versions of a fact, oldest first; () if there never was one."""

    def versions_between(
        self,
        group_id: str,
        after: datetime,
        until: datetime | None,
        *,
        about: Collection[str] | None = None,
        limit: int,
    ) -> tuple[NamedVersion, ...]:
        """The versions that began or ended in system time `(after, until]`, by that instant, then fact id.

        One that did both there comes once, by its beginning; at one instant a fact's earlier version comes
        first. `until` None: up to the last commit. With `about`, only those whose subject or object is one
        of these ids.
        """

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

    def versions_after(
        self, group_id: str, after: tuple[str, datetime] | None, *, limit: int
    ) -> tuple[Version, ...]:
        """At most `limit` versions by fact id, then oldest belief first; evidence is as in `all_versions`.

        Those after (fact id, `created_at`), whether there is such a version or not; from the first one on,
        for None. It costs what it gives, wherever it begins.
        """

    def all_entities(self, group_id: str) -> Iterator[Entity]:
        """The current entities, by id."""

    def entities_after(self, group_id: str, after: str, *, limit: int) -> tuple[Entity, ...]:
        """At most `limit` current entities by id, those after that id; from the first one on, for ''."""

    def all_placements(self, group_id: str) -> Iterator[Placement]:
        """Every placement, live and retracted, by (id, recorded_at)."""

    def entities_since(self, group_id: str, instant: datetime | None) -> tuple[str, ...]:
        """Ids of entities whose facts or evidence changed after that system instant, sorted."""


class SemanticMemory(Protocol):
    """What consolidation has made of the facts; each piece stays readable, and searchable, as of its time.

    Summaries are searched by their text, procedures by their name and steps; a summary without blocks is
    found by nothing. Valid time does not concern them. They are no part of the projection: clearing a
    group keeps them, without their vectors.
    """

    def summary_hashes(self, group_id: str) -> Mapping[str, str]:
        """The input hash of each entity's latest summary, by entity id."""

    def put_summaries(self, summaries: Sequence[Summary]) -> None:
        """Makes each the entity's latest, from its `created_at` on; all or none."""

    def summaries_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Summary]:
        """The summaries of those handles (of `match` and `nearest`); unknown ones are absent."""

    def procedures_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Procedure]:
        """The procedures of those handles."""

    def summary(self, group_id: str, entity_id: str, *, at: datetime | None = None) -> Summary | None:
        """The entity's summary as of a system instant (None: the latest); None if there was none."""

    def put_procedures(self, group_id: str, procedures: Sequence[Procedure], at: datetime) -> None:
        """Makes these the group's procedures from `at` on; those not among them end there."""

    def procedures(self, group_id: str, *, at: datetime | None = None) -> tuple[Procedure, ...]:
        """The group's procedures as of a system instant: by support, then length, then id."""
