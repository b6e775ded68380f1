"""The wire form of placements and facts: JSON Lines (docs/fold.md, section 7).

Reading checks each line in the order of the specification's table, so that the first thing wrong is the
one named. Nothing here folds.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import orjson

from memstrata.errors import Misplaced
from memstrata.instants import (
    NotAnInstant,
    Precision,
    StatedTime,
    format_instant,
    parse_instant,
    precision_named,
)
from memstrata.model import Kind, Placement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from memstrata.model import Fact, Version

_TEXTS: Final = ("id", "group_id", "episode_id", "subject", "predicate", "object", "fact")
_KINDS: Final = {kind.value: kind for kind in Kind}
_PRECISIONS: Final = ", ".join(Precision)
_SHOWN: Final = 60  # characters of a wrong value that a message shows


def read_placements(lines: Iterable[bytes]) -> Iterator[Placement]:
    """The placements of a stream of lines; equal lines give one. Blank lines count, but say nothing.

    Raises `Misplaced` with line and field for the first line that is wrong.
    """
    known: dict[str, list[Placement]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            placement = parse_placement(line)
            earlier = known.setdefault(placement.id, [])
            if placement in earlier:
                continue
            for other in earlier:
                _check_together(placement, other)
        except Misplaced as error:
            raise Misplaced(error.problem, line=number, field=error.field, mend=error.mend) from None
        earlier.append(placement)
        yield placement


def parse_placement(line: bytes) -> Placement:
    """The placement on one line. Raises `Misplaced` with the field that is wrong first."""
    record = _object_on(line)
    id_, group_id, episode_id, subject, predicate, object_, fact = (_text(record, name) for name in _TEXTS)
    if object_ == subject:
        raise Misplaced(f"{object_!r} is the subject too; nothing is related to itself", field="object")
    kind = _kind(record.get("kind"))
    reference_time = _required_time(record, "reference_time")
    recorded_at = _required_time(record, "recorded_at")
    valid_at = _time(record, "valid_at")
    invalid_at = _time(record, "invalid_at")
    retracted_at = _time(record, "retracted_at")
    placement = Placement(
        id=id_,
        group_id=group_id,
        episode_id=episode_id,
        subject=subject,
        predicate=predicate,
        object=object_,
        fact=fact,
        kind=kind,
        reference_time=reference_time,
        recorded_at=recorded_at,
        valid_at=_stated(record, "valid_at", valid_at),
        invalid_at=_stated(record, "invalid_at", invalid_at),
        retracted_at=retracted_at,
        confidence=_confidence(record),
    )
    _check_times(placement)
    return placement


def write_fact(fact: Fact) -> str:
    """A fact as one line, without its line end."""
    return _written(_fields(fact))


def write_version(version: Version) -> str:
    """A version of a fact as one line, without its line end."""
    created, expired = format_instant(version.created_at), _written_time(version.expired_at)
    return _written({**_fields(version.fact), "created_at": created, "expired_at": expired})


def _fields(fact: Fact) -> dict[str, object]:
    return {
        "id": fact.id,
        "group_id": fact.group_id,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "fact": fact.fact,
        "valid_at": _written_time(fact.valid_at),
        "valid_at_precision": fact.valid_at_precision,
        "invalid_at": _written_time(fact.invalid_at),
        "invalid_at_precision": fact.invalid_at_precision,
        "evidence": fact.evidence,
        "contested": fact.contested,
        "confidence": fact.confidence,
    }


def _written(record: dict[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _written_time(instant: datetime | None) -> str | None:
    return None if instant is None else format_instant(instant)


def _object_on(line: bytes) -> dict[str, object]:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Misplaced(f"not a JSON object: {error}", field="json") from None
    if not isinstance(record, dict):
        raise Misplaced(f"not a JSON object, but {_shown(record)}", field="json")
    return record


def _text(record: dict[str, object], name: str) -> str:
    value = record.get(name)
    if isinstance(value, str) and value:
        return value
    wrong = f"is {_shown(value)}" if name in record else "is missing"
    raise Misplaced(f"{wrong}; expected a non-empty string", field=name)


def _kind(value: object) -> Kind:
    kind = _KINDS.get(value) if isinstance(value, str) else None
    if kind is None:
        raise Misplaced(f"{_shown(value)} is unknown; expected {', '.join(_KINDS)}", field="kind")
    return kind


def _required_time(record: dict[str, object], name: str) -> datetime:
    instant = _time(record, name)
    if instant is None:
        raise Misplaced("is missing; expected a time such as 2024-05-01T12:00:00Z", field=name)
    return instant


def _time(record: dict[str, object], name: str) -> datetime | None:
    value = record.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise Misplaced(
            f"{_shown(value)} is not a time; expected text such as 2024-05-01T12:00:00Z", field=name
        )
    try:
        return parse_instant(value)
    except NotAnInstant as error:
        raise Misplaced(str(error), field=name) from None


def _stated(record: dict[str, object], name: str, instant: datetime | None) -> StatedTime | None:
    if instant is None:
        return None
    field = f"{name}_precision"
    value = record.get(field)
    if value is None:
        return StatedTime(instant)
    precision = precision_named(value) if isinstance(value, str) else None
    if precision is None:
        raise Misplaced(f"{_shown(value)} is unknown; expected one of {_PRECISIONS}", field=field)
    return StatedTime(instant, precision)


def _confidence(record: dict[str, object]) -> float:
    value = record.get("confidence", 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Misplaced(f"{_shown(value)} is not a number from 0 to 1", field="confidence")
    return float(value) + 0.0  # so that -0.0 and 0.0, which are equal, are written the same


def _check_times(placement: Placement) -> None:
    valid, invalid, retracted = placement.valid_at, placement.invalid_at, placement.retracted_at
    if valid and invalid and invalid.at < valid.at and not invalid.covers(valid.at):
        raise Misplaced(
            f"{format_instant(invalid.at)} is before valid_at {format_instant(valid.at)}; "
            "a period ends after it begins",
            field="invalid_at",
        )
    if valid and not invalid and placement.kind is Kind.ENDED and valid.at > placement.reference_time:
        raise Misplaced(
            f"{format_instant(valid.at)} is after reference_time "
            f"{format_instant(placement.reference_time)}; what has ended had begun by then",
            field="valid_at",
        )
    if retracted and retracted < placement.recorded_at:
        raise Misplaced(
            f"{format_instant(retracted)} is before recorded_at {format_instant(placement.recorded_at)}",
            field="retracted_at",
        )


def _check_together(one: Placement, other: Placement) -> None:
    """Refuses two different placements of one id that cannot stand beside each other."""
    for name in ("group_id", "episode_id"):
        if getattr(one, name) != getattr(other, name):
            given, known = getattr(one, name), getattr(other, name)
            raise Misplaced(f"{one.id!r} was given before with {name} {known!r}, now {given!r}", field="id")
    if _overlap(one, other):
        raise Misplaced(
            f"{one.id!r} was given before with other content, and both are live at one system time; "
            "give it another id, or retract the other placement first",
            field="id",
        )


def _overlap(one: Placement, other: Placement) -> bool:
    start = max(one.recorded_at, other.recorded_at)
    return all(live.retracted_at is None or live.retracted_at > start for live in (one, other))


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
