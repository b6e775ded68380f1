# ruff: noqa: C901, PLR0912, PLR0915 (each rule stands in one piece, as in the specification)
"""The fold once more, as literally as docs/fold.md puts it: quadratic, obvious, no code of the real one.

Every rule scans everything. Events are plain mutable objects, a walk is a diary of what happened, and
stints, closers and implied stints are read off the diary by their definitions.
"""

from __future__ import annotations

import calendar
import itertools
import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

TICK = timedelta(microseconds=1)
END = datetime.max.replace(tzinfo=UTC)
ORDER = ["instant", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "decade"]
TRUTH = ("start", "period", "seen")


def coarse(precision: Any) -> int:
    return 0 if precision is None else ORDER.index(str(precision))


def plus(t: datetime, unit: str) -> datetime:
    spans = {
        "instant": TICK,
        "second": timedelta(seconds=1),
        "minute": timedelta(minutes=1),
        "hour": timedelta(hours=1),
        "day": timedelta(days=1),
        "week": timedelta(days=7),
    }
    if unit in spans:
        try:
            return t + spans[unit]
        except OverflowError:
            return END
    year, month = t.year, t.month + {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
    while month > 12:
        year, month = year + 1, month - 12
    if year > 9999:
        return END
    return t.replace(year=year, month=month, day=min(t.day, calendar.monthrange(year, month)[1]))


class Event:
    def __init__(self, what: str, t: datetime, precision: Any, a: Any, stated: Any = None) -> None:
        self.what, self.t, self.precision, self.a = what, t, precision, a
        self.stated_t, self.stated_unit = (t, "instant") if stated is None else (stated[0], str(stated[1]))
        self.moved = False
        self.of_period = False

    def period_end(self) -> datetime:
        return plus(self.stated_t, self.stated_unit)

    def open_end(self) -> datetime:
        r = self.a.reference_time
        return min(self.period_end(), r) if self.stated_t <= r else self.period_end()


def better(a: Any, b: Any) -> bool:
    return (-a.reference_time.timestamp(), -a.confidence, a.id) < (
        -b.reference_time.timestamp(),
        -b.confidence,
        b.id,
    )


def best(assertions: list[Any]) -> Any:
    return next(a for a in assertions if all(a.id == b.id or better(a, b) for b in assertions))


def naive_fold(assertions: Any, ontology: Any) -> list[dict[str, Any]]:
    by_id = {}
    for a in assertions:
        s, o = a.subject, a.object
        if ontology.symmetric(a.predicate):
            s, o = sorted((s, o))
        by_id[a.id] = (a.group_id, s, a.predicate, o, a)
    lines: dict[Any, dict[str, list[Any]]] = {}
    for g, s, p, o, a in by_id.values():
        key = (g, s, p) if ontology.cardinality(p) == "one" else (g, s, p, o)
        lines.setdefault(key, {}).setdefault(o, []).append(a)
    facts = []
    for key, objects in lines.items():
        for o, fact in timeline(objects):
            facts.append(finish(key[:3], o, fact))
    facts.sort(
        key=lambda f: (
            f["group_id"],
            f["subject"],
            f["predicate"],
            f["object"],
            (0, 0) if f["valid_at"] is None else (1, f["valid_at"]),
            (1, 0) if f["invalid_at"] is None else (0, f["invalid_at"]),
            f["id"],
        )
    )
    return facts


# R1 to R3: one triple


def replaced(v: Any, i: Any) -> tuple[datetime, str]:
    if v.at >= i.at and v.at < plus(i.at, str(i.precision)):
        return max(plus(i.at, str(i.precision)), plus(v.at, "instant")), "instant"
    return i.at, str(i.precision)


def r1(a: Any) -> tuple[list[Event], Any, Any]:
    """Events, span, range."""
    v, i, r, kind = a.valid_at, a.invalid_at, a.reference_time, str(a.kind)
    events: list[Event] = []
    span = range_ = None

    def put(what: str, t: datetime, precision: Any = None, stated: Any = None) -> None:
        events.append(Event(what, t, precision, a, stated))

    def put_stated(what: str, time: Any) -> None:
        put(what, time.at, str(time.precision), (time.at, time.precision))

    if kind == "denied":
        if v is None and i is None:
            put("not", r)
        elif i is None:
            put_stated("not", v)
            if v.at <= r:
                put("not", r)
                range_ = (v.at, plus(r, "instant"))
            else:
                put("limit", plus(v.at, str(v.precision)))
                range_ = (v.at, plus(v.at, str(v.precision)))
        elif v is None:
            put("limit", i.at)
            range_ = (None, i.at)
        else:
            stop, _ = replaced(v, i)
            put_stated("not", v)
            put("limit", stop)
            range_ = (v.at, stop)
    elif v is not None and i is not None:
        stop, unit = replaced(v, i)
        put_stated("period", v)
        put("end", stop, unit, (stop, unit))
        events[-1].of_period = True
        span = (v.at, stop)
    elif v is None and i is None:
        put("gone" if kind == "ended" else "seen", r)
    elif i is None:
        if kind == "started":
            put_stated("start", v)
        elif kind == "holds":
            put_stated("start", v)
            if v.at <= r:
                put("seen", r)
                span = (v.at, plus(r, "instant"))
        else:
            if v.at < r:
                put_stated("start", v)
            put("gone", r)
    elif kind == "ended":
        put_stated("end", i)
    elif i.at > r:
        put("seen", r)
        put_stated("end", i)
    elif str(i.precision) != "instant" and plus(i.at, str(i.precision)) > plus(r, "instant"):
        put("seen", r)
        put("end", plus(i.at, str(i.precision)))
    else:
        put_stated("end", i)
    return events, span, range_


def triple(assertions: list[Any]) -> list[Event]:
    ranges = []
    for d in assertions:
        lo_hi = r1(d)[2]
        if lo_hi is not None and (lo_hi[0] is None or lo_hi[0] < lo_hi[1]):
            ranges.append((*lo_hi, d.reference_time))
    out: list[Event] = []
    pieces: list[tuple[str, datetime, datetime]] = []
    for a in assertions:
        events, span, _ = r1(a)
        if str(a.kind) == "denied":
            out += events
            continue
        for e in events:
            if e.what == "start":
                again = True
                while again:
                    again = False
                    for lo, hi, _spoken in ranges:
                        if (lo is None or lo <= e.t) and e.t < hi and e.period_end() > hi:
                            e.t, again = hi, True
        later = [(lo, hi) for lo, hi, spoken in ranges if spoken > a.reference_time]

        def void(e: Event, later: Any = later) -> bool:
            for lo, hi in later:
                if e.what in TRUTH and (lo is None or lo <= e.t) and e.t < hi:
                    return True
                if e.what in ("end", "gone") and (lo is None or lo < e.t) and e.t <= hi:
                    return True
            return False

        events = [e for e in events if not void(e)]
        if span is not None:
            left = [span]
            for lo, hi in later:
                left = [
                    (x, y)
                    for p, q in left
                    for x, y in (
                        ((p, q) if lo is not None and lo >= q else (p, min(q, lo or p))),
                        (max(p, hi), q),
                    )
                    if x < y and not (lo is not None and lo >= q and (x, y) != (p, q))
                ]
                left = sorted(set(left))
            for p, q in left:
                pieces.append((a.id, p, q))
                if p != span[0]:
                    events.append(Event("seen", p, None, a))
        out += events
    return [
        e for e in out if not (e.of_period and any(who != e.a.id and p <= e.t < q for who, p, q in pieces))
    ]


# R4


def r4(events: list[tuple[str, Event]]) -> None:
    starts = [(o, e) for o, e in events if e.what == "start" and coarse(e.precision) > 0]
    for o, e in sorted(starts, key=lambda pair: coarse(pair[1].precision)):
        stretch = [(o2, x) for o2, x in events if e.t <= x.t < e.open_end()]
        own = [
            x.t
            for o2, x in stretch
            if o2 == o and x.what in ("seen", "period") and coarse(x.precision) < coarse(e.precision)
        ]
        contrary = [
            x.t
            for o2, x in stretch
            if (o2 == o and x.what == "not" and x.precision is None)
            or (o2 != o and x.what in TRUTH and coarse(x.precision) < coarse(e.precision))
        ]
        contrary = [t for t in contrary if not own or t < min(own)]
        if contrary:
            e.t = plus(max(contrary), "instant")


# R5 to R9


def timeline(objects: dict[str, list[Any]]) -> list[tuple[str, dict[str, Any]]]:
    events = [(o, e) for o, told in objects.items() for e in triple(told)]
    r4(events)
    facts: list[tuple[str, dict[str, Any]]] = []

    def lose(o: str, t: datetime, lost: list[Event]) -> None:
        top = best([e.a for e in lost])
        own = [e for e in lost if e.a.id == top.id]
        e = min(own, key=lambda e: (-coarse(e.precision), e.precision is None))
        facts.append(
            (
                o,
                {
                    "from": (t, e.precision),
                    "to": (t, e.precision),
                    "events": lost,
                    "contested": True,
                    "anchor": ("contested", t),
                },
            )
        )
        for x in lost:
            events.remove((o, x))

    for t in sorted({e.t for _, e in events}):
        for o in objects:
            true = [e for o2, e in events if o2 == o and e.t == t and e.what in TRUTH]
            false = [e for o2, e in events if o2 == o and e.t == t and e.what in ("not", "gone")]
            if true and false:
                if better(best([e.a for e in true]), best([e.a for e in false])):
                    for e in false:
                        events.remove((o, e))
                else:
                    lose(o, t, true)
        alive = [(o, e) for o, e in events if e.t == t and e.what in TRUTH]
        if alive:
            top = best([e.a for _, e in alive])
            winner = next(o for o, e in alive if e.a.id == top.id)
            for o in {o for o, _ in alive} - {winner}:
                lose(o, t, [e for o2, e in alive if o2 == o])

    diary = walk(events)
    stints = read_stints(diary)
    for stint in stints:
        stint["from"] = r8_start(stint["truths"])
        stint["to"] = r8_end(stint["closers"])
    for stint, following in itertools.pairwise(stints):
        if stint["to"][0] is None or stint["to"][0] >= following["from"][0]:
            stint["to"] = following["from"]
    for stint in stints:
        anchor = ("true", stint["truths"][0].t)
        facts.append(
            (
                stint["object"],
                {
                    **stint,
                    "events": stint["truths"] + stint["closers"],
                    "contested": False,
                    "anchor": anchor,
                },
            )
        )
    facts += implied(objects, events, diary, stints)
    return facts


def walk(events: list[tuple[str, Event]]) -> list[tuple[str, Event, bool]]:
    """Entries of the diary: object, event, whether it began a stint."""
    diary: list[tuple[str, Event, bool]] = []
    holds: str | None = None
    done: set[datetime] = set()
    while left := [e.t for _, e in events if e.t not in done]:
        t = min(left)
        done.add(t)
        for o, e in events:
            if e.t == t and e.what in ("not", "gone"):
                diary.append((o, e, False))
                if o == holds:
                    holds = None
        after_step_1 = holds
        for o, e in [(o, e) for o, e in events if e.t == t and e.what == "end"]:
            stop = e.open_end()
            own = [x for o2, x in events if o2 == o and t <= x.t < stop]
            if (
                not e.moved
                and coarse(e.precision) > 0
                and any(
                    x.what == "seen" or (x.what in ("start", "period") and (x.t > t or after_step_1 != o))
                    for x in own
                )
            ):
                e.t, e.precision, e.moved = stop, None, True
                assert stop > t
                continue
            diary.append((o, e, False))
            if o == after_step_1:
                holds = None
        for o, e in events:
            if e.t == t and e.what in TRUTH:
                diary.append((o, e, o != holds))
                holds = o
    return diary


def read_stints(diary: list[tuple[str, Event, bool]]) -> list[dict[str, Any]]:
    stints: list[dict[str, Any]] = []
    for place, (o, e, begins) in enumerate(diary):
        if not begins:
            continue
        truths, last = [e], place
        for n in range(place + 1, len(diary)):
            o2, x, begins2 = diary[n]
            if x.what in TRUTH:
                if o2 != o or begins2:
                    break
                truths.append(x)
                last = n
        closers = []
        for o2, x, _ in diary[last + 1 :]:
            if o2 == o and x.what in TRUTH:
                break
            if o2 == o:
                closers.append(x)
        stints.append({"object": o, "truths": truths, "closers": closers})
    return stints


def pick(candidates: list[Event]) -> tuple[datetime, Any]:
    left = [
        c
        for c in candidates
        if not any(
            coarse(f.stated_unit) < coarse(c.stated_unit) and c.stated_t <= f.stated_t < c.period_end()
            for f in candidates
        )
    ]
    top = best([c.a for c in left])
    chosen = min((c for c in left if c.a.id == top.id), key=lambda c: c.t)
    return chosen.t, chosen.precision


def r8_start(truths: list[Event]) -> tuple[datetime, Any]:
    observed = [e for e in truths if e.what in ("seen", "period")]
    starts = [e for e in truths if e.what == "start"]
    if not observed:
        return pick(starts)
    o = min(observed, key=lambda e: (e.t, -coarse(e.precision), e.precision is None))
    candidates = [s for s in starts if s.t <= o.t or o.t <= s.t < o.period_end()]
    return pick(candidates) if candidates else (o.t, o.precision)


def r8_end(closers: list[Event]) -> tuple[datetime | None, Any]:
    false = [e for e in closers if e.what in ("not", "gone")]
    ends = [e for e in closers if e.what == "end"]
    if not false:
        return pick(ends) if ends else (None, None)
    t = min(e.t for e in false)
    first = [e for e in false if e.t == t]
    top = best([e.a for e in first])
    f = min(
        (e for e in first if e.a.id == top.id), key=lambda e: (-coarse(e.precision), e.precision is None)
    )
    candidates = [e for e in ends if e.t <= t]
    return pick(candidates) if candidates else (f.t, f.precision)


def implied(
    objects: dict[str, list[Any]],
    events: list[tuple[str, Event]],
    diary: list[tuple[str, Event, bool]],
    stints: list[dict[str, Any]],
) -> list[tuple[str, dict[str, Any]]]:
    waiting = []
    for o in objects:
        early = []
        for o2, e, _ in diary:
            if o2 == o and e.what in TRUTH:
                break
            if o2 == o:
                early.append(e)
        over = [e.t for e in early if e.what in ("end", "gone")]
        if over:
            e0 = min(over)
            at_e0 = best([e.a for e in early if e.t == e0 and e.what in ("end", "gone")])
            waiting.append((e0, at_e0, o, [e for e in early if e.t >= e0]))
    facts = []
    placed: list[dict[str, Any]] = []
    while waiting:
        first = next(
            w
            for w in waiting
            if all(
                w is x
                or (w[0], -w[1].reference_time.timestamp(), -w[1].confidence, w[1].id)
                < (x[0], -x[1].reference_time.timestamp(), -x[1].confidence, x[1].id)
                for x in waiting
            )
        )
        waiting.remove(first)
        e0, _, o, own = first
        to = r8_end(own)
        cuts = [
            s["from"] for s in stints + placed if s["from"][0] is not None and e0 <= s["from"][0] < to[0]
        ]
        if cuts:
            to = min(cuts, key=lambda cut: cut[0])
        bars = [
            END if s["to"][0] is None else s["to"][0]
            for s in stints + placed
            if s["from"][0] is None or s["from"][0] < e0
        ]
        bars += [plus(e.t, "instant") for o2, e in events if o2 == o and e.what == "not" and e.t < e0]
        bars += [e.t for o2, e in events if o2 == o and e.what == "limit" and e.t <= e0]
        start = max(bars) if bars else None
        fact = {"from": (start, None), "to": to, "events": own, "contested": False, "anchor": ("ended", e0)}
        if start is not None and start >= to[0]:
            fact["from"], fact["contested"] = to, True
        else:
            placed.append(fact)
        facts.append((o, fact))
    return facts


# R10, R11


def wire_time(t: datetime) -> str:
    text = t.strftime("%m-%dT%H:%M:%S")
    return f"{t.year:04}-{text}" + (f".{t.microsecond:06}Z" if t.microsecond else "Z")


def finish(key: tuple[str, ...], o: str, found: dict[str, Any]) -> dict[str, Any]:
    told = {e.a.id: e.a for e in found["events"]}.values()
    claims = [a for a in told if str(a.kind) in ("started", "holds")] or [
        a for a in told if str(a.kind) == "ended"
    ]
    first = min(claims, key=lambda a: (a.reference_time, -a.confidence, a.id))
    anchor = f"{found['anchor'][0]}:{wire_time(found['anchor'][1])}"
    name = json.dumps([*key, o, anchor], separators=(",", ":"), ensure_ascii=False)
    return {
        "id": str(uuid.uuid5(uuid.UUID("16a0ea51-eda8-5b4a-90b0-d404fda155fe"), name)),
        "group_id": key[0],
        "subject": key[1],
        "predicate": key[2],
        "object": o,
        "fact": first.fact,
        "valid_at": found["from"][0],
        "valid_at_precision": found["from"][1] and str(found["from"][1]),
        "invalid_at": found["to"][0],
        "invalid_at_precision": found["to"][1] and str(found["to"][1]),
        "evidence": tuple(sorted(a.id for a in told)),
        "contested": found["contested"],
        "confidence": max(a.confidence for a in claims),
    }
