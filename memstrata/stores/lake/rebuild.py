"""Building the record index again from the lake and the spool."""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memstrata.errors import Damaged
from memstrata.stores.lake.columns import (
    decode_commits,
    decode_decisions,
    decode_episodes,
    origin_of,
)
from memstrata.stores.lake.compactor import batch_of, numbering_of
from memstrata.stores.lake.keeping import adopt
from memstrata.stores.lake.parts import number_of
from memstrata.stores.lake.rows import commit_row
from memstrata.stores.lake.spool import Stream
from memstrata.stores.lake.spooled_commits import register_spooled_commits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Commit, Decision, Episode
    from memstrata.stores.lake.columns import Origin
    from memstrata.stores.lake.parts import Lake
    from memstrata.stores.lake.spool import Spool
    from memstrata.stores.sqlite.record_index import RecordIndex


def rebuild(index: RecordIndex, spool: Spool, lake: Lake) -> None:
    """Empties the index and takes in every part, in the order of their making, then the spooled commits.

    The caller holds the spool's lease. A compaction whose parts are not all there was interrupted, and its
    records are still in the spool: those parts are removed. Raises `Damaged` when the spool has not got
    them either.
    """
    made: defaultdict[str, list[str]] = defaultdict(list)
    for path in lake.parts():
        made[PurePosixPath(path).name].append(path)
    spooled = {f"{stream}/{stem}" for stream in Stream for stem in spool.sizes(stream)}
    commits: list[Commit] = []
    unfinished: list[str] = []
    with index.rebuilding():
        for paths in made.values():
            if paths[0].startswith("extractions/"):
                for path in paths:
                    adopt(index, lake, path)
            elif not _take_compaction(index, lake, paths, spooled, commits):
                unfinished += paths
        damaged = index.add_commits([commit_row(commit) for commit in commits], {})
        index.next_number(above=max((number_of(paths[0]) for paths in made.values()), default=0))
        for damage in {**damaged, **register_spooled_commits(index, spool)}.values():
            raise damage
        index.bury_again()
    for path in unfinished:
        lake.remove(path)


def _take_compaction(
    index: RecordIndex, lake: Lake, paths: Sequence[str], spooled: set[str], commits: list[Commit]
) -> bool:
    """Registers one compaction; False if it was interrupted before all its parts were there."""
    parts = {path: lake.read(path) for path in paths}
    origin = origin_of(parts[paths[0]], paths[0])
    if missing := set(origin.parts) - parts.keys():
        if spooled.issuperset(origin.sources):
            return False
        raise Damaged(
            f"the lake at {lake.url} lacks {', '.join(sorted(missing))}, and the spool no longer holds its "
            "records; restore the file from a backup"
        )
    episodes, decisions, found = _decoded(parts, origin)
    commits += found
    known, numbered = numbering_of(index, episodes, decisions, logged=True)
    index.register(batch_of(number_of(paths[0]), origin, known, numbered))
    return True


def _decoded(parts: dict[str, bytes], origin: Origin) -> tuple[list[Episode], list[Decision], list[Commit]]:
    episodes: list[Episode] = []
    decisions: list[Decision] = []
    commits: list[Commit] = []
    for path in origin.parts:  # days in order within each stream
        match path.split("/")[1]:
            case Stream.EPISODES:
                episodes += decode_episodes(parts[path], path)
            case Stream.DECISIONS:
                decisions += decode_decisions(parts[path], path)
            case Stream.COMMITS:
                commits += decode_commits(parts[path], path)
    return episodes, decisions, commits
