"""What somebody withdraws: a fact by the items that it rests on, an episode, all episodes of a group."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.model import By, DecisionKind, Kind
from memstrata.workflow.intake import Ruling
from memstrata.workflow.items import (
    ON_ITEMS,
    items_of,
    named_items,
    rejected,
    ruling_on,
    standing_after,
)
from memstrata.workflow.rules import decided

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.model import Episode
    from memstrata.ports import Installation, NamedVersion

#: How many retractions share one write where a whole group goes.
BATCH: Final = 500


def retraction(episode: Episode) -> Ruling:
    """The ruling that withdraws an episode."""
    return Ruling(
        group_id=episode.group_id,
        kind=DecisionKind.RETRACT,
        target={"episode_id": episode.episode_id, "revision": episode.revision},
        payload={},
    )


def clearing(
    installation: Installation, group_id: str, *, who: str, reason: str
) -> Iterator[tuple[Ruling, ...]]:
    """The rulings, in batches, that withdraw every compacted episode of the group, latest first."""
    before: int | None = None
    while found := installation.record.listed(group_id, before=before, limit=BATCH):
        yield tuple(replace(retraction(episode), who=who, reason=reason) for _, episode in found)
        before = found[-1][0]


def withdrawal(installation: Installation, group_id: str, fact_id: str) -> Ruling:
    """The ruling that rejects what the current fact of that id rests on.

    Denials stay: they make no fact, and may end others. Raises `Incorrect` for an unknown id, a fact that
    is gone, and one that has been withdrawn and waits for the group's next commit.
    """
    fact = _current(installation, group_id, fact_id).version.fact
    placements = installation.graph.evidence(group_id, fact.evidence)
    episodes = {one.episode_id for one in placements}
    resting = set(fact.evidence)
    standing = standing_after(decided(installation.record, group_id, ON_ITEMS))
    items = {
        item
        for _, extraction in installation.record.committed(group_id, episodes)
        for assertion, item in items_of(extraction)
        if assertion.assertion_id in resting and assertion.kind is not Kind.DENIED
        if (ruled := ruling_on(assertion, item, standing.get(item.episode_id, {}))) is None or ruled.counts
    }
    if not items:
        raise Incorrect(
            f"fact {fact_id!r} has been withdrawn already; it goes with the group's next commit "
            "(`memstrata work`)"
        )
    return Ruling(
        group_id=group_id,
        kind=DecisionKind.REJECT,
        target={"items": [item.target() for item in sorted(items)]},
        payload={"fact_id": fact_id},
        by=By.PERSON,
    )


def acceptance(installation: Installation, group_id: str, decision_id: str) -> Ruling:
    """The ruling that takes a withdrawal back: its items count again.

    Raises `Incorrect` for an id that is no withdrawal's, and where all of its items count already.
    """
    known = installation.record.decisions(group_id, [decision_id])
    if not known or known[0].kind is not DecisionKind.REJECT:
        raise Incorrect(
            f"{decision_id!r} is the id of no withdrawn fact in group {group_id!r}; its decisions list them"
        )
    standing = rejected(standing_after(decided(installation.record, group_id, ON_ITEMS)))
    if standing.isdisjoint(named_items(known[0].target)):
        raise Incorrect(f"what decision {decision_id!r} withdrew counts again already")
    return Ruling(
        group_id=group_id,
        kind=DecisionKind.ACCEPT,
        target=known[0].target,
        payload={"decision_id": decision_id},
        by=By.PERSON,
    )


def _current(installation: Installation, group_id: str, fact_id: str) -> NamedVersion:
    graph = installation.graph
    history = graph.history(group_id, fact_id)
    if not history:
        raise Incorrect(f"there is no fact {fact_id!r} in group {group_id!r}; search finds ids")
    if history[-1].version.expired_at is not None:
        now = graph.successors(group_id, fact_id)
        raise Incorrect(
            f"fact {fact_id!r} of group {group_id!r} is not believed any more"
            + (f"; what it rested on stands in {', '.join(now)}" if now else "")
        )
    return history[-1]
