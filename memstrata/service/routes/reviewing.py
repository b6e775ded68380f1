"""`/v1/review/items`: what verification left to a person; `/v1/review/proposals`: what a model proposes."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from memstrata.model import Decision, DecisionKind
from memstrata.service.answers import answered
from memstrata.service.caller import Called
from memstrata.service.documenting import IDEMPOTENT, answers
from memstrata.service.edge import Edge, GroupName, OfGroup, PagedOfGroup, Reason, Text
from memstrata.service.shapes import Named, items_of
from memstrata.workflow.proposals import Proposal, State
from memstrata.workflow.review import Entry, Matter, Which, WholeEntry

router = APIRouter(prefix="/v1/review", tags=["decisions"])

_PROPOSAL = {
    "predicate": "lives_in",
    "state": "open",
    "reason": "...",
    "times": 2,
    "declaration": "{name: lives_in, cardinality: one}",
    "facts": [{"fact_id": "...", "fact": "Ada lives in Porto"}],
}
_COUNTS = items_of(Named("CountOfRule", {"rule": str, "count": int}), is_paged=False)
_COUNT = Named("CountOfItems", {"count": int})
_ENTRY = {
    "entry_id": "...",
    "matter": "held",
    "rule": "is_said_of_the_subject",
    "reason": "...",
    "quote": "...",
    "speaker": "Ada",
}


EntryId = Annotated[str, Path(min_length=1, max_length=256, examples=["0c2f..."])]


class Reviewed(PagedOfGroup):
    """Which of the items that wait are meant."""

    matter: Annotated[
        Matter | None, Field(description="held: in quarantine; lost: attaches to nothing.")
    ] = None
    rule: Text | None = None
    predicate: Text | None = None


class BatchVerdict(StrEnum):
    """What can be decided of many items at once, and of a proposal."""

    ACCEPT = "accept"
    REJECT = "reject"


class Proposed(PagedOfGroup):
    """Which proposals are meant."""

    state: Annotated[
        State | None,
        Field(description="None: open ones, and those that are accepted and not declared yet."),
    ] = None


class ProposalBody(Edge):
    """A verdict on the proposal to declare a relation `one`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"predicate": "lives_in", "verdict": "reject", "reason": "two homes are common"}]
        }
    )

    predicate: Annotated[str, Field(min_length=1, max_length=256)]
    verdict: BatchVerdict
    group_id: GroupName | None = None
    reason: Reason = ""
    wait: Annotated[bool, Field(description="Answer only when it is committed.")] = False


class Ruled(StrEnum):
    """What can be decided of an item."""

    ACCEPT = "accept"
    REJECT = "reject"
    EDIT = "edit"


class BatchBody(Edge):
    """A verdict on all in quarantine of one `rule`, one `predicate`, or both; a dry run counts them."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"verdict": "reject", "rule": "is_no_suggestion", "dry_run": True}]}
    )

    verdict: BatchVerdict
    rule: Annotated[str | None, Field(min_length=1, max_length=256)] = None
    predicate: Annotated[str | None, Field(min_length=1, max_length=256)] = None
    group_id: GroupName | None = None
    reason: Reason = ""
    dry_run: bool = False
    wait: Annotated[bool, Field(description="Answer only when it has taken effect.")] = False


class RulingBody(Edge):
    """A verdict on one item; `changes` are those of an edit, by field."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"verdict": "edit", "changes": {"object": "Oakmere"}, "wait": True}]
        }
    )

    verdict: Ruled
    changes: dict[str, str | float | None] = Field(default_factory=dict)
    group_id: GroupName | None = None
    reason: Reason = ""
    wait: Annotated[bool, Field(description="Answer only when it has taken effect.")] = False


@router.get(
    "/items",
    summary="What waits in quarantine, and decisions that attach to nothing any more",
    responses=answers({"items": [_ENTRY], "next_cursor": None}, of=items_of(Entry)),
)
def waiting(asked: Annotated[Reviewed, Query()], caller: Called) -> Response:
    """A page of what waits."""
    which = Which(matter=asked.matter, rule=asked.rule, predicate=asked.predicate)
    return caller.page("review items", partial(caller.reviewing.waiting, which=which), asked)


