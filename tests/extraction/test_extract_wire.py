from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from memstrata.errors import Misplaced
from memstrata.extraction.wire import coarse, read_texts, write_facts
from memstrata.instants import Precision, StatedTime

if TYPE_CHECKING:
    from memstrata.extraction.offline.extractor import OfflineExtractor


ROOT = Path(__file__).parents[2]
SCORER = ROOT.parent / "shared" / "scenarios" / "extraction" / "score.py"
GOOD = (
    '{"id": "d1", "text": "User: I moved from Aarhus to Tampere last month.",'
    ' "reference_time": "2025-07-24T09:00:00Z"}'
)
FRIDAY = datetime(2025, 8, 15, 16, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("precision", "text"),
    [
        (Precision.YEAR, "2025"),
        (Precision.DECADE, "2025"),
        (Precision.QUARTER, "2025-08"),
        (Precision.MONTH, "2025-08"),
        (Precision.WEEK, "2025-08-15"),
        (Precision.DAY, "2025-08-15"),
        (Precision.MINUTE, "2025-08-15T16:30:00Z"),
        (Precision.INSTANT, "2025-08-15T16:30:00Z"),
    ],
)
def test_a_time_is_written_as_coarse_as_it_was_said(precision: Precision, text: str) -> None:
    assert coarse(StatedTime(FRIDAY, precision)) == text


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("{", "line 3: not JSON"),
        ("[]", "line 3: not a JSON object"),
        ('{"id": "x", "text": "y"}', "line 3, reference_time"),
        ('{"id": "x", "text": "", "reference_time": "2025-07-24T09:00:00Z"}', "line 3, text"),
        ('{"id": 1, "text": "y", "reference_time": "2025-07-24T09:00:00Z"}', "line 3, id"),
        ('{"id": "x", "text": "y", "reference_time": "2025-07-24T09:00:00"}', "no UTC offset"),
    ],
)
def test_a_malformed_line_is_named(line: str, names: str) -> None:
    with pytest.raises(Misplaced, match=names):
        list(read_texts([GOOD, "", line]))


def run(given: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from memstrata.cli import main; main()", "extract", "--offline"]
    return subprocess.run(command, input=given, capture_output=True, check=False, cwd=ROOT)


def test_the_command_reads_texts_and_writes_facts() -> None:
    done = run(f"{GOOD}\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    facts = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(fact["object"], fact["kind"]) for fact in facts} == {
        ("Tampere", "started"),
        ("Aarhus", "ended"),
    }
    assert {fact["valid_at"] or fact["invalid_at"] for fact in facts} == {"2025-06"}


@pytest.mark.parametrize("bad", [b"{\n", b'{"id": "\xff"}\n'])
def test_the_command_refuses_a_malformed_line_and_writes_nothing(bad: bytes) -> None:
    done = run(GOOD.encode() + b"\n" + bad)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"line 2" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not SCORER.is_file(), reason="the scorer of the shared scenarios is not there")
def test_the_scenarios_are_met(extractor: OfflineExtractor) -> None:
    spec = importlib.util.spec_from_file_location("extraction_score", SCORER)
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    cases = yaml.safe_load((ROOT / "tests/scenarios/extraction/dev.yaml").read_text(encoding="utf-8"))
    lines = [json.dumps({key: case[key] for key in ("id", "text", "reference_time")}) for case in cases]
    found = defaultdict(list)
    for extraction in extractor.extract_all((episode, ()) for episode in read_texts(lines)):
        found[extraction.episode_id] = [json.loads(line) for line in write_facts(extraction)]
    rows = [
        score.score_case(case, score.unique(found[case["id"]]))
        for case in cases
        if "multilingual" not in case["tags"]
    ]
    rates = score.rates(rows)
    assert rates["recall"] >= 0.8
    assert rates["precision"] >= 0.88
    assert rates["forbidden_hits"] <= 3
    assert rates["facts_on_empty"] <= 3
    assert rates["evidence_not_in_text"] == 0
