"""The tools that take back: each logs decisions, so that history keeps what was believed until then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from memstrata.errors import Incorrect
from memstrata.memory.access import Right
from memstrata.search.reads import EpisodeRecord, FactHistory
from memstrata.search.view import ANY
from memstrata.service.mcp.answers import Answer, Item, Page, counted
from memstrata.service.mcp.arguments import Arguments, GroupId
from memstrata.service.mcp.tool import Effect, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Decision
    from memstrata.service.mcp.caller import Caller

_MOST_LISTED: Final = 20


class DeleteEpisode(Arguments):
    """Arguments of `delete_episode`."""

    uuid: str = Field(min_length=1, max_length=256, description="The episode's id.")
    group_id: GroupId = None


def delete_episode(caller: Caller, given: DeleteEpisode) -> Answer:
    """Withdraws an episode: what rested on it alone goes."""
    found = caller.record(EpisodeRecord, given.uuid, given.group_id)
    group = found.episode.group_id
    decision = caller.telling.retract(group, given.uuid, reason="delete_episode")
    return _retracted(caller, group, f"episode {given.uuid}", (decision,))


class DeleteEntityEdge(Arguments):
    """Arguments of `delete_entity_edge`."""

    uuid: str = Field(min_length=1, max_length=256, description="The fact's id.")
    group_id: GroupId = None


def delete_entity_edge(caller: Caller, given: DeleteEntityEdge) -> Answer:
    """Withdraws one fact: what it rests on counts no more."""
    found = caller.record(FactHistory, given.uuid, given.group_id)
    group = found.versions[-1].version.fact.group_id
    decision = caller.telling.retract_fact(group, given.uuid, reason="delete_entity_edge")
    return _retracted(caller, group, f"fact {given.uuid}", (decision,))


class ClearGraph(Arguments):
    """Arguments of `clear_graph`."""

    group_ids: str | list[str] | None = Field(
        None, description="The groups to clear, by name: one id or a list. Default: the server's."
    )


def clear_graph(caller: Caller, given: ClearGraph) -> Answer:
    """Retracts every episode of the groups."""
    groups = caller.groups(given.group_ids)
    for group in groups:  # all or none: a right that is lacking for the last shows before the first goes
        if group.endswith(ANY):
            raise Incorrect(f"{group!r} stands for several groups; name each group to clear")
        caller.grant.require(Right.DECIDE, group)
    page = Page(heading=f"Cleared {counted(len(groups), 'group', 'groups')}; history still shows what was")
    page.put("groups", [_cleared(caller, group) for group in groups])
    return page.answer


def _cleared(caller: Caller, group: str) -> Item:
    count = caller.telling.clear_group(group, reason="clear_graph")
    done = _retracted(caller, group, counted(count, "episode", "episodes"), ())
    return Item(
        line=f"- {done.text}",
        data={"group_id": group, "episodes": count, "is_committed": done.data["is_committed"]},
    )


def _retracted(caller: Caller, group: str, what: str, decisions: Sequence[Decision]) -> Answer:
    """Commits what was decided, and says what became of it."""
    waits = caller.taken_in(group)
    data: dict[str, object] = {
        "message": f"retracted {what}",
        "group_id": group,
        "decisions": [one.decision_id for one in decisions][:_MOST_LISTED],
        "is_committed": not waits,
    }
    if waits:
        return Answer(
            text=f"Decided to retract {what} of group {group}; {waits}", data=data | {"notes": [waits]}
        )
    return Answer(
        text=f"Retracted {what} of group {group}. What rested on it alone is believed no more; history and "
        "searches as of an earlier system time still show it.",
        data=data,
    )


TOOLS: Final = (
    Tool(
        name="delete_episode",
        title="Retract an episode",
        description="Withdraw an episode: facts that rest on it alone are believed no more. Nothing is "
        "erased: history and searches as of an earlier time still show it.",
        arguments=DeleteEpisode,
        run=delete_episode,
        effect=Effect.RETRACTS,
        idempotent=True,
    ),
    Tool(
        name="delete_entity_edge",
        title="Retract a fact",
        description="Withdraw one fact: what it rests on counts no more, and what it had closed is open "
        "again. Nothing is erased: history still shows it.",
        arguments=DeleteEntityEdge,
        run=delete_entity_edge,
        effect=Effect.RETRACTS,
        idempotent=True,
    ),
    Tool(
        name="clear_graph",
        title="Retract a group",
        description="Withdraw every episode of one or more groups. Nothing is erased: history and searches "
        "as of an earlier time still show them.",
        arguments=ClearGraph,
        run=clear_graph,
        effect=Effect.RETRACTS,
        idempotent=True,
    ),
)
