"""The tools about who belongs together: pairs in doubt and verdicts on them, and communities."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from memstrata.errors import Incorrect
from memstrata.memory.access import Right
from memstrata.model import DecisionKind
from memstrata.search.wording import one_line, shortened
from memstrata.service.mcp.answers import Answer, Item, Page, counted, entity_item
from memstrata.service.mcp.arguments import Arguments, GroupId, GroupIds
from memstrata.service.mcp.caller import Caller
from memstrata.service.mcp.tool import Effect, Profile, Tool

_MOST_REASON: Final = 300
_MOST_REPORT: Final = 600
_MOST_MEMBERS: Final = 20
_KINDS: Final = {"merge": DecisionKind.MERGE, "keep_apart": DecisionKind.KEEP_APART}

EntityId = Annotated[str | None, Field(description="The id, or the name, of one of the two.")]


class Review(Arguments):
    """Arguments of `review`."""

    action: Literal["list", "merge", "keep_apart"] = Field(
        "list", description="List the pairs in doubt, or decide on the one that left and right name."
    )
    group_id: GroupId = None
    left: EntityId = None
    right: EntityId = None
    reason: str = Field("", max_length=1_000, description="Why, kept with the decision.")
    max_pairs: int = Field(10, ge=1, le=50, description="Pairs at most, when listing.")
    cursor: str | None = Field(None, description="Where to go on, from the answer before.")


def review(caller: Caller, given: Review) -> Answer:
    """Lists the pairs that may be one, or decides on a pair."""
    group = caller.group(given.group_id)
    if given.action != "list":
        return _decided(caller, given, group)
    if given.left or given.right:
        raise Incorrect("left and right name the pair to decide on; give action too: merge or keep_apart")
    found = caller.browsing.reviews(group, after=given.cursor, limit=given.max_pairs)
    page = Page(heading=f"{counted(len(found.items), 'pair', 'pairs')} may be one, in group {group}")
    items = []
    for one in found.items:
        left, right = entity_item(one.left), entity_item(one.right)
        reason = shortened(one_line(one.reason), _MOST_REASON)
        line = f"{left.line}\n  and {right.line.removeprefix('- ')}: {reason}"
        items.append(Item(line=line, data={"left": left.data, "right": right.data, "reason": reason}))
    page.put("pairs", items)
    page.go_on(found.following)
    return page.answer


def _decided(caller: Caller, given: Review, group: str) -> Answer:
    """Logs the verdict and commits it."""
    if not (given.left and given.right):
        raise Incorrect(f"to {given.action} a pair, give both left and right; action list shows the pairs")
    kind = _KINDS[given.action]
    decision = caller.telling.judge(kind, group, (given.left, given.right), reason=given.reason)
    said = "are one" if kind is DecisionKind.MERGE else "are two"
    page = Page(heading=f"Decided: {given.left} and {given.right} {said} [decision {decision.decision_id}]")
    waits = caller.taken_in(group)
    page.data |= {"decision": decision.decision_id, "group_id": group, "is_committed": not waits}
    if waits:
        page.note((waits,))
    return page.answer


class BuildCommunities(Arguments):
    """Arguments of `build_communities`."""

    group_ids: GroupIds = None


def build_communities(caller: Caller, given: BuildCommunities) -> Answer:
    """The communities of each group, from what is believed now; nothing is stored."""
    groups = caller.asking.reached(caller.view(given.group_ids))
    for group in groups:
        caller.grant.require(Right.READ, group)
    found = [(group, one) for group in groups for one in caller.asking.communities(group)]
    page = Page(heading=counted(len(found), "community", "communities"))
    page.data["community_count"] = len(found)
    page.put(
        "communities",
        (
            Item(
                line=f"- {shortened(one_line(one.report), _MOST_REPORT)} [community {one.community_id}]",
                data={
                    "uuid": one.community_id,
                    "name": ", ".join(member.name for member in one.members[:3]),
                    "group_id": group,
                    "summary": shortened(one.report, _MOST_REPORT),
                    "members": [
                        {"uuid": member.entity_id, "name": member.name}
                        for member in one.members[:_MOST_MEMBERS]
                    ],
                    "member_count": len(one.members),
                    "facts": one.facts,
                },
            )
            for group, one in found
        ),
    )
    return page.answer


TOOLS: Final = (
    Tool(
        name="review",
        title="Review doubtful pairs",
        description="List pairs of entities that may be one, or decide on a pair: merge or keep_apart. A "
        "verdict is a decision that outlives rebuild; the opposite verdict undoes it.",
        arguments=Review,
        run=review,
        effect=Effect.ADDS,
        profile=Profile.EXTENDED,
        idempotent=True,
    ),
    Tool(
        name="build_communities",
        title="Communities",
        description="Who belongs together: communities of entities by the facts that are believed now, "
        "each with a report. Computed anew each time; nothing is stored.",
        arguments=BuildCommunities,
        run=build_communities,
        profile=Profile.EXTENDED,
    ),
)
