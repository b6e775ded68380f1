"""The wire format of `memstrata extract`: a text a line in, a fact a line out.

Times are coarsened here and only here: a stated period is written as its first instant, as coarse as it
was said (`2019`, `2019-06`, `2019-06-14`, else a full UTC instant).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memstrata.errors import Misplaced
from memstrata.ids import digest
from memstrata.instants import NotAnInstant, Precision, format_instant, parse_instant
from memstrata.model import DEFAULT_GROUP, Episode, ObjectKind, SourceType, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memstrata.instants import StatedTime
    from memstrata.model import Extraction, Mention

_FORMATS = {
    Precision.DAY: "%Y-%m-%d",
    Precision.WEEK: "%Y-%m-%d",
    Precision.MONTH: "%Y-%m",
    Precision.QUARTER: "%Y-%m",
    Precision.YEAR: "%Y",
    Precision.DECADE: "%Y",
}
_FIRST_PERSON = frozenset({"i", "we"})


def read_texts(lines: Iterable[str]) -> Iterator[Episode]:
    """One episode a line, `{"id", "text", "reference_time"}`; blank lines are skipped but counted.

    Raises `Misplaced` with the line for the first that is malformed.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _episode(line, number)


def _episode(line: str, number: int) -> Episode:
    try:
        told = json.loads(line)
    except json.JSONDecodeError as error:
        raise Misplaced(
            f"not JSON: {error}",
            line=number,
            mend='expected {"id": ..., "text": ..., "reference_time": ...}',
        ) from None
    if not isinstance(told, dict):
        raise Misplaced(
            "not a JSON object",
            line=number,
            mend='expected {"id": ..., "text": ..., "reference_time": ...}',
        )
    for field in ("id", "text", "reference_time"):
        value = told.get(field)
        if not isinstance(value, str) or not value.strip():
            raise Misplaced(
                f"{value!r} is no text", line=number, field=field, mend="give a non-empty string"
            )
    try:
        reference = parse_instant(told["reference_time"])
    except NotAnInstant as error:
        raise Misplaced(str(error), line=number, field="reference_time") from None
    return Episode(
        episode_id=told["id"],
        revision=1,
        group_id=DEFAULT_GROUP,
        source="wire",
        source_type=SourceType.TEXT,
        content=told["text"],
        reference_time=reference,
        time_source=TimeSource.OWN,
        ingested_at=reference,
        content_hash=digest(told["text"]),
    )


def write_facts(extraction: Extraction) -> Iterator[str]:
    """The facts of one text, one JSON object each."""
    mentions = {mention.mention_id: mention for mention in extraction.mentions}
    for assertion in extraction.assertions:
        literal = assertion.object_kind is ObjectKind.LITERAL
        line = {
            "id": extraction.episode_id,
            "subject": _said(mentions[assertion.subject]),
            "predicate": assertion.predicate,
            "object": assertion.object if literal else _said(mentions[assertion.object]),
            "kind": assertion.kind.value,
            "valid_at": coarse(assertion.valid_at),
            "invalid_at": coarse(assertion.invalid_at),
            "evidence": assertion.quote,
            "confidence": assertion.confidence,
            "fact": assertion.fact,
        }
        yield json.dumps(line, ensure_ascii=False)


def coarse(time: StatedTime | None) -> str | None:
    """A stated time as coarse as it was said; None stays None."""
    if time is None:
        return None
    form = _FORMATS.get(time.precision)
    return format_instant(time.at) if form is None else time.at.strftime(form)


def _said(mention: Mention) -> str:
    """How a reader of the line alone would name it: the speaker for "I"."""
    if mention.name.casefold() in _FIRST_PERSON and mention.speaker is not None:
        return mention.speaker.name or "User"
    if mention.name.casefold() == "you" and mention.addressee is not None:
        return mention.addressee.name or "User"
    return mention.name
