"""The tools that find: entities, facts now and at other times, the context of a question."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from memstrata.errors import Incorrect
from memstrata.ports import Filters
from memstrata.search.wording import date_of
from memstrata.service.mcp.answers import Answer, Page, counted, entity_item, fact_item
from memstrata.service.mcp.arguments import Arguments, GroupIds, Instant, MostFacts
from memstrata.service.mcp.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.search.citing import CitedFact
    from memstrata.service.mcp.caller import Caller

#: How many facts are looked through where a tool narrows them by their bounds.
_POOL: Final = 200
_EVER: Final = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))

Query = Annotated[str, Field(min_length=1, max_length=2_000, description="What is looked for, in words.")]
AsOf = Annotated[
    Instant | None, Field(description="What was true then (ISO 8601; a date, month or year will do).")
]
SystemAsOf = Annotated[
    Instant | None, Field(description="As the memory believed it then, whatever it learnt since.")
]


class SearchNodes(Arguments):
    """Arguments of `search_nodes`."""

    query: Query
    group_ids: GroupIds = None
    max_nodes: int = Field(10, ge=1, le=100, description="Entities at most.")
    entity_types: list[str] | None = Field(None, description="Only entities of these types.")
    center_node_uuid: str | None = Field(None, description="Rank those nearer to this entity higher.")


def search_nodes(caller: Caller, given: SearchNodes) -> Answer:
    """Entities with their summaries."""
    view = caller.view(given.group_ids, filters=Filters(types=tuple(given.entity_types or ())))
    preset = "entities_node_distance" if given.center_node_uuid else "entities"
    found = caller.asking.search(
        given.query, view, preset=preset, limit=given.max_nodes, centre=given.center_node_uuid
    )
    entities = [one.entity for one in found.entities]
    page = Page(heading=counted(len(entities), "entity", "entities"))
    page.put(
        "nodes",
        (entity_item(one, caller.asking.summary(one.group_id, one.entity_id)) for one in entities),
    )
    page.note(found.notes)
    return page.answer


class SearchMemoryFacts(Arguments):
    """Arguments of `search_memory_facts`."""

    query: Query
    group_ids: GroupIds = None
    max_facts: MostFacts = 10
    center_node_uuid: str | None = Field(None, description="Rank facts nearer to this entity higher.")
    edge_types: list[str] | None = Field(None, description="Only facts of these relations.")
    valid_at_after: Instant | None = Field(None, description="Only facts that began then or later.")
    valid_at_before: Instant | None = Field(None, description="Only facts that began then or earlier.")
    invalid_at_after: Instant | None = Field(None, description="Only facts that ended then or later.")
    invalid_at_before: Instant | None = Field(None, description="Only facts that ended then or earlier.")


def search_memory_facts(caller: Caller, given: SearchMemoryFacts) -> Answer:
    """Facts that hold now; with a bound, facts of any time whose own bounds are within it."""
    filters = Filters(relations=tuple(given.edge_types or ()))
    begins = (given.valid_at_after, given.valid_at_before)
    ends = (given.invalid_at_after, given.invalid_at_before)
    is_bound = any((*begins, *ends))
    found = caller.asking.search(
        given.query,
        caller.view(given.group_ids, during=_EVER if is_bound else None, filters=filters),
        preset="facts_node_distance" if given.center_node_uuid else "facts",
        limit=_POOL if is_bound else given.max_facts,
        centre=given.center_node_uuid,
    )
    cited = [
        one
        for one in caller.asking.cited(found)
        if _within(one.fact.version.fact.valid_at, begins)
        and _within(one.fact.version.fact.invalid_at, ends)
    ]
    notes = list(found.notes)
    if is_bound and len(found.facts) == _POOL:
        notes.append(
            f"only the {_POOL} best of all facts were looked through; a narrower query reaches others"
        )
    return _facts_page(cited[: given.max_facts], notes)


def _within(instant: datetime | None, bounds: tuple[datetime | None, datetime | None]) -> bool:
    """Whether it is within the bounds that there are; an open end is within none."""
    after, before = bounds
    if after is None and before is None:
        return True
    return (
        instant is not None
        and (after is None or instant >= after)
        and (before is None or instant <= before)
    )


def _facts_page(cited: Sequence[CitedFact], notes: Iterable[str], *, heading: str = "") -> Answer:
    page = Page(heading=f"{counted(len(cited), 'fact', 'facts')}{heading}")
    page.put("facts", (fact_item(one.fact, one.episode_ids) for one in cited))
    page.note(tuple(notes))
    return page.answer


class AsOfBoth(Arguments):
    """Arguments of `as_of`."""

    query: Query
    as_of: AsOf = None
    system_as_of: SystemAsOf = None
    group_ids: GroupIds = None
    max_facts: MostFacts = 10


def as_of(caller: Caller, given: AsOfBoth) -> Answer:
    """Facts as of a moment of valid time, of system time, or of both."""
    if given.as_of is None and given.system_as_of is None:
        raise Incorrect("give as_of (when it was true), system_as_of (when it was believed), or both")
    view = caller.view(given.group_ids, as_of=given.as_of, system_as_of=given.system_as_of)
    found = caller.asking.search(given.query, view, preset="facts", limit=given.max_facts)
    heading = f" true as of {date_of(found.moment.valid or caller.installation.clock.now())}"
    if found.moment.system is not None:
        heading += f", as believed at {date_of(found.moment.system)}"
    return _facts_page(caller.asking.cited(found), found.notes, heading=heading)


class ContextFor(Arguments):
    """Arguments of `context`."""

    query: Query
    group_ids: GroupIds = None
    as_of: AsOf = None
    system_as_of: SystemAsOf = None
    budget: int = Field(1_500, ge=50, le=3_000, description="Tokens at most.")


def context(caller: Caller, given: ContextFor) -> Answer:
    """What is worth knowing for a question, packed into a budget."""
    view = caller.view(given.group_ids, as_of=given.as_of, system_as_of=given.system_as_of)
    packed = caller.asking.context(given.query, view, budget=given.budget)
    data: dict[str, object] = {
        "text": packed.text,
        "tokens": packed.tokens,
        "facts": [{"uuid": one.fact.version.fact.id, "episodes": one.episode_ids} for one in packed.facts],
        "episodes": [one.episode_id for one in packed.turns],
        "notes": packed.notes,
    }
    return Answer(text="\n".join((packed.text, *(f"Note: {one}" for one in packed.notes))), data=data)


TOOLS: Final = (
    Tool(
        name="search_nodes",
        title="Search entities",
        description="Find entities (people, places, things) by name or meaning, each with its summary.",
        arguments=SearchNodes,
        run=search_nodes,
    ),
    Tool(
        name="search_memory_facts",
        title="Search facts",
        description="Find facts that hold now, with their periods and the episodes they rest on. With a "
        "bound on valid_at or invalid_at, facts of any time are looked through.",
        arguments=SearchMemoryFacts,
        run=search_memory_facts,
    ),
    Tool(
        name="as_of",
        title="Search facts at a time",
        description="Find facts as they were true at one time (as_of), as they were believed at one time "
        "(system_as_of), or both.",
        arguments=AsOfBoth,
        run=as_of,
    ),
    Tool(
        name="context",
        title="Context for a question",
        description="Everything worth knowing for a question, facts, summaries and raw turns with "
        "citations, packed into a budget of tokens. The best first call.",
        arguments=ContextFor,
        run=context,
    ),
)
