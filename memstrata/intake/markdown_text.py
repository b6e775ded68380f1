"""Text files, Markdown notes and folders of them (Obsidian vaults): a note is one `text` episode.

The time of a note is that of its front matter (`updated` or `modified`, `date`, `created`), else a date at
the start of its file name, else the option's. Its id is its path, so that a later edit is a revision.
"""

from __future__ import annotations

import os
import re
import unicodedata
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memstrata.errors import Misplaced
from memstrata.instants import Precision, StatedTime
from memstrata.intake.front_matter import split_front_matter
from memstrata.intake.markdown import plain
from memstrata.intake.sources import Source
from memstrata.intake.times import NotATime
from memstrata.model import Draft, SourceType, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.intake.formats import Input
    from memstrata.intake.front_matter import Properties
    from memstrata.intake.notes import Place
    from memstrata.intake.sources import Sample
    from memstrata.model import Json

NAME: Final = "markdown_text"
_MARKDOWN: Final = frozenset({".md", ".markdown", ".mdown"})
_NOTES: Final = _MARKDOWN | {".txt", ".text"}
_TABLES: Final = frozenset({".csv", ".tsv"})
_TIME_KEYS: Final = ("updated", "modified", "date", "created")
_DATE_FIRST = re.compile(r"(\d{4}-\d\d-\d\d)(?!\d)", re.ASCII)


def recognises(sample: Sample) -> bool:
    """Whether it is a folder, or text that is neither JSON nor a table."""
    return sample.is_folder or not (sample.is_json or sample.suffix in _TABLES)


def read(given: Input) -> Iterator[tuple[Place, Draft]]:
    """One draft a note; a folder's own notes first, then those of its folders, by name."""
    path = given.source.path
    if not path.is_dir():
        note = unicodedata.normalize("NFC", path.name)
        at = given.source.place
        source = given.options.source or _folder_name(path.parent)
        draft = _draft(given.source, note=note, source=source, given=given)
        if draft is None:
            raise at.fault("empty", mend="leave it out")
        yield at, draft
        return
    source = given.options.source or _folder_name(path)
    files = list(_files(path, given))
    if not files:
        raise given.source.place.fault(
            "a folder without notes", mend=f"notes end in {', '.join(sorted(_NOTES))}"
        )
    for file in files:
        note = unicodedata.normalize("NFC", file.relative_to(path).as_posix())
        each = Source(path=file, encoding=given.source.encoding)
        try:
            draft = _draft(each, note=note, source=source, given=given)
        except Misplaced as fault:
            given.notes.refuse(fault)
            continue
        if draft is None:
            given.notes.skip("empty")
        else:
            yield each.place, draft


def _folder_name(folder: Path) -> str:
    """The source of a folder's notes: two notes of one name in two folders are two, wherever both lie."""
    return unicodedata.normalize("NFC", folder.resolve().name) or NAME


def _files(folder: Path, given: Input) -> Iterator[Path]:
    """The notes of a folder; hidden folders (.obsidian, .trash, .git) and other files are counted only."""
    for root, folders, names in os.walk(folder):
        hidden = [name for name in folders if name.startswith(".")]
        if hidden:
            given.notes.skip("hidden_folder", len(hidden))
        folders[:] = sorted(set(folders) - set(hidden))
        for name in sorted(names):
            if name.startswith(".") or Path(name).suffix.lower() not in _NOTES:
                given.notes.skip("other_file")
            else:
                yield Path(root) / name


def _draft(file: Source, *, note: str, source: str, given: Input) -> Draft | None:
    text = file.text()
    metadata: dict[str, Json] = {"format": NAME, "file": note}
    properties: Properties = {}
    if Path(note).suffix.lower() in _MARKDOWN:
        properties, body = split_front_matter(text, at=file.place)
        rendered = plain(body)
        text = rendered.text
        metadata.update(_described(properties))
        metadata.update(rendered.metadata())
    if not text or text.isspace():
        return None
    stated, time_source = _time(properties, note, file.place, given)
    if stated.precision is not Precision.INSTANT:
        metadata["reference_time_precision"] = stated.precision.value
    return Draft(
        group_id=given.options.group_id,
        source=source,
        source_type=SourceType.TEXT,
        content=text.strip("\n"),
        reference_time=stated.at,
        time_source=time_source,
        saga=given.options.saga or f"{source}/{note}",
        position=None if given.options.saga else 0,
        native_id=note,
        metadata=metadata,
    )


def _time(properties: Properties, note: str, at: Place, given: Input) -> tuple[StatedTime, TimeSource]:
    for key in _TIME_KEYS:
        value = properties.get(key)
        if value:
            try:
                return given.times.read(value), TimeSource.OWN
            except NotATime as error:
                raise at.within(f"front matter, {key}").fault(str(error)) from None
    named = _DATE_FIRST.match(Path(note).name)
    if named is not None:
        try:
            return given.times.read(named[1]), TimeSource.FILE_NAME
        except NotATime:
            given.notes.warn(f"{note}: its name begins with {named[1]}, which is not a date")
    if given.options.reference_time is not None:
        return StatedTime(given.options.reference_time.astimezone(UTC)), TimeSource.OPTION
    mend = "pass --reference-time, or give the note a date"
    raise at.fault("neither front matter, file name nor option gives a time", mend=mend)


def _described(properties: Properties) -> dict[str, Json]:
    """What the front matter says, beside the times."""
    said: dict[str, Json] = {}
    for key in ("title", "aliases", "tags"):
        value = properties.get(key)
        if value:
            said[key] = value if key == "title" or not isinstance(value, str) else [value]
    rest = {key: value for key, value in properties.items() if key not in {*said, *_TIME_KEYS} and value}
    if rest:
        said["properties"] = dict(rest)
    return said
