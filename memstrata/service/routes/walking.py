"""`/v1/neighbours`: the graph around an entity, to be drawn and walked."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from memstrata.bitemporal import Moment
from memstrata.model import Entity
from memstrata.ports import NamedVersion
from memstrata.search.neighbours import Neighbour
from memstrata.service.answers import answered
from memstrata.service.caller import Called
from memstrata.service.documenting import answers
from memstrata.service.edge import Text
from memstrata.service.shapes import Named
from memstrata.service.viewing import Looking

router = APIRouter(prefix="/v1", tags=["reading"])

_SHAPE = Named(
    "Around",
    {
        "entity": Entity,
        "moment": Moment,
        "history": bool,
        "facts": tuple[NamedVersion, ...],
        "others": tuple[Neighbour, ...],
        "skipped": int,
        "total": int,
        "is_whole": bool,
        "next_cursor": str | None,
    },
)
_AROUND = {
    "entity": {"entity_id": "6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1", "name": "Ada", "type": "Person"},
    "facts": [{"version": {"fact": {"id": "0c2f...", "fact": "Ada works at Acme"}}, "subject": "Ada"}],
    "others": [{"entity_id": "...", "name": "Acme", "type": "Organization", "facts": 34}],
    "total": 1,
    "next_cursor": None,
}


class NeighboursQuery(Looking):
    """Around whom."""

    entity: Annotated[Text, Field(description="A name, an alias or an id.", examples=["Ada"])]
    limit: Annotated[int, Field(ge=1, le=200, description="How many facts at most.")] = 20
    cursor: Annotated[
        str | None, Field(max_length=512, description="`next_cursor` of the page before.")
    ] = None


@router.get(
    "/neighbours",
    summary="The facts of an entity, latest first, and whom they lead to",
    description="`total` is how many facts in view it has; each of `others` says how many it has itself, "
    "up to 50. With `history` what ended is there too. All pages read what was believed at the first.",
    responses=answers(_AROUND, of=_SHAPE),
)
def neighbours(asked: Annotated[NeighboursQuery, Query()], caller: Called) -> Response:
    """A page of what is around an entity."""
    view = asked.view(caller)
    page = caller.asking.neighbours(asked.entity, view, limit=asked.limit, after=asked.cursor)
    found = page.neighbours
    return answered(
        {
            "entity": found.entity,
            "moment": found.moment,
            "history": found.history,
            "facts": found.facts,
            "others": found.others,
            "skipped": found.skipped,
            "total": found.total,
            "is_whole": found.is_whole,
            "next_cursor": page.following,
        }
    )
