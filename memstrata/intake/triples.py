"""Declared facts: the one shape of a triple, in a `fact_triple` episode and in a record's metadata.

    {"subject": {"name": s, "type"?: s, "attributes"?: {s: s or [s]}}, "predicate": s,
     "object": the same or {"literal": s},
     "fact"?: s, "kind"?: s, "valid_at"?: wire time, "valid_at_precision"?: s, "invalid_at"?: wire time,
     "invalid_at_precision"?: s, "confidence"?: number}

What is left out has its default: `holds`, `instant`, 1. The checks are those of docs/fold.md, section 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from memstrata.errors import Misplaced, nearest
from memstrata.instants import (
    NotAnInstant,
    Precision,
    StatedTime,
    format_instant,
    parse_instant,
    precision_named,
)
from memstrata.intake.json_text import kind_of
from memstrata.intake.times import NotATime
from memstrata.model import Kind

if TYPE_CHECKING:
    from datetime import datetime

    from memstrata.model import Json

FIELDS: Final = (
    "subject", "predicate", "object", "fact", "kind", "valid_at", "valid_at_precision",
    "invalid_at", "invalid_at_precision", "confidence",
)  # fmt: skip
_KINDS: Final = {kind.value: kind for kind in Kind}
_END_KEYS: Final = frozenset({"name", "type", "attributes"})

#: Reads one time of a triple; raises `NotATime` or `NotAnInstant`.
ReadTime: TypeAlias = Callable[[object], StatedTime]


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """Whom or what a triple speaks of: somebody or something by name, or a literal's text."""

    name: str
    type: str | None = None
    literal: bool = False
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def wire(self) -> dict[str, Json]:
        """The end as a triple's object or subject is written."""
        if self.literal:
            return {"literal": self.name}
        wire: dict[str, Json] = {"name": self.name}
        if self.type is not None:
            wire["type"] = self.type
        if self.attributes:
            wire["attributes"] = {key: list(values) for key, values in self.attributes}
        return wire


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """One declared fact, before anybody is resolved."""

    subject: End
    predicate: str
    object: End
    fact: str | None = None
    kind: Kind = Kind.HOLDS
    valid_at: StatedTime | None = None
    invalid_at: StatedTime | None = None
    confidence: float = 1.0

    def wire(self) -> dict[str, Json]:
        """The triple in the shape that stands at the top of this module."""
        wire: dict[str, Json] = {
            "subject": self.subject.wire(),
            "predicate": self.predicate,
            "object": self.object.wire(),
        }
        if self.fact is not None:
            wire["fact"] = self.fact
        if self.kind is not Kind.HOLDS:
            wire["kind"] = self.kind.value
        for name, stated in (("valid_at", self.valid_at), ("invalid_at", self.invalid_at)):
            if stated is not None:
                wire[name] = format_instant(stated.at)
                if stated.precision is not Precision.INSTANT:
                    wire[f"{name}_precision"] = stated.precision.value
        if self.confidence != 1.0:
            wire["confidence"] = self.confidence
        return wire


def wire_time(value: object) -> StatedTime:
    """A time in the wire form and in no other, as the door wants it."""
    if not isinstance(value, str):
        raise NotATime(f"must be a time, is {kind_of(value)}")
    return StatedTime(parse_instant(value))


def triple_of(given: object, *, read_time: ReadTime = wire_time) -> Triple:
    """The triple that a JSON object spells out; strings stand for ends with just a name.

    Raises `Misplaced` with the field that is wrong, the first in the order of docs/fold.md.
    """
    if not isinstance(given, Mapping):
        raise Misplaced(f"a triple must be an object, is {kind_of(given)}")
    return Triple(
        subject=_end(given.get("subject"), "subject"),
        predicate=_text(given.get("predicate"), "predicate"),
        object=_end(given.get("object"), "object"),
        fact=None if given.get("fact") is None else _text(given["fact"], "fact"),
        kind=kind_named(given.get("kind", "holds")),
        valid_at=_time(given, "valid_at", read_time),
        invalid_at=_time(given, "invalid_at", read_time),
        confidence=confidence_of(given.get("confidence", 1.0)),
    )


