"""How much waits for which stage: in the spool, and in the queues of the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.ports import Backlog, Queue
from memstrata.stores.lake.codec import load_decision, load_episode
from memstrata.stores.lake.spool import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from memstrata.model import Episode
    from memstrata.stores.lake.spool import Spool
    from memstrata.stores.sqlite.record_index import RecordIndex


def backlog_of(index: RecordIndex, spool: Spool) -> Backlog:
    """The queues as they stand; of the spool's files it reads what no compaction has taken in."""
    awaiting, oldest = index.awaiting_count()
    pending, first = index.pending_count()
    decisions, decided = index.decisions_count()
    return Backlog(
        compaction=_together([_spooled(index, spool, stream, at) for stream, at in _ACCEPTED.items()]),
        extraction=Queue(count=awaiting, since=None if oldest is None else _episode_at(oldest)),
        commit=_together(
            [
                Queue(count=pending, since=None if first is None else _episode_at(first)),
                Queue(count=decisions, since=None if decided is None else _decision_at(decided)),
            ]
        ),
    )


def _episode_at(line: bytes) -> datetime:
    return load_episode(line, revision=1).ingested_at


def _decision_at(line: bytes) -> datetime:
    return load_decision(line).at


_ACCEPTED: dict[Stream, Callable[[bytes], datetime]] = {
    Stream.EPISODES: _episode_at,
    Stream.DECISIONS: _decision_at,
}


def uncompacted_in(index: RecordIndex, spool: Spool) -> Iterator[Episode]:
    """The episodes in the spool's files that no compaction has taken in."""
    for lines in _unread(index, spool, Stream.EPISODES):
        for line in lines:
            yield load_episode(line, revision=1)


def _spooled(index: RecordIndex, spool: Spool, stream: Stream, at: Callable[[bytes], datetime]) -> Queue:
    # One process appends in the order of acceptance.
    unread = _unread(index, spool, stream)
    return _together([Queue(count=len(lines), since=at(lines[0])) for lines in unread])


def _unread(index: RecordIndex, spool: Spool, stream: Stream) -> Iterator[Sequence[bytes]]:
    """The lines of each file that has lines which the index lacks."""
    sizes = {f"{stream}/{stem}": (stem, size) for stem, size in spool.sizes(stream).items()}
    read = index.spool_read() if sizes else {}
    used = index.used_up(sizes) if sizes else frozenset()
    for source, (stem, size) in sizes.items():
        start = read.get(source, 0)
        found = spool.read(stream, stem, start=start) if size > start and source not in used else None
        if found is not None and found.lines:
            yield found.lines


def _together(queues: Iterable[Queue]) -> Queue:
    every = list(queues)
    return Queue(
        count=sum(one.count for one in every),
        since=min((one.since for one in every if one.since is not None), default=None),
    )
