"""Verdicts on names: that two are one entity, or are not.

A verdict names mentions, which survive re-extraction: by id, with episode, name and type beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.instants import format_instant
from memstrata.model import By, Mention
from memstrata.resolution import Signature, signature_of
from memstrata.workflow.intake import Ruling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.model import Decision, DecisionKind, Json
    from memstrata.ports import Installation, KnownName


def verdict(installation: Installation, kind: DecisionKind, group_id: str, pair: tuple[str, str]) -> Ruling:
    """The ruling that the two of a pair, each a name or an entity's id, are one (`merge`) or are not.

    Raises `Incorrect` if one of them is nobody, or several, or both are the same name.
    """
    left, right = (_name(installation, group_id, one) for one in pair)
    if left.signature_id == right.signature_id:
        raise Incorrect(
            f"{pair[0]!r} and {pair[1]!r} are one name, of which all mentions look alike; a verdict needs two"
        )
    return Ruling(
        group_id=group_id,
        kind=kind,
        target={"mentions": [_mention(left), _mention(right)]},
        payload={},
        by=By.PERSON,
    )


def judged_mentions(decision: Decision) -> tuple[str, str]:
    """The ids of the two mentions that a verdict is about."""
    left, right = (str(one["mention_id"]) for one in _targets(decision))
    return left, right


def judged_episodes(decision: Decision) -> tuple[str, str]:
    """The episodes that those mentions stand in."""
    left, right = (str(one["episode_id"]) for one in _targets(decision))
    return left, right


def _targets(decision: Decision) -> list[Mapping[str, Json]]:
    targets = decision.target["mentions"]
    if not isinstance(targets, list):
        raise Incorrect(f"decision {decision.decision_id} names no mentions; a verdict names two")
    return targets


def _mention(name: KnownName) -> Mapping[str, Json]:
    """How a decision names the earliest mention of a name."""
    at, mention_id = name.first
    return {
        "mention_id": mention_id,
        "episode_id": name.first_episode,
        "name": name.example.name,
        "type": name.example.type,
        "reference_time": format_instant(at),
    }


def _name(installation: Installation, group_id: str, asked: str) -> KnownName:
    """The name that somebody means: by an entity's id, else by the name itself."""
    graph = installation.graph
    named = graph.names_standing_for(group_id, [asked])
    if not named:
        asks = signature_of(
            Mention(
                mention_id="",
                group_id=group_id,
                episode_id="",
                name=asked,
                reference_time=installation.clock.now(),
            )
        )
        named = graph.names_under(group_id, asks.exact) if isinstance(asks, Signature) else ()
    if not named:
        raise Incorrect(
            f"nobody is called {asked!r} in group {group_id!r}; `memstrata search` finds names and ids"
        )
    ids = {one.entity_id for one in named}
    if len(ids) > 1:
        raise Incorrect(
            f"{asked!r} names {len(ids)} entities of group {group_id!r}: {', '.join(sorted(ids))}; give an id"
        )
    return min(named, key=lambda one: one.first)
