"""Pages put together into parts of the lake, and taken apart again when the index is built anew.

There is one part a stream and day, or extractor version and day, for all pages that the spool holds. Its
own number says when it was put together; each record keeps its page's number.
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from memstrata.errors import Damaged
from memstrata.stores.lake.columns import (
    DECISION_COLUMNS,
    EPISODE_COLUMNS,
    EXTRACTION_COLUMNS,
    Origin,
    decode_decisions,
    decode_episodes,
    decode_extractions,
    encode_pages,
    heads_of,
    origin_of,
    pages_in,
)
from memstrata.stores.lake.matching import with_episodes
from memstrata.stores.lake.pages import head_of, spooled
from memstrata.stores.lake.parts import PAGES, extraction_path, log_path, part_name
from memstrata.stores.lake.rows import utc_day
from memstrata.stores.lake.spool import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from memstrata.stores.lake.pages import Page
    from memstrata.stores.lake.parts import Lake
    from memstrata.stores.lake.spool import Spool
    from memstrata.stores.sqlite.record_index import RecordIndex

_Row = tuple[Any, int, int | None]
_COLUMNS: Final = {"episodes": EPISODE_COLUMNS, "decisions": DECISION_COLUMNS}
_DECODE: Final[Mapping[str, Callable[[bytes, str], Sequence[Any]]]] = {
    "episodes": decode_episodes,
    "decisions": decode_decisions,
    "extractions": decode_extractions,
}


def bind(index: RecordIndex, spool: Spool, lake: Lake) -> tuple[date, ...]:
    """Writes all pages of the spool into parts; gives the days that got one of episodes or decisions.

    The caller holds the leases of spool and extractions, and every page is in the index.
    """
    spool.seal(Stream.PAGES)
    sealed = spool.sealed(Stream.PAGES)
    used = index.used_up([f"{Stream.PAGES}/{stem}" for stem in sealed]) if sealed else frozenset()
    stems = [stem for stem in sealed if f"{Stream.PAGES}/{stem}" not in used]
    pages = sorted((one for stem in stems for one in spooled(spool, stem)[0]), key=lambda page: page.number)
    days: tuple[date, ...] = ()
    if stems:
        number = index.next_number()
        rows = _by_path(index, pages, part_name(number, os.urandom(4).hex(), kind=PAGES))
        origin = Origin(
            parts=tuple(rows),
            sources=tuple(f"{Stream.PAGES}/{stem}" for stem in stems),
            context_turns=0,
        )
        heads = [page.head for page in pages]
        index.intend(rows)
        for path, inside in rows.items():
            columns = _COLUMNS.get(path.split("/")[1], EXTRACTION_COLUMNS)
            lake.write(path, encode_pages(columns, inside, origin, heads))
        index.register_bound(number, origin.parts, origin.sources)
        days = tuple(
            sorted(
                {utc_day(one.ingested_at) for page in pages for one in page.episodes}
                | {utc_day(one.at) for page in pages for one in page.decisions}
            )
        )
    spool.remove(Stream.PAGES, sealed)
    return days


def _by_path(index: RecordIndex, pages: Sequence[Page], name: str) -> dict[str, list[_Row]]:
    """What goes into each part, in the order of the pages; of one page, days in order."""
    rows: defaultdict[str, list[_Row]] = defaultdict(list)
    for page in pages:
        for episode in page.episodes:
            rows[log_path(Stream.EPISODES, utc_day(episode.ingested_at), name)].append(
                (episode, page.number, None)
            )
        for decision in page.decisions:
            rows[log_path(Stream.DECISIONS, utc_day(decision.at), name)].append(
                (decision, page.number, None)
            )
        named = with_episodes(index, [extraction for extraction, _ in page.extractions])
        for (of, extraction), (_, queued) in zip(named, page.extractions, strict=True):
            rows[extraction_path(extraction.version, of.day, name)].append(
                (extraction, page.number, queued)
            )
    return dict(sorted(rows.items()))


def unbind(paths: Iterable[str], lake: Lake, spooled_files: set[str]) -> tuple[list[Page], Origin] | None:
    """The pages in the parts that were written together; None if the writing was interrupted.

    Raises `Damaged` if a part is missing and the spool has not got its pages any more.
    """
    parts = {path: lake.read(path) for path in paths}
    first = next(iter(parts))
    origin = origin_of(parts[first], first)
    if missing := set(origin.parts) - parts.keys():
        if spooled_files.issuperset(origin.sources):
            return None
        raise Damaged(
            f"the lake at {lake.url} lacks {', '.join(sorted(missing))}, and the spool no longer holds its "
            "pages; restore the file from a backup"
        )
    records: defaultdict[tuple[int, str], list[Any]] = defaultdict(list)
    for path in origin.parts:
        stream = path.split("/")[1] if path.startswith("log/") else "extractions"
        decoded = _DECODE[stream](parts[path], path)
        for number, record in zip(pages_in(parts[path], path), decoded, strict=True):
            records[number, stream].append(record)
    pages = [
        replace(
            page,
            episodes=tuple(records[page.number, "episodes"]),
            decisions=tuple(records[page.number, "decisions"]),
            extractions=tuple(records[page.number, "extractions"]),
        )
        for page in _heads(parts[first], first)
    ]
    return pages, origin


def _heads(part: bytes, path: str) -> Iterator[Page]:
    heads = heads_of(part, path)
    for head in heads if isinstance(heads, list) else ():
        page = head_of(head)
        if page is None:
            raise Damaged(f"{path} does not say which pages it holds; restore it from a backup")
        yield page
