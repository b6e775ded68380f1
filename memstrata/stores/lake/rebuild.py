"""Building the record index again from the lake and the spool."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memstrata.errors import Damaged
from memstrata.stores.lake.binding import unbind
from memstrata.stores.lake.columns import (
    decode_commits,
    decode_decisions,
    decode_episodes,
    origin_of,
)
from memstrata.stores.lake.keeping import adopt
from memstrata.stores.lake.pages import register, unread
from memstrata.stores.lake.parts import holds_pages, number_of
from memstrata.stores.lake.registering import batch_of, numbering_of
from memstrata.stores.lake.rows import commit_row
from memstrata.stores.lake.spool import Stream
from memstrata.stores.lake.spooled_commits import register_spooled_commits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memstrata.model import Commit, Decision, Episode
    from memstrata.stores.lake.columns import Origin
    from memstrata.stores.lake.parts import Lake
    from memstrata.stores.lake.spool import Spool
    from memstrata.stores.sqlite.record_index import RecordIndex


def rebuild(index: RecordIndex, spool: Spool, lake: Lake) -> None:
    """Empties the index and takes in every part and page, by number, then the spooled commits.

    The caller holds the spool's lease. A compaction whose parts are not all there was interrupted, and its
    records are still in the spool: those parts are removed. Raises `Damaged` when the spool has not got
    them either.
    """
    made: defaultdict[str, list[str]] = defaultdict(list)
    for path in lake.parts():
        made[PurePosixPath(path).name].append(path)
    taking = _Taking(index, lake, {f"{stream}/{stem}" for stream in Stream for stem in spool.sizes(stream)})
    with index.rebuilding():
        highest = taking.take(list(made.values()), spool)
        damaged = index.add_commits([commit_row(commit) for commit in taking.commits], {})
        index.next_number(above=highest)
        for damage in {**damaged, **register_spooled_commits(index, spool)}.values():
            raise damage
        index.bury_again()
    for path in taking.unfinished:
        lake.remove(path)


class _Taking:
    """Takes in what was written together, in the order of its numbers."""

    def __init__(self, index: RecordIndex, lake: Lake, spooled: set[str]) -> None:
        self._index = index
        self._lake = lake
        self._spooled = spooled
        self.commits: list[Commit] = []
        self.unfinished: list[str] = []

    def take(self, made: Sequence[Sequence[str]], spool: Spool) -> int:
        """Everything; gives the highest number."""
        steps: list[tuple[int, Callable[[], None]]] = []
        for paths in made:
            if holds_pages(paths[0]):
                steps += self._bound(paths)
            else:
                steps.append((number_of(paths[0]), partial(self._take_part, paths)))
        pages, ends = unread(self._index, spool)
        steps += [(page.number, partial(register, self._index, page)) for page in pages]
        for _, step in sorted(steps, key=lambda one: one[0]):
            step()
        self._index.note_read(ends)
        return max((number for number, _ in steps), default=0)

    def _bound(self, paths: Sequence[str]) -> list[tuple[int, Callable[[], None]]]:
        """The steps that take in pages which were put together; none if that was interrupted."""
        found = unbind(paths, self._lake, self._spooled)
        if found is None:
            self.unfinished += paths
            return []
        pages, origin = found
        number = number_of(paths[0])
        # First of all: then what is left of their files in the spool counts as used up.
        self._index.register_bound(number, origin.parts, origin.sources)
        return [(page.number, partial(register, self._index, page)) for page in pages] + [
            (number, lambda: None)
        ]

    def _take_part(self, paths: Sequence[str]) -> None:
        if paths[0].startswith("extractions/"):
            for path in paths:
                adopt(self._index, self._lake, path)
        elif not self._take_compaction(paths):
            self.unfinished += paths

    def _take_compaction(self, paths: Sequence[str]) -> bool:
        """Registers one compaction; False if it was interrupted before all its parts were there."""
        parts = {path: self._lake.read(path) for path in paths}
        origin = origin_of(parts[paths[0]], paths[0])
        if missing := set(origin.parts) - parts.keys():
            if self._spooled.issuperset(origin.sources):
                return False
            raise Damaged(
                f"the lake at {self._lake.url} lacks {', '.join(sorted(missing))}, and the spool no longer "
                "holds its records; restore the file from a backup"
            )
        episodes, decisions, found = _decoded(parts, origin)
        self.commits += found
        known, numbered = numbering_of(self._index, episodes, decisions, logged=True)
        self._index.register(
            batch_of(
                number_of(paths[0]),
                known,
                numbered,
                context_turns=origin.context_turns,
                origin=origin,
                again=True,
            )
        )
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
