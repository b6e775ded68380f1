"""`/v1/costs`: what language models took. Ids and numbers, no content of the memory."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from memstrata.ports import ListedBy
from memstrata.service.answers import answered
from memstrata.service.caller import Called
from memstrata.service.documenting import answers
from memstrata.service.edge import Edge, GroupName
from memstrata.workflow.costs import Costs

router = APIRouter(prefix="/v1", tags=["costs"])

_SUMS: dict[str, object] = {
    "calls": 412.0,
    "input_tokens": 310_400.0,
    "output_tokens": 61_200.0,
    "cached_tokens": 120_000.0,
    "retries": 3.0,
    "seconds": 812.5,
    "failed": 2.0,
    "cost": 0.1730,
    "priced": 0.1730,
    "unpriced": [],
}


class CostsBy(StrEnum):
    """What costs can be listed by."""

    DAY = "day"
    GROUP = "group"
    STAGE = "stage"
    VERSION = "version"
    MODEL = "model"
    EPISODE = "episode"

    @property
    def listed(self) -> ListedBy:
        """As the log of calls knows it."""
        return ListedBy[self.name]


class CostsQuery(Edge):
    """Which costs, and how they are listed."""

    group_id: Annotated[
        GroupName | None, Field(description="One group; without it all, for a token that reaches all.")
    ] = None
    by: Annotated[
        list[CostsBy],
        Field(max_length=len(CostsBy), description="What to list by, in this order; may be repeated."),
    ] = []  # noqa: RUF012 (pydantic copies it)
    since: Annotated[date | None, Field(description="The first day (UTC).", examples=["2026-11-01"])] = None
    until: Annotated[date | None, Field(description="The day after the last.", examples=["2026-12-01"])] = (
        None
    )


@router.get(
    "/costs",
    summary="What language models took: calls, tokens, retries, seconds, cost",
    description="`failed` of the `calls` gave no reply. `cost` is null where the price of a model is not "
    "known; `unpriced` names it, and `priced` is what the others cost.",
    responses=answers(
        {
            "by": ["stage"],
            "currency": "USD",
            "rows": [_SUMS | {"key": {"stage": "extract"}}],
            "total": _SUMS | {"key": {}},
        },
        of=Costs,
    ),
)
def costs(asked: Annotated[CostsQuery, Query()], caller: Called) -> Response:
    """Costs, listed and in all."""
    found = caller.asking.costs(
        tuple(dict.fromkeys(one.listed for one in asked.by)),
        since=asked.since,
        until=asked.until,
        group_id=None if asked.group_id is None else caller.group(asked.group_id),
    )
    return answered(found)
