"""`/v1/schema` and `/v1/cypher`: for whoever writes queries. What cannot be asked of a store is 501."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from memstrata.ports import GraphSchema, Rows
from memstrata.service.answers import answered
from memstrata.service.caller import Called
from memstrata.service.documenting import answers
from memstrata.service.edge import OfGroup, Text

router = APIRouter(prefix="/v1", tags=["cypher"])

_QUERY = "MATCH (p:Person)-[r:RELATES_TO]->(o) RETURN p.name, r.name, o.name LIMIT 5"


class CypherBody(OfGroup):
    """A reading query over one group."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": _QUERY}]})

    query: Text
    parameters: Annotated[dict[str, Any], Field(max_length=100)] = Field(default_factory=dict)
    limit: Annotated[int, Field(ge=1, le=10_000, description="Rows at most.")] = 100
    seconds: Annotated[float, Field(gt=0, le=50, description="How long it may take.")] = 10.0


@router.get(
    "/schema",
    summary="What the graph of a group holds",
    responses=answers(
        {"group_id": "default", "labels": [], "types": [], "relations": []}, 501, of=GraphSchema
    ),
)
def schema(asked: Annotated[OfGroup, Query()], caller: Called) -> Response:
    """Labels, types, properties and relations."""
    return answered(caller.asking.schema(caller.group(asked.group_id)))


@router.post(
    "/cypher",
    summary="Answer a reading Cypher query",
    description="Nothing can be written by it, and nothing of another group is reached by it.",
    responses=answers({"columns": ["p.name"], "rows": [["Ada"]], "is_cut": False}, 408, 415, 501, of=Rows),
)
def cypher(body: CypherBody, caller: Called) -> Response:
    """Rows."""
    rows = caller.asking.read_cypher(
        body.query,
        body.parameters,
        group_id=caller.group(body.group_id),
        limit=body.limit,
        seconds=body.seconds,
    )
    return answered(rows)
