"""`/v1/decisions`, `/v1/review`: verdicts, listed and made, and what waits for one."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from memstrata.model import DecisionKind
from memstrata.service.answers import answered
from memstrata.service.caller import Called
from memstrata.service.cursors import place_in, shown
from memstrata.service.documenting import IDEMPOTENT, answers
from memstrata.service.edge import Edge, GroupName, PagedOfGroup, Reason, Text

router = APIRouter(prefix="/v1", tags=["decisions"])

_DECISION = {"decision_id": "...", "kind": "merge", "who": "ada", "reason": "same staff number"}


class Judged(StrEnum):
    """What can be decided of two names."""

    MERGE = "merge"
    KEEP_APART = "keep_apart"


class VerdictBody(Edge):
    """That two names or ids are one entity, or are not."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"kind": "merge", "pair": ["Bob Smith", "Robert Smith"], "wait": True}]
        }
    )

    kind: Judged
    pair: Annotated[tuple[Text, Text], Field(description="Two names or ids.")]
    group_id: GroupName | None = None
    reason: Reason = ""
    wait: Annotated[bool, Field(description="Answer only when it has taken effect.")] = False


@router.get(
    "/decisions",
    summary="The decisions of a group, the latest first",
    responses=answers({"items": [{"decision": _DECISION, "seq": 12}], "next_cursor": None}),
)
def decisions(asked: Annotated[PagedOfGroup, Query()], caller: Called) -> Response:
    """A page of decisions, each with the commit that took it in."""
    page = caller.browsing.decisions(
        caller.group(asked.group_id), after=place_in(asked.cursor, "decisions"), limit=asked.limit
    )
    return answered(shown(page, "decisions"))


@router.get(
    "/review",
    summary="Pairs of entities that are kept apart and may be one",
    description="Answer one with POST /v1/decisions: `merge` or `keep_apart`, with the two ids. A page may "
    "hold fewer than `limit` and still be followed.",
    responses=answers({"items": [{"left": {"name": "Bob Smith"}, "reason": "..."}], "next_cursor": None}),
)
def review(asked: Annotated[PagedOfGroup, Query()], caller: Called) -> Response:
    """A page of what is in doubt."""
    page = caller.browsing.reviews(
        caller.group(asked.group_id), after=place_in(asked.cursor, "review"), limit=asked.limit
    )
    return answered(shown(page, "review"))


@router.post(
    "/decisions",
    status_code=201,
    summary="Decide that two are one entity, or are not",
    responses=answers(_DECISION, status=201, writes=True),
    openapi_extra=IDEMPOTENT,
)
async def decide(body: VerdictBody, caller: Called) -> Response:
    """Logs a verdict; it takes effect with the group's next commit."""

    def judge() -> Response:
        group = caller.group(body.group_id)
        kind = DecisionKind(body.kind.value)
        decision = caller.telling.judge(kind, group, body.pair, reason=body.reason)
        if body.wait:
            caller.telling.commit(group)
        return answered(decision, 201)

    return await caller.write(judge)
