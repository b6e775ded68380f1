"""Records as text for people and as JSON for programs."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

import orjson
from rich.table import Table
from rich.text import Text

from memstrata.cli.session import console
from memstrata.instants import format_instant
from memstrata.search.wording import date_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.instants import Precision
    from memstrata.model import Version
    from memstrata.search.results import NamedVersion


def print_json(value: object) -> None:
    """Prints any record, or tuple of records, as one JSON document."""
    console.print(
        orjson.dumps(as_json(value), option=orjson.OPT_INDENT_2).decode(),
        soft_wrap=True,
        highlight=False,
        markup=False,
    )


def as_json(value: object) -> object:
    """Dataclasses as objects, tuples and sets as lists, times as on the wire."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (tuple, list, set, frozenset)):
        return [as_json(item) for item in value]
    if hasattr(value, "items"):
        return {str(key): as_json(item) for key, item in value.items()}
    return value


def day_of(instant: datetime | None, precision: Precision | None, unknown: str) -> str:
    """A time as coarse as it was stated; `unknown` stands in for none."""
    return unknown if instant is None else date_of(instant, precision)


def period_of(version: Version) -> str:
    """When the fact is true, as `from .. to`."""
    fact = version.fact
    begun = day_of(fact.valid_at, fact.valid_at_precision, "?")
    ended = day_of(fact.invalid_at, fact.invalid_at_precision, "now")
    return f"{begun} .. {ended}"


def facts_table(
    facts: Sequence[NamedVersion], *, believed: bool = False, found_by: Sequence[str] = ()
) -> Table:
    """Facts a row: who, relation, whom, when true.

    `believed` adds when it was believed, and the id; `found_by` a last cell to each row.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    more = ("believed", "fact id") if believed else ()
    for heading in ("subject", "relation", "object", "true", *more, *(("found by",) if found_by else ())):
        table.add_column(heading, overflow="fold")
    for at, named in enumerate(facts):
        version = named.version
        row = [named.subject, version.fact.predicate, named.object, period_of(version)]
        if version.fact.contested:
            row[-1] += "  contested"
        if believed:
            row += [
                f"{day_of(version.created_at, None, '')} .. {day_of(version.expired_at, None, 'now')}",
                version.fact.id,
            ]
        row += found_by[at : at + 1]
        style = "dim" if version.expired_at is not None else ""
        table.add_row(*(Text(cell) for cell in row), style=style)
    return table
