"""`/v1/search` and `/v1/context`: what is looked for in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from memstrata.ports import Subject
from memstrata.search.context import DEFAULT_BUDGET, Context
from memstrata.search.presets import preset_of
from memstrata.search.reranking import Rerank
from memstrata.search.results import Results
from memstrata.service.answers import answered
from memstrata.service.caller import Called, Caller
from memstrata.service.documenting import answers
from memstrata.service.edge import Text
from memstrata.service.viewing import Looking, LookingFlat, LookingWithin

router = APIRouter(prefix="/v1", tags=["search"])

_FOUND = {
    "query": "where does Ada work",
    "facts": [{"fact": {"version": {"fact": {"fact": "Ada works at Acme"}}}, "score": 0.98}],
    "notes": [],
}
_PACKED = {"text": "From memory as of 2024-05-14:\nFacts:\n- Ada works at Acme ...", "tokens": 31}

Subjects = Annotated[
    tuple[Subject, ...] | None,
    Field(alias="for", description="What to look for (default: what the preset does)."),
]
PresetName = Annotated[str, Field(max_length=64, description="A way to search that has a name.")]
Limit = Annotated[int, Field(ge=1, le=200, description="How many of each at most.")]
Centre = Annotated[
    str | None, Field(max_length=1_000, description="Whence `node_distance` measures: a name or an id.")
]
Budget = Annotated[int, Field(ge=1, le=1_000_000, description="Tokens at most.")]


class SearchBody(LookingWithin):
    """A search."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"query": "where does Ada work", "as_of": "2024-05", "for": ["fact"], "limit": 5}]
        }
    )

    query: Text
    preset: PresetName = "everything"
    subjects: Subjects = None
    limit: Limit = 10
    rerank: Rerank | None = None
    centre: Centre = None


class SearchQuery(LookingFlat):
    """A search in the address."""

    query: Annotated[Text, Field(examples=["where does Ada work"])]
    preset: PresetName = "everything"
    subjects: Subjects = None
    limit: Limit = 10
    rerank: Rerank | None = None
    centre: Centre = None


class ContextBody(LookingWithin):
    """What a context is wanted for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "what should I know before I call Ada", "budget": 800}]}
    )

    query: Text
    budget: Budget = DEFAULT_BUDGET


class ContextQuery(LookingFlat):
    """The same in the address."""

    query: Annotated[Text, Field(examples=["what should I know before I call Ada"])]
    budget: Budget = DEFAULT_BUDGET


@router.post(
    "/search",
    summary="Find what the memory holds",
    description="By words, meaning, names and a few hops, fused; as of any moment, in both times.",
    responses=answers(_FOUND, 408, 415, of=Results),
)
def search(body: SearchBody, caller: Called) -> Response:
    """A search."""
    return _found(body, body, caller)


@router.get("/search", summary="Find, in the address", responses=answers(_FOUND, of=Results))
def search_by_query(asked: Annotated[SearchQuery, Query()], caller: Called) -> Response:
    """A search."""
    return _found(asked, asked, caller)


def _found(asked: SearchBody | SearchQuery, looking: Looking, caller: Caller) -> Response:
    chosen = preset_of(asked.preset)
    if asked.rerank is not None:
        chosen = replace(chosen, rerank=asked.rerank)
    return answered(
        caller.asking.search(
            asked.query,
            looking.view(caller),
            preset=chosen,
            subjects=asked.subjects,
            limit=asked.limit,
            centre=asked.centre,
        )
    )


@router.post(
    "/context",
    summary="Pack what matters for a query into a text for a model",
    description="Core blocks first, then facts with times and citations, summaries, and raw turns.",
    responses=answers(_PACKED, 408, 415, of=Context),
)
def context(body: ContextBody, caller: Called) -> Response:
    """A context."""
    return answered(caller.asking.context(body.query, body.view(caller), budget=body.budget))


@router.get("/context", summary="A context, in the address", responses=answers(_PACKED, of=Context))
def context_by_query(asked: Annotated[ContextQuery, Query()], caller: Called) -> Response:
    """A context."""
    return answered(caller.asking.context(asked.query, asked.view(caller), budget=asked.budget))
