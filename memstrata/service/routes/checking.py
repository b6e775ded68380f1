"""`/v1/checks`: what checks found, now and over time. Numbers and sentences, no content of the memory."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import Field
from starlette.responses import Response

from memstrata.drift import EVERY_GROUP
from memstrata.memory.judged import Asked, History, OverAll, Standing
from memstrata.search.view import View
from memstrata.service.answers import answered
from memstrata.service.caller import Called, naming
from memstrata.service.documenting import answers
from memstrata.service.edge import Edge, GroupName
from memstrata.service.shapes import items_of
from memstrata.service.viewing import InGroups

router = APIRouter(prefix="/v1", tags=["checks"])

_ABOUT = {
    "check": "orphan_entities",
    "title": "Orphan entities",
    "number": "share of entities that stand in no fact",
    "unit": "share",
    "fails": "above",
}
_RESULT = {
    "check": "orphan_entities",
    "group_id": "acme/eng",
    "day": "2026-03-14",
    "at": "2026-03-15T02:00:04Z",
    "severity": "warning",
    "passed": False,
    "value": 0.14,
    "threshold": 0.1,
    "sentence": "14 of 100 entities of group acme/eng stand in no fact (14.0%), above the allowed 10%. ...",
    "details": {"orphans": 14.0, "entities": 100.0},
    "ran": True,
}
_BAND = {"low": 0.06, "middle": 0.07, "high": 0.09, "days": 28}
_POINT = {
    "day": "2026-03-14",
    "value": 0.14,
    "threshold": 0.1,
    "passed": False,
    "judged": True,
    "baseline": _BAND,
}


class ChecksQuery(InGroups):
    """Which checks, and how much of their past."""

    days: Annotated[
        int, Field(ge=0, le=400, description="Days of each series, up to the newest; 0 for none.")
    ] = 0
    over_all: Annotated[
        OverAll,
        Field(description="What was found over all groups together (`*`), for a token that reaches all."),
    ] = OverAll.ALSO
    failing: Annotated[bool, Field(description="Only what fails.")] = False
    limit: Annotated[int, Field(ge=1, le=100)] = 100
    cursor: Annotated[str | None, Field(max_length=2_048)] = None


class CheckQuery(Edge):
    """Of which group, and which days."""

    group_id: Annotated[
        GroupName | None, Field(description="A group, or `*`: over all groups together.")
    ] = None
    since: Annotated[date | None, Field(description="The first day.", examples=["2026-01-01"])] = None
    until: Annotated[date | None, Field(description="The last day.", examples=["2026-03-31"])] = None


@router.get(
    "/checks",
    summary="What checks found last, what fails first, with its series if asked for",
    description="Of every group within reach, unless some are named. `latest.sentence` says what to do. "
    "`baseline` is the middle and the 10th and 90th percentile of the 28 days before.",
    responses=answers(
        {"items": [{"about": _ABOUT, "latest": _RESULT, "series": [_POINT]}], "next_cursor": None},
        of=items_of(Standing),
    ),
)
def checks(asked: Annotated[ChecksQuery, Query()], caller: Called) -> Response:
    """Checks as they stand."""
    groups = caller.groups(asked.groups) if asked.groups else caller.grant.groups
    wanted = Asked(
        over_all=asked.over_all,
        days=asked.days,
        failing=asked.failing,
        after=asked.cursor,
        limit=asked.limit,
    )
    page = caller.asking.checks(View(groups=groups), wanted)
    return answered({"items": page.items, "next_cursor": page.following})


@router.get(
    "/checks/{check}",
    summary="A check on a group over time",
    description="All kept days (400 at most) or some, each with its result and its baseline.",
    responses=answers(
        {
            "about": _ABOUT,
            "group_id": "acme/eng",
            "days": [{"result": _RESULT, "judged": True, "baseline": _BAND}],
        },
        404,
        of=History,
    ),
)
def check(
    check: Annotated[str, Path(min_length=1, max_length=100, examples=["orphan_entities"])],
    asked: Annotated[CheckQuery, Query()],
    caller: Called,
) -> Response:
    """The days of a check."""
    group = EVERY_GROUP if asked.group_id == EVERY_GROUP else caller.group(asked.group_id)
    with naming("check"):
        found = caller.asking.check(check, group, since=asked.since, until=asked.until)
    return answered(found)