@router.get(
    "/counts",
    summary="How many items wait, by the rule that keeps them waiting",
    responses=answers({"items": [{"rule": "is_said_of_the_subject", "count": 3}]}, of=_COUNTS),
)
def counted(asked: Annotated[OfGroup, Query()], caller: Called) -> Response:
    """The counts of one group."""
    found = caller.reviewing.counts(caller.group(asked.group_id))
    return answered({"items": [{"rule": rule, "count": count} for rule, count in found.items()]})


@router.post(
    "/items",
    summary="Accept or reject all that one rule keeps waiting, or all of one relation",
    description="All that is in quarantine and of this `rule`, this `predicate`, or both; one of them is "
    "needed. What comes in afterwards waits anew.",
    responses=answers({"count": 3}, of=_COUNT, writes=True),
    openapi_extra=IDEMPOTENT,
)
async def rule_all(body: BatchBody, caller: Called) -> Response:
    """Logs one verdict on many items; how many they are, or would be."""

    def decided() -> Response:
        group, kind = caller.group(body.group_id), DecisionKind(body.verdict)
        which = Which(rule=body.rule, predicate=body.predicate)
        count = caller.reviewing.rule_all(kind, group, which, reason=body.reason, dry_run=body.dry_run)
        if body.wait and count and not body.dry_run:
            caller.telling.commit(group)
        return answered({"count": count})

    return await caller.write(decided)


@router.get(
    "/items/{entry_id}",
    summary="One that waits, with the text of its episode",
    description="The id is that of an item that waits or was decided, or of a current fact, whose item is "
    "meant.",
    responses=answers({"entry": _ENTRY, "content": "I live in Porto."}, 404, of=WholeEntry),
)
def review_item(entry_id: EntryId, asked: Annotated[OfGroup, Query()], caller: Called) -> Response:
    """One of them."""
    return answered(caller.reviewing.whole_entry(caller.group(asked.group_id), entry_id))


@router.post(
    "/items/{entry_id}",
    status_code=201,
    summary="Accept, reject or edit an item",
    description="The id is that of an item that waits, or of a current fact, whose item is meant. An edit "
    "accepts; it may change subject, predicate, object, their types, object_kind, kind, fact, valid_at, "
    "invalid_at and confidence, and is refused where it breaks the ontology.",
    responses=answers({"decision_id": "...", "kind": "accept"}, 404, of=Decision, status=201, writes=True),
    openapi_extra=IDEMPOTENT,
)
async def rule(
    entry_id: EntryId,
    body: RulingBody,
    caller: Called,
) -> Response:
    """Logs the verdict; it takes effect with the group's next commit."""

    def decide(group: str) -> Decision:
        desk = caller.reviewing
        if body.verdict is Ruled.EDIT:
            return desk.edit(group, entry_id, body.changes, reason=body.reason)
        judge = desk.accept if body.verdict is Ruled.ACCEPT else desk.reject
        return judge(group, entry_id, reason=body.reason)

    return await caller.decide(body.group_id, decide, wait=body.wait, status=201)


@router.get(
    "/proposals",
    summary="Relations that a model proposes to declare `one`",
    description="What a verdict of adjudication came to that no stated date could settle. `declaration` is "
    "what the ontology's `relations` would have to list: a verdict changes no fact.",
    responses=answers({"items": [_PROPOSAL], "next_cursor": None}, of=items_of(Proposal)),
)
def proposals(asked: Annotated[Proposed, Query()], caller: Called) -> Response:
    """A page of what is proposed."""
    return caller.page("proposals", partial(caller.reviewing.proposals, state=asked.state), asked)


@router.post(
    "/proposals",
    status_code=201,
    summary="Accept or reject a proposal",
    description="An accepted one is listed until the ontology declares the relation; a rejected one is "
    "listed no more, whoever proposes it again. The last verdict counts.",
    responses=answers(
        {"decision_id": "...", "kind": "adjudicate"}, 404, of=Decision, status=201, writes=True
    ),
    openapi_extra=IDEMPOTENT,
)
async def rule_on_proposal(body: ProposalBody, caller: Called) -> Response:
    """Logs the verdict."""

    def decide(group: str) -> Decision:
        is_accepted = body.verdict is BatchVerdict.ACCEPT
        judge = caller.reviewing.accept_proposal if is_accepted else caller.reviewing.reject_proposal
        return judge(group, body.predicate, reason=body.reason)

    return await caller.decide(body.group_id, decide, wait=body.wait, status=201)
