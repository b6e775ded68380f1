"""What follows where a model says that facts exclude each other: episodes that end some; their withdrawal.

Such an episode ends a fact on the date on which another of its key was stated to begin. It is derived: it
counts while that other fact begins then, and while somebody else has said what it ends.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata import intake
from memstrata.bitemporal import Key
from memstrata.ids import canonical_json, digest
from memstrata.instants import format_instant
from memstrata.model import By, DecisionKind, Kind, ObjectKind, SourceType
from memstrata.workflow.intake import Ruling, decide_all
from memstrata.workflow.rejections import retraction
from memstrata.workflow.verdicts import stands_alone

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Decision, Draft, Entity, Episode, Fact, Json, Placement
    from memstrata.ports import Installation
    from memstrata.workflow.questions import Exclusion
    from memstrata.workflow.rules import Rules

SOURCE: Final = "adjudication"
#: The verdict that takes an answer back whose evidence is gone: its question is open again.
WITHDRAWN: Final = "withdrawn"
_AFFIRMING: Final = (Kind.STARTED, Kind.HOLDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """That a fact ended when a `later` one began, as the episode of that id says."""

    fact: Fact
    later: Fact
    episode_id: str


def closings(
    installation: Installation, group_id: str, question: Exclusion, rules: Rules
) -> tuple[Closing, ...]:
    """The facts of the question that a later dated one ended, if all exclude each other.

    An undated one closes nothing, and none closes what was said to hold at its date or after it. What a
    person took back of this sort stays taken back, whatever is answered.
    """
    dated = sorted(
        (one.valid_at, one.id, one)
        for one in question.facts
        if one.valid_at is not None and one.valid_at_precision is not None
    )
    affirmed = _last_affirmed(installation, group_id, question.facts)
    found: list[Closing] = []
    for fact in question.facts:
        until = max((at for at in (fact.valid_at, affirmed.get(fact.id)) if at is not None), default=None)
        later = next(
            (one for at, _, one in dated if one.object != fact.object and until is not None and at > until),
            None,
        )
        episode_id = f"{SOURCE}-{digest(fact.id)[:32]}"
        if later is not None and not _is_taken_back(installation, group_id, episode_id, rules):
            found.append(Closing(fact=fact, later=later, episode_id=episode_id))
    return tuple(found) if found and _all_stand_alone(installation, group_id, question) else ()


def drafts_of(
    installation: Installation,
    group_id: str,
    question: Exclusion,
    some: Sequence[Closing],
    decision: Decision,
) -> Iterator[Draft]:
    """The episodes that end those facts, by what was decided; the same however often they are made."""
    objects = [one.fact.object for one in some if one.fact.object_kind is ObjectKind.ENTITY]
    named = {one.entity_id: one for one in installation.graph.entities(group_id, objects)}
    for one in some:
        target = named.get(one.fact.object)
        yield _draft(question, one, target, decision)


def ended_by(answer: Decision) -> tuple[str, ...]:
    """The ids of the episodes that end facts by that answer."""
    named = answer.payload.get("ended")
    return tuple(map(str, named)) if isinstance(named, list | tuple) else ()


def withdraw(
    installation: Installation, group_id: str, keys: Collection[tuple[str, str]], rules: Rules
) -> int:
    """Takes back what ended a fact of those (subject, predicate) keys on evidence that is gone.

    The episode is retracted and its question open again, in one write; gives how many were.
    """
    wanted = {Key(group_id, subject, predicate) for subject, predicate in keys}
    live = installation.graph.placements_on(group_id, wanted) if wanted else ()
    ends = [one for one in live if one.kind is Kind.ENDED and one.episode_id.startswith(f"{SOURCE}-")]
    if not ends:
        return 0
    known = installation.record.committed(group_id, {one.episode_id for one in ends})
    ours = {episode.episode_id: episode for episode, _ in known if _answer_to(episode, rules) is not None}
    ends = [one for one in ends if one.episode_id in ours]
    rulings: list[Ruling] = []
    for end in _unfounded(installation, group_id, ends, live):
        episode = ours[end.episode_id]
        answer = _answer_to(episode, rules)
        if answer is not None and answer.payload.get("verdict") != WITHDRAWN:
            rulings += _withdrawing(episode, answer)
    if rulings:
        decide_all(installation, rulings)
    return len(rulings) // 2


def _unfounded(
    installation: Installation, group_id: str, ends: Iterable[Placement], live: Iterable[Placement]
) -> Iterator[Placement]:
    """Those of the ends that no other fact's beginning explains, or that alone tell of what they end."""
    told = {
        (one.subject, one.predicate, one.object)
        for one in live
        if not one.episode_id.startswith(f"{SOURCE}-")
    }
    begun = defaultdict[tuple[str, str, "datetime | None"], set[str]](set)
    keys = {Key(group_id, one.subject, one.predicate) for one in ends}
    for fact in installation.graph.facts_on(group_id, keys):
        begun[fact.subject, fact.predicate, fact.valid_at].add(fact.object)
    for end in ends:
        at = None if end.invalid_at is None else end.invalid_at.at
        others = begun[end.subject, end.predicate, at] - {end.object}
        if not others or (end.subject, end.predicate, end.object) not in told:
            yield end


