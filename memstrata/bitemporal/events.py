"""What assertions put on the valid-time line (docs/fold.md, R1 to R4): events, denials, coarse starts.

One triple at a time, except for coarse starts, which look at the other objects of their timeline. What
the events of a timeline make of one another is `memstrata.bitemporal.timeline`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from enum import IntEnum
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from memstrata.instants import END_OF_TIME, TICK, Precision, StatedTime
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Placement


class What(IntEnum):
    """What happened at an instant, in the order in which a walk looks at it (R6)."""

    NOT = 0
    GONE = 1
    END = 2
    LIMIT = 3
    SEEN = 4
    PERIOD = 5
    START = 6


# Looking a member up on its enumeration costs more than comparing with it; these are looked up once.
NOT, GONE, END, LIMIT, SEEN, PERIOD, START = What
STARTED, HOLDS, ENDED, DENIED = Kind
INSTANT = Precision.INSTANT

LAST_FALSE = GONE  # `what <= LAST_FALSE`: not, gone
FIRST_TRUE = SEEN  # `what >= FIRST_TRUE`: the truthful events


class Event(NamedTuple):
    """Something that `said` puts on the line at `at` (a tuple: there are several for every assertion).

    `precision` is that of the time where it stands, None if that was not stated. `stated` is the time
    that was stated, wherever rules have moved the event since; None for a time that nobody stated.
    """

    what: What
    at: datetime
    precision: Precision | None
    said: Placement
    stated: StatedTime | None = None

    @property
    def stop(self) -> datetime:
        """The end of its stated period."""
        return later(self.at) if self.stated is None else self.stated.stop

    @property
    def open_stop(self) -> datetime:
        """The end of its open period: what is told as past had happened by then."""
        stop, spoken = self.stop, self.said.reference_time
        stated_at = self.at if self.stated is None else self.stated.at
        return spoken if stated_at <= spoken < stop else stop


class Span(NamedTuple):
    """A half-open piece of the line that an assertion calls true throughout."""

    start: datetime
    stop: datetime


class Range(NamedTuple):
    """A half-open piece of the line that a denial calls false; None reaches back for ever."""

    start: datetime | None
    stop: datetime

    @property
    def empty(self) -> bool:
        """Whether nothing lies in it: so at the end of time, where sums stop."""
        return self.start is not None and self.start >= self.stop

    def covers(self, at: datetime) -> bool:
        """Whether `at` lies in it: where truth can be denied."""
        return (self.start is None or self.start <= at) and at < self.stop

    def closes(self, at: datetime) -> bool:
        """Whether `at` lies after its start, up to its stop: where an end can be denied."""
        return (self.start is None or self.start < at) and at <= self.stop


class Telling(NamedTuple):
    """What one assertion says: its events, and what it calls true throughout."""

    said: Placement
    events: tuple[Event, ...]
    pieces: tuple[Span, ...] = ()


class Denial(NamedTuple):
    """What one denial says: its own events, and the range in which it voids those of others."""

    said: Placement
    events: tuple[Event, ...]
    denied: Range | None = None


def later(at: datetime) -> datetime:
    """One tick later; sums stop at the end of time."""
    return at if at == END_OF_TIME else at + TICK


def coarseness(precision: Precision | None) -> int:
    """0 for an instant or a time not stated, up to 9 for a decade."""
    return 0 if precision is None else precision.coarseness


def strand(told: Sequence[Placement]) -> list[Event]:
    """The events of one triple after R1 to R3, in no particular order; coarse starts are not settled."""
    if len(told) == 1:
        said = told[0]
        return list(deny(said).events if said.kind is DENIED else tell(said).events)
    tellings = [tell(said) for said in told if said.kind is not DENIED]
    denials = [deny(said) for said in told if said.kind is DENIED]
    ranges = [
        (one.denied, one.said.reference_time) for one in denials if one.denied and not one.denied.empty
    ]
    if ranges:
        tellings = [_after_denials(telling, ranges) for telling in tellings]
    events = _united(tellings)
    for denial in denials:
        events.extend(denial.events)
    return events


def tell(said: Placement) -> Telling:
    """R1 for everything but denials."""
    begin, end, spoken = said.valid_at, said.invalid_at, said.reference_time
    if begin is not None and end is not None:
        end = _closed(begin, end)
        period = Event(PERIOD, begin.at, begin.precision, said, begin)
        return Telling(said, (period, _end(said, end)), (Span(begin.at, end.at),))
    if end is not None:
        return Telling(said, (_end(said, end),) if said.kind is ENDED else _until(said, end))
    if said.kind is ENDED:
        gone = Event(GONE, spoken, None, said)
        return Telling(
            said, (gone,) if begin is None or begin.at >= spoken else (_start(said, begin), gone)
        )
    if begin is None:
        return Telling(said, (Event(SEEN, spoken, None, said),))
    if said.kind is STARTED or begin.at > spoken:
        return Telling(said, (_start(said, begin),))
    seen = Event(SEEN, spoken, None, said)
    return Telling(said, (_start(said, begin), seen), (Span(begin.at, later(spoken)),))


def deny(said: Placement) -> Denial:
    """R1 for denials."""
    begin, end, spoken = said.valid_at, said.invalid_at, said.reference_time
    if begin is None:
        if end is None:
            return Denial(said, (Event(NOT, spoken, None, said),))
        return Denial(said, (_limit(said, end.at),), Range(None, end.at))
    false = Event(NOT, begin.at, begin.precision, said, begin)
    if end is not None:
        stop = _closed(begin, end).at
    elif begin.at > spoken:
        stop = begin.stop
    else:
        now_false = Event(NOT, spoken, None, said)
        return Denial(said, (false, now_false), Range(begin.at, later(spoken)))
    return Denial(said, (false, _limit(said, stop)), Range(begin.at, stop))


def settle_starts(strands: Mapping[str, list[Event]]) -> None:
    """R4: moves each coarse start, in place, past contrary observations in its open period."""
    if len(strands) == 1 and not any(_observed_false(events) for events in strands.values()):
        return  # nothing could be contrary
    coarse = [
        (coarseness(event.precision), name, place)
        for name, events in strands.items()
        for place, event in enumerate(events)
        if event.what is START and event.precision is not None and event.precision is not INSTANT
    ]
    if not coarse:
        return
    denied = {name: sorted(_observed_false(events)) for name, events in strands.items()}
    coarse.sort()
    unit = -1
    for this_unit, name, place in coarse:
        if this_unit != unit:
            unit, finer = this_unit, _Finer(strands, this_unit)
        event = strands[name][place]
        last = finer.last_contrary(event, name, denied[name])
        if last is not None:
            strands[name][place] = event._replace(at=later(last))


class _Finer:
    """The truthful events of a timeline that are finer than one unit, where they stand by now."""

    def __init__(self, strands: Mapping[str, list[Event]], unit: int) -> None:
        self._all: list[tuple[datetime, str]] = []
        self._observed: dict[str, list[datetime]] = {}
        for name, events in strands.items():
            finer = [one for one in events if one.what >= FIRST_TRUE and coarseness(one.precision) < unit]
            self._all.extend((one.at, name) for one in finer)
            self._observed[name] = sorted(one.at for one in finer if one.what is not START)
        self._all.sort()

    def last_contrary(self, start: Event, name: str, denied: Sequence[datetime]) -> datetime | None:
        """The last contrary observation that counts against a start of object `name`."""
        stop = start.open_stop
        observed = self._observed[name]
        first = bisect_left(observed, start.at)
        if first < len(observed):
            stop = min(stop, observed[first])
        found = [
            at
            for at in (self._last_of_others(name, start.at, stop), _last_before(denied, stop))
            if at is not None
        ]
        last = max(found, default=None)
        return None if last is None or last < start.at else last

    def _last_of_others(self, name: str, start: datetime, stop: datetime) -> datetime | None:
        for place in range(bisect_left(self._all, (stop, "")) - 1, -1, -1):
            at, other = self._all[place]
            if at < start:
                return None
            if other != name:
                return at
        return None


def _last_before(instants: Sequence[datetime], stop: datetime) -> datetime | None:
    place = bisect_left(instants, stop)
    return instants[place - 1] if place else None


def _observed_false(events: Iterable[Event]) -> list[datetime]:
    return [event.at for event in events if event.what is NOT and event.precision is None]


def _start(said: Placement, begin: StatedTime) -> Event:
    return Event(START, begin.at, begin.precision, said, begin)


def _end(said: Placement, end: StatedTime) -> Event:
    return Event(END, end.at, end.precision, said, end)


def _limit(said: Placement, at: datetime) -> Event:
    return Event(LIMIT, at, None, said)


def _until(said: Placement, end: StatedTime) -> tuple[Event, ...]:
    """What `started` and `holds` say with an end alone, as in "until 2024": R1, the column `i only`."""
    spoken = said.reference_time
    seen = Event(SEEN, spoken, None, said)
    if end.at > spoken:
        return seen, _end(said, end)
    if end.precision is not INSTANT and end.stop > later(spoken):
        return seen, Event(END, end.stop, None, said)
    return (_end(said, end),)


def _closed(begin: StatedTime, end: StatedTime) -> StatedTime:
    """The end of a period that begins inside the period of its end ("2019 to 2019") is the latter's end."""
    if begin.at < end.at:
        return end
    return StatedTime(max(end.stop, later(begin.at)))


