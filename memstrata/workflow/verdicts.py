"""Verdicts on names: that two are one entity, or are not.

A verdict names mentions, which survive re-extraction: by id, with episode, name and type beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.instants import format_instant
from memstrata.model import VERDICTS, By, DecisionKind, Mention
from memstrata.resolution import Signature, signature_of
from memstrata.workflow.intake import Ruling
from memstrata.workflow.rules import decided

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

    from memstrata.model import Decision, Entity, Json
    from memstrata.ports import Installation, KnownName, Neighbourhood, RecordStore


def verdict(installation: Installation, kind: DecisionKind, group_id: str, pair: tuple[str, str]) -> Ruling:
    """The ruling that the two of a pair, each a name or an entity's id, are one (`merge`) or are not.

    It names the mentions by which earlier verdicts joined the two, so that it undoes those; else the
    earliest of each. Of entities that are to be merged it is one of their own best name, since a short
    form follows whom it is short for. Raises `Incorrect` if one of the pair is nobody, or several, or
    both are the same name.
    """
    left, right = (_names(installation, group_id, one) for one in pair)
    found = _joined(installation, group_id, left, right)
    if found is None:
        if kind is DecisionKind.MERGE and left[0].entity_id != right[0].entity_id:
            left, right = (
                _all_names(installation.graph, group_id, one[0].entity_id) for one in (left, right)
            )
        found = _earliest(left, right)
    if found is None:
        raise Incorrect(
            f"{pair[0]!r} and {pair[1]!r} are one name (case, titles and legal forms aside); "
            "a verdict needs two names, or two ids"
        )
    return Ruling(
        group_id=group_id,
        kind=kind,
        target={"mentions": [_mention(one) for one in found]},
        payload={},
        by=By.PERSON,
    )


def judged_mentions(decision: Decision) -> tuple[tuple[str, str], tuple[str, str]]:
    """The (episode id, mention id) of the two mentions that a verdict is about."""
    left, right = ((str(one["episode_id"]), str(one["mention_id"])) for one in _targets(decision))
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


def _names(installation: Installation, group_id: str, asked: str) -> tuple[KnownName, ...]:
    """The names that somebody means: those of an entity's id, else all that are written so."""
    named = installation.graph.names_standing_for(group_id, [asked]) or _called(
        installation, group_id, asked
    )
    if not named:
        now = installation.graph.successors(group_id, asked)
        raise Incorrect(
            f"entity {asked!r} of group {group_id!r} is gone; its names stand for {', '.join(now)} now"
            if now
            else f"nobody is called {asked!r} in group {group_id!r}; `memstrata search` finds names and ids"
        )
    ids = {one.entity_id for one in named}
    if len(ids) > 1:
        raise Incorrect(
            f"{asked!r} names {len(ids)} entities of group {group_id!r}: {', '.join(sorted(ids))}; "
            "give an id"
        )
    return named


def stands_alone(installation: Installation, group_id: str, entity: Entity) -> bool:
    """Whether the entity's name names nobody else in the group."""
    try:
        named = _names(installation, group_id, entity.name)
    except Incorrect:
        return False
    return {one.entity_id for one in named} == {entity.entity_id}


def _all_names(graph: Neighbourhood, group_id: str, entity_id: str) -> tuple[KnownName, ...]:
    """The names of an entity: those that it is called by first, each kind by its earliest mention."""
    best = {one.name for one in graph.entities(group_id, [entity_id])}

    def _order(one: KnownName) -> tuple[bool, tuple[datetime, str]]:
        signed = signature_of(one.example)
        return not (isinstance(signed, Signature) and signed.name in best), one.first

    return tuple(sorted(graph.names_standing_for(group_id, [entity_id]), key=_order))


def _called(installation: Installation, group_id: str, asked: str) -> tuple[KnownName, ...]:
    """The names that are written so; if there is none, those of whom it is stated to be another name."""
    asks = signature_of(
        Mention(
            mention_id="",
            group_id=group_id,
            episode_id="",
            name=asked,
            reference_time=installation.clock.now(),
        )
    )
    if not isinstance(asks, Signature):
        return ()
    named = installation.graph.names_under(group_id, asks.exact)
    signed = [(one, signature_of(one.example)) for one in named]
    own = tuple(
        name for name, one in signed if isinstance(one, Signature) and not one.exact.isdisjoint(asks.exact)
    )
    return tuple(sorted(own or named, key=lambda one: one.first))


def _joined(
    installation: Installation, group_id: str, left: Iterable[KnownName], right: Iterable[KnownName]
) -> tuple[KnownName, KnownName] | None:
    """A name of either side that verdicts have been about together: of one pair, else of one chain."""
    judged = _decided(installation.record, group_id)
    ours = {one.first[1]: one for one in left}
    theirs = {one.first[1]: one for one in right}
    for one, other in reversed(judged):
        for a, b in ((one, other), (other, one)):
            if a in ours and b in theirs:
                return ours[a], theirs[b]
    chains = _chains(judged)
    pairs = ((a, b) for a in ours for b in theirs if a != b and b in chains.get(a, ()))
    found = min(pairs, default=None)
    return None if found is None else (ours[found[0]], theirs[found[1]])


def _decided(record: RecordStore, group_id: str) -> list[tuple[str, str]]:
    """The pairs of mentions that the group's verdicts are about, the latest last."""
    ordered = [
        judged_mentions(decision)
        for decision in sorted(decided(record, group_id, VERDICTS), key=lambda one: one.at)
    ]
    return [(left[1], right[1]) for left, right in ordered]


def _chains(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """For each mention those that it is linked with, over any number of pairs."""
    chains: dict[str, set[str]] = {}
    for left, right in pairs:
        chain = chains.get(left, {left}) | chains.get(right, {right})
        chains.update(dict.fromkeys(chain, chain))
    return chains


def _earliest(
    left: Collection[KnownName], right: Collection[KnownName]
) -> tuple[KnownName, KnownName] | None:
    """The first name of each side that is not the other's too; None if they have the same names."""
    ours = {one.signature_id: one for one in left}
    theirs = {one.signature_id: one for one in right}
    if ours.keys() == theirs.keys():
        return None
    mine = [one for id_, one in ours.items() if id_ not in theirs]
    other = [one for id_, one in theirs.items() if id_ not in ours]
    return (mine or [*left])[0], (other or [*right])[0]
