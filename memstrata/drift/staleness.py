"""Stale facts: believed true now, though nothing has confirmed them for longer than they should last.

The age of a fact alone says little (half of all valid index memberships are older than the median), so
a fact is stale only by a declared lifetime, by a silence far outside its relation's habit, or when an
end that was foretold has passed and nobody said what came after.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.drift.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime, timedelta

    from memstrata.model import Fact

#: With fewer gaps than this the 99th percentile is hardly more than the largest of them.
LEAST_GAPS: Final = 100
_SILENT_BEYOND: Final = 99
_NO_LIMITS: Final[Mapping[str, timedelta]] = {}


class StaleBy(StrEnum):
    """Why a fact is stale."""

    LIFETIME = "lifetime"
    SILENCE = "silence"
    NO_SUCCESSOR = "no_successor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    """How long facts may go unconfirmed, by relation.

    `lifetimes` are those the ontology declares; `silences` (see `silence_limits`) hold for the other
    relations; `single` names the relations of cardinality `one`, whose ends want a successor.
    """

    lifetimes: Mapping[str, timedelta] = field(default_factory=lambda: _NO_LIMITS)
    silences: Mapping[str, timedelta] = field(default_factory=lambda: _NO_LIMITS)
    single: AbstractSet[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleFact:
    """A stale fact; `overdue` is how long ago its limit, or its foretold end, passed."""

    fact: Fact
    by: StaleBy
    overdue: timedelta


def stale_facts(
    facts: Iterable[Fact], *, confirmed: Mapping[str, datetime], expected: Expectations, at: datetime
) -> tuple[StaleFact, ...]:
    """The stale ones among the facts believed now, as of the instant `at`; the most overdue first.

    `confirmed` gives for a fact's id the latest reference time of its evidence; a fact that is not in
    it counts as confirmed when it began, and is not judged if that is unknown. A declared lifetime goes
    before a silence. An end counts as foretold if it lies after the last confirmation; it wants a
    successor if its relation is `single` and nothing later stands on its timeline.
    """
    believed = [fact for fact in facts if not fact.contested]
    latest = _latest(believed, expected.single)
    found = []
    for fact in believed:
        last = confirmed.get(fact.id, fact.valid_at)
        if last is None:
            continue
        if fact.invalid_at is not None and fact.invalid_at <= at:
            if last < fact.invalid_at and latest.get(_timeline(fact)) == fact.id:
                found.append(StaleFact(fact=fact, by=StaleBy.NO_SUCCESSOR, overdue=at - fact.invalid_at))
        elif (limit := _limit(fact.predicate, expected)) is not None and at - last > limit[1]:
            found.append(StaleFact(fact=fact, by=limit[0], overdue=at - last - limit[1]))
    return tuple(sorted(found, key=lambda stale: (-stale.overdue, stale.fact.group_id, stale.fact.id)))


def silence_limits(gaps: Mapping[str, Sequence[timedelta]]) -> dict[str, timedelta]:
    """The 99th percentile of the gaps between confirmations of one fact, by relation.

    Relations with fewer than 100 gaps are left out: nothing is known of their habit. The percentile is
    the smallest gap that at least 99 of 100 do not exceed.
    """
    limits = {}
    for relation, known in sorted(gaps.items()):
        if len(known) >= LEAST_GAPS:
            limits[relation] = sorted(known)[-(-len(known) * _SILENT_BEYOND // 100) - 1]
    return limits


def staleness_finding(
    group_id: str, facts: Sequence[Fact], stale: Sequence[StaleFact], *, allowed: float = 0.05
) -> Finding:
    """Whether the share of stale facts among those believed in one group is at or under `allowed`.

    `stale` is what `stale_facts` found among `facts`. `details` has `facts`, `stale` and the number by
    each reason. A group without facts passes.
    """
    total = sum(fact.group_id == group_id and not fact.contested for fact in facts)
    own = [one for one in stale if one.fact.group_id == group_id]
    share = len(own) / total if total else 0.0
    by = Counter(one.by for one in own)
    return Finding(
        check="stale_facts",
        group_id=group_id,
        value=share,
        threshold=allowed,
        passed=share <= allowed,
        sentence=_sentence(group_id, own, total, allowed),
        details={
            "facts": float(total),
            "stale": float(len(own)),
            **{str(reason): float(by[reason]) for reason in StaleBy},
        },
    )


def _timeline(fact: Fact) -> tuple[str, str, str]:
    return fact.group_id, fact.subject, fact.predicate


def _latest(facts: Iterable[Fact], single: AbstractSet[str]) -> dict[tuple[str, str, str], str]:
    """The fact that ends a timeline, for the timelines of single relations; an open end is the latest."""
    last: dict[tuple[str, str, str], Fact] = {}
    for fact in facts:
        if fact.predicate in single:
            other = last.get(_timeline(fact))
            if other is None or _end(fact) > _end(other):
                last[_timeline(fact)] = fact
    return {timeline: fact.id for timeline, fact in last.items()}


def _end(fact: Fact) -> tuple[bool, float, str]:
    return fact.invalid_at is None, fact.invalid_at.timestamp() if fact.invalid_at else 0.0, fact.id


def _limit(relation: str, expected: Expectations) -> tuple[StaleBy, timedelta] | None:
    if (lifetime := expected.lifetimes.get(relation)) is not None:
        return StaleBy.LIFETIME, lifetime
    if (silence := expected.silences.get(relation)) is not None:
        return StaleBy.SILENCE, silence
    return None


def _sentence(group_id: str, stale: Sequence[StaleFact], total: int, allowed: float) -> str:
    said = f"{len(stale)} of {total} facts of group {group_id} are stale"
    if not stale:
        return f"{said}."
    relations = Counter(one.fact.predicate for one in stale)
    most = ", ".join(
        f"{name} ({count})" for name, count in sorted(relations.items(), key=lambda r: (-r[1], r[0]))[:3]
    )
    worst = f"the longest overdue by {stale[0].overdue.days} days: {stale[0].fact.id}"
    advice = (
        "Ask for news of them or retract what no longer holds; "
        "where they are right, the lifetime declared in the ontology is too short."
    )
    if len(stale) <= allowed * total:
        return f"{said}, within the allowed {allowed:.0%}: {most}."
    return f"{said}, above the allowed {allowed:.0%}: {most}; {worst}. {advice}"
