"""The record: where episodes, decisions, extractions and commits are kept and queued."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import date, datetime

    from memstrata.model import Commit, Decision, DecisionKind, Episode, Extraction
    from memstrata.ports.promoting import Coverage, KeptVersion, Promotable, Promotion


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

    def compact(self, *, context_turns: int, lightly: bool = False) -> Compaction:
        """Moves what the spool holds at the start of the call into the log, one part a day and stream.

        An episode of a known id and equal content is dropped as repeated, unless it had been
        retracted; of a known id and other content it becomes the next revision. Every new, revised or
        retracted episode, and the next `context_turns` turns of its saga, await extraction afterwards.
        Interrupted anywhere and called again, it ends in the same state. One process at a time.

        `lightly` (for a write that somebody waits for) numbers and queues the same, and is as durable, but
        writes no part: the next call without it does. Where the spool holds much it is a whole compaction.
        """

    def spooled(self) -> Mapping[str, int]:
        """Files of episodes and decisions that await compaction, and their bytes; no name comes twice."""

    def uncompacted(self) -> Iterator[Episode]:
        """What was accepted and awaits compaction, as revision 1, repeats included, in no certain order."""


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

    def listed(
        self, group_id: str, *, before: int | None = None, limit: int
    ) -> tuple[tuple[int, Episode], ...]:
        """The latest revisions that are not retracted, each with its place, the latest acceptance first.

        At most `limit`, those before the place `before`; () for an unknown group.
        """

    def listed_decisions(
        self, group_id: str, *, before: int | None = None, limit: int
    ) -> tuple[tuple[int, int | None, Decision], ...]:
        """The decisions, each with its place and the `seq` of the commit that took it in, as `listed`."""

    def is_retracted(self, group_id: str, episode_id: str) -> bool:
        """Whether the latest revision was retracted by a decision."""


class ExtractionLog(Protocol):
    """The kept computation: extractions by (episode, revision, context hash, version)."""

    def awaiting(
        self, *, day: date | None = None, limit: int, but: Collection[str] = ()
    ) -> tuple[Episode, ...]:
        """Latest revisions that await extraction, oldest acceptance first; none of the groups `but`."""

    def awaiting_among(self, group_id: str, episode_ids: Collection[str]) -> tuple[Episode, ...]:
        """As `awaiting`: those of the named episodes that await extraction."""

    def known(self, episode: Episode, context_hash: str, version: str) -> bool:
        """Whether that very extraction is kept already."""

    def keep(
        self, extractions: Sequence[Extraction], *, lightly: bool = False, as_candidates: bool = False
    ) -> None:
        """Writes the extractions durably as one part; their episodes no longer await extraction.

        One that is `known` is kept again: the log says then that it is in force again. `lightly` is as in
        `Compactor.compact`: durable, but no part yet. `as_candidates` they are kept beside what is in force
        and change nothing, until a decision promotes their version.
        """

    def extractions(
        self, group_id: str, wanted: Collection[tuple[str, int, str, str]]
    ) -> tuple[Extraction, ...]:
        """The named (episode id, revision, context hash, version) that are kept."""

    def holding(
        self, group_id: str, *, after: int = 0, limit: int
    ) -> tuple[tuple[int, Episode, Extraction], ...]:
        """The extractions in force that hold something in quarantine, of what is not retracted.

        Each with its episode's place, in order of acceptance: at most `limit`, after the place `after`.
        """

    def in_force(
        self, group_id: str, episode_ids: Collection[str]
    ) -> tuple[tuple[Episode, Extraction], ...]:
        """What stands as extracted of those episodes, committed or not, unless they are retracted."""

    def versions(self, group_id: str) -> tuple[KeptVersion, ...]:
        """The extractor versions that the group has extractions of, the latest kept last."""

    def coverage(self, group_id: str, promotion: Promotion) -> Coverage:
        """How far the version has come with the episodes of the days."""

    def lacking(
        self, group_id: str, promotion: Promotion, *, after: int = 0, limit: int
    ) -> tuple[tuple[int, Episode], ...]:
        """Latest revisions of the days that have nothing of the version in their present context.

        Those that it failed on are among them. Each with its place in the order of acceptance, at most
        `limit` after the place `after`.
        """

    def promotable(
        self, group_id: str, promotion: Promotion, *, after: int = 0, limit: int
    ) -> tuple[Promotable, ...]:
        """What the promotion would bring into force, in the order and with the places of `lacking`."""

    def standing(self, group_id: str, decision_id: str) -> int:
        """For how many episodes what that promotion put into force still is; 0 for no promotion."""


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

    def pending_among(self, group_id: str, episode_ids: Collection[str]) -> Pending:
        """As `pending`: those of the named episodes that are, and all pending decisions."""

    def backlog(self) -> Backlog:
        """What waits now, in all groups; dead letters wait for nothing."""

    def ever_committed(self, group_id: str, episode_ids: Collection[str]) -> frozenset[str]:
        """Those of the episodes that a commit has taken in, in whatever revision, retracted or not."""

    def commit_of(self, group_id: str, episode_id: str) -> Commit | None:
        """The group's last commit that took the episode in; None if none did. It may look through all."""

    def append(self, commit: Commit) -> None:
        """Appends and fsyncs one commit; its episodes and decisions are then no longer pending.

        Raises `Damaged` if its `seq` is not the group's next one.
        """

    def commits(self, group_id: str, *, after: int = 0) -> Iterator[Commit]:
        """The group's commits with `seq` above `after`, in order."""

    def seq_at(self, group_id: str, instant: datetime) -> int:
        """The `seq` of the group's last commit at or before that instant; 0 before its first."""

    def committed(
        self, group_id: str, episode_ids: Collection[str]
    ) -> tuple[tuple[Episode, Extraction], ...]:
        """What was last committed of those episodes and not retracted since; others are left out."""

    def committed_decisions(
        self,
        group_id: str,
        kinds: Collection[DecisionKind],
        *,
        after: int = 0,
        until: int | None = None,
    ) -> tuple[tuple[int, Decision], ...]:
        """The decisions of those kinds that commits after `after` up to `until` took in (all, for None).

        Each with the `seq` of its commit: by `seq`, then as the commit lists them.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """How many episodes and decisions wait for one stage, and when the oldest of them was accepted."""

    count: int = 0
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What has been accepted and not come further yet, by the stage that it waits for."""

    compaction: Queue
    extraction: Queue
    commit: Queue


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

    def failed(
        self,
        episode: Episode,
        *,
        stage: str,
        reason: str,
        at: datetime,
        is_final: bool = False,
        stays: bool = False,
    ) -> bool:
        """Counts a failure; True once retries are used up and the episode no longer awaits the stage.

        One that `stays` goes on awaiting it even then: there is something of it to keep.

        A final failure uses them up at once: trying again would not help.
        """

    def letters(self, group_id: str | None = None) -> tuple[DeadLetter, ...]:
        """All dead letters, oldest first."""

    def release(self, group_id: str, episode_id: str) -> bool:
        """Lets the episode await extraction again, failures forgotten; False if it is no dead letter."""


class Leases(Protocol):
    """One writer a name (a group, the spool); a lease ends with its process."""

    def hold(self, name: str, *, urgent: bool = False) -> AbstractContextManager[None]:
        """Waits for the lease; urgent holders (a single waiting write) go before the others."""
