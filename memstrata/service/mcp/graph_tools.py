"""The tools for whoever asks in queries: the schema, and reading Cypher where the store has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from memstrata.errors import Unsupported
from memstrata.memory.rendering import as_json
from memstrata.search.view import View
from memstrata.search.wording import shortened
from memstrata.service.mcp.answers import Item, Page, counted
from memstrata.service.mcp.arguments import Arguments, GroupId
from memstrata.service.mcp.tool import Profile, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.service.mcp.answers import Answer
    from memstrata.service.mcp.caller import Caller

_MOST_VALUE: Final = 200


class Schema(Arguments):
    """Arguments of `schema`."""

    group_id: GroupId = None


def schema(caller: Caller, given: Schema) -> Answer:
    """What a group's graph holds: labels, types, properties; on a store without Cypher, names alone."""
    group = caller.group(given.group_id)
    try:
        found = caller.asking.schema(group)
    except Unsupported as error:
        return _vocabulary(caller, group, str(error))
    page = Page(heading=f"The graph of group {group}, for read_cypher")
    for key, kinds in (("labels", found.labels), ("types", found.types)):
        page.put(
            key,
            (
                Item(
                    line=f"- {one.name} ({one.count}): {', '.join(p.name for p in one.properties)}",
                    data={
                        "name": one.name,
                        "count": one.count,
                        "properties": {p.name: "|".join(p.types) for p in one.properties},
                        "joins": one.joins,
                    },
                )
                for one in kinds
            ),
            heading="Nodes:" if key == "labels" else "Relationships:",
        )
    relations = (
        Item(
            line=f"- {one.name} ({one.count}){f': {one.description}' if one.description else ''}",
            data=_fields(one),
        )
        for one in found.relations
    )
    page.put("relations", relations, heading="Relations of the memory (RELATES_TO.name):")
    return page.answer


def _vocabulary(caller: Caller, group: str, why: str) -> Answer:
    known = caller.asking.vocabulary(View(groups=(group,)))
    page = Page(heading=f"What filters can name in group {group}")
    named = (
        ("entity_types", known.types),
        ("relations", known.relations),
        ("properties", known.properties),
    )
    for key, names in named:
        page.put(key, (Item(line=f"- {one}", data={"name": one}) for one in names), heading=f"{key}:")
    page.note((f"no query language here: {why}",))
    return page.answer


def _fields(record: object) -> dict[str, object]:
    fields = as_json(record)
    assert isinstance(fields, dict)  # noqa: S101 (a dataclass becomes an object)
    return fields


class ReadCypher(Arguments):
    """Arguments of `read_cypher`."""

    query: str = Field(min_length=1, max_length=10_000, description="One reading Cypher query.")
    parameters: dict[str, object] = Field(default_factory=dict, description="Values of its $parameters.")
    group_id: GroupId = None
    limit: int = Field(50, ge=1, le=200, description="Rows at most.")
    seconds: float = Field(10.0, gt=0, le=60, description="How long it may take.")


def read_cypher(caller: Caller, given: ReadCypher) -> Answer:
    """The rows of a reading query over one group."""
    rows = caller.asking.read_cypher(
        given.query,
        given.parameters,  # type: ignore[arg-type]  # JSON came in
        group_id=caller.group(given.group_id),
        limit=given.limit,
        seconds=given.seconds,
    )
    page = Page(heading=counted(len(rows.rows), "row", "rows"))
    page.data["columns"] = rows.columns
    page.put(
        "rows",
        (
            Item(line=f"- {_row(rows.columns, row)}", data=dict(zip(rows.columns, row, strict=True)))
            for row in rows.rows
        ),
    )
    page.note(("there were more rows: ask for less, or raise the limit",) if rows.is_cut else ())
    return page.answer


def _row(columns: Sequence[str], row: Sequence[object]) -> str:
    return ", ".join(
        f"{name}: {shortened(str(value), _MOST_VALUE)}" for name, value in zip(columns, row, strict=True)
    )


TOOLS: Final = (
    Tool(
        name="schema",
        title="Schema",
        description="Labels, relationship types, properties and relations of a group's graph, for filters "
        "and for read_cypher.",
        arguments=Schema,
        run=schema,
        profile=Profile.EXTENDED,
    ),
    Tool(
        name="read_cypher",
        title="Ask in Cypher",
        description="Run one reading Cypher query over one group (a graph in Neo4j only). Names that are "
        "not in the schema are refused with the nearest ones.",
        arguments=ReadCypher,
        run=read_cypher,
        profile=Profile.EXTENDED,
    ),
)
