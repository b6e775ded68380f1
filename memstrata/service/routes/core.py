"""`/v1/core`: the blocks that stand in every context; each edit is a decision with its history."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from memstrata.model import By
from memstrata.search.core import CoreBlock, CoreChange
from memstrata.search.core_edits import CoreEdit, CoreOperation, CoreRule, check_label
from memstrata.service.answers import answered
from memstrata.service.caller import Called, naming, not_found
from memstrata.service.documenting import IDEMPOTENT, answers
from memstrata.service.edge import Edge, GroupName, OfGroup, Reason, Text
from memstrata.service.shapes import Named, items_of
from memstrata.service.viewing import Believed

router = APIRouter(prefix="/v1/core", tags=["core"])

_BLOCK = {"group_id": "default", "label": "human", "text": "Prefers short answers."}
_EDITED = Named("CoreEdited", {"label": str, "block": CoreBlock | None})
Label = Annotated[str, Path(min_length=1, max_length=50, examples=["human"])]


class RuleBody(Edge):
    """A block that shows the current facts of an entity."""

    about: Text
    relations: Annotated[tuple[Text, ...], Field(max_length=50)] = ()
    most: Annotated[int, Field(ge=1, le=50)] = 10


class EditBody(Edge):
    """An edit: `text` to set or append, `old` and `text` to replace, `rule`, or `clear`."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"operation": "append", "text": "Prefers short answers."}]}
    )

    operation: CoreOperation
    text: Annotated[str, Field(max_length=10_000)] = ""
    old: Annotated[str, Field(max_length=10_000)] = ""
    rule: RuleBody | None = None
    group_id: GroupName | None = None
    by: Annotated[By, Field(description="`model` where an agent edits by itself.")] = By.PERSON
    reason: Reason = ""

    def edit(self) -> CoreEdit:
        """The edit of the library, which checks it."""
        asked = self.rule
        rule = (
            None
            if asked is None
            else CoreRule(about=asked.about, relations=asked.relations, most=asked.most)
        )
        return CoreEdit(operation=self.operation, text=self.text, old=self.old, rule=rule)


@router.get(
    "",
    summary="The core blocks",
    responses=answers({"items": [_BLOCK]}, of=items_of(CoreBlock, is_paged=False)),
)
def core_blocks(asked: Annotated[Believed, Query()], caller: Called) -> Response:
    """All blocks in view."""
    return answered({"items": caller.asking.core_blocks(asked.view(caller))})


@router.get("/{label}", summary="One core block", responses=answers(_BLOCK, 404, of=CoreBlock))
def core_block(label: Label, asked: Annotated[OfGroup, Query()], caller: Called) -> Response:
    """A block as it reads now."""
    check_label(label)
    group = caller.group(asked.group_id)
    view = Believed(groups=(group,)).view(caller)
    found = [one for one in caller.asking.core_blocks(view) if one.label == label]
    if not found:
        raise not_found("core block", f"core block {label!r} is empty, or never was; /v1/core lists them")
    return answered(found[0])


@router.post(
    "/{label}",
    summary="Edit a core block",
    responses=answers({"label": "human", "block": _BLOCK}, of=_EDITED, writes=True),
    openapi_extra=IDEMPOTENT,
)
async def edit_core(label: Label, body: EditBody, caller: Called) -> Response:
    """Edits and commits; the block as it reads then, or null if it is empty."""

    def edit() -> Response:
        block = caller.telling.edit_core(
            caller.group(body.group_id), label, body.edit(), by=body.by, reason=body.reason
        )
        return answered({"label": label, "block": block})

    return await caller.write(edit)


@router.get(
    "/{label}/history",
    summary="Every edit of a core block",
    responses=answers(
        {"items": [{"label": "human", "who": "", "edit": {"operation": "set"}}]},
        404,
        of=items_of(CoreChange, is_paged=False),
    ),
)
def core_history(label: Label, asked: Annotated[OfGroup, Query()], caller: Called) -> Response:
    """When, by whom, and what stood there afterwards."""
    check_label(label)
    group = caller.group(asked.group_id)
    with naming("core block"):
        changes = caller.asking.core_history(group, label)
    return answered({"items": changes})
