"""Answers in force at a date (SituatedQA), and updates above what they update (BEAM).

SituatedQA's answers are facts that begin at their start dates, of a relation declared `one`; a question is
asked as of each of its dates, and right if the first fact found is one of the answers at that date. Dates
before the first start have no answer in force and are left out. `by_rule` is what the last start at or
before the date gives, without any search. BEAM's updates are ranked by the
preset of all its other questions.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any, Final

from benchmarks import retrieval
from benchmarks.retrieval_sets import beam, is_beam
from benchmarks.workplace import workplace
from memstrata.errors import Incorrect, Missing
from memstrata.instants import format_instant
from memstrata.model import Draft, SourceType, TimeSource
from memstrata.search.presets import PRESETS
from memstrata.search.searcher import Searcher
from memstrata.search.view import View
from memstrata.workflow.intake import accept
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchmarks.retrieval_sets import Conversation
    from memstrata.ports import Embedder

_SHARED: Final = Path("../shared/data")
_ONTOLOGY: Final = "relations: [{name: answered_by, cardinality: one}]\n"
_FORMS: Final = ("%Y", "%B %d, %Y", "%B %Y", "%Y-%m-%d", "%Y-%m")

#: How far down an update and its original are looked for.
_DEEP: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """One question at one date, with all names of the answer then; a start is where an answer begins."""

    question: str
    at: datetime
    answers: tuple[str, ...]
    is_start: bool


def run_as_of(data: Path | None) -> dict[str, object]:
    """`right` and `updated_first`; with a file or folder only that of its set. Raises `Missing`."""
    embedder = retrieval.default_embedder()
    if data is None:
        situated, chats = _SHARED / "situatedqa", _SHARED / "beam_100k"
        if missing := [str(one) for one in (situated, chats) if not one.is_dir()]:
            raise Missing(f"no {' and no '.join(missing)}; give SituatedQA or BEAM with --data")
        return {**of_situated(dated_in(situated), embedder), **of_beam(chats, embedder)}
    folder = data.parent if data.is_file() else data
    if is_beam(folder):
        return of_beam(folder, embedder)
    return of_situated(dated_in(data), embedder)


def of_beam(folder: Path, embedder: Embedder) -> dict[str, object]:
    """How often the first updating turn stands above the first that it updates."""
    above = [one for conversation in beam(folder) for one in _updates(conversation, embedder)]
    return {"updated_first": round(mean(above), 4), "updates": len(above)} if above else {}


def _updates(conversation: Conversation, embedder: Embedder) -> Iterator[bool]:
    asked = [one for one in conversation.questions if one.kind == "knowledge_update"]
    with (
        tempfile.TemporaryDirectory() as home,
        retrieval.filled(conversation, Path(home), embedder) as searcher,
    ):
        for one in asked:
            if one.original and one.updated:
                ranking = retrieval.ranked(searcher, one.text, PRESETS["episodes"], limit=_DEEP)
                yield _first(one.updated, ranking) < _first(one.original, ranking)


def _first(wanted: frozenset[str], ranking: Sequence[str]) -> int:
    """The place of the first of them; behind all for none."""
    return min((ranking.index(one) for one in wanted if one in ranking), default=len(ranking))


def of_situated(rows: Sequence[Dated], embedder: Embedder) -> dict[str, object]:
    """The share of questions whose first fact is the answer in force at the date."""
    starts: dict[str, list[Dated]] = defaultdict(list)
    for row in rows:
        if row.is_start:
            starts[row.question].append(row)
    asked = [row for row in rows if any(start.at <= row.at for start in starts.get(row.question, ()))]
    with tempfile.TemporaryDirectory() as home, workplace(Path(home)) as (bare, _):
        installation = replace(bare, embedder=embedder, ontology=_ONTOLOGY)
        for _accepted in accept(installation, _triples(starts.values())):
            pass
        work(installation)
        searcher = Searcher(graph=installation.graph, clock=installation.clock, embedder=embedder)
        right = [_is_right(searcher, row) for row in asked]
    if not right:
        return {}
    by_rule = mean(_by_rule(starts[row.question], row) for row in asked)
    return {"right": round(mean(right), 4), "by_rule": round(by_rule, 4), "asked": len(right)}


def _triples(starts: Iterable[Sequence[Dated]]) -> Iterator[Draft]:
    for position, row in enumerate(row for rows in starts for row in rows):
        triple = {
            "subject": {"name": row.question, "type": "Question"},
            "predicate": "answered_by",
            "object": {"literal": row.answers[0]},
            "fact": f"{row.question}: {row.answers[0]}",
            "kind": "holds",  # an answer that begins where it held already has not begun anew
            "valid_at": format_instant(row.at),
        }
        yield Draft(
            group_id="default",
            source="situatedqa",
            source_type=SourceType.FACT_TRIPLE,
            content=json.dumps(triple),
            reference_time=row.at,
            time_source=TimeSource.OWN,
            native_id=str(position),
        )


def _by_rule(starts: Sequence[Dated], row: Dated) -> bool:
    begun = [start for start in starts if start.at <= row.at]
    return max(begun, key=lambda start: start.at).answers[0] in row.answers


def _is_right(searcher: Searcher, row: Dated) -> bool:
    found = searcher.search(row.question, View(as_of=row.at), limit=1).facts
    return bool(found) and found[0].fact.object in row.answers


def dated_in(data: Path) -> tuple[Dated, ...]:
    """The rows of a JSON Lines file of SituatedQA, or of all in a folder. Raises `Missing`."""
    files = [data] if data.is_file() else sorted(data.glob("*.jsonl.gz"))
    if not files:
        raise Missing(f"{data}: no *.jsonl.gz of SituatedQA there; give a file or folder with --data")
    lines = (line for file in files for line in gzip.decompress(file.read_bytes()).splitlines())
    return tuple(_row(json.loads(line)) for line in lines)


def _row(row: Mapping[str, Any]) -> Dated:
    return Dated(
        question=row["question"],
        at=_time(row["date"]),
        answers=tuple(str(one) for one in row["answer"]),
        is_start=row["date_type"] == "start",
    )


def _time(text: str) -> datetime:
    for form in _FORMS:
        try:
            return datetime.strptime(text.strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise Incorrect(f"{text!r} is no date; expected one such as '2019' or 'May 28, 2019'")
