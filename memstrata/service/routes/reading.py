"""Facts, entities, histories, lives, ways and changes: what is asked for by name or id."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.responses import Response

from memstrata.consolidation.communities import Community
from memstrata.memory.access import Right
from memstrata.model import Decision, Entity
from memstrata.ports import Counts, Filters, NamedVersion
from memstrata.search.changes import Changed
from memstrata.search.paths import Paths
from memstrata.search.reads import EntityRecord, FactHistory
from memstrata.search.timeline import Timeline
from memstrata.service.answers import answered
from memstrata.service.caller import Called, naming, not_found
from memstrata.service.documenting import IDEMPOTENT, answers
from memstrata.service.edge import OfGroup, PagedOfGroup, Text, When, Withdrawing
from memstrata.service.shapes import Named, items_of
from memstrata.service.viewing import Believed, InGroups, Looking, Names

router = APIRouter(prefix="/v1", tags=["reading"])

_ENTITY = {"entity_id": "6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1", "name": "Ada", "type": "Person"}
_FACT = {"version": {"fact": {"id": "0c2f...", "fact": "Ada works at Acme"}}, "subject": "Ada"}
_MEMBER = {"entity_id": _ENTITY["entity_id"], "name": "Ada", "facts": 3}
AnId = Annotated[str, Path(min_length=1, max_length=256, examples=[_ENTITY["entity_id"]])]
Name = Annotated[Text, Field(description="A name, an alias or an id.", examples=["Ada"])]


class FactsQuery(Looking):
    """Whose facts, or all; narrowed by relation and confidence."""

    about: Annotated[
        str | None, Field(max_length=1_000, description="A name, an alias or an id.", examples=["Ada"])
    ] = None
    relations: Names = ()
    least_confidence: Annotated[float | None, Field(ge=0.0, le=1.0)] = None
    limit: Annotated[int, Field(ge=1, le=1_000)] = 100
    cursor: Annotated[str | None, Field(max_length=2_048)] = None

    def filtered(self) -> Filters:
        """Among what."""
        return Filters(relations=self.relations, least_confidence=self.least_confidence)


class HistoryQuery(InGroups):
    """Whose history."""

    asked: Annotated[
        Text,
        Field(
            description="A fact's id, `A RELATION B`, `A RELATION`, or an entity.",
            examples=["Ada works_at Acme"],
        ),
    ]
    limit: Annotated[int, Field(ge=1, le=1_000)] = 100


class TimelineQuery(Believed):
    """Whose life."""

    entity: Name
    limit: Annotated[int, Field(ge=1, le=1_000)] = 500


class PathQuery(Looking):
    """From whom to whom."""

    start: Name
    end: Annotated[Text, Field(examples=["Acme"])]
    most_hops: Annotated[int, Field(ge=1, le=6)] = 3
    limit: Annotated[int, Field(ge=1, le=100)] = 3


class DiffQuery(InGroups):
    """Between which system times."""

    after: Annotated[When, Field(examples=["2024-01"])]
    until: When | None = None
    about: Annotated[str | None, Field(max_length=1_000)] = None


@router.get(
    "/facts",
    summary="The facts of groups, or about an entity, page by page",
    description="Whole groups come by group and id; what is about an entity and fits into one page comes "
    "latest first. Whole memories are better read by /v1/export.",
    responses=answers({"items": [_FACT], "next_cursor": None}, of=items_of(NamedVersion)),
)
def facts(asked: Annotated[FactsQuery, Query()], caller: Called) -> Response:
    """Facts, all or by name."""
    view = asked.view(caller)
    page = caller.asking.listed(view, about=asked.about, limit=asked.limit, after=asked.cursor)
    return answered({"items": page.items, "next_cursor": page.following})


@router.get(
    "/facts/{fact_id}",
    summary="All versions of a fact, and what it rests on",
    responses=answers({"fact_id": "0c2f...", "versions": [_FACT]}, 404, of=FactHistory),
)
def fact(fact_id: AnId, asked: Annotated[InGroups, Query()], caller: Called) -> Response:
    """A fact by id, living or gone."""
    with naming("fact"):
        record = caller.asking.get(fact_id, asked.view(caller))
    if not isinstance(record, FactHistory):
        raise not_found("fact", f"{fact_id!r} is no fact's id; see /v1/entities and /v1/episodes")
    return answered(record)


@router.delete(
    "/facts/{fact_id}",
    summary="Retract a fact",
    description="What states it is no longer believed, from the next commit on; its history stays.",
    responses=answers({"decision_id": "...", "kind": "reject"}, 404, 409, of=Decision),
    openapi_extra=IDEMPOTENT,
)
async def retract_fact(fact_id: AnId, asked: Annotated[Withdrawing, Query()], caller: Called) -> Response:
    """Withdraws a fact."""

    def retract(group: str) -> Decision:
        with naming("fact"):
            return caller.telling.retract_fact(group, fact_id, reason=asked.reason)

    return await caller.decide(asked.group_id, retract, wait=asked.wait)


@router.get(
    "/entities",
    summary="The entities of a group, page by page",
    responses=answers({"items": [_ENTITY], "next_cursor": None}, of=items_of(Entity)),
)
def entities(asked: Annotated[PagedOfGroup, Query()], caller: Called) -> Response:
    """Entities by id."""
    return caller.page("entities", caller.browsing.entities, asked)


@router.get(
    "/entities/{entity_id}",
    summary="An entity with its facts, living or gone",
    responses=answers({**_ENTITY, "facts": [_FACT]}, 404, of=EntityRecord),
)
def entity(entity_id: AnId, asked: Annotated[Looking, Query()], caller: Called) -> Response:
    """An entity by id."""
    with naming("entity"):
        record = caller.asking.get(entity_id, asked.view(caller))
    if not isinstance(record, EntityRecord):
        raise not_found("entity", f"{entity_id!r} is no entity's id; see /v1/facts and /v1/episodes")
    return answered(record)


@router.get(
    "/history",
    summary="All that was ever believed of something",
    responses=answers(
        {"items": [{"fact_id": "0c2f...", "versions": [_FACT]}]}, of=items_of(FactHistory, is_paged=False)
    ),
)
def history(asked: Annotated[HistoryQuery, Query()], caller: Called) -> Response:
    """Histories by name."""
    found = caller.asking.history(asked.asked, asked.view(caller), limit=asked.limit)
    return answered({"items": found})


@router.get(
    "/timeline",
    summary="The life of an entity, in valid time",
    responses=answers({"spells": [_FACT]}, of=Timeline),
)
def timeline(asked: Annotated[TimelineQuery, Query()], caller: Called) -> Response:
    """A life."""
    return answered(caller.asking.timeline(asked.entity, asked.view(caller), limit=asked.limit))


@router.get(
    "/path",
    summary="The shortest ways between two entities",
    responses=answers({"paths": []}, of=Paths),
)
def path(asked: Annotated[PathQuery, Query()], caller: Called) -> Response:
    """Ways."""
    ends = (asked.start, asked.end)
    found = caller.asking.path(ends, asked.view(caller), most_hops=asked.most_hops, limit=asked.limit)
    return answered(found)


@router.get(
    "/diff",
    summary="What changed in belief between two system times",
    responses=answers({"changes": []}, of=Changed),
)
def diff(asked: Annotated[DiffQuery, Query()], caller: Called) -> Response:
    """Changes."""
    view = asked.view(caller)
    return answered(caller.asking.diff(asked.after, asked.until, about=asked.about, view=view))


@router.get(
    "/communities",
    summary="Who belongs together in a group",
    description="Computed from what is believed now; nothing is stored. 503 without the package "
    "`memstrata[communities]`.",
    responses=answers(
        {"items": [{"community_id": "7d1a...", "members": [_MEMBER], "facts": 7}]},
        of=items_of(Community, is_paged=False),
    ),
)
def communities(asked: Annotated[OfGroup, Query()], caller: Called) -> Response:
    """Communities, the largest first, each with a report."""
    return answered({"items": caller.asking.communities(caller.group(asked.group_id))})


@router.get(
    "/groups",
    summary="The groups within reach, and how much each holds",
    responses=answers(
        {"items": [{"group_id": "acme/eng", "facts": 120}]}, of=items_of(Counts, is_paged=False)
    ),
)
def groups(caller: Called) -> Response:
    """Groups."""
    return answered({"items": caller.asking.groups()})


@router.get(
    "/grant",
    summary="Who asks, and what the token reaches and may do",
    responses=answers(
        {"who": "ada", "groups": ["acme/*"], "rights": ["decide", "read"]},
        of=Named("Granted", {"who": str, "groups": tuple[str, ...], "rights": tuple[Right, ...]}),
    ),
)
def grant(caller: Called) -> Response:
    """The caller's own grant."""
    mine = caller.grant
    return answered({"who": mine.who, "groups": mine.groups, "rights": sorted(mine.rights)})
