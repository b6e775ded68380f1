"""Records as text for people and as JSON for programs.

Sections rather than wide tables: times stand first in a narrow column, words wrap beside them, and an id
has a line of its own, whole, so that it can be copied.
"""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

import orjson
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from memstrata.cli.session import console
from memstrata.memory.rendering import as_json
from memstrata.search.wording import date_of, one_line, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rich.console import RenderableType

    from memstrata.instants import Precision
    from memstrata.model import Placement, Version
    from memstrata.ports import NamedVersion
    from memstrata.search.reads import FactHistory

_MINUTE = "%Y-%m-%d %H:%M"
_QUOTED = 160


def print_json(value: object) -> None:
    """Prints any record, or tuple of records, as one JSON document."""
    console.print(
        orjson.dumps(as_json(value), option=orjson.OPT_INDENT_2).decode(),
        soft_wrap=True,
        highlight=False,
        markup=False,
    )


def counted(number: int, noun: str) -> str:
    """`1 episode`, `2 episodes`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def day_of(instant: datetime | None, precision: Precision | None, unknown: str) -> str:
    """A UTC time as coarse as it was stated, to the minute at most; `unknown` stands in for none."""
    if instant is None:
        return unknown
    said = date_of(instant, precision)
    return instant.astimezone(UTC).strftime(_MINUTE) if "T" in said else said


def period_of(version: Version) -> str:
    """When the fact is true, as `from .. to`."""
    fact = version.fact
    begun = day_of(fact.valid_at, fact.valid_at_precision, "?")
    ended = day_of(fact.invalid_at, fact.invalid_at_precision, "now")
    return f"{begun} .. {ended}"


def belief_of(version: Version) -> str:
    """When the version was believed, as `from .. to`."""
    return f"{day_of(version.created_at, None, '')} .. {day_of(version.expired_at, None, 'now')}"


def statement(named: NamedVersion) -> Text:
    """`subject RELATION object`, the relation set off."""
    said = Text(f"{named.subject} ")
    said.append(named.version.fact.predicate, style="cyan")
    return said.append(f" {named.object}")


def facts_table(
    facts: Sequence[NamedVersion], *, with_ids: bool = False, found_by: Sequence[str] = ()
) -> Table:
    """Facts a row: when true, and what; `found_by` and the ids stand below, dim."""
    table = grid()
    for at, named in enumerate(facts):
        version = named.version
        row = statement(named)
        if version.fact.contested:
            row.append("  contested", style="yellow")
        for note in found_by[at : at + 1]:
            row.append(f"\n{note}", style="dim")
        if with_ids:
            row.append(f"\nbelieved {belief_of(version)}\nfact {version.fact.id}", style="dim")
        style = "dim" if version.expired_at is not None else ""
        table.add_row(Text(period_of(version)), row, style=style)
    return table


def history_section(history: FactHistory) -> Table:
    """One fact with all its versions, oldest belief first, and below it what it rests on."""
    section = Table.grid()
    latest = history.versions[-1]
    heading = Text.assemble(statement(latest), "" if latest.version.expired_at is None else "  (gone)")
    heading.stylize("bold")
    section.add_row(heading)
    section.add_row(Text(f"fact {history.fact_id}", style="dim"))
    versions = Table.grid(padding=(0, 3, 0, 0))
    for named in history.versions:
        gone = named.version.expired_at is not None
        versions.add_row(
            Text(f"true {period_of(named.version)}"),
            Text(f"believed {belief_of(named.version)}"),
            style="dim" if gone else "",
        )
    section.add_row(Padding(versions, (0, 0, 0, 2)))
    section.add_row(Padding(evidence_table(history.evidence), (0, 0, 0, 2)))
    return section


def evidence_table(placements: Sequence[Placement]) -> Table:
    """What was said, when, and in which episode; assertions that were taken back are marked."""
    table = grid()
    for one in placements:
        said = Text(f"“{shortened(one_line(one.quote or one.fact), _QUOTED)}”", style="italic")
        if one.retracted_at is not None:
            said.append("  retracted", style="yellow not italic")
        said.append(f"\nepisode {one.episode_id}", style="dim not italic")
        table.add_row(Text(f"said {day_of(one.reference_time, None, '')}"), said)
    return table


def keyed(rows: Sequence[tuple[str, RenderableType]]) -> Table:
    """Lines of `key  value`, the values aligned and wrapped in their own column."""
    table = grid()
    for key, value in rows:
        table.add_row(Text(key, style="bold"), value)
    return table


def grid() -> Table:
    """A first column that never wraps, and a second that wraps within itself."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table
