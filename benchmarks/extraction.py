"""Offline extraction against gold sentences (scenarios/extraction), and texts a second."""

from __future__ import annotations

import importlib.util
import json
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from memstrata.errors import Missing
from memstrata.extraction.offline.extractor import OfflineExtractor
from memstrata.extraction.wire import read_texts, write_facts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_SHARED = Path(__file__).parents[2] / "shared" / "scenarios" / "extraction"
_COPIES = 4


def run(data: Path | None) -> dict[str, object]:
    """Recall and precision over all texts but the multilingual ones; forbidden facts; texts a second.

    `data`: one gold file. Speed counts the texts of four more passes, so that start-up does not.
    Raises `Missing` without the gold file or the scorer that defines its rules.
    """
    score = _scorer()
    gold = data or _SHARED / "dev.yaml"
    if not gold.is_file():
        raise Missing(f"{gold} is not there; give a gold file with --data")
    cases = yaml.load(gold.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    extractor = OfflineExtractor()
    reply, first = _extracted(extractor, cases)
    _, more = _extracted(extractor, [case for _ in range(_COPIES) for case in cases])
    facts, bad = score.parse_reply(reply, {case["id"] for case in cases})
    rows = [(case, score.score_case(case, score.unique(facts[case["id"]]))) for case in cases]
    headline = score.rates([row for case, row in rows if "multilingual" not in case["tags"]])
    by_tag = defaultdict(list)
    for case, row in rows:
        for tag in case["tags"]:
            by_tag[tag].append(row)
    return {
        "recall": headline["recall"],
        "precision": headline["precision"],
        "forbidden": headline["forbidden_hits"],
        "facts_on_empty": headline["facts_on_empty"],
        "texts_per_s": round(_COPIES * len(cases) / more, 1),
        "recall_with_times": headline["recall_with_times"],
        "precision_with_times": headline["precision_with_times"],
        "dates_right": headline["dates_right"],
        "evidence_not_in_text": headline["evidence_not_in_text"],
        "bad_lines": len(bad),
        "cases": headline["cases"],
        "first_pass_s": round(first, 2),
        "version": extractor.version,
        "by_tag": {tag: _short(score.rates(found)) for tag, found in sorted(by_tag.items())},
    }


def _short(rates: dict[str, Any]) -> dict[str, object]:
    return {key: rates[key] for key in ("cases", "recall", "precision", "forbidden_hits")}


def _scorer() -> ModuleType:
    """The scorer that stands beside the shared gold file: its rules are the definition."""
    path = _SHARED / "score.py"
    spec = importlib.util.spec_from_file_location("extraction_score", path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise Missing(f"{path} is not there: the scoring rules of extraction live in that file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _extracted(extractor: OfflineExtractor, cases: Sequence[dict[str, Any]]) -> tuple[str, float]:
    """What `memstrata extract --offline` would write for the cases, and the seconds it took."""
    lines = [json.dumps({key: case[key] for key in ("id", "text", "reference_time")}) for case in cases]
    began = time.perf_counter()
    episodes = list(read_texts(lines))
    found = extractor.extract_all((episode, ()) for episode in episodes)
    reply = "\n".join(line for extraction in found for line in write_facts(extraction))
    return reply, time.perf_counter() - began
