"""Real histories in shuffled order over several days: as-of answers in both times, and the same graph.

S&P 500 membership (with re-entries) and terms in Congress become `started` and `ended` triples at exact
instants, shuffled and accepted over five days. What should be true at a moment is worked out from the
intervals by a rule of its own (`_is_true`), not by the fold.
"""

from __future__ import annotations

import csv
import gzip
import random
import tempfile
from bisect import bisect_right
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import yaml

from benchmarks.workplace import workplace
from memstrata.bitemporal import Moment
from memstrata.errors import Missing
from memstrata.model import Draft, SourceType, TimeSource
from memstrata.ports import Scope
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.intake import accept
from memstrata.workflow.rebuild import rebuild
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.workplace import SetClock
    from memstrata.ports import Installation

SEED = 20
SHUFFLES = 5
DAYS = 5
PROBES = 2000
GROUP = "history"
_INDEX = "S&P 500"
_FIRST_DAY = datetime(2026, 1, 5, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Said:
    """One assertion of the history: somebody's stint began or ended."""

    who: str
    where: str
    kind: str
    at: datetime


def run(data: Path | None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md, with the sizes of the input."""
    said = _read(data or Path("../shared/data"))
    exports = set()
    result: dict[str, object] = {}
    for shuffle in range(SHUFFLES):
        generator = random.Random(SEED + shuffle)
        order = list(said)
        generator.shuffle(order)
        with tempfile.TemporaryDirectory() as folder, workplace(Path(folder)) as (installation, clock):
            days = _tell(installation, clock, order)
            exports.add(tuple(canonical_lines(installation.graph, GROUP)))
            if shuffle == 0:
                result = _probe(installation, days, generator)
                result["rebuild_identical"] = _rebuilt_is_equal(installation)
                result["facts"] = installation.graph.counts()[0].facts
    return {
        "assertions": len(said),
        **result,
        "shuffles_identical": len(exports) == 1,
        "seed": SEED,
    }


def _read(folder: Path) -> list[Said]:
    files = [folder] if folder.is_file() else sorted(folder.rglob("*"))
    said = [one for file in files for one in _read_file(file)]
    if not said:
        raise Missing(f"{folder} holds neither an S&P 500 membership CSV nor legislators' YAML; see --data")
    return said


def _read_file(file: Path) -> Iterable[Said]:
    if file.suffix == ".csv" and "start" in file.read_text(encoding="utf-8", errors="replace")[:200]:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            if not {"ticker", "start_date", "end_date"} <= set(rows.fieldnames or ()):
                return
            for row in rows:
                yield from _stint(row["ticker"], _INDEX, row["start_date"], row["end_date"])
    elif file.name.endswith((".yaml", ".yaml.gz")):
        content = file.read_bytes()
        text = gzip.decompress(content) if file.suffix == ".gz" else content
        for person in yaml.load(text, Loader=yaml.CSafeLoader):
            if not isinstance(person, dict) or "terms" not in person:
                return
            name = " ".join(str(part) for part in (person["name"]["first"], person["name"]["last"]))
            who = f"{name} ({person['id'].get('bioguide') or person['id'].get('govtrack')})"
            for term in person["terms"]:
                yield from _stint(who, f"office {term['type']}", term["start"], term["end"])


def _stint(who: str, where: str, start: str, end: str) -> Iterable[Said]:
    yield Said(who, where, "started", _instant(start))
    if end and _instant(end) > _instant(start):
        yield Said(who, where, "ended", _instant(end))


def _instant(day: str) -> datetime:
    return datetime.fromisoformat(str(day)).replace(tzinfo=UTC)


def _tell(
    installation: Installation, clock: SetClock, order: Sequence[Said]
) -> list[tuple[datetime, list[Said]]]:
    """Accepts and commits the assertions over several days; each day's end with what was known then."""
    days = []
    share = -(-len(order) // DAYS)
    for day in range(DAYS):
        clock.set(_FIRST_DAY + timedelta(days=day))
        part = order[day * share : (day + 1) * share]
        for _ in accept(installation, (_draft(one) for one in part)):
            pass
        clock.set(_FIRST_DAY + timedelta(days=day, hours=1))
        work(installation)
        days.append((clock.now() + timedelta(hours=1), list(order[: (day + 1) * share])))
    return days


def _draft(said: Said) -> Draft:
    time = "invalid_at" if said.kind == "ended" else "valid_at"
    content = {
        "subject": {"name": said.who, "type": "company" if said.where == _INDEX else "person"},
        "predicate": "MEMBER_OF",
        "object": {"name": said.where, "type": "organization"},
        "kind": said.kind,
        time: said.at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "fact": f"{said.who} {said.kind} as a member of {said.where}.",
    }
    return Draft(
        group_id=GROUP,
        source="history",
        source_type=SourceType.FACT_TRIPLE,
        content=orjson.dumps(content).decode(),
        reference_time=said.at,
        time_source=TimeSource.OWN,
    )


def _probe(
    installation: Installation, days: list[tuple[datetime, list[Said]]], generator: random.Random
) -> dict[str, object]:
    """As-of answers of the store against the rule, at random moments of both times."""
    lines: list[dict[tuple[str, str], list[tuple[datetime, int]]]] = []
    for _, known in days:
        line: dict[tuple[str, str], list[tuple[datetime, int]]] = {}
        for one in known:
            line.setdefault((one.who, one.where), []).append((one.at, 1 if one.kind == "started" else 0))
        lines.append({key: sorted(set(events)) for key, events in line.items()})
    entities = {entity.name: entity.entity_id for entity in installation.graph.all_entities(GROUP)}
    triples = sorted(lines[-1])
    right = 0
    for _ in range(PROBES):
        day = generator.randrange(len(days))
        who, where = generator.choice(triples)
        valid = datetime(1990, 1, 1, tzinfo=UTC) + timedelta(days=generator.uniform(0, 36 * 365))
        if generator.random() < 0.3:  # on the very instants of change
            valid = generator.choice(lines[-1][who, where])[0]
        scope = Scope(groups=(GROUP,), moment=Moment(valid=valid, system=days[day][0]))
        edges = installation.graph.edges_about([entities[who]], scope, limit=50)
        answered = any(entities[where] in (edge.subject, edge.object) for edge in edges)
        right += answered == _is_true(lines[day].get((who, where), []), valid)
    return {"probes": PROBES, "asof_right": right / PROBES}


def _is_true(events: list[tuple[datetime, int]], valid: datetime) -> bool:
    """Whether it is true at `valid`, by what follows: an end, or nothing after a start.

    Each event is told when it happens, so of two starts with no end between them the later one is the
    corrected date (docs/fold.md, section 5, row 9), and of two ends likewise: the next event decides.
    """
    at = bisect_right(events, (valid, 1))
    if at < len(events):
        return events[at][1] == 0
    return bool(events) and events[-1][1] == 1


def _rebuilt_is_equal(installation: Installation) -> bool:
    before = list(canonical_lines(installation.graph, GROUP, history=True))
    rebuild(installation, GROUP)
    return before == list(canonical_lines(installation.graph, GROUP, history=True))
