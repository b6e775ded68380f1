"""What changed in a belief between two system times: learned, ended, or believed no more.

Two beliefs are compared, by the versions that began or ended between them; a version that came and went in
between is counted, no more. That something *ended* in the world, and that we were *wrong* about it, are two
things: the first leaves the fact standing with an end, the second takes it, or its dates, away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.bitemporal import Moment, same_version
from memstrata.ports import Filters, Scope
from memstrata.search.timeline import follower_of, stands_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Entity, Fact
    from memstrata.ports import GraphReader, NamedVersion

#: How many versions are compared at most, a group.
MOST_VERSIONS: Final = 10_000
_MOST_SUBJECTS: Final = 50
_MOST_FACTS: Final = 200


class Turn(StrEnum):
    """What became of a fact between the two beliefs."""

    #: Believed now, and not before.
    LEARNED = "learned"
    #: It was true, and is believed to be over since: the world changed.
    ENDED = "ended"
    #: Its end is believed no longer.
    REOPENED = "reopened"
    #: Still believed, but with other dates, of somebody else, in other words, or more or less surely.
    CORRECTED = "corrected"
    #: Believed no longer, not even to have been true once: we were wrong.
    WITHDRAWN = "withdrawn"
    #: Said, and outweighed at that very instant by something else.
    CONTESTED = "contested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One fact's turn: as it was believed `before` and is believed `now`; None where it is not.

    `at` is the commit that brought `now`, or took `before` away. `replaced_by` are facts believed now
    that stand in its stead: what followed it in the world, or what holds instead of what was wrong.
    """

    turn: Turn
    at: datetime
    before: NamedVersion | None
    now: NamedVersion | None
    replaced_by: tuple[NamedVersion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """All changes in system time `(after, until]`, by group, then in order of that time.

    `until` None is the last commit. `about` are the entities asked for (None: everything). `passing` counts
    versions that came and went in between; `is_whole` is False if there were too many to compare.
    """

    after: datetime
    until: datetime | None
    groups: tuple[str, ...]
    about: tuple[Entity, ...] | None
    changes: tuple[Change, ...]
    passing: int
    is_whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of system time to compare the ends of, in one group, about some entities or all."""

    group_id: str
    after: datetime
    until: datetime | None
    about: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChanges:
    """The changes of one group."""

    changes: tuple[Change, ...]
    passing: int
    is_whole: bool


def changes_in(reader: GraphReader, span: Span) -> GroupChanges:
    """What changed in one group over a span of system time."""
    versions = reader.versions_between(
        span.group_id, span.after, span.until, about=span.about, limit=MOST_VERSIONS + 1
    )
    compared = compare(versions[:MOST_VERSIONS], after=span.after, until=span.until)
    changes = _followed(reader, span, compared.changes)
    return GroupChanges(
        changes=tuple(sorted(changes, key=_order)),
        passing=compared.passing,
        is_whole=len(versions) <= MOST_VERSIONS,
    )


def compare(versions: Iterable[NamedVersion], *, after: datetime, until: datetime | None) -> GroupChanges:
    """The changes that versions tell of, one a fact, in no order; pure.

    A fact whose id changed, with its beginning or with whom it is about, is one fact. What replaced
    another is sought among these versions alone.
    """
    before: dict[str, NamedVersion] = {}
    now: dict[str, NamedVersion] = {}
    passing = 0
    for one in versions:
        stood, stands = stands_at(one.version, after), stands_at(one.version, until)
        if stood:
            before[one.version.fact.id] = one
        if stands:
            now[one.version.fact.id] = one
        passing += not (stood or stands)
    changes = tuple(
        replace(change, replaced_by=_instead(change, before.values(), now.values()))
        for change in _paired(before, now)
    )
    return GroupChanges(changes=changes, passing=passing, is_whole=True)


def _paired(before: Mapping[str, NamedVersion], now: Mapping[str, NamedVersion]) -> Iterator[Change]:
    """Old and new by id, then by what they say; what is left on either side is gone or new."""
    for fact_id in before.keys() & now.keys():
        old, again = before[fact_id], now[fact_id]
        if not same_version(old.version.fact, again.version.fact):  # else it has only changed back
            yield _turned(old, again)
    new = {fact_id: now[fact_id] for fact_id in sorted(now.keys() - before.keys())}
    for fact_id in sorted(before.keys() - now.keys()):
        old = before[fact_id]
        other = _same_under_another_id(old, new.values())
        if other is None:
            at = old.version.expired_at or old.version.created_at
            yield Change(turn=Turn.WITHDRAWN, at=at, before=old, now=None)
        else:
            del new[other.version.fact.id]
            yield _turned(old, other)
    for one in new.values():
        turn = Turn.CONTESTED if one.version.fact.contested else Turn.LEARNED
        yield Change(turn=turn, at=one.version.created_at, before=None, now=one)


def _turned(before: NamedVersion, now: NamedVersion) -> Change:
    """What became of a fact that is there before and now."""
    old, new = before.version.fact, now.version.fact
    if old.contested != new.contested:
        turn = Turn.WITHDRAWN if new.contested else Turn.LEARNED
    elif _triple(old) != _triple(new) or old.valid_at != new.valid_at:
        turn = Turn.CORRECTED
    elif old.invalid_at is None and new.invalid_at is not None:
        turn = Turn.ENDED
    elif old.invalid_at is not None and new.invalid_at is None:
        turn = Turn.REOPENED
    else:
        turn = Turn.CORRECTED
    return Change(turn=turn, at=now.version.created_at, before=before, now=now)


def _same_under_another_id(old: NamedVersion, new: Iterable[NamedVersion]) -> NamedVersion | None:
    """The new fact that rests on evidence of the old one, or else says the same of the same time."""
    one = old.version.fact
    evidence = set(one.evidence)

    def likeness(other: NamedVersion) -> tuple[int, bool]:
        then = other.version.fact
        return (
            len(evidence.intersection(then.evidence)),
            _triple(one) == _triple(then) and _meet(one, then),
        )

    same = [
        (likeness(other), other.version.fact.id, other)
        for other in new
        if other.version.fact.predicate == one.predicate and any(likeness(other))
    ]
    return max(same, key=lambda found: found[:2])[2] if same else None


def _instead(
    change: Change, before: Collection[NamedVersion], now: Collection[NamedVersion]
) -> tuple[NamedVersion, ...]:
    """What stands in the stead of a fact that ended, or that was wrong."""
    if change.turn is Turn.ENDED and change.now is not None:
        follower = follower_of(change.now, now)
        return () if follower is None else (follower,)
    if change.turn is not Turn.WITHDRAWN or change.before is None:
        return ()
    wrong = change.before.version.fact
    ended_there = {
        one.version.fact.id for one in before if one.version.fact.invalid_at == wrong.valid_at is not None
    }
    stands = [
        one
        for one in now
        if one.version.created_at == change.at and _stands_for(one.version.fact, wrong, ended_there)
    ]
    return tuple(sorted(stands, key=lambda one: one.version.fact.id))


def _stands_for(fact: Fact, wrong: Fact, ended_there: Collection[str]) -> bool:
    """Whether a fact that came with the withdrawal of another fills its place, as far as can be told.

    It does if it begins where the other did, or goes on since the other does not close it any more. That
    both are of one subject and relation says nothing: a relation may have many objects.
    """
    alike = (fact.subject, fact.predicate) == (wrong.subject, wrong.predicate)
    begins_there = wrong.valid_at is not None and fact.valid_at == wrong.valid_at
    return (
        alike
        and not fact.contested
        and fact.object != wrong.object
        and (begins_there or fact.id in ended_there)
    )


def _followed(reader: GraphReader, span: Span, changes: Sequence[Change]) -> Iterator[Change]:
    """The changes, with followers that were believed all along or are about somebody else."""
    alone = [
        one for one in changes if one.turn is Turn.ENDED and one.now is not None and not one.replaced_by
    ]
    facts = [one.now.version.fact for one in alone if one.now is not None]
    subjects = sorted({fact.subject for fact in facts})[:_MOST_SUBJECTS]
    others: list[NamedVersion] = []
    if subjects:
        scope = Scope(
            groups=(span.group_id,),
            moment=Moment(system=span.until),
            history=True,
            filters=Filters(relations=tuple(sorted({fact.predicate for fact in facts}))),
        )
        edges = reader.edges_about(subjects, scope, limit=_MOST_FACTS)
        versions = reader.versions([edge.handle for edge in edges]).values()
        others = [one for one in versions if stands_at(one.version, span.until)]
    for one in changes:
        if one.turn is Turn.ENDED and one.now is not None and not one.replaced_by:
            follower = follower_of(one.now, others)
            yield one if follower is None else replace(one, replaced_by=(follower,))
        else:
            yield one


def _triple(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.predicate, fact.object


def _meet(one: Fact, other: Fact) -> bool:
    """Whether the two intervals overlap or touch."""
    return (one.valid_at is None or other.invalid_at is None or one.valid_at <= other.invalid_at) and (
        other.valid_at is None or one.invalid_at is None or other.valid_at <= one.invalid_at
    )


def _order(change: Change) -> tuple[datetime, int, str]:
    stated = change.now or change.before
    return (change.at, list(Turn).index(change.turn), "" if stated is None else stated.version.fact.id)
