"""The record of one installation: door, log, queues and commits over spool, lake and index.

Accepting needs the spool alone; index and lake are opened when something else is first asked.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Self

from memstrata.errors import Damaged
from memstrata.instants import format_instant, parse_instant
from memstrata.stores.lake.codec import (
    dump,
    load_commit,
    load_decision,
    load_episode,
    load_extraction,
)
from memstrata.stores.lake.marks import Marks
from memstrata.stores.lake.spool import Spool, Stream
from memstrata.stores.leases import FileLeases

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import date, datetime
    from pathlib import Path
    from types import TracebackType

    from memstrata.model import Commit, Decision, DecisionKind, Episode, Extraction
    from memstrata.ports import Backlog, CheckResult, Compaction, DeadLetter, Pending
    from memstrata.ports.promoting import Coverage, KeptVersion, Promotable, Promotion
    from memstrata.stores.lake.keeping import Keeper
    from memstrata.stores.lake.parts import Lake
    from memstrata.stores.sqlite.record_index import RecordIndex

_SPOOL_LEASE: Final = "spool"
_LAST: Final = 2**62


class Record:
    """All roles of the record (`ports.RecordStore`) in a home folder, with the lake under any fsspec URL.

    Safe for threads and for several processes at once. `attempts` is how often an episode may fail in a
    stage before it becomes a dead letter.
    """

    def __init__(self, home: Path, lake_url: str | None = None, *, attempts: int = 3) -> None:
        self._home = home
        self._marks = Marks(home)
        self._marks.check_version()
        self._spool = Spool(home / "spool")
        self._leases = FileLeases(home / "locks")
        self._lake_url = lake_url or str((home / "lake").absolute())
        self._attempts = attempts
        self._opening = threading.Lock()
        self._opened: tuple[RecordIndex, Lake, Keeper] | None = None

    def close(self) -> None:
        """Lets go of all files."""
        self._spool.close()
        with self._opening:
            if self._opened is not None:
                self._opened[0].close()
                self._opened = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- Door ---

    def accept(self, episodes: Sequence[Episode]) -> None:
        """See `ports.Door`."""
        self._spool.append(Stream.EPISODES, [dump(episode) for episode in episodes])

    def decide(self, decisions: Sequence[Decision]) -> None:
        """See `ports.Door`."""
        self._spool.append(Stream.DECISIONS, [dump(decision) for decision in decisions])

    # --- Compactor ---

    def compact(self, *, context_turns: int, lightly: bool = False) -> Compaction:
        """See `ports.Compactor`."""
        from memstrata.stores.lake import binding, compactor, keeping, pages

        index, lake, _ = self._open()
        with self._leases.hold(_SPOOL_LEASE, urgent=lightly):
            if lightly:
                light = compactor.compact_lightly(index, self._spool, context_turns=context_turns)
                if light is not None:
                    return light
            with self._leases.hold(keeping.LEASE):
                keeping.adopt_unfinished(index, lake)
                compactor.clear_unfinished(index, lake)
                pages.register_spooled(index, self._spool)
                bound = binding.bind(index, self._spool, lake)
            done = compactor.compact(
                index, self._spool, lake, context_turns=context_turns, undisturbed=self._undisturbed
            )
            self._marks.note_number(index.last_number())
            return replace(done, days=tuple(sorted({*done.days, *bound})))

    @contextmanager
    def _undisturbed(self) -> Iterator[None]:
        """While the block runs nobody keeps extractions, and all that were written are registered."""
        from memstrata.stores.lake import keeping

        index, lake, _ = self._open()
        with self._leases.hold(keeping.LEASE):
            keeping.adopt_unfinished(index, lake)
            yield

    def spooled(self) -> Mapping[str, int]:
        """See `ports.Compactor`."""
        sizes = {
            f"{stream}/{name}": size
            for stream in (Stream.EPISODES, Stream.DECISIONS)  # commits are in the index already
            for name, size in self._spool.sizes(stream).items()
            if size
        }
        read = self._index.spool_read() if sizes else {}
        return {source: size for source, size in sizes.items() if size > read.get(source, 0)}

    def uncompacted(self) -> Iterator[Episode]:
        """See `ports.Compactor`."""
        from memstrata.stores.lake.backlog import uncompacted_in

        return uncompacted_in(self._index, self._spool)

    def rebuild_index(self) -> None:
        """Builds the index again from lake and spool; readers see the old one until it is done.

        Dead letters and failures are kept as they are. Raises `Damaged` when a part or a commit is missing.
        """
        index, lake, _ = self._open()
        self._rebuild(index, lake)

    # --- EpisodeLog ---

    def groups(self) -> tuple[str, ...]:
        """See `ports.EpisodeLog`."""
        return self._index.groups()

    def episodes(self, group_id: str, wanted: Collection[tuple[str, int]]) -> tuple[Episode, ...]:
        """See `ports.EpisodeLog`."""
        return tuple(map(load_episode, self._index.revisions(group_id, set(wanted))))

    def latest(self, group_id: str, episode_id: str) -> Episode | None:
        """See `ports.EpisodeLog`."""
        body = self._index.latest(group_id, episode_id)
        return None if body is None else load_episode(body)

    def preceding(self, episode: Episode, count: int) -> tuple[Episode, ...]:
        """See `ports.EpisodeLog`."""
        from memstrata.stores.lake.rows import place_of

        place = place_of(episode)
        if place is None or count <= 0:
            return ()
        return tuple(load_episode(body) for body in reversed(self._index.preceding(place, count)))

    def decisions(self, group_id: str, decision_ids: Collection[str]) -> tuple[Decision, ...]:
        """See `ports.EpisodeLog`."""
        return tuple(map(load_decision, self._index.decisions(group_id, decision_ids)))

    def accepted_on(self, day: date) -> Iterator[Episode]:
        """See `ports.EpisodeLog`."""
        return map(load_episode, self._index.accepted_on(day))

    def listed(
        self, group_id: str, *, before: int | None = None, limit: int
    ) -> tuple[tuple[int, Episode], ...]:
        """See `ports.EpisodeLog`."""
        found = self._index.listed(group_id, _LAST if before is None else before, limit)
        return tuple((place, load_episode(body)) for place, body in found)

    def listed_decisions(
        self, group_id: str, *, before: int | None = None, limit: int
    ) -> tuple[tuple[int, int | None, Decision], ...]:
        """See `ports.EpisodeLog`."""
        index = self._caught_up(group_id)
        found = index.listed_decisions(group_id, _LAST if before is None else before, limit)
        return tuple((place, seq, load_decision(body)) for place, seq, body in found)

    def is_retracted(self, group_id: str, episode_id: str) -> bool:
        """See `ports.EpisodeLog`."""
        return self._index.is_retracted(group_id, episode_id)

    # --- ExtractionLog ---

    def awaiting(
        self, *, day: date | None = None, limit: int, but: Collection[str] = ()
    ) -> tuple[Episode, ...]:
        """See `ports.ExtractionLog`. What is retracted awaits nothing: its turns after it do."""
        return self._keeper.awaiting(day, limit, but)

    def awaiting_among(self, group_id: str, episode_ids: Collection[str]) -> tuple[Episode, ...]:
        """See `ports.ExtractionLog`."""
        return self._keeper.awaiting_among(group_id, episode_ids)

    def known(self, episode: Episode, context_hash: str, version: str) -> bool:
        """See `ports.ExtractionLog`."""
        return self._keeper.known(episode, context_hash, version)

    def keep(
        self, extractions: Sequence[Extraction], *, lightly: bool = False, as_candidates: bool = False
    ) -> None:
        """See `ports.ExtractionLog`.

        Raises `Conflict` for an episode that the log does not have, or that several groups have when the
        extraction does not say which. An episode whose context has changed since it was handed out awaits
        extraction still.
        """
        if lightly and extractions and not as_candidates:
            with self._leases.hold(_SPOOL_LEASE, urgent=True):
                self._keeper.keep_page(extractions)
        else:
            self._keeper.keep(extractions, as_candidates=as_candidates)

    def versions(self, group_id: str) -> tuple[KeptVersion, ...]:
        """See `ports.ExtractionLog`."""
        from memstrata.stores.lake.versions import kept_versions

        return kept_versions(self._caught_up(group_id), group_id)

    def coverage(self, group_id: str, promotion: Promotion) -> Coverage:
        """See `ports.ExtractionLog`."""
        from memstrata.stores.lake.versions import coverage

        return coverage(self._index, group_id, promotion)

    def lacking(
        self, group_id: str, promotion: Promotion, *, after: int = 0, limit: int
    ) -> tuple[tuple[int, Episode], ...]:
        """See `ports.ExtractionLog`."""
        return self._keeper.lacking(group_id, promotion, after=after, limit=limit)

    def promotable(
        self, group_id: str, promotion: Promotion, *, after: int = 0, limit: int
    ) -> tuple[Promotable, ...]:
        """See `ports.ExtractionLog`."""
        from memstrata.stores.lake.versions import promotable

        return promotable(self._index, group_id, promotion, after=after, limit=limit)

    def standing(self, group_id: str, decision_id: str) -> int:
        """See `ports.ExtractionLog`."""
        return self._index.versions.standing(group_id, decision_id)

    def extractions(
        self, group_id: str, wanted: Collection[tuple[str, int, str, str]]
    ) -> tuple[Extraction, ...]:
        """See `ports.ExtractionLog`."""
        return tuple(map(load_extraction, self._index.extractions(group_id, set(wanted))))

    def holding(
        self, group_id: str, *, after: int = 0, limit: int
    ) -> tuple[tuple[int, Episode, Extraction], ...]:
        """See `ports.ExtractionLog`."""
        found = self._index.holding(group_id, after, limit)
        return tuple((place, load_episode(one), load_extraction(other)) for place, one, other in found)

    def in_force(
        self, group_id: str, episode_ids: Collection[str]
    ) -> tuple[tuple[Episode, Extraction], ...]:
        """See `ports.ExtractionLog`."""
        found = self._index.in_force(group_id, episode_ids)
        return tuple((load_episode(one), load_extraction(other)) for one, other in found)

    # --- CommitLog ---

    def groups_with_work(self, *, day: date | None = None) -> tuple[str, ...]:
        """See `ports.CommitLog`."""
        return self._caught_up().groups_with_work(day)

    def pending(self, group_id: str, *, limit: int, day: date | None = None) -> Pending:
        """See `ports.CommitLog`."""
        index = self._caught_up(group_id)
        return self._pending(index, index.pending(group_id, limit, day), group_id, day)

    def pending_among(self, group_id: str, episode_ids: Collection[str]) -> Pending:
        """See `ports.CommitLog`."""
        index = self._caught_up(group_id)
        return self._pending(index, index.pending_among(group_id, episode_ids), group_id, None)

    def backlog(self) -> Backlog:
        """See `ports.CommitLog`."""
        from memstrata.stores.lake.backlog import backlog_of

        return backlog_of(self._caught_up(), self._spool)

    def ever_committed(self, group_id: str, episode_ids: Collection[str]) -> frozenset[str]:
        """See `ports.CommitLog`."""
        return self._caught_up(group_id).ever_committed(group_id, episode_ids)

    def commit_of(self, group_id: str, episode_id: str) -> Commit | None:
        """See `ports.CommitLog`."""
        body = self._caught_up(group_id).commit_of(group_id, episode_id)
        return None if body is None else load_commit(body)

    @staticmethod
    def _pending(
        index: RecordIndex, rows: Sequence[tuple[str, bytes, bytes]], group_id: str, day: date | None
    ) -> Pending:
        from memstrata.ports import Pending

        version = rows[0][0] if rows else None
        return Pending(
            episodes=tuple(
                (load_episode(episode), load_extraction(extraction))
                for one, episode, extraction in rows
                if one == version
            ),
            decisions=tuple(map(load_decision, index.pending_decisions(group_id, day))),
        )

    def append(self, commit: Commit) -> None:
        """See `ports.CommitLog`. The caller holds the group's lease."""
        index = self._caught_up(commit.group_id)
        following = index.last_seq(commit.group_id) + 1
        if commit.seq != following:
            raise Damaged(
                f"commit {commit.seq} of group {commit.group_id} is to be appended, but its next one is "
                f"{following}; somebody commits to this group without its lease, or the store is ahead"
            )
        self._spool.append(Stream.COMMITS, [dump(commit)])
        self._caught_up(commit.group_id)

    def commits(self, group_id: str, *, after: int = 0) -> Iterator[Commit]:
        """See `ports.CommitLog`."""
        return map(load_commit, self._caught_up(group_id).commits(group_id, after))

    def seq_at(self, group_id: str, instant: datetime) -> int:
        """See `ports.CommitLog`. Instants grow with `seq`, so that a few commits are looked at."""
        index = self._caught_up(group_id)
        seqs = range(1, index.last_seq(group_id) + 1)
        return bisect_right(seqs, instant, key=lambda seq: load_commit(index.commit(group_id, seq)).instant)

    def committed(
        self, group_id: str, episode_ids: Collection[str]
    ) -> tuple[tuple[Episode, Extraction], ...]:
        """See `ports.CommitLog`."""
        found = self._caught_up(group_id).committed(group_id, episode_ids)
        return tuple((load_episode(episode), load_extraction(extraction)) for episode, extraction in found)

    def committed_decisions(
        self,
        group_id: str,
        kinds: Collection[DecisionKind],
        *,
        after: int = 0,
        until: int | None = None,
    ) -> tuple[tuple[int, Decision], ...]:
        """See `ports.CommitLog`."""
        found = self._caught_up(group_id).committed_decisions(
            group_id, [kind.value for kind in kinds], after=after, until=until
        )
        return tuple((seq, load_decision(body)) for seq, body in found)

    # --- DeadLetters ---

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
        """See `ports.DeadLetters`. Each revision is counted anew, and so is a stage once it was passed."""
        from memstrata.stores.sqlite.record_rows import Failure

        key = (episode.group_id, episode.episode_id)
        failure = Failure(
            key=key, revision=episode.revision, stage=stage, reason=reason, at=format_instant(at)
        )
        return self._index.failed(failure, 1 if is_final else self._attempts, stays=stays)

    def letters(self, group_id: str | None = None) -> tuple[DeadLetter, ...]:
        """See `ports.DeadLetters`. A later revision of the episode takes its letter off the list."""
        from memstrata.ports import DeadLetter

        return tuple(
            DeadLetter(
                group_id=failure.key[0],
                episode_id=failure.key[1],
                revision=failure.revision,
                stage=failure.stage,
                reason=failure.reason,
                attempts=failure.attempts,
                at=parse_instant(failure.at),
            )
            for failure in self._index.dead_letters(group_id)
        )

    def release(self, group_id: str, episode_id: str) -> bool:
        """See `ports.DeadLetters`."""
        return self._index.release(group_id, episode_id)

    # --- CheckLog ---

    def note_checks(self, results: Sequence[CheckResult]) -> None:
        """See `ports.CheckLog`."""
        self._index.checks.note(results)

    def latest_checks(self, groups: Collection[str]) -> tuple[CheckResult, ...]:
        """See `ports.CheckLog`."""
        return self._index.checks.latest(groups)

    def check_series(
        self, groups: Collection[str], *, since: date, until: date, check: str | None = None
    ) -> tuple[CheckResult, ...]:
        """See `ports.CheckLog`."""
        return self._index.checks.series(groups, since=since, until=until, check=check)

    # --- opening ---

    @property
    def _index(self) -> RecordIndex:
        return self._open()[0]

    @property
    def _keeper(self) -> Keeper:
        return self._open()[2]

    def _caught_up(self, group_id: str | None = None) -> RecordIndex:
        """The index, with every durable commit in it; raises `Damaged` when the group's log is."""
        from memstrata.stores.lake.spooled_commits import register_spooled_commits

        index = self._index
        damaged = register_spooled_commits(index, self._spool)
        if group_id in damaged:
            raise damaged[group_id]
        return index

    def _open(self) -> tuple[RecordIndex, Lake, Keeper]:
        with self._opening:
            if self._opened is None:
                self._opened = self._open_index()
            return self._opened

    def _open_index(self) -> tuple[RecordIndex, Lake, Keeper]:
        from memstrata.stores.lake.keeping import Keeper
        from memstrata.stores.lake.pages import register_spooled, unread
        from memstrata.stores.lake.parts import Lake
        from memstrata.stores.sqlite.record_index import RecordIndex

        lake = Lake(self._lake_url)
        index = RecordIndex(self._home / "record.db")
        try:
            if index.is_new() or index.last_number() < self._marks.noted_number():
                self._rebuild(index, lake)
            elif unread(index, self._spool)[1]:  # a process died before it had registered them
                with self._leases.hold(_SPOOL_LEASE):
                    register_spooled(index, self._spool)
        except BaseException:
            index.close()
            raise
        return index, lake, Keeper(index, self._spool, lake, self._leases)

    def _rebuild(self, index: RecordIndex, lake: Lake) -> None:
        from memstrata.stores.lake import keeping
        from memstrata.stores.lake.rebuild import rebuild

        with self._leases.hold(_SPOOL_LEASE), self._leases.hold(keeping.LEASE):
            rebuild(index, self._spool, lake)
