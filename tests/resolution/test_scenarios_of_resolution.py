from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memstrata.resolution.resolver import resolve
from memstrata.resolution.wire import read

if TYPE_CHECKING:
    from memstrata.resolution import Resolution

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "tests" / "scenarios" / "resolution"


def _scorer() -> Any:
    spec = importlib.util.spec_from_file_location(
        "resolution_benchmark", ROOT / "benchmarks" / "resolution.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCORER = _scorer()
CASES = SCORER.load(SCENARIOS)


@pytest.fixture(scope="module")
def whole() -> Resolution:
    return resolve(*read(line for case in CASES for line in SCORER.wire_lines(case)))


@pytest.fixture(scope="module")
def total(whole: Resolution) -> Counter[str]:
    return sum((SCORER.score(case, whole) for case in CASES), Counter())


def test_no_forbidden_pair_is_merged(total: Counter[str]) -> None:
    assert total["forbidden"] == 0


def test_no_ambiguous_pair_is_merged(total: Counter[str]) -> None:
    assert total["ambiguous_merged"] == 0


def test_nine_ambiguous_pairs_in_ten_are_listed_for_review(total: Counter[str]) -> None:
    assert total["ambiguous_listed"] >= 0.9 * total["ambiguous"]


def test_what_is_merged_is_right(total: Counter[str]) -> None:
    assert total["wrong"] == 0


def test_most_of_what_should_be_merged_is(total: Counter[str]) -> None:
    assert total["right"] >= 0.95 * (total["right"] + total["missed"])


def test_junk_is_refused_and_names_are_not(total: Counter[str]) -> None:
    assert total["junk_let_in"] == total["refused_wrongly"] == 0


def test_each_case_alone_resolves_as_among_all(whole: Resolution) -> None:
    alone = [resolve(*read(SCORER.wire_lines(case))) for case in CASES]
    assert sorted(whole.clusters, key=lambda one: one.entity_id) == sorted(
        (cluster for result in alone for cluster in result.clusters), key=lambda one: one.entity_id
    )
