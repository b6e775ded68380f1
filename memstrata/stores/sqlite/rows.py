"""Between the model's values and what a row holds: instants as integers, small structures as JSON.

Open ends are sentinels, so that comparisons need no NULL: an index answers `expired_at > ?` alone.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import orjson

from memstrata.instants import TICK, Precision, StatedTime
from memstrata.model import (
    Entity,
    Episode,
    Fact,
    Kind,
    Mention,
    ObjectKind,
    Placement,
    Role,
    SourceType,
    Speaker,
    TimeSource,
    Version,
)
from memstrata.ports import NamedVersion

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The end that is not there; whoever reads the present asks for `expired_at >= OPEN`.
OPEN: Final = 1 << 62
#: The beginning that is not there, or not known.
ALWAYS: Final = -OPEN
#: Both times of a pending episode: in no belief of any system time, but in the present.
PENDING: Final = OPEN + 1

# A dict is a third of the cost of an enumeration's own look-up.
_KINDS: Final = {member.value: member for member in Kind}
_OBJECT_KINDS: Final = {member.value: member for member in ObjectKind}
_PRECISIONS: Final = {member.value: member for member in Precision}

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400_000_000
_Row = "Sequence[Any]"


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


def dumped(value: object) -> str:
    """Compact JSON."""
    return orjson.dumps(value).decode()


def _speaker_fields(speaker: Speaker | None) -> list[str | None] | None:
    return None if speaker is None else [speaker.id, speaker.name, speaker.role.value]


def _speaker(fields: Sequence[str] | None) -> Speaker | None:
    return None if fields is None else Speaker(id=fields[0], name=fields[1], role=Role(fields[2]))


def mention_record(mention: Mention) -> str:
    """A mention as JSON, without its group."""
    return dumped(
        [
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
    )


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


def episode_record(episode: Episode) -> str:
    """The fields of an episode that have no column of their own, as JSON."""
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
    return orjson.dumps(fields, default=_plain).decode()


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


def entity(row: Sequence[Any]) -> Entity:
    """From (group id, entity id, name, type, aliases)."""
    group_id, entity_id, name, kind, aliases = row
    return Entity(
        entity_id=entity_id, group_id=group_id, name=name, type=kind, aliases=tuple(orjson.loads(aliases))
    )


def stated_fields(stated: StatedTime | None) -> tuple[int | None, str | None]:
    """A stated time as its two columns."""
    return (None, None) if stated is None else (micros(stated.at), stated.precision.value)


def _stated(at: int | None, precision: str | None) -> StatedTime | None:
    return None if at is None or precision is None else StatedTime(instant_of(at), _PRECISIONS[precision])


def placement(row: Sequence[Any]) -> Placement:
    """From the columns of `sql/placement_columns.sql`."""
    return Placement(
        group_id=row[0],
        id=row[1],
        episode_id=row[2],
        subject=row[3],
        predicate=row[4],
        object=row[5],
        recorded_at=instant_of(row[6]),
        retracted_at=instant_or_none(row[7]),
        subject_mention=row[8],
        object_mention=row[9],
        kind=_KINDS[row[10]],
        reference_time=instant_of(row[11]),
        valid_at=_stated(row[12], row[13]),
        invalid_at=_stated(row[14], row[15]),
        confidence=row[16],
        object_kind=_OBJECT_KINDS[row[17]],
        fact=row[18],
        quote=row[19],
    )


def _precision(name: str | None) -> Precision | None:
    return None if name is None else _PRECISIONS[name]


def fact(row: Sequence[Any], evidence: Sequence[str]) -> Fact:
    """From the columns that `facts_on.sql` and its like begin with, and the evidence, sorted."""
    return Fact(
        group_id=row[0],
        id=row[1],
        subject=row[2],
        predicate=row[3],
        object=row[4],
        valid_at=instant_or_none(row[5]),
        invalid_at=instant_or_none(row[6]),
        valid_at_precision=_precision(row[7]),
        invalid_at_precision=_precision(row[8]),
        contested=bool(row[9]),
        confidence=row[10],
        object_kind=_OBJECT_KINDS[row[11]],
        fact=row[12],
        evidence=tuple(evidence),
    )


def version(row: Sequence[Any], evidence: Sequence[str]) -> Version:
    """As `fact`, with (created at, expired at) in the two columns after the fact's."""
    return Version(
        fact=fact(row, evidence), created_at=instant_of(row[13]), expired_at=instant_or_none(row[14])
    )


def named_version(row: Sequence[Any]) -> NamedVersion:
    """As `version`, with the evidence as JSON and the names of subject and object in the next columns."""
    return NamedVersion(
        version=version(row, sorted(orjson.loads(row[15]))), subject=row[16], object=row[17]
    )
