"""What a group must hold, from its live episodes and verdicts alone: resolved and folded as a whole.

Nothing of `memstrata.workflow` is used here, and nothing that a store keeps of earlier commits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memstrata import bitemporal
from memstrata.model import Entity, ObjectKind, Placement
from memstrata.resolution import PairVerdict, resolve

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from scripted import ScriptedExtractor

    from memstrata.model import Assertion, Decision, Episode, Extraction, Fact
    from memstrata.ontology import Ontology

#: What is rejected: (episode id, subject's name, predicate, object's name, kind, times), names in small
#: letters; no times stand for all.
Rejected = tuple[str, ...]
#: Stands for the time of recording, which a set of episodes does not tell.
SOMETIME = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """The present of one group: entities by id, live placements by id, facts as on the wire."""

    entities: tuple[Entity, ...]
    placements: tuple[Placement, ...]
    facts: tuple[Fact, ...]


def extracted(live: Sequence[Episode], extractor: ScriptedExtractor) -> list[Extraction]:
    """What the live episodes of a group say, each seen with the live turns of its saga before it."""
    return [extractor.extract(episode, _turns_before(episode, live)) for episode in live]


def _turns_before(episode: Episode, live: Iterable[Episode]) -> list[Episode]:
    if episode.saga is None:
        return []
    turns = (one for one in live if one.saga == episode.saga)
    return sorted((one for one in turns if _place(one) < _place(episode)), key=_place)


def _place(episode: Episode) -> tuple[bool, int, datetime, str]:
    unplaced = episode.position is None
    return unplaced, episode.position or 0, episode.reference_time, episode.episode_id


def believed(
    extractions: Iterable[Extraction],
    verdicts: Iterable[Decision],
    ontology: Ontology,
    rejected: Collection[Rejected] = (),
) -> Belief:
    """The belief that follows from what is said and judged, without what is rejected of it."""
    said = tuple(_without(one, rejected) for one in extractions)
    answer = resolve([mention for one in said for mention in one.mentions], map(_pair, verdicts))
    home = {member: one.entity_id for one in answer.clusters for member in one.members}
    placements = [
        placement
        for one in said
        for assertion in one.assertions
        if (placement := _placed(assertion, home)) is not None
    ]
    told = [one for one in placements if one.subject != one.object]
    entities = (
        Entity(
            entity_id=one.entity_id,
            group_id=one.group_id,
            name=one.name,
            type=one.type,
            aliases=one.aliases,
        )
        for one in answer.clusters
    )
    return Belief(
        entities=tuple(sorted(entities, key=lambda one: one.entity_id)),
        placements=tuple(sorted(placements, key=lambda one: one.id)),
        facts=bitemporal.fold(told, ontology),
    )


def _without(said: Extraction, rejected: Collection[Rejected]) -> Extraction:
    names = {one.mention_id: one.name for one in said.mentions}

    def key(one: Assertion) -> Rejected:
        ends = (names.get(one.subject, one.subject), names.get(one.object, one.object))
        subject, target = (end.lower() for end in ends)
        return (one.episode_id, subject, one.predicate, target, one.kind)

    def times(one: Assertion) -> str:
        stated = [
            "" if time is None else f"{time.at:%Y-%m-%dT%H:%M:%SZ} {time.precision}"
            for time in (one.valid_at, one.invalid_at)
        ]
        return " .. ".join(stated)

    kept = (
        one
        for one in said.assertions
        if (*key(one), "") not in rejected and (*key(one), times(one)) not in rejected
    )
    return replace(said, assertions=tuple(kept))


def judged(decision: Decision) -> tuple[str, str]:
    """The ids of the two mentions of a verdict."""
    mentions = decision.target["mentions"]
    assert isinstance(mentions, list)
    left, right = (str(one["mention_id"]) for one in mentions)
    return left, right


def _pair(decision: Decision) -> PairVerdict:
    left, right = judged(decision)
    return PairVerdict(kind=decision.kind, left=left, right=right, by=decision.by, at=decision.at)


def _placed(said: Assertion, home: Mapping[str, str]) -> Placement | None:
    literal = said.object_kind is ObjectKind.LITERAL
    subject, target = home.get(said.subject), said.object if literal else home.get(said.object)
    if subject is None or target is None:
        return None
    return Placement(
        id=said.assertion_id,
        group_id=said.group_id,
        episode_id=said.episode_id,
        subject=subject,
        predicate=said.predicate,
        object=target,
        fact=said.fact,
        kind=said.kind,
        reference_time=said.reference_time,
        recorded_at=SOMETIME,
        valid_at=said.valid_at,
        invalid_at=said.invalid_at,
        confidence=said.confidence,
        object_kind=said.object_kind,
        subject_mention=said.subject,
        object_mention=None if literal else said.object,
        quote=said.quote,
    )
