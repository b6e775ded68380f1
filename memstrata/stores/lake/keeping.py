"""The kept computation: extractions as parts of the lake, one a call, version and day of acceptance."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from memstrata.stores.lake.codec import load_episode
from memstrata.stores.lake.columns import decode_extractions, encode_extractions
from memstrata.stores.lake.matching import row_of, rows_of, with_episodes
from memstrata.stores.lake.pages import Page, append
from memstrata.stores.lake.parts import extraction_path, holds_pages, number_of, part_name
from memstrata.stores.lake.rows import day_range
from memstrata.stores.sqlite.record_rows import ExtractionRow, Named, candidate

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from memstrata.model import Episode, Extraction
    from memstrata.ports.promoting import Promotion
    from memstrata.stores.lake.parts import Lake
    from memstrata.stores.lake.spool import Spool
    from memstrata.stores.leases import FileLeases
    from memstrata.stores.sqlite.record_index import RecordIndex

#: Held while extractions are written and registered.
LEASE: Final = "extractions"

_Kept = tuple[Named, "Extraction", ExtractionRow]


class Keeper:
    """Hands out what awaits extraction, and keeps what comes back."""

    def __init__(self, index: RecordIndex, spool: Spool, lake: Lake, leases: FileLeases) -> None:
        self._index = index
        self._spool = spool
        self._lake = lake
        self._leases = leases
        # What was handed out, and with which number of the queue: if its context changes meanwhile it stays
        # queued.
        self._handed_out: dict[int, int] = {}
        # The same of what was handed out to become a candidate: the compaction that had asked last.
        self._asked: dict[int, int] = {}
        # Of what was handed out last, the revisions of which no extraction was kept yet.
        self._never_extracted: frozenset[tuple[str, str, int]] = frozenset()

    def awaiting(self, day: date | None, limit: int, but: Collection[str] = ()) -> tuple[Episode, ...]:
        """See `ports.ExtractionLog`."""
        return self._hand_out(self._index.awaiting(day, limit, but))

    def awaiting_among(self, group_id: str, episode_ids: Collection[str]) -> tuple[Episode, ...]:
        """See `ports.ExtractionLog`."""
        return self._hand_out(self._index.awaiting_among(group_id, episode_ids))

    def _hand_out(self, rows: Sequence[tuple[int, int, bytes, int]]) -> tuple[Episode, ...]:
        self._handed_out.update((row, number) for row, number, _, _ in rows)
        episodes = tuple(load_episode(body) for _, _, body, _ in rows)
        self._never_extracted = frozenset(
            _revision(episode)
            for episode, (_, _, _, extracted) in zip(episodes, rows, strict=True)
            if not extracted
        )
        return episodes

    def known(self, episode: Episode, context_hash: str, version: str) -> bool:
        """See `ports.ExtractionLog`. What another process has kept since the hand-out may go unnoticed."""
        if _revision(episode) in self._never_extracted:
            return False
        key = (episode.group_id, episode.episode_id)
        return self._index.known_extraction(key, episode.revision, context_hash, version)

    def lacking(
        self, group_id: str, promotion: Promotion, *, after: int, limit: int
    ) -> tuple[tuple[int, Episode], ...]:
        """See `ports.ExtractionLog`."""
        rows = self._index.versions.lacking(
            group_id, promotion.version, day_range(promotion.days), after=after, limit=limit
        )
        self._asked.update((row, asked) for _, row, asked, _ in rows)
        return tuple((place, load_episode(body)) for place, _, _, body in rows)

    def keep(self, extractions: Sequence[Extraction], *, as_candidates: bool = False) -> None:
        """See `ports.ExtractionLog`."""
        if not extractions:
            return
        self._never_extracted = frozenset()
        with self._leases.hold(LEASE):
            kept = self._matched(extractions, as_candidates=as_candidates)
            order = self._index.next_number()
            name = part_name(order, os.urandom(4).hex())
            parts: defaultdict[str, list[_Kept]] = defaultdict(list)
            for one in kept:
                parts[extraction_path(one[1].version, one[0].day, name)].append(one)
            self._index.intend(parts)
            for path, inside in parts.items():
                seen = [row.seen for _, _, row in inside]
                self._lake.write(
                    path, encode_extractions([extraction for _, extraction, _ in inside], seen)
                )
            self._index.keep([row for _, _, row in kept], dict.fromkeys(parts, order))
        handed_out = self._asked if as_candidates else self._handed_out
        for named, _, _ in kept:
            handed_out.pop(named.row, None)

    def keep_page(self, extractions: Sequence[Extraction]) -> None:
        """See `ports.ExtractionLog.keep`, lightly; the caller holds the spool's lease."""
        self._never_extracted = frozenset()
        kept = self._matched(extractions)
        page = Page(
            number=self._index.next_number(),
            extractions=tuple((extraction, row.seen) for _, extraction, row in kept),
        )
        append(self._index, self._spool, page)
        for named, _, _ in kept:
            self._handed_out.pop(named.row, None)

    def _matched(self, extractions: Sequence[Extraction], *, as_candidates: bool = False) -> list[_Kept]:
        kept: list[_Kept] = []
        for named, extraction in with_episodes(self._index, extractions):
            if as_candidates:
                seen = candidate(self._asked.get(named.row, named.asked))
            else:
                seen = self._handed_out.get(named.row, named.awaiting)
            kept.append((named, extraction, row_of(named, extraction, seen)))
        return kept


def _revision(episode: Episode) -> tuple[str, str, int]:
    return episode.group_id, episode.episode_id, episode.revision


def adopt(index: RecordIndex, lake: Lake, path: str) -> None:
    """Registers a part of extractions that is in the lake."""
    found = decode_extractions(lake.read(path), path)
    index.keep(rows_of(index, found), {path: number_of(path)})


def adopt_unfinished(index: RecordIndex, lake: Lake) -> None:
    """Takes in parts that were written by a process that died before it registered them; holds `LEASE`."""
    for path in index.intended():
        if path.startswith("extractions/") and not holds_pages(path):
            if lake.holds(path):
                adopt(index, lake, path)
            else:
                lake.remove(path)
                index.give_up([path])
