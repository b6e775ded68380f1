"""`/v1/dead-letters`: what could not be processed, with its reason, and another try of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from memstrata.ports import DeadLetter
from memstrata.service.answers import answered
from memstrata.service.caller import Called, naming
from memstrata.service.documenting import IDEMPOTENT, answers
from memstrata.service.edge import OfGroup, PagedOfGroup
from memstrata.service.shapes import Named, items_of

_RELEASED = Named("Released", {"episode_id": str, "group_id": str})
router = APIRouter(prefix="/v1/dead-letters", tags=["dead letters"])

_LETTER = {
    "group_id": "default",
    "episode_id": "notes-17",
    "revision": 1,
    "stage": "extraction",
    "reason": "the language model was away",
    "attempts": 3,
    "at": "2024-05-14T09:30:00Z",
}


@router.get(
    "",
    summary="The episodes of a group that could not be processed, the oldest failure first",
    responses=answers({"items": [_LETTER], "next_cursor": None}, of=items_of(DeadLetter)),
)
def dead_letters(asked: Annotated[PagedOfGroup, Query()], caller: Called) -> Response:
    """A page of them."""
    return caller.page("dead-letters", caller.browsing.dead_letters, asked)


@router.post(
    "/{episode_id:path}/release",
    status_code=202,
    summary="Let an episode that could not be processed be tried again",
    responses=answers(
        {"episode_id": "notes-17", "group_id": "default"}, 404, of=_RELEASED, status=202, writes=True
    ),
    openapi_extra=IDEMPOTENT,
)
async def release_dead_letter(
    episode_id: Annotated[str, Path(min_length=1, max_length=256, examples=["notes-17"])],
    asked: Annotated[OfGroup, Query()],
    caller: Called,
) -> Response:
    """It is tried with the next pass."""

    def release() -> Response:
        group = caller.group(asked.group_id)
        with naming("dead letter"):
            caller.operating.release(group, episode_id)
        return answered({"episode_id": episode_id, "group_id": group}, 202)

    return await caller.write(release)
