"""What a row states under its mapping: values, times, and the facts that follow. Pure."""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from memstrata.errors import Misplaced
from memstrata.instants import StatedTime
from memstrata.intake.json_text import dump, kind_of
from memstrata.intake.notes import at_place
from memstrata.intake.times import NotATime
from memstrata.intake.triples import End, Triple, check_triple, confidence_of, kind_named
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from memstrata.intake.json_text import Value
    from memstrata.intake.mapping import Column, FactMapping, RecordMapping
    from memstrata.intake.notes import Notes, Place
    from memstrata.intake.times import TimeReader

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One record; `nulls` are the texts that stand for nothing, `number` counts rows from 1."""

    place: Place
    values: dict[str, Value]
    nulls: frozenset[str]
    number: int

    def has(self, name: str) -> bool:
        """Whether the record has the field, be it null; a name with dots may lead into objects."""
        return self._find(name)[0]

    def get(self, name: str) -> Value:
        """The field's value; None where it is missing or null."""
        value = self._find(name)[1]
        return None if isinstance(value, str) and value in self.nulls else value

    def _find(self, name: str) -> tuple[bool, Value]:
        if name in self.values:
            return True, self.values[name]
        value: Value = self.values
        for step in name.split("."):
            if not isinstance(value, dict) or step not in value:
                return False, None
            value = value[step]
        return True, value


def text_of(row: Row, column: Column | None) -> str | None:
    """The column's value as text; None where it is null. Raises `Misplaced` for a list or an object."""
    value = _value_of(row, column)
    if value is None or isinstance(value, str):
        return value
    return dump(value)


def time_of(row: Row, column: Column | None, times: TimeReader) -> StatedTime | None:
    """The column's time with its precision; None where it is null. Raises `Misplaced`."""
    value = _value_of(row, column)
    if value is None or column is None:
        return None
    try:
        stated = times.read(value, template=column.template)
    except NotATime as error:
        raise Misplaced(str(error), field=column.field or column.key) from None
    return stated if column.precision is None else StatedTime(stated.at, column.precision)


def facts_of(
    row: Row, mapping: RecordMapping, *, reference_time: datetime, times: TimeReader, notes: Notes
) -> list[Triple]:
    """The facts that a row states; a null subject or object states none, the former with a warning."""
    facts: list[Triple] = []
    for fact in mapping.facts:
        subject, predicate, value = (
            text_of(row, fact.subject),
            text_of(row, fact.predicate),
            _value_of(row, fact.object),
        )
        if subject is None or predicate is None:
            what = "subject" if subject is None else "predicate"
            notes.warn(f"{_named(row)}: {what} is null: kept as a record, no fact")
        elif value is not None:
            triple = _triple(row, fact, subject=subject, predicate=predicate, value=value, times=times)
            _check(triple, fact, reference_time)
            facts.append(triple)
    return facts


def _triple(
    row: Row, fact: FactMapping, *, subject: str, predicate: str, value: Value, times: TimeReader
) -> Triple:
    literal = fact.object_literal or (isinstance(value, (int, float)) and fact.object_type is None)
    kind = text_of(row, fact.kind)
    confidence = _value_of(row, fact.confidence)
    return Triple(
        subject=End(name=subject, type=text_of(row, fact.subject_type)),
        predicate=predicate,
        object=End(
            name=value if isinstance(value, str) else dump(value),
            type=None if literal else text_of(row, fact.object_type),
            literal=literal,
        ),
        fact=_sentence(row, fact.sentence),
        kind=Kind.HOLDS if kind is None else _at(fact.kind, kind_named, kind),
        valid_at=time_of(row, fact.valid_at, times),
        invalid_at=time_of(row, fact.invalid_at, times),
        confidence=1.0 if confidence is None else _at(fact.confidence, _confidence, confidence),
    )


def _check(triple: Triple, fact: FactMapping, reference_time: datetime) -> None:
    """`check_triple`, with the row's own field names in the error."""
    try:
        check_triple(triple, reference_time=reference_time)
    except Misplaced as fault:
        columns = {"object": fact.object, "valid_at": fact.valid_at, "invalid_at": fact.invalid_at}
        column = columns.get(fault.field or "")
        raise Misplaced(fault.problem, field=_name_of(column) or fault.field, mend=fault.mend) from None


def _at(column: Column | None, read: Callable[[Value], Read], value: Value) -> Read:
    """`read(value)`, with the row's own field name in the error."""
    try:
        return read(value)
    except Misplaced as fault:
        raise Misplaced(fault.problem, field=_name_of(column) or fault.field, mend=fault.mend) from None


def _confidence(value: Value) -> float:
    """A confidence, which tables hold as text."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise Misplaced(f'must be a number from 0 to 1, is "{value}"', field="confidence") from None
    return confidence_of(value)


def _value_of(row: Row, column: Column | None) -> Value:
    """The column's constant or the row's value, a text without the spaces around it."""
    if column is None:
        return None
    if column.field is None:
        return column.value
    value = row.get(column.field)
    if isinstance(value, (list, dict)):
        raise Misplaced(f"must be a single value, is {kind_of(value)}", field=column.field)
    return value.strip() or None if isinstance(value, str) else value


def _sentence(row: Row, template: str | None) -> str | None:
    """The template with the row's values in it; none where a value is null, for it would have a hole."""
    pieces: list[str] = []
    for literal, name, _, _ in string.Formatter().parse(template or ""):
        pieces.append(literal)
        if name is not None:
            value = row.get(name)
            if value is None:
                return None
            pieces.append(value if isinstance(value, str) else dump(value))
    return "".join(pieces).strip() or None


def _name_of(column: Column | None) -> str | None:
    return None if column is None else column.field or column.key


def _named(row: Row) -> str:
    """The row as warnings name it: `row 3 (line 6)`."""
    where = at_place(row.place)
    return f"row {row.number} ({where})" if where else f"row {row.number}"
