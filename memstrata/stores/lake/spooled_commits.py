"""Commits between the spool, where they are durable, and the index, which answers for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.stores.lake.codec import load_commit
from memstrata.stores.lake.rows import commit_row
from memstrata.stores.lake.spool import Stream

if TYPE_CHECKING:
    from memstrata.errors import Damaged
    from memstrata.model import Commit
    from memstrata.stores.lake.spool import Spool
    from memstrata.stores.sqlite.record_index import RecordIndex

_TRIES: Final = 5


def register_spooled_commits(index: RecordIndex, spool: Spool) -> dict[str, Damaged]:
    """Registers commits that are in the spool alone: just appended, or left by a process that died then.

    Gives the groups in whose log a commit is missing or doubled, each with what is wrong; their commits
    from there on are not registered, and those of other groups are.
    """
    damaged: dict[str, Damaged] = {}
    for _ in range(_TRIES):
        found, ends = _unread(index, spool)
        if not found:
            return {}
        damaged = index.add_commits([commit_row(commit) for commit in found], ends)
        if not damaged:
            break
        # Or one file was read before, and another after, two commits that somebody made meanwhile: look
        # again.
    return damaged


def _unread(index: RecordIndex, spool: Spool) -> tuple[list[Commit], dict[str, int]]:
    found: list[Commit] = []
    ends: dict[str, int] = {}
    sizes = spool.sizes(Stream.COMMITS)
    read = index.spool_read() if sizes else {}
    for stem, size in sizes.items():
        start = read.get(stem, 0)
        spooled = spool.read(Stream.COMMITS, stem, start=start) if size > start else None
        if spooled is not None and spooled.lines:
            found += map(load_commit, spooled.lines)
            ends[stem] = spooled.end
    return found, ends
