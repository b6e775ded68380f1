"""What tense, kind of verb and stated times make of a clause: the assertion's kind and its two times.

The encoding is docs/fold.md, R1: "in 2019" of a state is that period, of an event its start; "until" ends;
"no longer" has ended; denials are false at the reference time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.extraction.dates import DateRole
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memstrata.extraction.dates import DatePhrase
    from memstrata.extraction.offline.grammar import Clause


_IN_FORCE = frozenset({"as of", "as from", "effective"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """How something is told: in which tense, of a state or an event, as over or false."""

    past: bool = False
    perfect: bool = False
    progressive: bool = False
    future: bool = False
    state: bool = False
    over: bool = False
    denied: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """An assertion's kind and stated times."""

    kind: Kind
    valid_at: StatedTime | None = None
    invalid_at: StatedTime | None = None


def telling_of(clause: Clause, *, state: bool, over: bool = False, denied: bool = False) -> Telling:
    """How the clause tells what it tells."""
    return Telling(
        past=clause.past,
        perfect=clause.perfect,
        progressive=clause.progressive,
        future=any(aux.lower_ in {"will", "'ll", "\u2019ll"} for aux in clause.auxiliaries),
        state=state,
        over=over,
        denied=denied,
    )


def when(telling: Telling, dates: Sequence[DatePhrase], reference: datetime) -> When:
    """The kind and times of what is told so, with these time phrases beside it."""
    ahead = telling.future or not (telling.past or telling.perfect or telling.over)
    of = {phrase.role: phrase for phrase in reversed(dates)}
    period = of.get(DateRole.PERIOD)
    if telling.denied:
        return _denied(telling, of)
    if telling.over:
        return _over(of, ahead=telling.future)
    if period is not None:
        return When(
            kind=Kind.HOLDS, valid_at=period.time(ahead=ahead), invalid_at=period.until(ahead=ahead)
        )
    since, until = of.get(DateRole.SINCE), of.get(DateRole.UNTIL)
    if until is not None and (telling.state or telling.progressive or not telling.past):
        end = until.time(ahead=ahead)
        start = since.time(ahead=ahead) if since else None
        gone = end is not None and end.at <= reference and start is None
        return When(kind=Kind.ENDED if gone else Kind.HOLDS, valid_at=start, invalid_at=end)
    return _open(telling, of, reference)


def _open(telling: Telling, of: dict[DateRole, DatePhrase], reference: datetime) -> When:
    """What has no end stated."""
    ahead = not (telling.past or telling.perfect)
    since, at, lapse = of.get(DateRole.SINCE), of.get(DateRole.AT), of.get(DateRole.LAPSE)
    if since is not None:
        dated = telling.perfect or since.word in {"since", "ever since"}
        event = telling.past and not telling.state and not telling.perfect
        start = since.time(ahead=ahead and not dated)
        if since.word in _IN_FORCE and not telling.future:
            start = _nearest(since, reference)
        return When(kind=Kind.STARTED if event else Kind.HOLDS, valid_at=start)
    if lapse is not None and (telling.perfect or (telling.progressive and not telling.past)):
        return When(kind=Kind.HOLDS, valid_at=lapse.time())
    stated = at.time(ahead=ahead) if at is not None else None
    if at is None and (later := of.get(DateRole.AHEAD)) is not None and ahead:
        stated = later.time(ahead=True)
    if telling.state:
        return _state(telling, stated, reference)
    if telling.past or telling.perfect:
        return When(kind=Kind.STARTED, valid_at=stated)
    if stated is not None and stated.stop > reference:
        return When(kind=Kind.STARTED, valid_at=stated)
    return When(kind=Kind.HOLDS)


def _nearest(phrase: DatePhrase, reference: datetime) -> StatedTime | None:
    """Of the two readings of a day without its year the nearer one: "as of 1 September" said in October."""
    past, ahead = phrase.time(), phrase.time(ahead=True)
    if past is None or ahead is None:
        return past
    return past if reference - past.at <= ahead.at - reference else ahead


def _state(telling: Telling, stated: StatedTime | None, reference: datetime) -> When:
    if telling.past:
        if stated is None:
            return When(kind=Kind.ENDED)
        if stated.precision.coarseness <= Precision.DAY.coarseness:
            return When(kind=Kind.STARTED, valid_at=stated)
        return When(kind=Kind.HOLDS, valid_at=stated, invalid_at=StatedTime(stated.stop))
    if stated is not None and stated.at > reference:
        return When(kind=Kind.STARTED, valid_at=stated)
    return When(kind=Kind.HOLDS, valid_at=stated if telling.perfect else None)


def _denied(telling: Telling, of: dict[DateRole, DatePhrase]) -> When:
    at = of.get(DateRole.AT)
    stated = at.time() if at is not None and telling.past else None
    if stated is None:
        return When(kind=Kind.DENIED)
    return When(kind=Kind.DENIED, valid_at=stated, invalid_at=StatedTime(stated.stop))


def _over(of: dict[DateRole, DatePhrase], *, ahead: bool) -> When:
    period = of.get(DateRole.PERIOD)
    if period is not None:
        return When(
            kind=Kind.ENDED, valid_at=period.time(ahead=ahead), invalid_at=period.until(ahead=ahead)
        )
    for role in (DateRole.UNTIL, DateRole.AT, DateRole.SINCE):
        if role in of:
            return When(kind=Kind.ENDED, invalid_at=of[role].time(ahead=ahead))
    return When(kind=Kind.ENDED)
