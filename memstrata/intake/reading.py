"""Reading an input in two passes: recognise and check the whole of it, then hand out its drafts.

A structural fault refuses the whole input with an error; a faulty item is refused by itself and listed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memstrata.errors import Fault, Misplaced, Missing, nearest
from memstrata.intake import markdown_text
from memstrata.intake.door import check_form, check_group
from memstrata.intake.formats import FORMATS, Input
from memstrata.intake.notes import Notes
from memstrata.intake.options import Options, check_options
from memstrata.intake.sources import Source
from memstrata.intake.times import TimeReader
from memstrata.model import SourceType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memstrata.intake.formats import Format
    from memstrata.intake.notes import Refusal
    from memstrata.intake.sources import Sample
    from memstrata.model import Draft

#: Up to this many bytes of input the drafts of the first pass are kept; beyond it the input is read again.
KEPT: Final = 32 * 1_048_576
_SPEAKERS: Final = 1_000


@dataclass(slots=True, kw_only=True)
class Summary:
    """What a dry run prints: counts by type, sagas, first and last time, who speaks (the first 1,000)."""

    count: int = 0
    by_type: Counter[SourceType] = field(default_factory=Counter)
    first: datetime | None = None
    last: datetime | None = None
    speakers: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    _sagas: set[int] = field(default_factory=set)

    @property
    def sagas(self) -> int:
        """How many sagas there are."""
        return len(self._sagas)

    def add(self, draft: Draft) -> None:
        """Counts one draft."""
        at = draft.reference_time
        self.count += 1
        self.by_type[draft.source_type] += 1
        self.first = at if self.first is None else min(self.first, at)
        self.last = at if self.last is None else max(self.last, at)
        if draft.saga is not None:
            self._sagas.add(hash(draft.saga))
        said = draft.speaker
        speaks = said is not None and (said.name is not None or draft.source_type is SourceType.MESSAGE)
        if said is not None and speaks and len(self.speakers) < _SPEAKERS:
            self.speakers.add(said.name or said.id)
        if len(self.groups) < _SPEAKERS:
            self.groups.add(draft.group_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an input gives.

    `drafts` may be gone through more than once; a large input is then read again. `refused` lists the first
    10,000 items that were not taken, `refused_count` counts all. `skipped` counts, by kind, what is no
    evidence.
    """

    format: str
    drafts: Iterable[Draft]
    summary: Summary
    refused: tuple[Refusal, ...] = ()
    refused_count: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def read(path: Path | str, options: Options | None = None, *, now: datetime | None = None) -> Reading:
    """Reads a file or a folder of notes into drafts that have passed the door.

    `now` bounds epoch numbers, which may not lie after tomorrow. Raises `Misplaced` for a structural fault,
    for options that cannot be meant and, if `strict`, for the first faulty item; `Missing` where there is
    no such file.
    """
    options = options or Options()
    check_options(options)
    check_group(options.group_id)
    source = Source(path=Path(path), encoding=options.encoding)
    sample = source.sample()
    chosen = _format_of(sample, source, options)
    times = TimeReader(zone=options.zone, latest=(now or datetime.now(UTC)) + timedelta(days=1))
    notes, summary = Notes(root=str(source.path)), Summary()
    given = Input(source=source, sample=sample, options=options, times=times, notes=notes)
    before = _size_of(source)
    kept: list[Draft] | None = [] if before is None or before[0] <= KEPT else None
    try:
        for draft in _sound(chosen, given):
            summary.add(draft)
            if kept is not None:
                kept.append(draft)
    except RecursionError:
        raise source.place.fault("is nested too deeply to be read", mend="flatten it") from None
    if options.strict and notes.faults:
        raise _all_refused(notes)
    again = _Again(chosen=chosen, given=given, size=before)
    return Reading(
        format=chosen.NAME,
        drafts=again if kept is None else tuple(kept),
        summary=summary,
        refused=tuple(notes.refusals),
        refused_count=notes.refused,
        skipped=dict(notes.skipped),
        warnings=tuple(notes.warnings),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Again:
    """The drafts of a large input, read anew each time. Raises `Fault` if the file has changed."""

    chosen: Format
    given: Input
    size: tuple[int, int] | None

    def __iter__(self) -> Iterator[Draft]:
        self._check()
        given = self.given
        yield from _sound(
            self.chosen,
            Input(
                source=given.source,
                sample=given.sample,
                options=given.options,
                times=given.times,
                notes=Notes(),
            ),
        )
        self._check()

    def _check(self) -> None:
        if _size_of(self.given.source) != self.size:
            raise Fault(f"{self.given.source.path}: changed while it was read; run the same command again")


def _sound(chosen: Format, given: Input) -> Iterator[Draft]:
    """The drafts that the door lets in; the others are noted with their places."""
    for at, draft in chosen.read(given):
        try:
            check_form(draft)
        except Misplaced as fault:
            given.notes.refuse(at.locate(fault))
        else:
            yield draft


def _format_of(sample: Sample, source: Source, options: Options) -> Format:
    chosen = _named(sample, source, options)
    if sample.is_folder and chosen is not markdown_text:
        raise source.place.fault(f"is a folder, but {chosen.NAME} reads a file", mend="name the files")
    return chosen


def _named(sample: Sample, source: Source, options: Options) -> Format:
    by_name = {known.NAME: known for known in FORMATS}
    if options.format is not None:
        if options.format not in by_name:
            near = nearest(options.format, by_name)
            mend = f"did you mean {near!r}?" if near else f"known: {', '.join(by_name)}"
            raise Misplaced(f"unknown format {options.format!r}", field="format", mend=mend)
        return by_name[options.format]
    if options.mapping is not None:
        return by_name["records"]
    if not sample.is_folder and not sample.head.strip("\ufeff \t\r\n"):
        raise source.place.fault("empty", mend="leave it out")
    for known in FORMATS:
        if known.recognises(sample):
            return known
    keys = ", ".join(sorted(sample.shapes[0])) if sample.shapes else "(none)"
    what = f"JSON with the keys {keys}" if sample.is_json else "a table"
    raise source.place.fault(
        f"no format recognises this file: it is {what}",
        mend="give --mapping for records, or name the format with --format",
    )


def _size_of(source: Source) -> tuple[int, int] | None:
    """Size and time of change of a file; None for a folder."""
    if source.path.is_dir():
        return None
    try:
        found = source.path.stat()
    except OSError as error:
        raise Missing(f"{source.path}: cannot be read: {error.strerror}") from None
    return found.st_size, found.st_mtime_ns


def _all_refused(notes: Notes) -> Misplaced:
    """The first fault, with the next ones named beside it."""
    first, *others = notes.faults
    if not others:
        return first
    listed = "; ".join(f"{notes.inside(other)}: {other.problem}" for other in others)
    left = notes.refused - len(notes.faults)
    also = f" (also {listed}{f'; and {left:,} more' if left else ''})"
    return Misplaced(
        first.problem + also, file=first.file, line=first.line, field=first.field, mend=first.mend
    )
