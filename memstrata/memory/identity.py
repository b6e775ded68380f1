"""Who an entity is: the names that stand for it, and the verdicts that joined them or keep them apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.memory.cursors import place_in
from memstrata.model import VERDICTS
from memstrata.workflow.verdicts import judged_mentions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memstrata.model import Decision, Mention
    from memstrata.ports import Installation, KnownName

#: Verdicts that a page looks through at most, and how many are looked up together.
MOST_LOOKED_THROUGH: Final = 2_000
_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingName:
    """A name that stands for an entity now: how often it is mentioned, and where first."""

    name: str
    type: str | None
    mentions: int
    first_at: datetime
    episode_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One of the two that a verdict is about: its name then, and whom that stands for now, if anybody."""

    name: str
    entity_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict, the commit that took it in (None while it waits for one), and the two it is about."""

    decision: Decision
    seq: int | None
    left: Judged
    right: Judged


def names_of(
    installation: Installation, group_id: str, entity_id: str, *, limit: int
) -> tuple[StandingName, ...]:
    """The names that stand for the entity now, the most mentioned first; () for one that is gone."""
    written: dict[str, list[tuple[KnownName, Mention]]] = {}
    for known in installation.graph.names_standing_for(group_id, [entity_id]):
        written.setdefault(known.example.name, []).append((known, known.example))
    found = [_standing(name, known) for name, known in written.items()]
    return tuple(sorted(found, key=lambda one: (-one.mentions, one.first_at, one.name))[:limit])


def _standing(name: str, known: Sequence[tuple[KnownName, Mention]]) -> StandingName:
    """The name over all that is known under it: mentions of it may differ by type."""
    first, _ = min(known, key=lambda one: one[0].first)
    often = sorted(known, key=lambda one: (-one[0].count, one[0].signature_id))
    return StandingName(
        name=name,
        type=next((mention.type for _, mention in often if mention.type), None),
        mentions=sum(one.count for one, _ in known),
        first_at=first.first[0],
        episode_id=first.first_episode,
    )


def judgements_of(
    installation: Installation, group_id: str, entity_id: str, *, after: str | None, limit: int
) -> tuple[tuple[Judgement, ...], str | None]:
    """The verdicts about names that stand for the entity now, the latest first, and where the next begin.

    A page looks through `MOST_LOOKED_THROUGH` verdicts of the group, so it may hold fewer than `limit` and
    still be followed. Raises `Incorrect` for an `after` that no page gave.
    """
    verdicts = _verdicts(installation, group_id)
    # Counted from the oldest: a verdict that comes in between two pages moves nothing.
    end = len(verdicts) if after is None else min(place_in(after), len(verdicts))
    found: list[Judgement] = []
    stop = max(0, end - MOST_LOOKED_THROUGH)
    while end > stop:
        begin = max(stop, end - _AT_ONCE)
        some = _judgements(installation, group_id, verdicts[begin:end])
        for place, one in zip(range(end - 1, begin - 1, -1), reversed(some), strict=True):
            if entity_id in (one.left.entity_id, one.right.entity_id):
                if len(found) == limit:
                    return tuple(found), str(place + 1)
                found.append(one)
        end = begin
    return tuple(found), str(end) if end else None


def _verdicts(installation: Installation, group_id: str) -> list[tuple[int | None, Decision]]:
    """Those that commits took in, in their order, then those that wait for one."""
    record = installation.record
    waiting = record.pending(group_id, limit=1).decisions
    return [
        *record.committed_decisions(group_id, VERDICTS),
        *((None, one) for one in waiting if one.kind in VERDICTS),
    ]


def _judgements(
    installation: Installation, group_id: str, verdicts: Sequence[tuple[int | None, Decision]]
) -> list[Judgement]:
    pairs = [judged_mentions(decision) for _, decision in verdicts]
    standing = installation.graph.names_for(group_id, {mention for pair in pairs for mention in pair})
    return [
        Judgement(
            decision=decision,
            seq=seq,
            left=_judged(decision, 0, standing.get(left[1])),
            right=_judged(decision, 1, standing.get(right[1])),
        )
        for (seq, decision), (left, right) in zip(verdicts, pairs, strict=True)
    ]


def _judged(decision: Decision, at: int, standing: KnownName | None) -> Judged:
    targets = decision.target["mentions"]
    target = targets[at] if isinstance(targets, list) else None
    name = target.get("name", "") if isinstance(target, dict) else ""
    return Judged(name=str(name), entity_id=None if standing is None else standing.entity_id)