def check_unknown(given: Mapping[str, object]) -> None:
    """Raises `Misplaced` for the first field that a triple does not have."""
    for name in given:
        if name not in FIELDS:
            near = nearest(name, FIELDS)
            raise Misplaced(
                "a triple has no such field", field=name, mend=f"did you mean {near!r}?" if near else None
            )


def check_triple(triple: Triple, *, reference_time: datetime) -> None:
    """Raises `Misplaced` for ends that are equal and for times that contradict one another."""
    subject, end = triple.subject, triple.object
    if (subject.name, subject.type, subject.literal) == (end.name, end.type, end.literal):
        raise Misplaced(
            "equal to the subject: a fact relates two", field="object", mend="or give a literal object"
        )
    starts, ends = triple.valid_at, triple.invalid_at
    if starts is not None and ends is not None and ends.at < starts.at and not ends.covers(starts.at):
        given = f"{format_instant(ends.at)} is before valid_at {format_instant(starts.at)}"
        raise Misplaced(given, field="invalid_at", mend="swap the two times")
    if triple.kind is Kind.ENDED and starts is not None and ends is None and starts.at > reference_time:
        given = f"{format_instant(starts.at)} is after the reference_time {format_instant(reference_time)}"
        raise Misplaced(f"{given}: what has ended began before", field="valid_at", mend="give invalid_at")


def kind_named(given: object) -> Kind:
    """The kind of that name. Raises `Misplaced`."""
    kind = _KINDS.get(given) if isinstance(given, str) else None
    if kind is None:
        raise Misplaced(f"unknown kind {given!r}; known: {', '.join(_KINDS)}", field="kind")
    return kind


def confidence_of(given: object) -> float:
    """A number from 0 to 1. Raises `Misplaced`."""
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise Misplaced(f"must be a number from 0 to 1, is {kind_of(given)}", field="confidence")
    if not 0 <= given <= 1:
        raise Misplaced(f"{given} is not from 0 to 1", field="confidence")
    return float(given)


def _text(value: object, field: str) -> str:
    if not isinstance(value, str):
        what = "missing" if value is None else f"must be a string, is {kind_of(value)}"
        raise Misplaced(what, field=field)
    if not value.strip():
        raise Misplaced("empty", field=field)
    return value


def _end(value: object, field: str) -> End:
    if not isinstance(value, Mapping):
        return End(name=_text(value, field))
    if "literal" in value:
        if field == "subject" or len(value) > 1:
            raise Misplaced("a literal stands alone, as the object", field=f"{field}.literal")
        return End(name=_text(value["literal"], f"{field}.literal"), literal=True)
    for key in value:
        if key not in _END_KEYS:
            known = "expected name, type and attributes, or literal"
            raise Misplaced(f"unknown; {known}", field=f"{field}.{key}")
    given_type = value.get("type")
    return End(
        name=_text(value.get("name"), f"{field}.name"),
        type=None if given_type is None else _text(given_type, f"{field}.type"),
        attributes=_attributes(value["attributes"], f"{field}.attributes") if "attributes" in value else (),
    )


def _attributes(given: object, field: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(given, Mapping):
        raise Misplaced(f"must be an object, is {kind_of(given)}", field=field)
    return tuple(
        (
            key,
            tuple(
                _text(item, f"{field}.{key}")
                for item in (held if isinstance(held, (list, tuple)) else [held])
            ),
        )
        for key, held in given.items()
    )


def _time(given: Mapping[str, object], field: str, read_time: ReadTime) -> StatedTime | None:
    value = given.get(field)
    if value is None:
        return None
    try:
        stated = read_time(value)
    except (NotATime, NotAnInstant) as error:
        raise Misplaced(str(error), field=field) from None
    named = given.get(f"{field}_precision")
    if named is None:
        return stated
    precision = precision_named(named) if isinstance(named, str) else None
    if precision is None:
        known = ", ".join(Precision)
        raise Misplaced(f"unknown precision {named!r}; known: {known}", field=f"{field}_precision")
    return StatedTime(stated.at, precision)
