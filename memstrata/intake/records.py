"""Records with a declared mapping: a row of a table, or a JSON object, is a `json` episode with its facts.

No model is needed: `metadata["facts"]` holds what the mapping says the row states, in the shape of
`triples.py`; the content is the row itself as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING, Final

from memstrata.errors import Misplaced, nearest
from memstrata.instants import Precision, StatedTime
from memstrata.intake.declared import Row, facts_of, text_of, time_of
from memstrata.intake.json_text import dump, kind_of
from memstrata.intake.mapping import mapping_of
from memstrata.intake.sources import values
from memstrata.intake.tables import rows
from memstrata.model import Draft, SourceType, Speaker, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.intake.formats import Input
    from memstrata.intake.mapping import RecordMapping
    from memstrata.intake.notes import Place
    from memstrata.intake.sources import Sample
    from memstrata.model import Json

NAME: Final = "records"


def recognises(sample: Sample) -> bool:  # noqa: ARG001 (a format's signature)
    """Never: nothing in a table tells what it means. A mapping does, and then nothing else is asked."""
    return False


def read(given: Input) -> Iterator[tuple[Place, Draft]]:
    """One draft a row."""
    if given.options.mapping is None:
        raise given.source.place.fault("records need a mapping", mend="pass --mapping FILE.yaml")
    mapping = mapping_of(given.options.mapping)
    if mapping.reference_time is None and given.options.reference_time is None:
        mend = "name the field that holds it, or pass --reference-time"
        raise Misplaced(
            "neither the mapping nor an option gives a time", field="mapping.reference_time", mend=mend
        )
    columns = _Columns(mapping=mapping)
    for row in _rows(given):
        columns.see(row)
        try:
            yield row.place, _draft(row, mapping, given)
        except Misplaced as fault:
            given.notes.refuse(row.place.locate(fault))
    columns.check()


def _rows(given: Input) -> Iterator[Row]:
    nulls = frozenset(given.options.null_values)
    if not given.sample.is_json:
        table = rows(given.source, delimiter=given.options.delimiter, notes=given.notes)
        for number, (at, record) in enumerate(table, start=1):
            yield Row(place=at, values=dict(record), nulls=nulls, number=number)
        return
    number = 0
    for at, value in values(given.source, given.sample, given.notes):
        items = (
            [(at.within(f"[{i}]"), item) for i, item in enumerate(value)]
            if isinstance(value, list)
            else None
        )
        for place, item in items or [(at, value)]:
            number += 1
            if isinstance(item, dict):
                yield Row(place=place, values=item, nulls=nulls, number=number)
            else:
                given.notes.refuse(place.fault(f"a record must be an object, is {kind_of(item)}"))


def _draft(row: Row, mapping: RecordMapping, given: Input) -> Draft:
    stated, time_source = _reference_time(row, mapping, given)
    metadata: dict[str, Json] = {"format": NAME, "file": given.source.path.name}
    if stated.precision is not Precision.INSTANT:
        metadata["reference_time_precision"] = stated.precision.value
    facts = facts_of(row, mapping, reference_time=stated.at, times=given.times, notes=given.notes)
    metadata["facts"] = [triple.wire() for triple in facts]
    speaker = text_of(row, mapping.speaker)
    return Draft(
        group_id=text_of(row, mapping.group) or given.options.group_id,
        source=given.options.source or given.source.path.name,
        source_type=SourceType.JSON,
        content=dump(row.values),
        reference_time=stated.at,
        time_source=time_source,
        saga=text_of(row, mapping.saga) or given.options.saga,
        native_id=text_of(row, mapping.id),
        speaker=None if speaker is None else Speaker(id=speaker, name=speaker),
        metadata=metadata,
    )


def _reference_time(row: Row, mapping: RecordMapping, given: Input) -> tuple[StatedTime, TimeSource]:
    column = mapping.reference_time
    if column is not None:
        stated = time_of(row, column, given.times)
        if stated is not None:
            return stated, TimeSource.OWN
    if given.options.reference_time is not None:
        return StatedTime(given.options.reference_time.astimezone(UTC)), TimeSource.OPTION
    raise Misplaced(
        "is null: nothing says when", field=column.field if column else None, mend="pass --reference-time"
    )


@dataclass(slots=True, kw_only=True)
class _Columns:
    """Whether the fields that the mapping names exist: in the header, or in any record at all."""

    mapping: RecordMapping
    names: dict[str, None] = field(default_factory=dict)
    missing: dict[str, str] | None = None

    def see(self, row: Row) -> None:
        """Strikes out what this row has."""
        if self.missing is None:
            self.names = dict.fromkeys(row.values)
            self.missing = {c.field: c.key for c in self.mapping.columns() if c.field is not None}
        for name in [name for name in self.missing if row.has(name)]:
            del self.missing[name]

    def check(self) -> None:
        """Raises `Misplaced` for the first field that no row has."""
        for name, key in (self.missing or {}).items():
            unused = set(self.names) - {column.field for column in self.mapping.columns()}
            near = nearest(name, sorted(unused), at_least=0)
            hint = f' nearest: "{near}"?' if near else ""
            problem = f'"{name}" is not a column;{hint} columns: {", ".join(self.names)}'
            raise Misplaced(problem, field=key, mend="correct the mapping")
