"""`/v1/decisions`, `/v1/review`: verdicts, listed, made and taken back, and what waits for one."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from memstrata.memory.browsing import Taken
from memstrata.model import Decision, DecisionKind
from memstrata.service.caller import Called, naming
from memstrata.service.documenting import IDEMPOTENT, answers
from memstrata.service.edge import Edge, GroupName, PagedOfGroup, Reason, Text, Withdrawing
from memstrata.service.shapes import items_of
from memstrata.workflow.doubts import Suspects

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
    responses=answers(
        {"items": [{"decision": _DECISION, "seq": 12}], "next_cursor": None}, of=items_of(Taken)
    ),
)
def decisions(asked: Annotated[PagedOfGroup, Query()], caller: Called) -> Response:
    """A page of decisions, each with the commit that took it in."""
    return caller.page("decisions", caller.browsing.decisions, asked)


@router.get(
    "/review",
    summary="Pairs of entities that are kept apart and may be one",
    description="Answer one with POST /v1/decisions: `merge` or `keep_apart`, with the two ids. A page may "
    "hold fewer than `limit` and still be followed.",
    responses=answers(
        {"items": [{"left": {"name": "Bob Smith"}, "reason": "..."}], "next_cursor": None},
        of=items_of(Suspects),
    ),
)
def review(asked: Annotated[PagedOfGroup, Query()], caller: Called) -> Response:
    """A page of what is in doubt."""
    return caller.page("review", caller.browsing.reviews, asked)


@router.post(
    "/decisions",
    status_code=201,
    summary="Decide that two are one entity, or are not",
    responses=answers(_DECISION, of=Decision, status=201, writes=True),
    openapi_extra=IDEMPOTENT,
)
async def decide(body: VerdictBody, caller: Called) -> Response:
    """Logs a verdict; it takes effect with the group's next commit."""

    def judge(group: str) -> Decision:
        return caller.telling.judge(DecisionKind(body.kind.value), group, body.pair, reason=body.reason)

    return await caller.decide(body.group_id, judge, wait=body.wait, status=201)


@router.post(
    "/decisions/{decision_id}/restore",
    status_code=201,
    summary="Take the withdrawal of a fact back",
    description="The id is that of the `reject` decision with which the fact was retracted; what it rested "
    "on counts again from the next commit on. A `merge` is undone by `keep_apart`, and that by `merge`.",
    responses=answers({**_DECISION, "kind": "accept"}, 404, of=Decision, status=201, writes=True),
    openapi_extra=IDEMPOTENT,
)
async def restore_fact(
    decision_id: Annotated[str, Path(min_length=1, max_length=256, examples=["0c2f..."])],
    asked: Annotated[Withdrawing, Query()],
    caller: Called,
) -> Response:
    """Logs the opposite decision."""

    def restore(group: str) -> Decision:
        with naming("decision"):
            return caller.telling.restore_fact(group, decision_id, reason=asked.reason)

    return await caller.decide(asked.group_id, restore, wait=asked.wait, status=201)
