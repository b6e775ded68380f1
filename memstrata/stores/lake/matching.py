"""Which episode an extraction is of: its row in the index, found by id, revision and group."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memstrata.errors import Conflict
from memstrata.model import ExtractionStatus
from memstrata.stores.lake.codec import dump
from memstrata.stores.sqlite.record_rows import ExtractionRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Assertion, Extraction, Mention
    from memstrata.stores.sqlite.record_index import RecordIndex
    from memstrata.stores.sqlite.record_rows import Named


def with_episodes(index: RecordIndex, extractions: Sequence[Extraction]) -> list[tuple[Named, Extraction]]:
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


def row_of(named: Named, extraction: Extraction, seen: int) -> ExtractionRow:
    """The extraction as the index keeps it; `seen` is its number in the queue: see `ExtractionRow`."""
    return ExtractionRow(
        head=named.row,
        seen=seen,
        revision=extraction.revision,
        context_hash=extraction.context_hash,
        version=extraction.version,
        body=dump(extraction),
        failed=extraction.status is ExtractionStatus.FAILED,
    )


def rows_of(index: RecordIndex, queued: Sequence[tuple[Extraction, int]]) -> list[ExtractionRow]:
    """The rows of extractions, each with its episode's number in the queue when it was handed out."""
    matched = with_episodes(index, [extraction for extraction, _ in queued])
    return [
        row_of(named, extraction, seen)
        for (named, extraction), (_, seen) in zip(matched, queued, strict=True)
    ]
