"""`memstrata schema` and `memstrata cypher`: the graph for whoever asks in queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import orjson
from rich.table import Table
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, print_json
from memstrata.cli.session import complaints, console, group_option, json_option
from memstrata.errors import Incorrect
from memstrata.grounding import MOST_BYTES, UngroundedQuery
from memstrata.memory.asking import Asking
from memstrata.memory.rendering import as_json
from memstrata.settings import opened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.grounding import Problem
    from memstrata.model import Json
    from memstrata.ports import GraphSchema, Kind, Rows

_MOST_TYPES = 3


@click.command(epilog=examples("memstrata schema", "memstrata schema --group acme/eng --json"))
@group_option
@json_option
def schema(group_id: str, as_json: bool) -> None:
    """List labels, relationship types and properties of the graph, and what its relations mean."""
    with opened() as installation:
        found = Asking(installation=installation).schema(group_id)
    if as_json:
        print_json(found)
    else:
        _show_schema(found)


@click.command(
    epilog=examples(
        "memstrata cypher 'MATCH (p:Person)-[r:RELATES_TO]->(o) RETURN p.name, r.name, o.name LIMIT 5'",
        "memstrata cypher 'MATCH (p {name: $name}) RETURN p' --parameter name=Ada --json",
    )
)
@click.argument("query")
@group_option
@click.option("--parameter", "-p", "given", multiple=True, metavar="NAME=VALUE", help="A value for $NAME.")
@click.option("--limit", default=100, show_default=True, help="Rows at most.")
@click.option("--seconds", default=10.0, show_default=True, help="How long the query may take.")
@json_option
def cypher(
    query: str, group_id: str, given: tuple[str, ...], limit: int, seconds: float, as_json: bool
) -> int:
    """Answer a reading Cypher QUERY over one group; nothing can be written by it.

    A query that names what is not there is not run: the answer says where it is wrong and what was
    perhaps meant.
    """
    values = dict(_parameter(one) for one in given)
    try:
        with opened() as installation:
            asking = Asking(installation=installation)
            rows = asking.read_cypher(query, values, group_id=group_id, limit=limit, seconds=seconds)
    except UngroundedQuery as refused:
        if as_json:
            print_json({"problems": refused.problems})
        else:
            _show_problems(query, refused.problems)
        return refused.exit_status
    if as_json:
        print_json(rows)
    else:
        _show_rows(rows)
    return 0


def _parameter(given: str) -> tuple[str, Json]:
    """`name=value`; the value as JSON where it is JSON, else as text."""
    name, sign, text = given.partition("=")
    if not (name and sign):
        raise Incorrect(f"--parameter {given!r}: expected NAME=VALUE, such as name=Ada")
    try:
        value: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = text
    return name, value


def _show_schema(found: GraphSchema) -> None:
    if not found.labels:
        console.print(f"group {found.group_id} holds nothing yet", highlight=False)
        return
    console.print("Nodes", style="bold")
    console.print(_kinds(found.labels))
    console.print("Relationships", style="bold")
    console.print(_kinds(found.types))
    console.print("Relations of the memory (RELATES_TO.name)", style="bold")
    table = Table.grid(padding=(0, 2))
    for relation in found.relations:
        said = Text(relation.description or relation.example)
        said.append("  one at a time" if relation.cardinality == "one" else "", style="dim")
        table.add_row(Text(f"  {relation.name}", style="cyan"), Text(f"{relation.count:,}"), said)
    console.print(table)


def _kinds(kinds: Iterable[Kind]) -> Table:
    table = Table.grid(padding=(0, 2))
    for kind in kinds:
        joins = ", ".join(f"{start} to {end}" for start, end in kind.joins)
        table.add_row(
            Text(f"  {kind.name}", style="cyan"), Text(f"{kind.count:,}"), Text(joins, style="dim")
        )
        for one in kind.properties:
            types = "|".join(one.types[:_MOST_TYPES]).lower()
            samples = ", ".join(one.samples)
            table.add_row(
                Text(f"    .{one.name}"),
                Text(types, style="dim"),
                Text(samples, style="dim", overflow="ellipsis", no_wrap=True),
            )
    return table


def _show_problems(query: str, problems: Iterable[Problem]) -> None:
    """Each problem under its line, with a caret where it stands."""
    lines = query.split("\n")
    for problem in problems:
        complaints.print(f"  {lines[problem.line - 1]}", highlight=False, markup=False, soft_wrap=True)
        caret = " " * (problem.column - 1) + "^" * max(1, len(problem.token))
        complaints.print(f"  {caret}", style="red", soft_wrap=True)
        complaints.print(str(problem), highlight=False, markup=False, soft_wrap=True)


def _show_rows(rows: Rows) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in rows.columns:
        table.add_column(column, overflow="fold")
    for row in rows.rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    console.print(table)
    why = f"an answer has {MOST_BYTES:,} bytes at most: ask for less" if rows.is_too_large else "--limit"
    more = f", more were cut ({why})" if rows.is_cut else ""
    complaints.print(f"{counted(len(rows.rows), 'row')}{more}", style="dim", highlight=False)


def _cell(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else orjson.dumps(as_json(value)).decode()
