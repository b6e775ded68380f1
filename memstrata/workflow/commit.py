"""Commits: what is pending of a group is resolved, folded, logged and applied, at one system instant.

A crash between the log and the store is healed by applying the logged commit again. What a commit
changes is worked out in `memstrata.workflow.plan`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata import resolution
from memstrata.errors import Damaged
from memstrata.instants import END_OF_TIME, TICK
from memstrata.model import VERDICTS, Commit, CommittedEpisode, DecisionKind
from memstrata.ports import Pending
from memstrata.workflow.holds import require_released
from memstrata.workflow.items import ON_ITEMS, named_items
from memstrata.workflow.plan import plan
from memstrata.workflow.rules import rules_at
from memstrata.workflow.verdicts import judged_mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import date, datetime

    from memstrata.ontology import Ontology
    from memstrata.ports import Changes, Installation

#: How long a bulk run should hold a group's lease at a time, in seconds (docs/record.md, 2).
HOLDING = 0.05
#: Episodes a commit. Below the smallest, what each commit costs by itself weighs more than the shorter wait
#: (docs/decisions/0006-how-large-a-commit-is.md).
_SMALLEST, _FIRST, _LARGEST = 200, 200, 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What was committed of one group."""

    group_id: str
    commits: int = 0
    episodes: int = 0
    decisions: int = 0
    facts_created: int = 0
    facts_expired: int = 0