def _withdrawing(episode: Episode, answer: Decision) -> tuple[Ruling, Ruling]:
    reason = "what it was decided by is not believed any more"
    again: Mapping[str, Json] = {"verdict": WITHDRAWN, "episode_id": episode.episode_id}
    return (
        replace(retraction(episode), by=By.POLICY, who=SOURCE, reason=reason),
        Ruling(
            group_id=episode.group_id,
            kind=DecisionKind.ADJUDICATE,
            target=answer.target,
            payload=again,
            by=By.POLICY,
            who=SOURCE,
            reason=reason,
        ),
    )


def _answer_to(episode: Episode, rules: Rules) -> Decision | None:
    """The last decision on the question that the episode says it follows from; None if it is not ours."""
    if episode.source != SOURCE:
        return None
    return rules.answers.get(str(episode.metadata.get("question")))


def _is_taken_back(installation: Installation, group_id: str, episode_id: str, rules: Rules) -> bool:
    """Whether somebody retracted that episode or rejected what it says, other than `withdraw`."""
    ruled = rules.standing.get(episode_id, {})
    if any(not one.counts for one in ruled.values()):
        return True
    if not installation.record.is_retracted(group_id, episode_id):
        return False
    episode = installation.record.latest(group_id, episode_id)
    answer = None if episode is None else _answer_to(episode, rules)
    return answer is None or answer.payload.get("verdict") != WITHDRAWN


def _last_affirmed(
    installation: Installation, group_id: str, facts: Iterable[Fact]
) -> Mapping[str, datetime]:
    """When each fact was last said to hold or to have begun, by its id."""
    facts = tuple(facts)
    asked = {name for fact in facts for name in fact.evidence}
    said = {one.id: one for one in installation.graph.evidence(group_id, asked)}
    found: dict[str, datetime] = {}
    for fact in facts:
        times = [
            said[name].reference_time
            for name in fact.evidence
            if name in said and said[name].kind in _AFFIRMING
        ]
        if times:
            found[fact.id] = max(times)
    return found


def _all_stand_alone(installation: Installation, group_id: str, question: Exclusion) -> bool:
    """Whether names tell whom it is about: an episode names, and never points at an entity."""
    objects = {one.object for one in question.facts if one.object_kind is ObjectKind.ENTITY}
    ends = [question.subject, *installation.graph.entities(group_id, objects)]
    return len(ends) == len(objects) + 1 and all(stands_alone(installation, group_id, one) for one in ends)


def _draft(question: Exclusion, one: Closing, target: Entity | None, decision: Decision) -> Draft:
    fact, later = one.fact, one.later
    triple: dict[str, Json] = {
        "subject": _name(question.subject),
        "predicate": fact.predicate,
        "object": {"literal": fact.object} if target is None else _name(target),
        "fact": f"No longer so: {fact.fact}",
        "kind": Kind.ENDED.value,
        "invalid_at": None if later.valid_at is None else format_instant(later.valid_at),
        "invalid_at_precision": str(later.valid_at_precision),
        "confidence": min(fact.confidence, later.confidence),
    }
    options = intake.Options(group_id=decision.group_id, reference_time=decision.at, source=SOURCE)
    draft = intake.read_text(canonical_json(triple), options, episode_id=one.episode_id)
    metadata: dict[str, Json] = {
        **draft.metadata,
        "question": question.key,
        "excludes": [fact.id, later.id],
        "rests_on": list(decision.evidence),
    }
    return replace(draft, source_type=SourceType.FACT_TRIPLE, metadata=metadata)


def _name(entity: Entity) -> Mapping[str, Json]:
    return {"name": entity.name, **({"type": entity.type} if entity.type else {})}
