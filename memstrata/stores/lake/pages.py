"""Pages: small parts that wait in the spool until a compaction puts them together into parts of the lake.

A single write that somebody waits for is numbered and extracted at once, and would otherwise leave two
files of Parquet behind. A page holds what such a part would hold, with its number among all parts, so that
an index that is built again takes it in where it belongs. Whoever appends or registers pages holds the
spool's lease.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memstrata.errors import Damaged
from memstrata.stores.lake.codec import (
    dump,
    dump_json,
    load_decision,
    load_episode,
    load_extraction,
    load_json,
)
from memstrata.stores.lake.matching import rows_of
from memstrata.stores.lake.registering import batch_of, numbering_of
from memstrata.stores.lake.spool import Stream

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.model import Decision, Episode, Extraction, Json
    from memstrata.stores.lake.spool import Spool
    from memstrata.stores.sqlite.record_index import RecordIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one light compaction numbered, or one call kept; `number` is its place among all parts.

    `read` says how far spool files (stream/name) are taken in, `context_turns` is as in a compaction's
    origin. Each extraction goes with its episode's number in the queue when it was handed out.
    """

    number: int
    context_turns: int = 0
    read: Mapping[str, int] = field(default_factory=dict)
    episodes: tuple[Episode, ...] = ()
    decisions: tuple[Decision, ...] = ()
    extractions: tuple[tuple[Extraction, int], ...] = ()

    @property
    def head(self) -> dict[str, object]:
        """All but the records."""
        return {"page": self.number, "context_turns": self.context_turns, "read": dict(self.read)}


def append(index: RecordIndex, spool: Spool, page: Page) -> None:
    """Makes the page durable, and takes it into the index."""
    head = page.head | {
        "episodes": len(page.episodes),
        "decisions": len(page.decisions),
        "queued": [queued for _, queued in page.extractions],
    }
    lines = [
        dump_json(head),
        *(dump(episode) for episode in page.episodes),
        *(dump(decision) for decision in page.decisions),
        *(dump(extraction) for extraction, _ in page.extractions),
    ]
    spool.append(Stream.PAGES, lines)
    register_spooled(index, spool)


def register_spooled(index: RecordIndex, spool: Spool) -> None:
    """Takes in pages that are in the spool alone: just appended, or left by a process that died then."""
    pages, ends = unread(index, spool)
    if ends:
        with index.registering(max((page.number for page in pages), default=0)):
            for page in pages:
                register(index, page)
            index.note_read(ends)


def register(index: RecordIndex, page: Page) -> None:
    """Takes one page into the index."""
    if page.episodes or page.decisions or page.read:
        known, numbered = numbering_of(index, page.episodes, page.decisions, logged=True)
        index.register(batch_of(page.number, known, numbered, context_turns=page.context_turns))
        index.note_read(page.read)
    index.keep(rows_of(index, page.extractions), {})


def unread(index: RecordIndex, spool: Spool) -> tuple[list[Page], dict[str, int]]:
    """The pages that the index lacks, by number, and how far their files (stream/name) are read then."""
    sizes = {f"{Stream.PAGES}/{stem}": (stem, size) for stem, size in spool.sizes(Stream.PAGES).items()}
    read = index.spool_read() if sizes else {}
    behind = [source for source, (_, size) in sizes.items() if size > read.get(source, 0)]
    used = index.used_up(behind) if behind else frozenset()
    pages: list[Page] = []
    ends: dict[str, int] = {}
    for source in behind:
        if source not in used:
            found, end = spooled(spool, sizes[source][0], start=read.get(source, 0))
            pages += found
            ends |= {source: end} if found else {}
    return sorted(pages, key=lambda page: page.number), ends


def spooled(spool: Spool, stem: str, *, start: int = 0) -> tuple[list[Page], int]:
    """The pages of one file from byte `start` on, and where they end."""
    found = spool.read(Stream.PAGES, stem, start=start)
    pages: list[Page] = []
    lines = () if found is None else found.lines
    while lines:
        page, length = _loaded(lines)
        pages.append(page)
        lines = lines[length:]
    return pages, start if found is None else found.end


def head_of(head: Json) -> Page | None:
    """A page without its records; None for what is no page's head."""
    match head:
        case {"page": int(number), "context_turns": int(turns), "read": {**read}}:
            ends = {str(source): int(str(end)) for source, end in read.items()}
            return Page(number=number, context_turns=turns, read=ends)
        case _:
            return None


def _loaded(lines: Sequence[bytes]) -> tuple[Page, int]:
    """The page that begins the lines, and how many of them are its."""
    head = load_json(lines[0])
    page = head_of(head)
    match head:
        case {"episodes": int(episodes), "decisions": int(decisions), "queued": [*queued]} if (
            page is not None
        ):
            kept = 1 + episodes + decisions
            end = kept + len(queued)
            return replace(
                page,
                episodes=tuple(map(load_episode, lines[1 : 1 + episodes])),
                decisions=tuple(map(load_decision, lines[1 + episodes : kept])),
                extractions=tuple(
                    (load_extraction(line), int(str(seen)))
                    for line, seen in zip(lines[kept:end], queued, strict=True)
                ),
            ), end
        case _:
            raise Damaged(
                f"a page of the spool begins with {lines[0][:80]!r}; restore the spool from a backup"
            )
