"""Where stints begin and end (docs/fold.md, R8), and what an end alone implies (R9)."""

from __future__ import annotations

from bisect import bisect_left
from functools import cmp_to_key
from typing import TYPE_CHECKING, NamedTuple

from memstrata.bitemporal.events import END, LAST_FALSE, NOT, START, coarseness, later
from memstrata.bitemporal.timeline import best, outranks
from memstrata.instants import END_OF_TIME

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memstrata.bitemporal.events import Event
    from memstrata.bitemporal.timeline import Stint, Walked
    from memstrata.instants import Precision


class Bound(NamedTuple):
    """A start or an end: None is unknown or open; the precision None if it was not stated."""

    at: datetime | None = None
    precision: Precision | None = None


class Interval(NamedTuple):
    """One fact to be: when it is true, and the events that it rests on.

    `anchor` names it (R11): what its first event is, and where that stands.
    """

    valid: Bound
    invalid: Bound
    events: Sequence[Event]
    contested: bool
    anchor: tuple[str, datetime]


class _Implied(NamedTuple):
    """The *end, gone, not* of an object that come before its first truth, from the first end on."""

    since: datetime
    first: Event
    events: list[Event]
    before: list[Event]


def intervals(walked: Walked) -> list[Interval]:
    """Every stint, implied stint and set of losers of a timeline, in no particular order."""
    stints = _stints(walked.stints)
    found = [*stints, *map(_lost, walked.losers)]
    if walked.early:
        found.extend(_implied(walked, stints))
    return found


def _stints(stints: Sequence[Stint]) -> list[Interval]:
    """R8: each stint, capped by the start of the next."""
    found: list[Interval] = []
    following: Bound | None = None
    for stint in reversed(stints):
        valid, invalid = _start(stint.truths), _end(stint.closers)
        if following is not None and _reaches(invalid, following):
            invalid = following
        anchor = ("true", stint.truths[0].at)
        found.append(Interval(valid, invalid, [*stint.truths, *stint.closers], False, anchor))
        following = valid
    found.reverse()
    return found


def _reaches(end: Bound, start: Bound) -> bool:
    return end.at is None or (start.at is not None and end.at >= start.at)


def _start(truths: Sequence[Event]) -> Bound:
    if len(truths) == 1:
        return _standing(truths[0])
    starts = [event for event in truths if event.what is START]
    observed = _first_observed(truths)
    if observed is not None:
        stop = observed.stop
        starts = [event for event in starts if event.at <= observed.at or event.at < stop]
        if not starts:
            return _standing(observed)
    return _standing(_pick(starts))


def _first_observed(truths: Sequence[Event]) -> Event | None:
    """The earliest *seen* or *period*; at one instant the coarser, then one that was stated."""
    found: Event | None = None
    for event in truths:  # in the order of the walk
        if event.what is START:
            continue
        if found is None or (event.at == found.at and _plainness(event) > _plainness(found)):
            found = event
        elif event.at > found.at:
            break
    return found


def _plainness(event: Event) -> tuple[int, bool]:
    return coarseness(event.precision), event.precision is not None


def _end(closers: Sequence[Event]) -> Bound:
    if not closers:
        return Bound()
    false = _first_false(closers)
    ends = [event for event in closers if event.what is END and (false is None or event.at <= false.at)]
    if ends:
        return _standing(_pick(ends))
    return Bound() if false is None else _standing(false)


def _first_false(closers: Sequence[Event]) -> Event | None:
    """The earliest *not* or *gone*; at one instant that of the best assertion."""
    false = [event for event in closers if event.what <= LAST_FALSE]
    if not false:
        return None
    earliest = min(event.at for event in false)
    return _plainest([event for event in false if event.at == earliest])


def _plainest(events: Sequence[Event]) -> Event:
    """Of the events of the best assertion the coarser, then one that was stated."""
    said = best(events).said
    return max((event for event in events if event.said is said), key=_plainness)


def _pick(candidates: Sequence[Event]) -> Event:
    """The best of the candidates whose stated period holds no finer stated one."""
    if len(candidates) == 1:
        return candidates[0]
    by_unit: dict[int, list[Event]] = {}
    for event in candidates:
        unit = 0 if event.stated is None else coarseness(event.stated.precision)
        by_unit.setdefault(unit, []).append(event)
    finer: list[datetime] = []
    left: list[Event] = []
    for _, alike in sorted(by_unit.items()):
        left.extend(event for event in alike if not _holds_any(event, finer))
        finer = sorted([*finer, *map(_stated_at, alike)])
    return best(left)


def _holds_any(event: Event, instants: Sequence[datetime]) -> bool:
    if not instants:
        return False
    place = bisect_left(instants, _stated_at(event))
    return place < len(instants) and instants[place] < event.stop


def _stated_at(event: Event) -> datetime:
    return event.at if event.stated is None else event.stated.at


def _standing(event: Event) -> Bound:
    return Bound(event.at, event.precision)


def _lost(events: Sequence[Event]) -> Interval:
    """R10: truth that lost a tie is an empty, contested fact."""
    bound = _standing(_plainest(events))
    return Interval(bound, bound, events, True, ("contested", events[0].at))


def _implied(walked: Walked, stints: Sequence[Interval]) -> list[Interval]:
    """R9: truth implied by an end alone, which yields to everything else.

    Among the stints that cut its end are the implied ones placed before it: one of several ends may
    start after the `since` of the next, and at most one value may be true (section 6, property 3).
    """
    waiting = [implied for early in walked.early.values() if (implied := _implied_by(early)) is not None]
    waiting.sort(key=cmp_to_key(_placed_first))
    placed = list(stints)
    found: list[Interval] = []
    for implied in waiting:
        end = _cut(_end(implied.events), implied.since, placed)
        start = _implied_start(implied, placed, walked.limits.get(implied.first.said.object, ()))
        contested = start is not None and end.at is not None and start >= end.at
        valid = end if contested else Bound(start)
        interval = Interval(valid, end, implied.events, contested, ("ended", implied.since))
        found.append(interval)
        if not contested:
            placed.append(interval)
    return found


def _implied_by(early: Sequence[Event]) -> _Implied | None:
    over = [event for event in early if event.what is not NOT]
    if not over:
        return None
    since = min(event.at for event in over)
    events = [event for event in early if event.at >= since]
    before = [event for event in early if event.at < since]
    return _Implied(since, best(event for event in over if event.at == since), events, before)


def _placed_first(one: _Implied, other: _Implied) -> int:
    if one.since != other.since:
        return -1 if one.since < other.since else 1
    return -1 if outranks(one.first.said, other.first.said) else 1


def _cut(end: Bound, since: datetime, stints: Sequence[Interval]) -> Bound:
    """The end, or the earliest start of a stint between `since` and it."""
    for stint in stints:
        start = stint.valid.at
        if start is not None and start >= since and (end.at is None or start < end.at):
            end = stint.valid
    return end


def _implied_start(
    implied: _Implied, placed: Sequence[Interval], limits: Sequence[datetime]
) -> datetime | None:
    """The latest of what must be over before it can be true; None if nothing is known."""
    over = [
        END_OF_TIME if interval.invalid.at is None else interval.invalid.at
        for interval in placed
        if interval.valid.at is None or interval.valid.at < implied.since
    ]
    over.extend(later(event.at) for event in implied.before)
    over.extend(limit for limit in limits if limit <= implied.since)
    return max(over, default=None)
