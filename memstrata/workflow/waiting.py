"""A write that somebody waits for: accepted, then extracted and committed at once, itself alone.

When it returns, a search finds its facts, in this process and in any other. Vectors follow with the next
pass. What cannot be committed now stays accepted, and the next pass takes it in.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Timer
from typing import TYPE_CHECKING, Final

from memstrata.errors import MemstrataError
from memstrata.instants import TICK
from memstrata.workflow.commit import commit_among
from memstrata.workflow.extract import extract_among
from memstrata.workflow.intake import accept, show
from memstrata.workflow.review import undecided
from memstrata.workflow.work import compact_lightly

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.model import Commit, Draft, Episode, Fact
    from memstrata.ports import Changes, Installation
    from memstrata.workflow.extract import Extracted

#: Episodes that share one commit where many are waited for together.
BATCH: Final = 200
#: Seconds after which readers are shown the raw episodes meanwhile: a commit replaces them anyway, so it is
#: worth while only where the extractor takes its time.
_SLOW: Final = 0.1
_MOST_VERSIONS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of one group's episodes.

    `commit` is the last that took one of them in. `created` are the versions of facts that it began, by
    fact id (a superseded fact is one of them, with its end), `ended` the ids of the facts that are believed
    no more. `held` counts what verification left of the episodes to a person who has not decided yet (see
    `review`). Where `waiting` is not empty, it says why some of them are accepted and not committed yet.
    """

    group_id: str
    episode_ids: tuple[str, ...]
    commit: Commit | None = None
    created: tuple[Fact, ...] = ()
    ended: tuple[str, ...] = ()
    held: int = 0
    waiting: str = ""


def remember(installation: Installation, drafts: Iterable[Draft]) -> Iterator[Remembered]:
    """Accepts drafts and commits them before it goes on, in batches: one answer a batch and group.

    Raises what `accept` raises; nothing that happens after acceptance is raised, except what no caller
    can mend by sending it again. The same content again changes nothing and gives the same answer.
    """
    for accepted in accept(installation, drafts, batch=BATCH, shown=False):
        for group_id in dict.fromkeys(one.group_id for one in accepted.episodes):
            own = [one for one in accepted.episodes if one.group_id == group_id]
            yield _remembered(installation, group_id, own)


def _remembered(installation: Installation, group_id: str, episodes: Sequence[Episode]) -> Remembered:
    ids = tuple(dict.fromkeys(one.episode_id for one in episodes))
    try:
        compact_lightly(installation, group_id)
        with _shown_if_slow(installation, episodes):
            extracted = extract_among(installation, group_id, ids)
        changes = commit_among(installation, group_id, ids)
        if changes is not None and _taken_in(changes.commit).issuperset(ids):
            # what nothing was held of when it was extracted just now needs no second look
            is_held = extracted.held or extracted.already_known
            held = _held(installation, group_id, ids) if is_held else 0
            return replace(_of_changes(ids, changes), held=held)
        answer = _of_log(installation, group_id, ids, _why_not(extracted))
    except MemstrataError as error:  # they are accepted: whatever it is, sending them again does not help
        answer = Remembered(group_id=group_id, episode_ids=ids, waiting=str(error))
    if answer.waiting:
        show(installation, episodes)
    return answer


def _why_not(extracted: Extracted) -> str:
    return extracted.reason or extracted.stopped or next((why for _, why in extracted.put_off), "")


@contextmanager
def _shown_if_slow(installation: Installation, episodes: Sequence[Episode]) -> Iterator[None]:
    """Lets readers find the raw episodes if the block takes long."""
    timer = Timer(_SLOW, show, (installation, episodes))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _taken_in(commit: Commit) -> set[str]:
    return {one.episode_id for one in commit.episodes}


def _of_changes(ids: tuple[str, ...], changes: Changes) -> Remembered:
    begun = {fact.id for fact in changes.facts_created}
    return Remembered(
        group_id=changes.commit.group_id,
        episode_ids=ids,
        commit=changes.commit,
        created=tuple(sorted(changes.facts_created, key=lambda fact: fact.id)),
        ended=tuple(sorted(set(changes.facts_expired) - begun)),
    )


def _of_log(installation: Installation, group_id: str, ids: tuple[str, ...], reason: str) -> Remembered:
    """What commits did with episodes that others took in: sent before, or a bulk run was quicker."""
    commits, lacking = _commits_of(installation, group_id, ids)
    begun: dict[str, Fact] = {}
    ended: set[str] = set()
    about = _keys_of(installation, group_id, ids)
    for commit in commits:
        is_own = _taken_in(commit) <= set(ids)
        for one in installation.graph.versions_between(
            group_id, commit.instant - TICK, commit.instant, limit=_MOST_VERSIONS
        ):
            version = one.version
            if is_own or (version.fact.subject, version.fact.predicate) in about:
                if version.created_at == commit.instant:
                    begun[version.fact.id] = version.fact
                else:
                    ended.add(version.fact.id)
    return Remembered(
        group_id=group_id,
        episode_ids=ids,
        commit=commits[-1] if commits else None,
        created=tuple(fact for _, fact in sorted(begun.items())),
        ended=tuple(sorted(ended - begun.keys())),
        held=_held(installation, group_id, ids),
        waiting=_why(lacking, reason) if lacking else "",
    )


def _held(installation: Installation, group_id: str, ids: Sequence[str]) -> int:
    pairs = [pair for pair in installation.record.in_force(group_id, ids) if pair[1].held]
    return undecided(installation, group_id, pairs)[0] if pairs else 0


def _commits_of(
    installation: Installation, group_id: str, ids: Sequence[str]
) -> tuple[list[Commit], list[str]]:
    """The commits that took in the latest revisions, in order, and the ids of which none has."""
    record = installation.record
    found: dict[int, Commit] = {}
    lacking: list[str] = []
    for episode_id in ids:
        latest = record.latest(group_id, episode_id)
        wanted = (episode_id, 0 if latest is None else latest.revision)
        if any(wanted in _revisions(commit) for commit in found.values()):
            continue
        commit = record.commit_of(group_id, episode_id)
        if commit is not None and wanted in _revisions(commit):
            found[commit.seq] = commit
        else:
            lacking.append(episode_id)
    return [found[seq] for seq in sorted(found)], lacking


def _revisions(commit: Commit) -> set[tuple[str, int]]:
    return {(one.episode_id, one.revision) for one in commit.episodes}


def _keys_of(installation: Installation, group_id: str, ids: Sequence[str]) -> set[tuple[str, str]]:
    """The subjects and predicates of what the episodes say."""
    return {(one.subject, one.predicate) for one in installation.graph.placements_of(group_id, ids)}


def _why(lacking: Sequence[str], reason: str) -> str:
    what = f"{len(lacking)} accepted and not committed, the first {lacking[0]}"
    if reason:
        return (
            f"{what}: extraction failed ({reason}); the next pass tries again, and what fails for good is "
            "listed by `memstrata dead-letters`"
        )
    return f"{what}: the next pass takes it in (`memstrata work`)"
