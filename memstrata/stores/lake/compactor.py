"""Compaction: what the spool holds becomes numbered records in immutable parts of the lake.

The order of steps makes it safe to be killed anywhere: note the parts that will be written, write them,
register them with their records in one transaction, then remove the spool files. A part that was noted and
never registered is removed at the next start, and its records, still in the spool, are taken again.
"""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.ports import Compaction
from memstrata.ports.promoting import SWITCHES
from memstrata.stores.lake.codec import load_commit, load_decision, load_episode
from memstrata.stores.lake.columns import (
    COMMIT_COLUMNS,
    DECISION_COLUMNS,
    EPISODE_COLUMNS,
    Origin,
    encode,
)
from memstrata.stores.lake.pages import Page, append
from memstrata.stores.lake.parts import holds_pages, log_path, part_name
from memstrata.stores.lake.registering import batch_of, numbering_of
from memstrata.stores.lake.rows import utc_day
from memstrata.stores.lake.spool import Stream
from memstrata.stores.lake.spooled_commits import register_spooled_commits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import date

    from memstrata.model import Commit, Decision, Episode
    from memstrata.stores.lake.columns import As
    from memstrata.stores.lake.numbering import Numbered
    from memstrata.stores.lake.parts import Lake
    from memstrata.stores.lake.spool import Spool
    from memstrata.stores.sqlite.record_index import RecordIndex

#: Bytes of the spool above which it is no small matter to number what it holds.
_LIGHT = 2**18
#: Bytes and files of pages that may wait for a whole compaction where nobody asks for one.
_PAGED_BYTES, _PAGED_FILES = 2**22, 64

