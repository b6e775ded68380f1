"""What else is asked about an entity (its summary, its names, the verdicts on them), and about time."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.responses import Response

from memstrata.memory.identity import Judgement, StandingName
from memstrata.memory.spans import Spans
from memstrata.model import Summary
from memstrata.service.answers import answered
from memstrata.service.caller import Called, naming
from memstrata.service.cursors import place_in, shown
from memstrata.service.documenting import answers
from memstrata.service.edge import OfGroup, PagedOfGroup, When
from memstrata.service.shapes import Named, items_of
from memstrata.service.viewing import InGroups

router = APIRouter(prefix="/v1", tags=["reading"])

_ID = "6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1"
_NAME = {"name": "Bob Smith", "type": "Person", "mentions": 3, "first_at": "2024-05-14T00:00:00Z"}
_JUDGEMENT = {
    "decision": {"kind": "merge", "who": "ada", "reason": "same staff number"},
    "seq": 12,
    "left": {"name": "Bob Smith", "entity_id": _ID},
    "right": {"name": "Robert Smith", "entity_id": _ID},
}
_SUMMARY = {
    "entity_id": _ID,
    "blocks": [{"topic": "works at", "text": "Works at Acme.", "facts": ["0c2f..."]}],
}
_SPAN = {"first": "2019-03-01T00:00:00Z", "last": "2024-07-02T00:00:00Z"}
EntityId = Annotated[str, Path(min_length=1, max_length=256, examples=[_ID])]


class SummaryQuery(OfGroup):
    """Whose summary, as of when."""

    system_as_of: Annotated[When | None, Field(description="As written by then (default: the latest).")] = (
        None
    )


class NamesQuery(OfGroup):
    """Whose names."""

    limit: Annotated[int, Field(ge=1, le=1_000)] = 100


@router.get(
    "/entities/{entity_id}/summary",
    summary="The summary of an entity, each block with the facts that it rests on",
    description="Null until consolidation has written one.",
    responses=answers({"summary": _SUMMARY}, 404, of=Named("SummaryIfAny", {"summary": Summary | None})),
)
def entity_summary(
    entity_id: EntityId, asked: Annotated[SummaryQuery, Query()], caller: Called
) -> Response:
    """A summary, or null."""
    group = caller.group(asked.group_id)
    found = caller.asking.summary(group, entity_id, at=asked.system_as_of)
    if found is None:
        with naming("entity"):
            caller.browsing.names(group, entity_id, limit=1)
    return answered({"summary": found})


@router.get(
    "/entities/{entity_id}/names",
    summary="The names that stand for an entity now, the most mentioned first",
    responses=answers({"items": [_NAME]}, 404, of=items_of(StandingName, is_paged=False)),
)
def entity_names(entity_id: EntityId, asked: Annotated[NamesQuery, Query()], caller: Called) -> Response:
    """Names."""
    with naming("entity"):
        found = caller.browsing.names(caller.group(asked.group_id), entity_id, limit=asked.limit)
    return answered({"items": found})


@router.get(
    "/entities/{entity_id}/verdicts",
    summary="The verdicts that joined the names of an entity with others, or keep them apart",
    description="The latest first. A page may hold fewer than `limit` and still be followed.",
    responses=answers({"items": [_JUDGEMENT], "next_cursor": None}, 404, of=items_of(Judgement)),
)
def entity_verdicts(
    entity_id: EntityId, asked: Annotated[PagedOfGroup, Query()], caller: Called
) -> Response:
    """Verdicts."""
    group, after = caller.group(asked.group_id), place_in(asked.cursor, "verdicts")
    with naming("entity"):
        found = caller.browsing.judgements(group, entity_id, after=after, limit=asked.limit)
    return answered(shown(found, "verdicts"))


@router.get(
    "/spans",
    summary="Between which times it is worth looking",
    description="`valid`: when the facts believed now begin; `system`: the first and the last commit.",
    responses=answers({"valid": _SPAN, "system": _SPAN, "now": "2024-07-02T09:00:00Z"}, of=Spans),
)
def spans(asked: Annotated[InGroups, Query()], caller: Called) -> Response:
    """Spans."""
    return answered(caller.asking.spans(asked.view(caller)))
