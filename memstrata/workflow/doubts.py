"""Whom the mentions of a day leave in doubt: kept apart until somebody decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.workflow.resolve import resolve
from memstrata.workflow.rules import rules_at

if TYPE_CHECKING:
    from datetime import date

    from memstrata.ports import Installation
    from memstrata.resolution import Review

#: How many pending episodes of a group are looked at, at most.
MOST_EPISODES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """What a group's pending mentions come to: how many there are, are refused, and leave `reviews`.

    A review names two signatures by id, and why they may be one.
    """

    group_id: str
    mentions: int
    refused: int
    reviews: tuple[Review, ...]


def bare_reason(review: Review) -> str:
    """Why, without what the two say: reports hold no content of the memory."""
    return review.reason.partition(":")[0].partition(" (")[0]


def doubts(installation: Installation, group_id: str, *, day: date | None = None) -> Doubts:
    """What the group's extracted and uncommitted mentions (of one day of acceptance) leave in doubt.

    The graph is read and not changed; the commit that follows decides by the same rules.
    """
    record, graph = installation.record, installation.graph
    pending = record.pending(group_id, limit=MOST_EPISODES, day=day)
    mentions = [mention for _, extraction in pending.episodes for mention in extraction.mentions]
    rules = rules_at(record, group_id, graph.last_seq(group_id), pending.decisions)
    resolved = resolve(
        graph,
        group_id,
        mentions,
        leaving={episode.episode_id for episode, _ in pending.episodes},
        verdicts=rules.verdicts,
        taken_in={decision.decision_id for decision in pending.decisions},
    )
    return Doubts(
        group_id=group_id,
        mentions=len(mentions),
        refused=len(mentions) - len(resolved.mentions),
        reviews=resolved.reviews,
    )
