"""How the events of one timeline become stints (docs/fold.md, R5 to R7): ties, the walk, closers.

A timeline is that of one subject and relation if the relation has one value, else that of one triple.
Where a stint begins and ends is `memstrata.bitemporal.bounds`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING

from memstrata.bitemporal.events import END, FIRST_TRUE, INSTANT, LAST_FALSE, LIMIT, SEEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from memstrata.bitemporal.events import Event
    from memstrata.model import Placement

_AT = itemgetter(1)


@dataclass(slots=True)
class Stint:
    """Truthful events of one object in a row, and what closes them."""

    object: str
    truths: list[Event]
    closers: list[Event] = field(default_factory=list)


@dataclass(slots=True)
class Walked:
    """What a walk found: stints in order, and the truth that lost a tie.

    By object: `early`, its *end, gone, not* before its first truth, in the order of the walk, and
    `limits`, the ends of its denied ranges.
    """

    stints: list[Stint] = field(default_factory=list)
    losers: list[list[Event]] = field(default_factory=list)
    early: dict[str, list[Event]] = field(default_factory=dict)
    limits: dict[str, list[datetime]] = field(default_factory=dict)


def outranks(one: Placement, other: Placement) -> bool:
    """Whether `one` is better: said later, else with more confidence, else of the smaller id."""
    if one.reference_time != other.reference_time:
        return one.reference_time > other.reference_time
    if one.confidence != other.confidence:
        return one.confidence > other.confidence
    return one.id < other.id


def best(events: Iterable[Event]) -> Event:
    """The first event of the best assertion among some events."""
    remaining = iter(events)
    found = next(remaining)
    for event in remaining:
        if event.said is not found.said and outranks(event.said, found.said):
            found = event
    return found


def walk(strands: Mapping[str, list[Event]]) -> Walked:
    """R5 to R7 over the settled events of a timeline, by object."""
    walked = Walked()
    line: list[tuple[datetime, list[Event]]] = []
    events: list[Event] = []
    for name, strand in strands.items():
        for event in strand:
            if event.what is LIMIT:
                walked.limits.setdefault(name, []).append(event.at)
            else:
                events.append(event)
    events.sort(key=_AT)
    if len(strands) == 1 and events and all(event.what >= FIRST_TRUE for event in events):
        walked.stints.append(Stint(name, events))  # the commonest timeline: nothing contradicts anything
        return walked
    for at, here in _by_instant(events):
        line.append((at, _settle_tie(here, walked.losers) if len(here) > 1 else here))
    _Walk(line, walked).go()
    return walked


def _by_instant(events: list[Event]) -> Iterator[tuple[datetime, list[Event]]]:
    """Events sorted by time, those of one instant together."""
    start, count = 0, len(events)
    while start < count:
        at, stop = events[start].at, start + 1
        while stop < count and events[stop].at == at:
            stop += 1
        yield at, events[start:stop]
        start = stop


def _settle_tie(here: list[Event], losers: list[list[Event]]) -> list[Event]:
    """R5: what stays of the events at one instant; truth that loses goes to `losers`, by object."""
    truths: dict[str, list[Event]] = {}
    falsities: dict[str, list[Event]] = {}
    kept: list[Event] = []
    for event in here:
        if event.what >= FIRST_TRUE:
            truths.setdefault(event.said.object, []).append(event)
        elif event.what <= LAST_FALSE:
            falsities.setdefault(event.said.object, []).append(event)
        else:
            kept.append(event)
    for name in falsities.keys() & truths.keys():
        if outranks(best(truths[name]).said, best(falsities[name]).said):
            del falsities[name]
        else:
            losers.append(truths.pop(name))
    if len(truths) > 1:
        winner = best(best(said) for said in truths.values()).said.object
        losers.extend(truths.pop(name) for name in list(truths) if name != winner)
    for remaining in (*falsities.values(), *truths.values()):
        kept.extend(remaining)
    return kept


class _Walk:
    """R6 and R7: one pass over the instants, knowing the object that holds."""

    def __init__(self, line: list[tuple[datetime, list[Event]]], walked: Walked) -> None:
        self._line = line
        self._walked = walked
        self._holder: str | None = None
        self._latest: dict[str, Stint] = {}
        self._truths: dict[str, list[datetime]] | None = None

    def go(self) -> None:
        place = 0
        while place < len(self._line):  # ends that move are put further down the line meanwhile
            here = self._line[place][1]
            self._step(here)
            place += 1

    def _step(self, here: list[Event]) -> None:
        ends: list[Event] = []
        truths: list[Event] = []
        for event in here:
            if event.what <= LAST_FALSE:
                self._close(event)
            elif event.what is END:
                ends.append(event)
            else:
                truths.append(event)
        if ends:
            self._pass_ends(ends, truths)
        if truths:
            self._confirm(truths)

    def _close(self, event: Event) -> None:
        name = event.said.object
        if self._holder == name:
            self._holder = None
        stint = self._latest.get(name)
        if stint is None:
            self._walked.early.setdefault(name, []).append(event)
        else:
            stint.closers.append(event)

    def _pass_ends(self, ends: list[Event], truths: list[Event]) -> None:
        standing: list[Event] = []
        moving: list[Event] = []
        for event in ends:  # all judged on one state, before any of them changes it
            (moving if self._moves(event, truths) else standing).append(event)
        for event in moving:
            self._move(event)
        for event in standing:
            self._close(event)

    def _confirm(self, truths: list[Event]) -> None:
        name = truths[0].said.object
        if self._holder == name:
            self._latest[name].truths.extend(truths)
            return
        stint = Stint(name, truths)
        self._walked.stints.append(stint)
        self._latest[name] = stint
        self._holder = name

    def _moves(self, end: Event, truths: list[Event]) -> bool:
        """Whether a coarse end gives way to own truth in its open period; `truths` are at its instant."""
        if end.precision is None or end.precision is INSTANT:
            return False
        stop, name = end.open_stop, end.said.object
        if stop <= end.at:
            return False
        own_here = truths if truths and truths[0].said.object == name else ()
        if own_here and (self._holder != name or any(event.what is SEEN for event in own_here)):
            return True
        own = self._own_truths(name)
        after = bisect_right(own, end.at)
        return after < len(own) and own[after] < stop

    def _own_truths(self, name: str) -> list[datetime]:
        if self._truths is None:
            self._truths = {}
            for at, here in self._line:
                for event in here:
                    if event.what >= FIRST_TRUE:
                        self._truths.setdefault(event.said.object, []).append(at)
        return self._truths.get(name, [])

    def _move(self, end: Event) -> None:
        stop = end.open_stop
        moved = end._replace(at=stop, precision=None)
        place = bisect_right(self._line, stop, key=itemgetter(0))
        if self._line[place - 1][0] == stop:
            self._line[place - 1][1].append(moved)
        else:
            self._line.insert(place, (stop, [moved]))
