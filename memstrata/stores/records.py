"""What every store on disk writes alike: instants as integers, the small structures of a record as JSON.

Open ends are sentinels, so that comparisons need no NULL: an index answers `expired_at > ?` alone.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import orjson

from memstrata.instants import TICK
from memstrata.model import Episode, Mention, Role, SourceType, Speaker, TimeSource

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The end that is not there; whoever reads the present asks for `until >= OPEN`.
OPEN: Final = 1 << 62
#: The beginning that is not there, or not known.
ALWAYS: Final = -OPEN
#: Both times of a pending episode: in no belief of any system time, but in the present.
PENDING: Final = OPEN + 1

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400_000_000


def micros(instant: datetime) -> int:
    """Microseconds since 1970."""
    since = instant - _EPOCH
    return since.days * _DAY + since.seconds * 1_000_000 + since.microseconds


def micros_or(instant: datetime | None, sentinel: int) -> int:
    """As `micros`; the sentinel for None."""
    return sentinel if instant is None else micros(instant)


def instant_of(value: int) -> datetime:
    """The instant that `micros` gave."""
    return _EPOCH + value * TICK


def instant_or_none(value: int) -> datetime | None:
    """As `instant_of`; None for a sentinel."""
    return None if value >= OPEN or value <= ALWAYS else instant_of(value)


def _speaker_fields(speaker: Speaker | None) -> list[str | None] | None:
    return None if speaker is None else [speaker.id, speaker.name, speaker.role.value]


def _speaker(fields: Sequence[str] | None) -> Speaker | None:
    return None if fields is None else Speaker(id=fields[0], name=fields[1], role=Role(fields[2]))


def mention_record(mention: Mention) -> str:
    """A mention as JSON, without its group."""
    fields = [
        mention.mention_id,
        mention.episode_id,
        mention.name,
        micros(mention.reference_time),
        mention.type,
        mention.text,
        mention.span,
        mention.saga,
        _speaker_fields(mention.speaker),
        _speaker_fields(mention.addressee),
        dict(mention.attributes),
    ]
    return orjson.dumps(fields).decode()


def mention(record: str, group_id: str) -> Mention:
    """The mention of `mention_record`."""
    mention_id, episode_id, name, at, kind, text, span, saga, speaker, addressee, attributes = orjson.loads(
        record
    )
    return Mention(
        mention_id=mention_id,
        group_id=group_id,
        episode_id=episode_id,
        name=name,
        reference_time=instant_of(at),
        type=kind,
        text=text,
        span=None if span is None else (span[0], span[1]),
        saga=saga,
        speaker=_speaker(speaker),
        addressee=_speaker(addressee),
        attributes={name: tuple(values) for name, values in attributes.items()},
    )


def _plain(value: object) -> object:
    """A read-only mapping inside metadata as a dict, for the JSON writer."""
    return dict(value) if hasattr(value, "keys") else list(value)  # type: ignore[call-overload]  # orjson asks of mappings and tuples alone


def json_text(value: object) -> str:
    """Any JSON value, read-only mappings included, as compact text."""
    return orjson.dumps(value, default=_plain).decode()


def episode_record(episode: Episode) -> str:
    """The fields of an episode that have no place of their own, as JSON."""
    fields = [
        episode.source,
        episode.source_type.value,
        episode.time_source.value,
        micros(episode.ingested_at),
        episode.saga,
        episode.position,
        episode.native_id,
        _speaker_fields(episode.speaker),
        _speaker_fields(episode.addressee),
        dict(episode.metadata),
    ]
    return json_text(fields)


def episode(row: Sequence[Any]) -> Episode:
    """From (group id, episode id, revision, reference time, content hash, content, record)."""
    group_id, episode_id, revision, at, content_hash, content, record = row
    source, source_type, time_source, ingested, saga, position, native, speaker, addressee, metadata = (
        orjson.loads(record)
    )
    return Episode(
        episode_id=episode_id,
        revision=revision,
        group_id=group_id,
        source=source,
        source_type=SourceType(source_type),
        content=content,
        reference_time=instant_of(at),
        time_source=TimeSource(time_source),
        ingested_at=instant_of(ingested),
        content_hash=content_hash,
        saga=saga,
        position=position,
        native_id=native,
        speaker=_speaker(speaker),
        addressee=_speaker(addressee),
        metadata=metadata,
    )
