"""What the core needs from outside, as small roles; each adapter keeps what its role promises.

Records in the log: `Door`, `Compactor`, `EpisodeLog`, `ExtractionLog`, `CommitLog`, `DeadLetters`,
`Leases`. The graph: `Neighbourhood` and `Projector` (the commit's side), `TextIndex`, `VectorIndex`,
`GraphReader` and `Exporter` (the reader's side). Models: `LanguageModel`, `Embedder`. Time: `Clock`.
No query strings cross a port, and a handle means nothing outside the store that gave it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from memstrata.bitemporal import Moment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import date, datetime

    import numpy as np
    from numpy.typing import NDArray

    from memstrata.bitemporal import Key
    from memstrata.model import (
        Commit,
        Decision,
        DecisionKind,
        Entity,
        Episode,
        Extraction,
        Fact,
        Json,
        Mention,
        Placement,
        Procedure,
        Summary,
        Version,
    )

    Vectors = NDArray[np.float32]

Handle = int | str


# --- the record -----------------------------------------------------------------------------------


class Door(Protocol):
    """Where episodes and decisions enter. What a call has returned from survives `kill -9`."""

    def accept(self, episodes: Sequence[Episode]) -> None:
        """Appends the episodes (revision 0: not yet numbered) durably, all or none.

        Raises `Fault` when the disk is full or gone; then nothing of the call counts as accepted.
        """

    def decide(self, decisions: Sequence[Decision]) -> None:
        """Appends the decisions durably, all or none; errors as in `accept`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What a compaction did: how many episodes were new, repeated, or a further revision.

    `days` got a part; `torn_bytes` are what interrupted appends left, which was never acknowledged.
    """

    new: int = 0
    repeated: int = 0
    revised: int = 0
    decisions: int = 0
    commits: int = 0
    days: tuple[date, ...] = ()
    torn_bytes: int = 0


class Compactor(Protocol):
    """The authority on what was accepted: numbers revisions, drops repeats, writes immutable parts."""

    def compact(self, *, context_turns: int) -> Compaction:
        """Moves what the spool holds at the start of the call into the log, one part a day and stream.

        An episode of a known id and equal content is dropped as repeated, unless it had been
        retracted; of a known id and other content it becomes the next revision. Every new, revised or
        retracted episode, and the next `context_turns` turns of its saga, await extraction afterwards.
        Interrupted anywhere and called again, it ends in the same state. One process at a time.
        """

    def spooled(self) -> Mapping[str, int]:
        """Files of episodes and decisions that await compaction, and their bytes; no name comes twice."""


class EpisodeLog(Protocol):
    """Reads of the compacted log. An episode is returned in its latest revision unless one is named."""

    def groups(self) -> tuple[str, ...]:
        """Every group that has an episode or a decision, sorted."""

    def episodes(self, group_id: str, wanted: Collection[tuple[str, int]]) -> tuple[Episode, ...]:
        """The named (episode id, revision) pairs that exist, in no particular order."""

    def latest(self, group_id: str, episode_id: str) -> Episode | None:
        """The latest revision, retracted or not; None if the id is unknown."""

    def preceding(self, episode: Episode, count: int) -> tuple[Episode, ...]:
        """The last `count` unretracted turns before it in its saga, oldest first; () without a saga.

        Order in a saga: position (none last), then reference time, then id.
        """

    def decisions(self, group_id: str, decision_ids: Collection[str]) -> tuple[Decision, ...]:
        """The named decisions, in the order in which they were compacted."""

    def accepted_on(self, day: date) -> Iterator[Episode]:
        """All episodes and revisions accepted on that UTC day, in order of acceptance."""

    def is_retracted(self, group_id: str, episode_id: str) -> bool:
        """Whether the latest revision was retracted by a decision."""


class ExtractionLog(Protocol):
    """The kept computation: extractions by (episode, revision, context hash, version)."""

    def awaiting(self, *, day: date | None = None, limit: int) -> tuple[Episode, ...]:
        """Latest revisions that await extraction, oldest acceptance first."""

    def known(self, episode: Episode, context_hash: str, version: str) -> bool:
        """Whether that very extraction is kept already."""

    def keep(self, extractions: Sequence[Extraction]) -> None:
        """Writes the extractions durably as one part; their episodes no longer await extraction."""

    def settle(self, episode: Episode, context_hash: str, version: str) -> None:
        """Marks the episode as extracted by an extraction that is `known`."""

    def extractions(
        self, group_id: str, wanted: Collection[tuple[str, int, str, str]]
    ) -> tuple[Extraction, ...]:
        """The named (episode id, revision, context hash, version) that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """What a group has to commit: extracted episodes and decisions, oldest acceptance first."""

    episodes: tuple[tuple[Episode, Extraction], ...] = ()
    decisions: tuple[Decision, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to commit."""
        return bool(self.episodes or self.decisions)


class CommitLog(Protocol):
    """The log of commits and the queue in front of it."""

    def groups_with_work(self, *, day: date | None = None) -> tuple[str, ...]:
        """The groups that have something pending (accepted on `day`), sorted."""

    def pending(self, group_id: str, *, limit: int, day: date | None = None) -> Pending:
        """At most `limit` episodes of one extractor version, and all pending decisions.

        An episode is pending while its latest revision is not retracted and what was extracted of it
        (revision, context, version) is not what was last committed of it.
        """

    def append(self, commit: Commit) -> None:
        """Appends and fsyncs one commit; its episodes and decisions are then no longer pending.

        Raises `Damaged` if its `seq` is not the group's next one.
        """

    def commits(self, group_id: str, *, after: int = 0) -> Iterator[Commit]:
        """The group's commits with `seq` above `after`, in order."""

    def committed(
        self, group_id: str, episode_ids: Collection[str]
    ) -> tuple[tuple[Episode, Extraction], ...]:
        """What was last committed of those episodes and not retracted since; others are left out."""

    def committed_decisions(
        self, group_id: str, kinds: Collection[DecisionKind], *, until: int | None = None
    ) -> tuple[tuple[int, Decision], ...]:
        """The decisions of those kinds that commits up to `until` took in (all, for None).

        Each with the `seq` of its commit: by `seq`, then as the commit lists them.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """An episode that could not be processed, with its reason; it stays in the log."""

    group_id: str
    episode_id: str
    revision: int
    stage: str
    reason: str
    attempts: int
    at: datetime


class DeadLetters(Protocol):
    """Where an episode waits that failed more often than retries allow."""

    def failed(self, episode: Episode, *, stage: str, reason: str, at: datetime) -> bool:
        """Counts a failure; True once retries are used up and the episode no longer awaits the stage."""

    def letters(self, group_id: str | None = None) -> tuple[DeadLetter, ...]:
        """All dead letters, oldest first."""

    def release(self, group_id: str, episode_id: str) -> bool:
        """Lets the episode await extraction again, failures forgotten; False if it is no dead letter."""


class Leases(Protocol):
    """One writer a name (a group, the spool); a lease ends with its process."""

    def hold(self, name: str, *, urgent: bool = False) -> AbstractContextManager[None]:
        """Waits for the lease; urgent holders (a single waiting write) go before the others."""


# --- the graph: the commit's side -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownName:
    """A signature of the resolver as the store knows it, with the entity that it stands for now.

    `example` is one mention that has this signature, recalled when it is asked for; `first` the earliest
    (reference time, mention id) of its live mentions, of which there are `count`, and `first_episode`
    where that one stands.
    """

    signature_id: str
    keys: tuple[str, ...]
    entity_id: str
    first: tuple[datetime, str]
    first_episode: str
    count: int
    recall: Callable[[], Mention] = field(compare=False, repr=False)

    @property
    def example(self) -> Mention:
        """One mention that has this signature."""
        return self.recall()


class Neighbourhood(Protocol):
    """Reads of the present belief around what a commit touches. Results are complete, in no order."""

    def placements_of(self, group_id: str, episode_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements of those episodes."""

    def placements_on(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements of those (group, subject, predicate) keys."""

    def placements_toward(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements whose *object* is the key's subject, with the key's predicate."""

    def placements_naming(self, group_id: str, signature_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements whose subject or object mention has one of those signatures."""

    def placements_saying(self, group_id: str, predicates: Collection[str] | None) -> tuple[Placement, ...]:
        """The live placements of those predicates; of all, for None."""

    def facts_on(self, group_id: str, keys: Collection[Key]) -> tuple[Fact, ...]:
        """The current facts of those keys, evidence included."""

    def names_under(
        self, group_id: str, keys: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names with live mentions that are indexed under one of the keys.

        `first` and `count` are as if the episodes `without` were not there; names that live in those
        alone are left out.
        """

    def names_signed(
        self, group_id: str, signature_ids: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names of those signatures with live mentions; `without` as in `names_under`."""

    def names_for(self, group_id: str, mentions: Collection[tuple[str, str]]) -> Mapping[str, KnownName]:
        """The known name of each of those (episode id, mention id), by mention id; gone ones are absent."""

    def names_in(self, group_id: str, episode_ids: Collection[str]) -> tuple[tuple[KnownName, int], ...]:
        """The known names with live mentions in those episodes, and how many each has there."""

    def names_standing_for(self, group_id: str, entity_ids: Collection[str]) -> tuple[KnownName, ...]:
        """The known names with live mentions that stand for one of those entities now."""

    def entities(self, group_id: str, entity_ids: Collection[str]) -> tuple[Entity, ...]:
        """The current entities of those ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePlacement:
    """A name that is new, or stands for another entity from this commit on.

    `stood_for` are entities that this commit ends, and that mentions stood for which have this name now.
    """

    signature_id: str
    example: Mention
    keys: tuple[str, ...]
    entity_id: str
    stood_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What one commit does to the graph; everything in it happens at `commit.instant` or not at all.

    `episodes` become current (mentions of their earlier revision go), `episodes_gone` leave;
    `mentions` pairs each new mention with its signature's id; `entities` are new or changed ones;
    `facts_created` are new versions, `facts_expired` ids whose current version ends (a changed fact
    stands in both); evidence is (fact id, assertion id).
    """

    commit: Commit
    episodes: tuple[Episode, ...] = ()
    episodes_gone: tuple[str, ...] = ()
    mentions: tuple[tuple[Mention, str], ...] = ()
    names: tuple[NamePlacement, ...] = ()
    entities: tuple[Entity, ...] = ()
    entities_gone: tuple[str, ...] = ()
    placements_recorded: tuple[Placement, ...] = ()
    placements_retracted: tuple[str, ...] = ()
    facts_created: tuple[Fact, ...] = ()
    facts_expired: tuple[str, ...] = ()
    evidence_added: tuple[tuple[str, str], ...] = ()
    evidence_removed: tuple[tuple[str, str], ...] = ()


class Projector(Protocol):
    """Writes of the graph."""

    def last_seq(self, group_id: str) -> int:
        """The last commit applied; 0 for a group that is not there."""

    def apply(self, changes: Changes) -> None:
        """Applies all changes in one transaction.

        Raises `Conflict` if `last_seq` is not `changes.commit.seq - 1`; then nothing is written.
        """

    def show_pending(self, episodes: Sequence[Episode]) -> None:
        """Makes raw episodes searchable at once, in reads of the present only; a commit replaces them."""

    def clear(self, group_id: str | None = None) -> None:
        """Empties the graph of one group, or the whole, vectors and pending episodes included."""


# --- the graph: the reader's side -----------------------------------------------------------------


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


class GraphStore(
    Neighbourhood, Projector, TextIndex, VectorIndex, GraphReader, Exporter, SemanticMemory, Protocol
):
    """All roles of the graph in one adapter."""

    def close(self) -> None:
        """Lets go of files and connections."""


class RecordStore(Door, Compactor, EpisodeLog, ExtractionLog, CommitLog, DeadLetters, Protocol):
    """All roles of the record in one adapter."""

    def close(self) -> None:
        """Lets go of files and connections."""


# --- models and time ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request to a language model; `schema` is the JSON schema of the reply that is wanted."""

    system: str
    user: str
    schema: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a language model answered; `finished` is False for a reply that was cut off."""

    text: str
    input_tokens: int
    output_tokens: int
    finished: bool = True


class LanguageModel(Protocol):
    """A language model behind any API."""

    @property
    def name(self) -> str:
        """The model's name, part of the extractor version."""

    def complete(self, prompt: Prompt) -> Reply:
        """Answers one prompt. Raises `Fault` when trying again may help, `Incorrect` when it will not."""


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def model(self) -> VectorModel:
        """What the vectors are made with."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts: float32, shape (len(texts), dimension), unit length."""

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions: as `passages`."""


class Clock(Protocol):
    """Where time enters."""

    def now(self) -> datetime:
        """The present instant, in UTC."""


class Extractor(Protocol):
    """Takes from an episode what it asserts."""

    @property
    def version(self) -> str:
        """The hash of everything that determines what is taken."""

    @property
    def context_turns(self) -> int:
        """How many preceding turns of a saga it is shown."""

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """One extraction for each (episode, preceding turns), in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The adapters of one installation, as its settings chose them, handed to the workflow.

    `ontology` is the YAML text that the settings name; it takes effect for a group when a commit has
    taken it in as a decision. `embedder` is None where no embedding engine is installed.
    """

    record: RecordStore
    graph: GraphStore
    leases: Leases
    extractor: Extractor
    embedder: Embedder | None
    clock: Clock
    ontology: str = ""
