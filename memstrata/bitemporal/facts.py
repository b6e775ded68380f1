"""The fold: assertions to facts (docs/fold.md, R10, R11, R16), and the keys by which they are folded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memstrata import ids
from memstrata.bitemporal.bounds import intervals
from memstrata.bitemporal.events import ENDED, HOLDS, STARTED, settle_starts, strand
from memstrata.bitemporal.timeline import walk
from memstrata.errors import Incorrect
from memstrata.instants import BEGINNING_OF_TIME, END_OF_TIME, format_instant
from memstrata.model import Fact
from memstrata.ontology import Cardinality

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from memstrata.bitemporal.bounds import Interval
    from memstrata.model import Placement
    from memstrata.ontology import Ontology


class Key(NamedTuple):
    """What is folded together at most: everything about one subject and predicate of a group."""

    group_id: str
    subject: str
    predicate: str


def placed(placement: Placement, ontology: Ontology) -> Placement:
    """The placement as it is folded: the ends of a symmetric relation stand in code-point order (R16)."""
    if placement.object < placement.subject and ontology.symmetric(placement.predicate):
        return replace(placement, subject=placement.object, object=placement.subject)
    return placement


def key_of(placement: Placement, ontology: Ontology) -> Key:
    """The key under which the placement is folded."""
    subject = placement.subject
    if placement.object < subject and ontology.symmetric(placement.predicate):
        subject = placement.object
    return Key(placement.group_id, subject, placement.predicate)


def fold(placements: Iterable[Placement], ontology: Ontology) -> tuple[Fact, ...]:
    """What is true when, given a set of live placements: the same facts in whatever order they come.

    Facts are sorted as on the wire. Placements are taken as valid (docs/fold.md, section 7, says what
    is). Raises `Incorrect` if two different placements share an id: they are never live together.
    """
    facts: list[Fact] = []
    timelines = _by_timeline(_distinct(placements), ontology)
    for timeline in sorted(timelines):  # so that only the facts of one timeline are left to be sorted
        found = _facts_of(timelines[timeline])
        facts.extend(sorted(found, key=wire_order) if len(found) > 1 else found)
    return tuple(facts)


def wire_order(fact: Fact) -> tuple[object, ...]:
    """The key by which facts are sorted on the wire, but for system time."""
    return (
        fact.group_id,
        fact.subject,
        fact.predicate,
        fact.object,
        fact.valid_at is not None,
        fact.valid_at or BEGINNING_OF_TIME,
        fact.invalid_at is None,
        fact.invalid_at or END_OF_TIME,
        fact.id,
    )


def _distinct(placements: Iterable[Placement]) -> Collection[Placement]:
    by_id: dict[str, Placement] = {}
    for placement in placements:
        known = by_id.setdefault(placement.id, placement)
        if known is not placement and known != placement:
            raise Incorrect(
                f"assertion {placement.id!r} is placed twice with different content; "
                "two placements of one id are never live together: retract one of them"
            )
    return by_id.values()


def _by_timeline(
    placements: Iterable[Placement], ontology: Ontology
) -> Mapping[tuple[str, str, str, str], Mapping[str, Sequence[Placement]]]:
    """The placements of each timeline, by object; a timeline of one value is named with an empty object."""
    timelines: dict[tuple[str, str, str, str], dict[str, list[Placement]]] = {}
    single: dict[str, bool] = {}
    for given in placements:
        said = placed(given, ontology)
        one = single.get(said.predicate)
        if one is None:
            one = single[said.predicate] = ontology.cardinality(said.predicate) is Cardinality.ONE
        timeline = (said.group_id, said.subject, said.predicate, "" if one else said.object)
        timelines.setdefault(timeline, {}).setdefault(said.object, []).append(said)
    return timelines


def _facts_of(told: Mapping[str, Sequence[Placement]]) -> list[Fact]:
    strands = {name: strand(said) for name, said in told.items()}
    settle_starts(strands)
    return [_fact(interval) for interval in intervals(walk(strands))]


def _fact(interval: Interval) -> Fact:
    """R11: the fact of one interval."""
    first = interval.events[0].said
    evidence: Sequence[str] = (first.id,)
    confidence = first.confidence
    if len(interval.events) > 1:
        said = {event.said.id: event.said for event in interval.events}
        if len(said) > 1:
            claims = _claims(said.values())
            first, confidence = min(claims, key=_spoken_first), max(one.confidence for one in claims)
            evidence = sorted(said)
    what, at = interval.anchor
    anchor = f"{what}:{format_instant(at)}"
    return Fact(
        id=ids.identify(first.group_id, first.subject, first.predicate, first.object, anchor),
        group_id=first.group_id,
        subject=first.subject,
        predicate=first.predicate,
        object=first.object,
        fact=first.fact,
        valid_at=interval.valid.at,
        valid_at_precision=interval.valid.precision,
        invalid_at=interval.invalid.at,
        invalid_at_precision=interval.invalid.precision,
        evidence=tuple(evidence),
        contested=interval.contested,
        confidence=confidence,
        object_kind=first.object_kind,
    )


def _claims(evidence: Collection[Placement]) -> Sequence[Placement]:
    """The evidence that says how it is: `started` and `holds`, else `ended`. There is always some."""
    true = [said for said in evidence if said.kind is STARTED or said.kind is HOLDS]
    return true or [said for said in evidence if said.kind is ENDED]


def _spoken_first(said: Placement) -> tuple[datetime, float, str]:
    return said.reference_time, -said.confidence, said.id
