"""The tools about what is left to a person: items in quarantine, proposals, and verdicts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from memstrata.errors import Incorrect
from memstrata.search.wording import one_line, shortened
from memstrata.service.mcp.answers import Answer, Item, Page, counted
from memstrata.service.mcp.arguments import Arguments, GroupId
from memstrata.service.mcp.tool import Effect, Profile, Tool
from memstrata.workflow.proposals import State, declaration_of
from memstrata.workflow.review import Which

if TYPE_CHECKING:
    from memstrata.model import Decision
    from memstrata.service.mcp.caller import Caller
    from memstrata.workflow.proposals import Proposal
    from memstrata.workflow.review import Entry

_MOST_REASON: Final = 300
_MOST_QUOTE: Final = 300


class ReviewItems(Arguments):
    """Arguments of `review_items`."""

    action: Literal["list", "accept", "reject", "edit"] = Field(
        "list", description="List what waits, or decide on the item that id names. An edit accepts."
    )
    group_id: GroupId = None
    id: str | None = Field(
        None, min_length=1, max_length=256, description="The item's id, from the list, or a current fact's."
    )
    changes: dict[str, str | float] | None = Field(
        None,
        description="For edit: the fields that change, of subject, predicate, object, their types, kind, "
        "fact, valid_at, invalid_at, confidence.",
    )
    rule: str | None = Field(None, max_length=256, description="List only what this rule keeps waiting.")
    reason: str = Field("", max_length=1_000, description="Why, kept with the decision.")
    max_items: int = Field(10, ge=1, le=50, description="Items at most, when listing.")
    cursor: str | None = Field(None, description="Where to go on, from the answer before.")


def review_items(caller: Caller, given: ReviewItems) -> Answer:
    """Lists what verification left to a person, or decides on one item."""
    group = caller.group(given.group_id)
    if (given.changes is not None) != (given.action == "edit"):
        raise Incorrect("changes go with action edit, and an edit needs them: {field: new value}")
    if given.action != "list":
        return _decided(caller, given, group)
    if given.id is not None:
        raise Incorrect("id names the item to decide on; give action too: accept, reject or edit")
    found = caller.reviewing.waiting(
        group, Which(rule=given.rule), after=given.cursor, limit=given.max_items
    )
    page = Page(
        heading=f"{counted(len(found.items), 'item waits', 'items wait')} for a verdict, in group {group}"
    )
    page.put("items", [_item(entry) for entry in found.items])
    page.go_on(found.following)
    return page.answer


def _item(entry: Entry) -> Item:
    reason, quote = shortened(entry.reason, _MOST_REASON), shortened(entry.quote, _MOST_QUOTE)
    item, says = entry.item, entry.says
    who = f" of {one_line(entry.speaker)}" if entry.speaker else ""
    cited = f", from “{one_line(quote)}”{who}" if quote else ""
    line = f"- {one_line(entry.sentence)} ({entry.rule}: {one_line(reason)}){cited} [item {entry.entry_id}]"
    data: dict[str, object] = {
        "id": entry.entry_id,
        "matter": str(entry.matter),
        "rule": entry.rule,
        "reason": reason,
        "quote": quote,
        "speaker": entry.speaker,
        "episode_uuid": item.episode_id,
        "says": None if says is None else says.payload(),
    }
    return Item(line=line, data=data)


def _decided(caller: Caller, given: ReviewItems, group: str) -> Answer:
    """Logs the verdict and commits it."""
    if given.id is None:
        raise Incorrect(f"to {given.action} an item, give its id; action list shows what waits")
    said = caller.reviewing.sentence(group, given.id)
    decision = _ruled(caller, given, group, given.id)
    became = caller.reviewing.sentence(group, given.id) if given.action == "edit" else said
    shown = shortened(one_line(said), _MOST_QUOTE)
    about = f"“{shown}” " if shown else ""
    as_ = f"as “{shortened(one_line(became), _MOST_QUOTE)}” " if became != said else ""
    page = Page(
        heading=f"Decided: {given.action} {about}{as_}[item {given.id}, decision {decision.decision_id}]"
    )
    page.data |= {"fact": became or None}
    _taken_in(caller, page, decision, group)
    return page.answer


def _ruled(caller: Caller, given: ReviewItems, group: str, entry_id: str) -> Decision:
    desk = caller.reviewing
    if given.action == "edit":
        return desk.edit(group, entry_id, given.changes or {}, reason=given.reason)
    judge = desk.accept if given.action == "accept" else desk.reject
    return judge(group, entry_id, reason=given.reason)


class ReviewProposals(Arguments):
    """Arguments of `review_proposals`."""

    action: Literal["list", "accept", "reject"] = Field(
        "list", description="List what is proposed, or decide on the relation named."
    )
    group_id: GroupId = None
    relation: str | None = Field(
        None, min_length=1, max_length=256, description="The relation to decide on, from the list."
    )
    state: Literal["open", "accepted", "rejected"] | None = Field(
        None, description="When listing: default, open ones and accepted ones that are not declared yet."
    )
    reason: str = Field("", max_length=1_000, description="Why, kept with the decision.")
    max_items: int = Field(10, ge=1, le=50, description="Proposals at most, when listing.")
    cursor: str | None = Field(None, description="Where to go on, from the answer before.")


def review_proposals(caller: Caller, given: ReviewProposals) -> Answer:
    """Lists the relations that are proposed to be declared `one`, or decides on one."""
    group = caller.group(given.group_id)
    if given.action != "list":
        return _decided_on_proposal(caller, given, group)
    if given.relation is not None:
        raise Incorrect("relation names the proposal to decide on; give action too: accept or reject")
    state = None if given.state is None else State(given.state)
    found = caller.reviewing.proposals(group, state, after=given.cursor, limit=given.max_items)
    many = counted(len(found.items), "relation is proposed", "relations are proposed")
    page = Page(heading=f"{many} to be declared with one object at a time, in group {group}")
    page.put("proposals", [_proposal(one) for one in found.items])
    page.go_on(found.following)
    return page.answer


def _proposal(one: Proposal) -> Item:
    reason = shortened(one.reason, _MOST_REASON)
    facts = [shortened(one_line(fact.fact), _MOST_QUOTE) for fact in one.facts]
    seen = f"; seen on: {' | '.join(facts)}" if facts else ""
    data: dict[str, object] = {
        "relation": one.predicate,
        "state": str(one.state),
        "reason": reason,
        "times": one.times,
        "declaration": one.declaration,
        "facts": [
            {"uuid": fact.fact_id, "fact": text} for fact, text in zip(one.facts, facts, strict=True)
        ],
        "decision": one.decision_id,
        "verdict": None if one.verdict is None else one.verdict.decision_id,
    }
    line = f"- {one_line(one.predicate)} ({one.state}): {one_line(reason)}{seen}"
    return Item(line=f"{line}; to declare it: - {one_line(one.declaration)}", data=data)


def _decided_on_proposal(caller: Caller, given: ReviewProposals, group: str) -> Answer:
    """Logs the verdict and commits it."""
    if given.relation is None:
        raise Incorrect(f"to {given.action} a proposal, give its relation; action list shows them")
    desk = caller.reviewing
    judge = desk.accept_proposal if given.action == "accept" else desk.reject_proposal
    decision = judge(group, given.relation, reason=given.reason)
    page = Page(
        heading=f"Decided: {given.action} {one_line(given.relation)} [decision {decision.decision_id}]"
    )
    _taken_in(caller, page, decision, group)
    if given.action == "accept":
        declared = declaration_of(given.relation)
        page.data["declaration"] = declared
        note = f"it takes effect once the owner of the ontology declares the relation: - {declared}"
        page.note((note,))
    return page.answer


def _taken_in(caller: Caller, page: Page, decision: Decision, group: str) -> None:
    """Commits the decision, and says so, or why it waits."""
    waits = caller.taken_in(group)
    page.data |= {"decision": decision.decision_id, "group_id": group, "is_committed": not waits}
    if waits:
        page.note((waits,))


TOOLS: Final = (
    Tool(
        name="review_items",
        title="Review doubtful facts",
        description="List what verification keeps in quarantine, with the rule, the reason and the quote; "
        "or decide on one: accept, reject or edit. A verdict is a decision that outlives rebuild.",
        arguments=ReviewItems,
        run=review_items,
        effect=Effect.ADDS,
        profile=Profile.EXTENDED,
    ),
    Tool(
        name="review_proposals",
        title="Review proposed declarations",
        description="List the relations that adjudication proposes to declare with one object at a time, "
        "with the reason and the facts; or accept or reject one. A verdict is a decision; it changes no "
        "fact: only the ontology's declaration does.",
        arguments=ReviewProposals,
        run=review_proposals,
        effect=Effect.ADDS,
        profile=Profile.EXTENDED,
    ),
)
