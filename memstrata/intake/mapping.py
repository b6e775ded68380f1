"""The declared mapping of records: which field of a row means what, read from YAML.

id: id                     # the field that names a record for ever
reference_time: {field: since, format: '%d.%m.%Y', precision: day}
speaker: agent             # also: group, saga
subject: customer          # a field; or {value: ACME}
subject_type: Person       # a constant; or {field: kind}
predicate: LIVES_IN        # a constant; or {field: relation}
object: city
object_type: Place         # or object_literal: true
fact: '{customer} lives in {city}'
kind: holds                # a constant; or {field: ...}
valid_at: {field: since}   # also: invalid_at, confidence
facts: [...]               # instead of subject ... invalid_at: several such mappings for one row
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

import yaml

from memstrata.errors import Misplaced, Missing, nearest
from memstrata.instants import Precision, precision_named
from memstrata.intake.json_text import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.model import Json

_TIMES: Final = ("valid_at", "invalid_at")
_FACT_KEYS: Final = (
    "subject", "subject_type", "predicate", "object", "object_type", "object_literal", "fact", "kind",
    "valid_at", "invalid_at", "confidence",
)  # fmt: skip
_RECORD_KEYS: Final = ("id", "reference_time", "speaker", "group", "saga")
_CONSTANTS: Final = frozenset({"predicate", "subject_type", "object_type", "kind"})
_COLUMN_KEYS: Final = ("field", "value", "format", "precision")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Where a value comes from: a field of the row, or a constant. `key` is the mapping's, for errors."""

    key: str
    field: str | None = None
    value: str | None = None
    template: str | None = None
    precision: Precision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactMapping:
    """One fact that each row states."""

    subject: Column
    predicate: Column
    object: Column
    object_literal: bool = False
    subject_type: Column | None = None
    object_type: Column | None = None
    sentence: str | None = None
    kind: Column | None = None
    valid_at: Column | None = None
    invalid_at: Column | None = None
    confidence: Column | None = None
    key: str = "mapping"

    def columns(self) -> Iterator[Column]:
        """Every column it reads, those of its sentence included."""
        for column in (
            self.subject, self.subject_type, self.predicate, self.object, self.object_type, self.kind,
            self.valid_at, self.invalid_at, self.confidence,
        ):  # fmt: skip
            if column is not None:
                yield column
        for name in _names(self.sentence or "", self.key):
            yield Column(key=f"{self.key}.fact", field=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordMapping:
    """What each row is."""

    facts: tuple[FactMapping, ...] = ()
    id: Column | None = None
    reference_time: Column | None = None
    speaker: Column | None = None
    group: Column | None = None
    saga: Column | None = None

    def columns(self) -> Iterator[Column]:
        """Every column that is read from a row."""
        for column in (self.id, self.reference_time, self.speaker, self.group, self.saga):
            if column is not None:
                yield column
        for fact in self.facts:
            yield from fact.columns()


def load_mapping(path: Path) -> Mapping[str, Json]:
    """The mapping in a YAML file, for `Options.mapping`. Raises `Missing`, or `Misplaced` with the line."""
    try:
        given = yaml.safe_load(path.read_text("utf-8-sig"))
    except OSError as error:
        raise Missing(f"{path}: cannot be read: {error.strerror}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise Misplaced(f"not YAML: {error.problem}", file=str(path), line=line) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise Misplaced(f"not YAML: {error}", file=str(path)) from None
    if not isinstance(given, dict):
        mend = "for instance subject: customer"
        raise Misplaced(f"a mapping must have keys, is {kind_of(given)}", file=str(path), mend=mend)
    return given


def mapping_of(given: Mapping[str, Json]) -> RecordMapping:
    """The mapping that a dictionary spells out. Raises `Misplaced` naming the key, and the nearest one."""
    several = given.get("facts")
    _check_keys(given, (*_RECORD_KEYS, *_FACT_KEYS, "facts"), "mapping")
    own = [key for key in _FACT_KEYS if key in given]
    facts: tuple[FactMapping, ...] = ()
    if several is not None:
        if own:
            raise Misplaced(
                f"stands beside {own[0]}", field="mapping.facts", mend="move all of a fact into the list"
            )
        if isinstance(several, str) or not isinstance(several, list):
            raise Misplaced(f"must be a list of mappings, is {kind_of(several)}", field="mapping.facts")
        facts = tuple(_fact(each, f"mapping.facts[{index}]") for index, each in enumerate(several))
    elif own:
        facts = (_fact({key: given[key] for key in own}, "mapping"),)
    record = {key: _column(given, key, "mapping") for key in _RECORD_KEYS}
    return RecordMapping(facts=facts, **record)


def _fact(given: Json, at: str) -> FactMapping:
    if not isinstance(given, Mapping):
        raise Misplaced(f"must be a mapping, is {kind_of(given)}", field=at)
    _check_keys(given, _FACT_KEYS, at)
    literal = given.get("object_literal", False)
    if not isinstance(literal, bool):
        raise Misplaced("must be true or false", field=f"{at}.object_literal")
    if literal and "object_type" in given:
        raise Misplaced("a literal has no type", field=f"{at}.object_type", mend="drop one of the two")
    sentence = given.get("fact")
    if sentence is not None and not isinstance(sentence, str):
        raise Misplaced("must be a template such as '{customer} lives in {city}'", field=f"{at}.fact")
    _names(sentence or "", at)
    optional = ("subject_type", "object_type", "kind", *_TIMES, "confidence")
    return FactMapping(
        subject=_required(given, "subject", at),
        predicate=_required(given, "predicate", at),
        object=_required(given, "object", at),
        object_literal=literal,
        sentence=sentence,
        key=at,
        **{key: _column(given, key, at) for key in optional},
    )


def _required(given: Mapping[str, Json], key: str, at: str) -> Column:
    column = _column(given, key, at)
    if column is None:
        raise Misplaced("missing", field=f"{at}.{key}", mend="a fact needs subject, predicate and object")
    return column


def _column(given: Mapping[str, Json], key: str, at: str) -> Column | None:
    """A bare word is a field; for predicates, types and kinds it is a constant."""
    value = given.get(key)
    where = f"{at}.{key}"
    if value is None:
        return None
    if isinstance(value, str) and value:
        return Column(key=where, value=value) if key in _CONSTANTS else Column(key=where, field=value)
    if not isinstance(value, Mapping):
        raise Misplaced(f"must be a field's name or {{field: ...}}, is {kind_of(value)}", field=where)
    _check_keys(value, _COLUMN_KEYS, where)
    name, constant = value.get("field"), value.get("value")
    if (name is None) == (constant is None):
        raise Misplaced("needs either field or value", field=where)
    if name is not None and not isinstance(name, str):
        raise Misplaced(f"must be a field's name, is {kind_of(name)}", field=f"{where}.field")
    return Column(
        key=where,
        field=name,
        value=_constant(constant),
        template=_template(value.get("format"), where),
        precision=_precision(value.get("precision"), where),
    )


def _constant(value: Json) -> str | None:
    """A constant as text; YAML has made a date of what looks like one."""
    if value is None or isinstance(value, str):
        return value
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _template(value: Json, where: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or "%" not in value:
        raise Misplaced("must be a strptime format such as '%d.%m.%Y'", field=f"{where}.format")
    return value


def _precision(value: Json, where: str) -> Precision | None:
    if value is None:
        return None
    precision = precision_named(value) if isinstance(value, str) else None
    if precision is None:
        raise Misplaced(
            f"unknown precision {value!r}; known: {', '.join(Precision)}", field=f"{where}.precision"
        )
    return precision


def _names(template: str, at: str) -> list[str]:
    """The fields that a sentence's template mentions."""
    try:
        return [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError as error:
        raise Misplaced(
            f"not a template: {error}", field=f"{at}.fact", mend="write {{ for a brace"
        ) from None


def _check_keys(given: Mapping[str, Json], known: tuple[str, ...], at: str) -> None:
    for key in given:
        if key not in known:
            near = nearest(str(key), known)
            mend = f"did you mean {near!r}?" if near else f"known: {', '.join(known)}"
            raise Misplaced("unknown key", field=f"{at}.{key}", mend=mend)
