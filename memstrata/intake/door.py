"""The door: what every draft must satisfy, from whichever side it comes, before it is appended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from memstrata.errors import Misplaced
from memstrata.intake.json_text import decode, kind_of
from memstrata.intake.triples import check_triple, check_unknown, triple_of
from memstrata.model import Role, SourceType, TimeSource

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from enum import StrEnum

    from memstrata.model import Draft, Speaker

#: The longest content of one episode, in characters: 1 MiB. A longer text is several episodes.
MAX_CONTENT: Final = 1_048_576
#: The longest group id, key, source, saga, native id and account, in characters.
MAX_NAME: Final = 256
MAX_NATIVE: Final = 1_024

_GROUP = re.compile(r"[A-Za-z0-9._@:+-]+(?:/[A-Za-z0-9._@:+-]+)*")
_ODD = re.compile("[\0\ud800-\udfff]")


def validate(draft: Draft) -> None:
    """Raises `Misplaced`, naming the field, for whatever the log of episodes must not hold.

    Checked are what `check_form` checks, that content is JSON where it says so, and every declared fact.
    """
    check_form(draft)
    check = _BY_TYPE.get(draft.source_type)
    if check is not None:
        check(draft)
    if "facts" in draft.metadata:
        _check_facts(draft)


def check_form(draft: Draft) -> None:
    """As `validate`, but for content and facts that a format of ours has just read, checked and written.

    Checked are the group id, the names, the times (aware, in UTC), the kinds, the content (neither empty
    nor longer than `MAX_CONTENT`, no NUL, no lone surrogate) and that the metadata is JSON.
    """
    check_group(draft.group_id)
    _check_name(draft.source, "source")
    _check_optional(draft.episode_id, "episode_id", MAX_NAME)
    _check_optional(draft.saga, "saga", MAX_NATIVE)
    _check_optional(draft.native_id, "native_id", MAX_NATIVE)
    _check_member(draft.source_type, SourceType, "source_type")
    _check_member(draft.time_source, TimeSource, "time_source")
    _check_instant(draft.reference_time, "reference_time")
    _check_position(draft.position)
    _check_speaker(draft.speaker, "speaker")
    _check_speaker(draft.addressee, "addressee")
    check_content(draft.content)
    for key, value in draft.metadata.items():
        _check_name(key, "metadata")
        _check_json_value(value, f"metadata.{key}")


def check_group(group_id: object) -> None:
    """Raises `Misplaced` unless `group_id` is a path of at most 256 letters, digits and `._@:+-`."""
    if not isinstance(group_id, str) or not group_id:
        raise Misplaced("must be a non-empty string", field="group_id", mend="for instance acme/eng/alice")
    if len(group_id) > MAX_NAME:
        raise Misplaced(f"has {len(group_id)} characters, at most {MAX_NAME} are allowed", field="group_id")
    if not _GROUP.fullmatch(group_id):
        raise Misplaced(
            f"{group_id!r} is no path of letters, digits and . _ @ : + - with single slashes between",
            field="group_id",
            mend="for instance acme/eng/alice",
        )
    if any(segment in (".", "..") for segment in group_id.split("/")):
        raise Misplaced(f"{group_id!r} has a segment . or ..", field="group_id", mend="name every segment")


def check_content(content: object) -> None:
    """Raises `Misplaced` for content that is no text, empty, too long, or that holds what no text holds."""
    if not isinstance(content, str):
        raise Misplaced(f"must be a string, is {kind_of(content)}", field="content")
    if not content or content.isspace():
        raise Misplaced("empty", field="content", mend="leave such an item out")
    if len(content) > MAX_CONTENT:
        raise Misplaced(
            f"has {len(content):,} characters, at most {MAX_CONTENT:,} are taken",
            field="content",
            mend="split it into several episodes of one saga",
        )
    _check_characters(content, "content")


def _check_characters(text: str, field: str) -> None:
    if "\0" in text:
        raise Misplaced(f"holds a NUL at character {text.index(chr(0))}", field=field, mend="remove it")
    if not text.isascii() and (odd := _ODD.search(text)):
        raise Misplaced(
            f"holds a lone surrogate at character {odd.start()}",
            field=field,
            mend="replace it, for instance by U+FFFD",
        )


def _check_name(value: object, field: str, limit: int = MAX_NAME) -> None:
    if not isinstance(value, str) or not value.strip():
        raise Misplaced("must be a non-empty string", field=field)
    if len(value) > limit:
        raise Misplaced(f"has {len(value)} characters, at most {limit} are allowed", field=field)
    _check_characters(value, field)


def _check_optional(value: object, field: str, limit: int) -> None:
    if value is not None:
        _check_name(value, field, limit)


def _check_member(value: object, known: type[StrEnum], field: str) -> None:
    if not isinstance(value, known):
        raise Misplaced(f"unknown {field} {value!r}; known: {', '.join(known)}", field=field)


def _check_instant(instant: datetime, field: str) -> None:
    offset = instant.utcoffset()
    if offset is None:
        raise Misplaced(f"{instant.isoformat()!r} has no UTC offset", field=field, mend="add Z or ±HH:MM")
    if offset:
        raise Misplaced(
            f"{instant.isoformat()!r} is not in UTC", field=field, mend="convert it: astimezone(UTC)"
        )


def _check_position(position: object) -> None:
    if position is not None and (
        isinstance(position, bool) or not isinstance(position, int) or position < 0
    ):
        raise Misplaced(f"must be a whole number from 0, is {position!r}", field="position")


def _check_speaker(speaker: Speaker | None, field: str) -> None:
    if speaker is None:
        return
    _check_name(speaker.id, f"{field}.id")
    _check_optional(speaker.name, f"{field}.name", MAX_NAME)
    _check_member(speaker.role, Role, f"{field}.role")


def _check_json(draft: Draft) -> None:
    try:
        _check_json_value(decode(draft.content), "content")
    except (ValueError, RecursionError) as error:
        raise Misplaced(f"a json episode's content is not JSON: {error}", field="content") from None


def _check_fact_triple(draft: Draft) -> None:
    try:
        given = decode(draft.content)
    except (ValueError, RecursionError) as error:
        raise Misplaced(f"a fact_triple's content is not JSON: {error}", field="content") from None
    _check_declared(given, draft, "content")


def _check_declared(given: object, draft: Draft, field: str) -> None:
    try:
        triple = triple_of(given)
        if isinstance(given, Mapping):
            check_unknown(given)
        check_triple(triple, reference_time=draft.reference_time)
    except Misplaced as fault:
        at = field if fault.field is None else f"{field}.{fault.field}"
        raise Misplaced(fault.problem, field=at, mend=fault.mend) from None


def _check_facts(draft: Draft) -> None:
    facts = draft.metadata["facts"]
    if isinstance(facts, str) or not isinstance(facts, Sequence):
        raise Misplaced(f"must be a list of triples, is {kind_of(facts)}", field="metadata.facts")
    for index, given in enumerate(facts):
        _check_declared(given, draft, f"metadata.facts[{index}]")


def _check_json_value(value: object, field: str) -> None:
    if isinstance(value, str):
        _check_characters(value, field)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise Misplaced(f"a key must be a string, is {kind_of(key)}", field=field)
            _check_characters(key, field)
            _check_json_value(item, f"{field}.{key}")
    elif isinstance(value, Sequence):
        for index, item in enumerate(value):
            _check_json_value(item, f"{field}[{index}]")
    elif isinstance(value, float):
        if value - value != 0:  # NaN and the infinities, which JSON does not have
            raise Misplaced(f"{value!r} is no JSON number", field=field)
    elif value is not None and not isinstance(value, int):
        raise Misplaced(f"{kind_of(value)} is nothing that JSON can hold", field=field)


_BY_TYPE: Final[Mapping[SourceType, Callable[[Draft], None]]] = {
    SourceType.JSON: _check_json,
    SourceType.FACT_TRIPLE: _check_fact_triple,
}