def _after_denials(telling: Telling, ranges: Sequence[tuple[Range, datetime]]) -> Telling:
    """R2: what is left of a telling under the denials of its triple."""
    spoken = telling.said.reference_time
    voiding = [denied for denied, denied_at in ranges if denied_at > spoken]
    events = [_past_denied(event, ranges) if event.what is START else event for event in telling.events]
    events = [event for event in events if not _voided(event, voiding)]
    if not voiding or not telling.pieces:
        return telling._replace(events=tuple(events))
    begin = telling.pieces[0].start
    pieces = _without(telling.pieces, voiding)
    events.extend(Event(SEEN, piece.start, None, telling.said) for piece in pieces if piece.start != begin)
    return Telling(telling.said, tuple(events), pieces)


def _past_denied(start: Event, ranges: Sequence[tuple[Range, datetime]]) -> Event:
    """R2c: a start whose period reaches past a denied range begins after it."""
    at, stop = start.at, start.stop
    moves = True
    while moves:
        moves = False
        for denied, _ in ranges:
            if denied.covers(at) and denied.stop < stop:
                at, moves = denied.stop, True
    return start if at == start.at else start._replace(at=at)


def _voided(event: Event, voiding: Sequence[Range]) -> bool:
    if event.what >= FIRST_TRUE:
        return any(denied.covers(event.at) for denied in voiding)
    return any(denied.closes(event.at) for denied in voiding)


