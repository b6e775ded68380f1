"""Whom the mentions of a day, or the graph as it stands, leave in doubt: apart until somebody decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.model import VERDICTS
from memstrata.workflow.items import said_by
from memstrata.workflow.resolve import resolve, reviewed
from memstrata.workflow.rules import rules_at, rules_in_force
from memstrata.workflow.verdicts import judged_mentions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from memstrata.model import Decision, Entity
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
    rules = rules_at(record, group_id, graph.last_seq(group_id), pending.decisions)
    said = [said_by(extraction, rules.standing) for _, extraction in pending.episodes]
    mentions = [mention for extraction in said for mention in extraction.mentions]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspects:
    """Two entities that are kept apart and may be one, and why; `left` has the smaller id."""

    left: Entity
    right: Entity
    reason: str


def suspects(
    installation: Installation, group_id: str, entity_ids: Collection[str], *, either: bool = False
) -> tuple[Suspects, ...]:
    """The pairs in doubt of which one of those entities is the `left`, or `either` end, by their ids.

    What somebody has decided already, though no commit has taken it in, is left out.
    """
    record, graph = installation.record, installation.graph
    waiting = [one for one in record.pending(group_id, limit=1).decisions if one.kind in VERDICTS]
    verdicts = rules_in_force(installation, group_id).verdicts
    decided = _decided(installation, group_id, waiting)
    found = [
        one
        for one in reviewed(graph, group_id, frozenset(entity_ids), verdicts)
        if (either or one[0] in entity_ids) and one[:2] not in decided
    ]
    ends = {end for left, right, _ in found for end in (left, right)}
    known = {one.entity_id: one for one in graph.entities(group_id, ends)} if ends else {}
    return tuple(
        Suspects(left=known[left], right=known[right], reason=why)
        for left, right, why in found
        if left in known and right in known
    )


def _decided(
    installation: Installation, group_id: str, verdicts: Sequence[Decision]
) -> frozenset[tuple[str, str]]:
    """The pairs of entities that those verdicts are about."""
    pairs = [judged_mentions(decision) for decision in verdicts]
    named = {mention for pair in pairs for mention in pair}
    standing = installation.graph.names_for(group_id, named) if named else {}
    entities = [
        sorted({standing[mention].entity_id for _, mention in pair if mention in standing})
        for pair in pairs
    ]
    return frozenset((found[0], found[-1]) for found in entities if len(found) > 1)
