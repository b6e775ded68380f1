"""Which accepted episode is new, a repeat or the next revision: pure, over one compaction's records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata.model import Decision, DecisionKind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Episode
    from memstrata.stores.sqlite.record_rows import EpisodeKey, Head


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """What a compaction takes in: episodes with their revisions, decisions once each.

    `withdrawn` is the latest retracted revision of each episode that has one.
    """

    episodes: tuple[Episode, ...]
    decisions: tuple[Decision, ...]
    withdrawn: dict[EpisodeKey, int]
    new: int
    repeated: int
    revised: int


@dataclass(slots=True)
class _Standing:
    revision: int
    content_hash: str
    withdrawn: int


def in_order(episodes: Sequence[Episode], decisions: Sequence[Decision]) -> list[Episode | Decision]:
    """All by time of acceptance; at one instant episodes go before decisions, then as they were read."""
    return sorted([*episodes, *decisions], key=_accepted_at)


def _accepted_at(record: Episode | Decision) -> tuple[datetime, bool]:
    if isinstance(record, Decision):
        return record.at, True
    return record.ingested_at, False


def number(
    records: Sequence[Episode | Decision],
    known: Mapping[EpisodeKey, Head],
    decided: Collection[tuple[str, str]],
    *,
    logged: bool = False,
) -> Numbered:
    """Numbers the revisions of `records`, given the latest revisions and the decisions known before.

    Episodes that were `logged` before (an index is being built again) are all there, under the numbers that
    they have. A retraction earlier than everything known of its episode was decided by another clock; it
    holds for what is there at the end.
    """
    standing = {
        key: _Standing(head.revision, head.content_hash, head.withdrawn) for key, head in known.items()
    }
    accepted: list[Episode] = []
    decisions: dict[tuple[str, str], Decision] = {}
    early: list[EpisodeKey] = []
    counts = {"new": 0, "repeated": 0, "revised": 0}
    for record in records:
        if isinstance(record, Decision):
            key = (record.group_id, record.decision_id)
            if key not in decided and key not in decisions:
                decisions[key] = record
                early += _retract(record, standing)
        else:
            verdict, episode = _accept(record, standing, logged=logged)
            counts[verdict] += 1
            accepted += () if episode is None else (episode,)
    for key in early:
        if key in standing:
            standing[key].withdrawn = standing[key].revision
    return Numbered(
        episodes=tuple(accepted),
        decisions=tuple(decisions.values()),
        withdrawn={key: one.withdrawn for key, one in standing.items() if one.withdrawn},
        **counts,
    )


def _accept(
    episode: Episode, standing: dict[EpisodeKey, _Standing], *, logged: bool
) -> tuple[str, Episode | None]:
    key = (episode.group_id, episode.episode_id)
    before = standing.get(key)
    if before is None:
        before = _Standing(0, "", 0)
    elif not logged and before.content_hash == episode.content_hash and before.withdrawn < before.revision:
        return "repeated", None
    revision = episode.revision if logged else before.revision + 1
    standing[key] = _Standing(revision, episode.content_hash, before.withdrawn)
    numbered = episode if episode.revision == revision else replace(episode, revision=revision)
    return ("revised" if before.revision else "new"), numbered


def _retract(decision: Decision, standing: dict[EpisodeKey, _Standing]) -> list[EpisodeKey]:
    """Marks what the decision retracts, if it is known already; else gives its key."""
    target = retracted_by(decision)
    if target is None:
        return []
    key, revision = target
    latest = standing.get(key)
    if latest is None:
        return [key]
    if revision in (None, latest.revision):
        latest.withdrawn = latest.revision
    return []


def retracted_by(decision: Decision) -> tuple[EpisodeKey, int | None] | None:
    """The episode that a decision retracts, and the revision if it names one; None for other decisions."""
    if decision.kind is not DecisionKind.RETRACT:
        return None
    episode_id = decision.target.get("episode_id")
    revision = decision.target.get("revision")
    if not isinstance(episode_id, str):
        return None
    return (decision.group_id, episode_id), revision if isinstance(revision, int) else None