def _without(pieces: Sequence[Span], voiding: Sequence[Range]) -> tuple[Span, ...]:
    """What is left of `pieces` outside the denied ranges, in order."""
    left = list(pieces)
    for denied in voiding:
        cut: list[Span] = []
        for piece in left:
            if denied.start is not None and piece.start < denied.start:
                cut.append(Span(piece.start, min(piece.stop, denied.start)))
            if denied.stop < piece.stop:
                cut.append(Span(max(piece.start, denied.stop), piece.stop))
        left = cut
    return tuple(left)


def _united(tellings: Sequence[Telling]) -> list[Event]:
    """R3: all events but the ends of periods that lie in what another assertion calls true.

    An assertion's own pieces never hold its own end, so that all pieces can be asked.
    """
    events = [event for telling in tellings for event in telling.events]
    if len(tellings) == 1:
        return events
    pieces = sorted((piece for telling in tellings for piece in telling.pieces), key=attrgetter("start"))
    starts: list[datetime] = []
    stops: list[datetime] = []
    for start, stop in pieces:
        starts.append(start)
        stops.append(max(stop, stops[-1]) if stops else stop)
    return [event for event in events if not (_ends_period(event) and _within(event.at, starts, stops))]


def _within(at: datetime, starts: Sequence[datetime], furthest: Sequence[datetime]) -> bool:
    place = bisect_right(starts, at)
    return place > 0 and at < furthest[place - 1]


def _ends_period(event: Event) -> bool:
    return event.what is END and event.said.valid_at is not None
