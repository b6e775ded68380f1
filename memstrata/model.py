"""The records of Memstrata, as frozen values; the words are GLOSSARY.md's.

What a record *does* lives with its stage (fold, resolution, projection, search); how it is stored lives
with its store. Instants are aware UTC; spans of text are half-open offsets in characters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from memstrata.instants import Precision, StatedTime

    Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]

DEFAULT_GROUP: Final = "default"
_NOTHING: Final[Mapping[str, Json]] = MappingProxyType({})


class SourceType(StrEnum):
    """What an episode's content is."""

    TEXT = "text"
    MESSAGE = "message"
    JSON = "json"
    FACT_TRIPLE = "fact_triple"


class TimeSource(StrEnum):
    """Where an episode's reference time came from; an import never has `received`."""

    OWN = "own"
    INHERITED = "inherited"
    RECORD = "record"
    FILE_NAME = "file_name"
    OPTION = "option"
    RECEIVED = "received"


class Role(StrEnum):
    """Who speaks in a conversation."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Kind(StrEnum):
    """What an assertion says about its fact (docs/fold.md, R1)."""

    STARTED = "started"
    HOLDS = "holds"
    ENDED = "ended"
    DENIED = "denied"


class ObjectKind(StrEnum):
    """Whether an object is somebody or something, or a mere value."""

    ENTITY = "entity"
    LITERAL = "literal"


class DecisionKind(StrEnum):
    """The closed list of things that can be decided (RECORD.md 1)."""

    MERGE = "merge"
    KEEP_APART = "keep_apart"
    ADJUDICATE = "adjudicate"
    ACCEPT = "accept"
    REJECT = "reject"
    EDIT = "edit"
    RETRACT = "retract"
    ERASE = "erase"
    HOLD = "hold"
    RELEASE = "release"
    ONTOLOGY = "ontology"
    RESOLVER = "resolver"
    PROMOTE_EXTRACTOR = "promote_extractor"
    ROLLBACK_EXTRACTOR = "rollback_extractor"
    PROMOTE = "promote"
    RETIRE = "retire"
    EXPIRE = "expire"
    ARCHIVE = "archive"
    FADE = "fade"
    SILENCE = "silence"
    CORE = "core"


#: The decisions that say who is one and who is not.
VERDICTS: Final = (DecisionKind.MERGE, DecisionKind.KEEP_APART)


class By(StrEnum):
    """Who decided. `rule` is only ever handed to the resolver from outside; no log holds it."""

    PERSON = "person"
    MODEL = "model"
    POLICY = "policy"
    RULE = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """Who spoke, or was spoken to: an account, not a name."""

    id: str
    name: str | None = None
    role: Role = Role.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An episode as it stands at the door: read and valid, not yet accepted.

    `episode_id` is the caller's key if there is one; else the door derives it from the content.
    """

    group_id: str
    source: str
    source_type: SourceType
    content: str
    reference_time: datetime
    time_source: TimeSource
    episode_id: str | None = None
    saga: str | None = None
    position: int | None = None
    native_id: str | None = None
    speaker: Speaker | None = None
    addressee: Speaker | None = None
    metadata: Mapping[str, Json] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One immutable input event, as the log of episodes keeps it.

    `revision` counts from 1; a later revision of one id retracts the one before. `position` orders
    the turns of a `saga`.
    """

    episode_id: str
    revision: int
    group_id: str
    source: str
    source_type: SourceType
    content: str
    reference_time: datetime
    time_source: TimeSource
    ingested_at: datetime
    content_hash: str
    saga: str | None = None
    position: int | None = None
    native_id: str | None = None
    speaker: Speaker | None = None
    addressee: Speaker | None = None
    metadata: Mapping[str, Json] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name as one episode wrote it: what resolution works on.

    `text` is the sentence around it; `span` where the name stands in the episode's content (none in
    declared records). `attributes` holds what the episode says of it: `aliases`, `email`, ...
    """

    mention_id: str
    group_id: str
    episode_id: str
    name: str
    reference_time: datetime
    type: str | None = None
    text: str = ""
    span: tuple[int, int] | None = None
    saga: str | None = None
    speaker: Speaker | None = None
    addressee: Speaker | None = None
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """What one episode says of a subject, predicate and object, before anybody is resolved.

    `subject` is a mention's id; `object` is one too, or the text of a literal. `quote` is verbatim
    from the episode and `span` where it stands there.
    """

    assertion_id: str
    group_id: str
    episode_id: str
    subject: str
    predicate: str
    object: str
    object_kind: ObjectKind
    fact: str
    kind: Kind
    reference_time: datetime
    valid_at: StatedTime | None = None
    invalid_at: StatedTime | None = None
    confidence: float = 1.0
    quote: str = ""
    span: tuple[int, int] | None = None


class Verdict(StrEnum):
    """What verification decides on a candidate."""

    ACCEPT = "accept"
    SECOND_PASS = "second_pass"  # noqa: S105 (no password)
    QUARANTINE = "quarantine"
    REJECT = "reject"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a rule found about one extracted item; recomputable, no decision."""

    item: str
    rule: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A candidate in quarantine: verification left it to a person, who accepts, rejects or edits it.

    `mentions` are those that the assertion names. They are not the extraction's own: nobody is resolved
    for what may be wrong.
    """

    assertion: Assertion
    mentions: tuple[Mention, ...]
    rule: str
    reason: str