def commit_pending(
    installation: Installation,
    group_id: str,
    *,
    day: date | None = None,
    urgent: bool = False,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Committed:
    """Commits what the group has pending (of one day of acceptance), batch by batch.

    What is accepted after the call began is left for the next one, unless all of it is: then the clock
    has been put back, and everything is taken. Raises `Damaged` when an invariant
    would break, or the group is held (`memstrata.workflow.holds`): then nothing of that batch is
    written, and other groups are not concerned.
    """
    started = installation.clock.now()
    total = Committed(group_id=group_id)
    size = _FIRST
    while True:
        with installation.leases.hold(group_id, urgent=urgent):
            begun = time.perf_counter()
            last = heal(installation, group_id)
            require_released(installation.record, group_id)
            pending = installation.record.pending(group_id, limit=size, day=day)
            if not pending or _is_newer(pending, started):
                if not pending or total.commits:
                    return total
                started = END_OF_TIME
            done = _told(_commit(installation, last, pending, group_id))
            held = time.perf_counter() - begun
        total = _sum(total, done)
        on_progress(done.episodes)
        size = min(_LARGEST, max(_SMALLEST, int(size * min(2.0, HOLDING / held))))


def commit_among(installation: Installation, group_id: str, episode_ids: Collection[str]) -> Changes | None:
    """Commits those of the episodes that are pending, at once, before the next batch of a bulk run.

    None if none of them is. Decisions that wait go with them. Raises as `commit_pending` does.
    """
    with installation.leases.hold(group_id, urgent=True):
        last = heal(installation, group_id)
        require_released(installation.record, group_id)
        pending = installation.record.pending_among(group_id, episode_ids)
        return _commit(installation, last, pending, group_id) if pending.episodes else None


def heal(installation: Installation, group_id: str) -> int:
    """Applies the commits that are logged and not yet in the graph, and gives the last one's `seq`.

    Needs the lease.
    """
    last = installation.graph.last_seq(group_id)
    for commit in installation.record.commits(group_id, after=last):
        apply_again(installation, commit)
        last = commit.seq
    return last


def behind(installation: Installation) -> tuple[str, ...]:
    """The groups whose graph lacks a commit of their log: a crash, or a rebuild that was interrupted."""
    record, graph = installation.record, installation.graph
    return tuple(
        group
        for group in record.groups()
        if next(record.commits(group, after=graph.last_seq(group)), None) is not None
    )


def apply_again(installation: Installation, commit: Commit) -> None:
    """Applies a logged commit to a graph that stands just before it."""
    pending = _recall(installation, commit)
    rules = rules_at(installation.record, commit.group_id, commit.seq - 1, pending.decisions)
    installation.graph.apply(plan(installation.graph, commit, pending, rules))


def _recall(installation: Installation, commit: Commit) -> Pending:
    """The episodes, extractions and decisions that a commit took in, from the log."""
    record, group = installation.record, commit.group_id
    wanted = [(one.episode_id, one.revision) for one in commit.episodes]
    episodes = {(e.episode_id, e.revision): e for e in record.episodes(group, wanted)}
    extractions = {
        (x.episode_id, x.revision): x
        for x in record.extractions(
            group,
            [(c.episode_id, c.revision, c.context_hash, c.version) for c in commit.episodes],
        )
    }
    lacking = [key for key in wanted if key not in episodes or key not in extractions]
    if lacking:
        raise Damaged(
            f"commit {commit.seq} of group {group!r} took in episode {lacking[0][0]} revision "
            f"{lacking[0][1]}, which the log does not hold (and {len(lacking) - 1} more); "
            "restore the lake's parts from a backup"
        )
    return Pending(
        episodes=tuple((episodes[key], extractions[key]) for key in wanted),
        decisions=record.decisions(group, commit.decisions),
    )


def _taken_in_again(installation: Installation, group_id: str, pending: Pending) -> Pending:
    """The pending, and what is committed already of episodes that its decisions are about.

    Mentions that a new verdict names are signed anew; items that are rejected or accepted again lose or get
    their placements. A retraction of an earlier revision leaves the one that stands, which may have been
    committed first: days can be asked for in any order.
    """
    named: set[str] = set()
    for decision in pending.decisions:
        if decision.kind in VERDICTS:
            named.update(episode_id for episode_id, _ in judged_mentions(decision))
        elif decision.kind is DecisionKind.RETRACT:
            named.add(str(decision.target["episode_id"]))
        elif decision.kind in ON_ITEMS:
            named.update(item.episode_id for item in named_items(decision.target))
    named -= {episode.episode_id for episode, _ in pending.episodes}
    if not named:
        return pending
    again = installation.record.committed(group_id, named)
    return Pending(episodes=(*pending.episodes, *again), decisions=pending.decisions)


def _commit(installation: Installation, last: int, pending: Pending, group_id: str) -> Changes:
    """Makes the commit after `last`, at which the graph stands."""
    record, graph = installation.record, installation.graph
    rules = rules_at(record, group_id, last, pending.decisions)
    version = pending.episodes[0][1].version if pending.episodes else installation.extractor.version
    pending = _taken_in_again(installation, group_id, pending)
    commit = next_commit(installation, group_id, last, pending, ontology=rules.after, version=version)
    before = record.ever_committed(group_id, [episode.episode_id for episode, _ in pending.episodes])
    changes = plan(graph, commit, pending, rules, stored=before)
    record.append(commit)
    graph.apply(changes)
    return changes


def _told(changes: Changes) -> Committed:
    return Committed(
        group_id=changes.commit.group_id,
        commits=1,
        episodes=len(changes.commit.episodes),
        decisions=len(changes.commit.decisions),
        facts_created=len(changes.facts_created),
        facts_expired=len(changes.facts_expired),
    )


def next_commit(
    installation: Installation,
    group_id: str,
    last: int,
    pending: Pending,
    *,
    ontology: Ontology,
    version: str,
) -> Commit:
    """The commit after `last` that takes in `pending`, under that ontology, by that extractor version."""
    return Commit(
        seq=last + 1,
        group_id=group_id,
        instant=_next_instant(installation, group_id, last),
        episodes=tuple(
            CommittedEpisode(
                episode_id=episode.episode_id,
                revision=episode.revision,
                context_hash=extraction.context_hash,
                version=extraction.version,
            )
            for episode, extraction in pending.episodes
        ),
        decisions=tuple(decision.decision_id for decision in pending.decisions),
        extractor_version=version,
        ontology_hash=ontology.hash,
        resolver_version=resolution.resolver_version(),
    )


def _next_instant(installation: Installation, group_id: str, last: int) -> datetime:
    """The clock's time, but later than the group's last commit, even if the clock ran backwards."""
    now = installation.clock.now()
    previous = next(iter(installation.record.commits(group_id, after=last - 1)), None)
    return now if previous is None else max(now, previous.instant + TICK)


def _is_newer(pending: Pending, started: datetime) -> bool:
    accepted = [episode.ingested_at for episode, _ in pending.episodes]
    accepted += [decision.at for decision in pending.decisions]
    return min(accepted) > started


def _sum(total: Committed, more: Committed) -> Committed:
    return Committed(
        group_id=total.group_id,
        commits=total.commits + more.commits,
        episodes=total.episodes + more.episodes,
        decisions=total.decisions + more.decisions,
        facts_created=total.facts_created + more.facts_created,
        facts_expired=total.facts_expired + more.facts_expired,
    )
