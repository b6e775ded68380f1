"""The tool about what verification left to a person: items in quarantine, and verdicts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from memstrata.errors import Incorrect
from memstrata.search.wording import one_line, shortened
from memstrata.service.mcp.answers import Answer, Item, Page, counted
from memstrata.service.mcp.arguments import Arguments, GroupId
from memstrata.service.mcp.tool import Effect, Profile, Tool
from memstrata.workflow.review import Which

if TYPE_CHECKING:
    from memstrata.model import Decision
    from memstrata.service.mcp.caller import Caller
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
    if found.following:
        page.data["next_cursor"] = found.following
        page.note((f"there may be more: cursor {found.following}",))
    return page.answer


def _item(entry: Entry) -> Item:
    reason, quote = shortened(entry.reason, _MOST_REASON), shortened(entry.quote, _MOST_QUOTE)
    item, says = entry.item, entry.says
    said = says.fact if says is not None else f"{item.subject} {item.predicate} {item.object}"
    who = f" of {one_line(entry.speaker)}" if entry.speaker else ""
    cited = f", from “{one_line(quote)}”{who}" if quote else ""
    line = f"- {one_line(said)} ({entry.rule}: {one_line(reason)}){cited} [item {entry.entry_id}]"
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
    decision = _ruled(caller, given, group, given.id)
    page = Page(heading=f"Decided: {given.action} {given.id} [decision {decision.decision_id}]")
    waits = caller.taken_in(group)
    page.data |= {"decision": decision.decision_id, "group_id": group, "is_committed": not waits}
    if waits:
        page.note((waits,))
    return page.answer


def _ruled(caller: Caller, given: ReviewItems, group: str, entry_id: str) -> Decision:
    desk = caller.reviewing
    if given.action == "edit":
        return desk.edit(group, entry_id, given.changes or {}, reason=given.reason)
    judge = desk.accept if given.action == "accept" else desk.reject
    return judge(group, entry_id, reason=given.reason)


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
)