class ExtractionStatus(StrEnum):
    """How an extraction ended; one that failed is kept of a candidate only: it has been tried."""

    EXTRACTED = "extracted"
    NOTHING = "nothing"
    UNSUPPORTED_LANGUAGE = "unsupported_language"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What one extractor version took from one revision of an episode, seen with its context.

    Without a `group_id` it is of the group of its mentions, or of the only group that has such an episode.
    """

    episode_id: str
    revision: int
    context_hash: str
    version: str
    status: ExtractionStatus
    mentions: tuple[Mention, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    usage: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    group_id: str | None = None
    held: tuple[Held, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A logged, reversible verdict. `target` names what it is about in terms that survive re-extraction."""

    decision_id: str
    group_id: str
    kind: DecisionKind
    at: datetime
    by: By
    who: str
    target: Mapping[str, Json]
    payload: Mapping[str, Json] = field(default_factory=lambda: _NOTHING)
    reason: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """An assertion with its resolved subject and object, live over a span of system time."""

    id: str
    group_id: str
    episode_id: str
    subject: str
    predicate: str
    object: str
    fact: str
    kind: Kind
    reference_time: datetime
    recorded_at: datetime
    retracted_at: datetime | None = None
    valid_at: StatedTime | None = None
    invalid_at: StatedTime | None = None
    confidence: float = 1.0
    object_kind: ObjectKind = ObjectKind.ENTITY
    subject_mention: str | None = None
    object_mention: str | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What the memory holds true after folding: one triple over `[valid_at, invalid_at)`.

    `valid_at` None: since always or unknown; `invalid_at` None: still true. A precision is None
    exactly if its bound is open, unknown or was not stated. `evidence` are assertion ids, sorted.
    """

    id: str
    group_id: str
    subject: str
    predicate: str
    object: str
    fact: str
    valid_at: datetime | None
    valid_at_precision: Precision | None
    invalid_at: datetime | None
    invalid_at_precision: Precision | None
    evidence: tuple[str, ...]
    contested: bool
    confidence: float
    object_kind: ObjectKind = ObjectKind.ENTITY


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A fact as it was believed over `[created_at, expired_at)` of system time."""

    fact: Fact
    created_at: datetime
    expired_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """What one or more mentions stand for."""

    entity_id: str
    group_id: str
    name: str
    type: str | None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedEpisode:
    """Which revision of an episode a commit folded in, as which version extracted it in which context."""

    episode_id: str
    revision: int
    context_hash: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """The projection's unit: what of one group was folded in at one system instant.

    `seq` counts from 1 in each group; `instant` is later than that of every commit before it.
    `extractor_version` is the one in force; an episode taken in again may rest on an earlier one.
    """

    seq: int
    group_id: str
    instant: datetime
    episodes: tuple[CommittedEpisode, ...]
    decisions: tuple[str, ...]
    extractor_version: str
    ontology_hash: str
    resolver_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One paragraph of a summary. `facts` and `evidence` are the ids it rests on, facts in their order."""

    topic: str
    text: str
    facts: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """An entity's semantic memory as of `created_at`; without blocks if no fact is left to tell."""

    entity_id: str
    group_id: str
    blocks: tuple[Block, ...]
    input_hash: str
    created_at: datetime

    @property
    def text(self) -> str:
        """The blocks as lines."""
        return "\n".join(block.text for block in self.blocks)


class SupportOf(StrEnum):
    """What a procedure's support counts."""

    TASKS = "tasks"
    SAGAS = "sagas"
    BOTH = "tasks and sagas"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One argument of a step. Steps that always got the same value share the slot's `name`.

    `type` is JSON Schema's: string, integer, number, boolean, null, array or object.
    """

    argument: str
    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureStep:
    """A tool with its slots, by argument; `repeats` if some run called it several times in a row."""

    tool: str
    slots: tuple[Slot, ...]
    repeats: bool

    def __str__(self) -> str:
        filled = ", ".join(f"{slot.argument}=<{slot.name}: {slot.type}>" for slot in self.slots)
        return f"{self.tool}({filled}){' (repeated)' if self.repeats else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How many of the judged runs succeeded."""

    successes: int
    runs: int

    @property
    def share(self) -> float | None:
        """Successes of all, 0 to 1; None if there were no runs."""
        return self.successes / self.runs if self.runs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A sequence of steps that successful runs share.

    `support` counts the distinct tasks (or sagas, where no task is named) of successful runs that have
    it. `success_with` and `success_without` compare the judged runs that have it and that have not: a
    coincidence, not a cause. `evidence` are the episodes of the steps in successful runs, sorted.
    """

    procedure_id: str
    group_id: str
    name: str
    steps: tuple[ProcedureStep, ...]
    support: int
    support_of: SupportOf
    success_with: Rate
    success_without: Rate
    evidence: tuple[str, ...]
