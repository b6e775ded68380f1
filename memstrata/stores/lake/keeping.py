"""The kept computation: extractions as parts of the lake, one a call, version and day of acceptance."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Conflict
from memstrata.stores.lake.codec import dump, load_episode
from memstrata.stores.lake.columns import decode_extractions, encode_extractions
from memstrata.stores.lake.parts import extraction_path, number_of, part_name
from memstrata.stores.sqlite.record_rows import ExtractionRow, Named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from memstrata.model import Assertion, Episode, Extraction, Mention
    from memstrata.stores.lake.parts import Lake
    from memstrata.stores.leases import FileLeases
    from memstrata.stores.sqlite.record_index import RecordIndex

#: Held while extractions are written and registered.
LEASE: Final = "extractions"

_Kept = tuple[Named, "Extraction", ExtractionRow]


class Keeper:
    """Hands out what awaits extraction, and keeps what comes back."""

    def __init__(self, index: RecordIndex, lake: Lake, leases: FileLeases) -> None:
        self._index = index
        self._lake = lake
        self._leases = leases
        # What was handed out, and with which number of the queue: if its context changes meanwhile it stays
        # queued.
        self._handed_out: dict[int, int] = {}
        # Of what was handed out last, the revisions of which no extraction was kept yet.
        self._never_extracted: frozenset[tuple[str, str, int]] = frozenset()

    def awaiting(self, day: date | None, limit: int) -> tuple[Episode, ...]:
        """See `ports.ExtractionLog`."""
        rows = self._index.awaiting(day, limit)
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

    def settle(self, episode: Episode, context_hash: str, version: str) -> None:
        """See `ports.ExtractionLog`."""
        asked = (episode.episode_id, episode.revision)
        for named in self._index.named([asked])[asked]:
            if named.group_id == episode.group_id:
                row = ExtractionRow(
                    head=named.row,
                    seen=self._handed_out.pop(named.row, named.awaiting),
                    revision=episode.revision,
                    context_hash=context_hash,
                    version=version,
                )
                self._index.settle(row)

    def keep(self, extractions: Sequence[Extraction]) -> None:
        """See `ports.ExtractionLog`."""
        if not extractions:
            return
        self._never_extracted = frozenset()
        with self._leases.hold(LEASE):
            kept = self._matched(extractions)
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
        for named, _, _ in kept:
            self._handed_out.pop(named.row, None)

    def _matched(self, extractions: Sequence[Extraction]) -> list[_Kept]:
        kept: list[_Kept] = []
        for named, extraction in _with_episodes(self._index, extractions):
            seen = self._handed_out.get(named.row, named.awaiting)
            kept.append((named, extraction, _row_of(named, extraction, seen)))
        return kept


def _revision(episode: Episode) -> tuple[str, str, int]:
    return episode.group_id, episode.episode_id, episode.revision


def adopt(index: RecordIndex, lake: Lake, path: str) -> None:
    """Registers a part of extractions that is in the lake."""
    found = decode_extractions(lake.read(path), path)
    matched = _with_episodes(index, [extraction for extraction, _ in found])
    rows = [
        _row_of(named, extraction, seen)
        for (named, extraction), (_, seen) in zip(matched, found, strict=True)
    ]
    index.keep(rows, {path: number_of(path)})


def adopt_unfinished(index: RecordIndex, lake: Lake) -> None:
    """Takes in parts that were written by a process that died before it registered them; holds `LEASE`."""
    for path in index.intended():
        if path.startswith("extractions/"):
            if lake.holds(path):
                adopt(index, lake, path)
            else:
                lake.remove(path)
                index.give_up([path])


def _with_episodes(index: RecordIndex, extractions: Sequence[Extraction]) -> list[tuple[Named, Extraction]]:
    """Each extraction with the episode that was extracted, its group filled in."""
    found = index.named({(one.episode_id, one.revision) for one in extractions})
    matched: list[tuple[Named, Extraction]] = []
    for extraction in extractions:
        named = _episode_of(extraction, found[extraction.episode_id, extraction.revision])
        whole = extraction if extraction.group_id else replace(extraction, group_id=named.group_id)
        matched.append((named, whole))
    return matched


def _episode_of(extraction: Extraction, found: Sequence[Named]) -> Named:
    """Of the episodes of its id, that of its group if it says one anywhere, else the only one."""
    inside: tuple[Mention | Assertion, ...] = (*extraction.mentions, *extraction.assertions)
    said = extraction.group_id or (inside[0].group_id if inside else None)
    matching = [named for named in found if said in (None, named.group_id)]
    if len(matching) == 1:
        return matching[0]
    what = f"an extraction of revision {extraction.revision} of episode {extraction.episode_id!r}"
    if not matching:
        raise Conflict(
            f"{what} is to be kept, but the log has no such episode in group {said!r}; compact first"
        )
    groups = ", ".join(named.group_id for named in matching)
    raise Conflict(f"{what} does not say of which group, and {groups} have one; set its group_id")


def _row_of(named: Named, extraction: Extraction, seen: int) -> ExtractionRow:
    return ExtractionRow(
        head=named.row,
        seen=seen,
        revision=extraction.revision,
        context_hash=extraction.context_hash,
        version=extraction.version,
        body=dump(extraction),
    )