# A decision about an accepted episode is appended after it: sealed first, it always finds its episode
# sealed too.
_SEALING_ORDER = (Stream.DECISIONS, Stream.EPISODES, Stream.COMMITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """What was in the sealed files."""

    lines: Mapping[Stream, list[bytes]]
    sources: tuple[str, ...]
    torn: int


def compact(
    index: RecordIndex,
    spool: Spool,
    lake: Lake,
    *,
    context_turns: int,
    undisturbed: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Compaction:
    """Compacts once; the caller holds the spool's lease. See `ports.Compactor`.

    What changes the versions in force is numbered and registered while nobody keeps extractions
    (`undisturbed`): then the order of the numbers is that in which everything was registered.
    """
    for stream in _SEALING_ORDER:
        spool.seal(stream)
    # Commits that the index could not take in stay where they are until somebody has looked.
    damaged = register_spooled_commits(index, spool)
    taken = _take(index, spool, {Stream.COMMITS} if damaged else set())
    if not taken.sources:
        return Compaction()
    episodes = [load_episode(line, revision=1) for line in taken.lines[Stream.EPISODES]]
    decisions = [load_decision(line) for line in taken.lines[Stream.DECISIONS]]
    commits = [load_commit(line) for line in taken.lines[Stream.COMMITS]]
    known, numbered = numbering_of(index, episodes, decisions)
    by_day = _by_stream_and_day(numbered, commits)
    switches = any(one.kind in SWITCHES for one in numbered.decisions)
    with undisturbed() if switches else nullcontext():
        order = index.next_number()
        name = part_name(order, os.urandom(4).hex())
        paths = {key: log_path(key[0], key[1], name) for key in by_day}
        origin = Origin(parts=tuple(paths.values()), sources=taken.sources, context_turns=context_turns)
        index.intend(paths.values())
        for key, records in by_day.items():
            lake.write(paths[key], encode(_COLUMNS[key[0]], records, origin))
        index.register(batch_of(order, known, numbered, context_turns=context_turns, origin=origin))
    _remove(spool, taken.sources)
    days = tuple(sorted({day for _, day in by_day}))
    return _done(numbered, commits=len(commits), days=days, torn=taken.torn)


def compact_lightly(index: RecordIndex, spool: Spool, *, context_turns: int) -> Compaction | None:
    """Numbers what the spool holds into one page, and leaves everything where it is.

    None if that is much, a compaction was interrupted, many pages are there already, or another extractor
    version comes into force: then a whole one has to do it. The caller holds the spool's lease.
    """
    paged = spool.sizes(Stream.PAGES)
    if len(paged) > _PAGED_FILES or sum(paged.values()) > _PAGED_BYTES:
        return None
    read = index.spool_read()
    # In the order of sealing, for the same reason.
    waiting = {
        f"{stream}/{stem}": (stream, stem, size)
        for stream in (Stream.DECISIONS, Stream.EPISODES)
        for stem, size in spool.sizes(stream).items()
        if size > read.get(f"{stream}/{stem}", 0)
    }
    bytes_waiting = sum(size - read.get(source, 0) for source, (_, _, size) in waiting.items())
    if bytes_waiting > _LIGHT or (waiting and index.used_up(waiting)):
        return None
    lines: dict[Stream, list[bytes]] = {Stream.EPISODES: [], Stream.DECISIONS: []}
    ends: dict[str, int] = {}
    for source, (stream, stem, _) in waiting.items():
        spooled = spool.read(stream, stem, start=read.get(source, 0))
        if spooled is not None and spooled.lines:
            lines[stream] += spooled.lines
            ends[source] = spooled.end
    if not ends:
        return Compaction()
    episodes = [load_episode(line, revision=1) for line in lines[Stream.EPISODES]]
    decisions = [load_decision(line) for line in lines[Stream.DECISIONS]]
    if any(one.kind in SWITCHES for one in decisions):
        return None
    _, numbered = numbering_of(index, episodes, decisions)
    page = Page(
        number=index.next_number(),
        context_turns=context_turns,
        read=ends,
        episodes=numbered.episodes,
        decisions=numbered.decisions,
    )
    append(index, spool, page)
    return _done(numbered)


def _done(
    numbered: Numbered, *, commits: int = 0, days: tuple[date, ...] = (), torn: int = 0
) -> Compaction:
    return Compaction(
        new=numbered.new,
        repeated=numbered.repeated,
        revised=numbered.revised,
        decisions=len(numbered.decisions),
        commits=commits,
        days=days,
        torn_bytes=torn,
    )


def clear_unfinished(index: RecordIndex, lake: Lake) -> None:
    """Removes parts that a compaction was interrupted before it registered, those of pages too."""
    unfinished = [path for path in index.intended() if path.startswith("log/") or holds_pages(path)]
    for path in unfinished:
        lake.remove(path)
    if unfinished:
        index.give_up(unfinished)


def _take(index: RecordIndex, spool: Spool, without: set[Stream]) -> _Taken:
    """Reads the sealed files; those that a registered compaction used up already are removed."""
    sealed = {
        f"{stream}/{stem}": (stream, stem)
        for stream in set(_SEALING_ORDER) - without
        for stem in spool.sealed(stream)
    }
    used = index.used_up(sealed) if sealed else frozenset()
    _remove(spool, sorted(used))
    lines: dict[Stream, list[bytes]] = {stream: [] for stream in Stream}
    torn = 0
    sources = sorted(source for source in sealed if source not in used)
    read = index.spool_read() if sources else {}
    for source in sources:
        stream, stem = sealed[source]
        # What pages have taken in already is not taken again; of commits all becomes parts only here.
        spooled = spool.read(stream, stem, start=read.get(source, 0))
        if spooled is not None:
            lines[stream] += spooled.lines
            torn += spooled.torn
    return _Taken(lines=lines, sources=tuple(sources), torn=torn)


def _remove(spool: Spool, sources: Sequence[str]) -> None:
    for stream in Stream:
        prefix = f"{stream}/"
        spool.remove(stream, [one.removeprefix(prefix) for one in sources if one.startswith(prefix)])


_COLUMNS: Mapping[str, Mapping[str, As]] = {
    Stream.EPISODES: EPISODE_COLUMNS,
    Stream.DECISIONS: DECISION_COLUMNS,
    Stream.COMMITS: COMMIT_COLUMNS,
}


_Part = tuple[Stream, "date"]
_Records = list["Episode"] | list["Decision"] | list["Commit"]


def _by_stream_and_day(numbered: Numbered, commits: Sequence[Commit]) -> dict[_Part, _Records]:
    """What goes into each part; streams one after the other, in each the days in order."""
    episodes: defaultdict[_Part, list[Episode]] = defaultdict(list)
    for episode in numbered.episodes:
        episodes[Stream.EPISODES, utc_day(episode.ingested_at)].append(episode)
    decisions: defaultdict[_Part, list[Decision]] = defaultdict(list)
    for decision in numbered.decisions:
        decisions[Stream.DECISIONS, utc_day(decision.at)].append(decision)
    committed: defaultdict[_Part, list[Commit]] = defaultdict(list)
    for commit in sorted(commits, key=lambda commit: (commit.group_id, commit.seq)):
        committed[Stream.COMMITS, utc_day(commit.instant)].append(commit)
    return {**episodes, **decisions, **committed}
