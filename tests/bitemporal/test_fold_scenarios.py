"""The scenarios of tests/scenarios/fold (its README describes the format), through `memstrata fold`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from click.testing import CliRunner

from memstrata.bitemporal import as_of, believe
from memstrata.bitemporal.wire import read_placements
from memstrata.cli.fold import fold
from memstrata.instants import parse_instant
from memstrata.ontology import load_stream

if TYPE_CHECKING:
    from collections.abc import Iterable

    from click.testing import Result

_ROOT = Path(__file__).parents[1] / "scenarios" / "fold"
_FILES = sorted(_ROOT.glob("*.yaml"))


def _case(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def _ontology(case: dict[str, Any]) -> str:
    given = case["ontology"]
    return yaml.safe_dump_all(given if isinstance(given, list) else [given])


def _lines(case: dict[str, Any]) -> list[str]:
    return [json.dumps(one, ensure_ascii=False) for one in case["assertions"]]


def _run(case: dict[str, Any], folder: Path, *options: str, lines: list[str] | None = None) -> Result:
    ontology = folder / "ontology.yaml"
    ontology.write_text(_ontology(case), encoding="utf-8")
    given = "".join(f"{line}\n" for line in (_lines(case) if lines is None else lines))
    return CliRunner().invoke(fold, ["--ontology", str(ontology), *options], input=given.encode())


def _records(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def _cases_with(key: str) -> Any:
    cases = [(path.stem, case) for path in _FILES if key in (case := _case(path))]
    return pytest.mark.parametrize("case", [case for _, case in cases], ids=[name for name, _ in cases])


def _assert_matched(found: Iterable[dict[str, Any]], expected: Iterable[dict[str, Any]]) -> None:
    """Every expected entry is one found record, on the fields it gives, and none is left over."""
    left = list(found)
    for entry in expected:
        same = [record for record in left if all(record[name] == value for name, value in entry.items())]
        assert same, f"{entry} is not among {left}"
        left.remove(same[0])
    assert not left


@_cases_with("expect")
def test_the_current_belief_is_as_expected(case: dict[str, Any], tmp_path: Path) -> None:
    _assert_matched(_records(_run(case, tmp_path)), case["expect"])


@_cases_with("expect")
def test_order_and_repetition_of_lines_change_no_byte(case: dict[str, Any], tmp_path: Path) -> None:
    lines = _lines(case)
    backwards = [*reversed(lines), "", *lines]
    for options in ((), ("--history",)):
        assert (
            _run(case, tmp_path, *options, lines=backwards).stdout == _run(case, tmp_path, *options).stdout
        )


@_cases_with("probes")
def test_probes_in_both_times_are_answered(case: dict[str, Any]) -> None:
    placements = list(read_placements(line.encode() for line in _lines(case)))
    stream = load_stream(_ontology(case))
    for probe in case["probes"]:
        system = parse_instant(probe["system"]) if "system" in probe else None
        facts = as_of(believe(placements, stream, system), parse_instant(probe["valid"]))
        assert sorted(f"{one.subject} {one.predicate} {one.object}" for one in facts) == probe["true"], (
            probe
        )


@_cases_with("versions")
def test_the_history_has_so_many_versions(case: dict[str, Any], tmp_path: Path) -> None:
    assert len(_records(_run(case, tmp_path, "--history"))) == case["versions"]


@_cases_with("history")
def test_the_history_is_as_expected(case: dict[str, Any], tmp_path: Path) -> None:
    options = ["--system-time", case["history_system"]] if "history_system" in case else []
    _assert_matched(_records(_run(case, tmp_path, "--history", *options)), case["history"])


@_cases_with("error")
def test_the_error_names_line_and_field(case: dict[str, Any], tmp_path: Path) -> None:
    result = _run(case, tmp_path)
    error = case["error"]
    place = f"line {error['line']}: {error['field']}: " if "line" in error else f"{error['field']}: "
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.match(re.escape(place), result.stderr), result.stderr
    assert error.get("names", "") in result.stderr


def test_there_are_scenarios() -> None:
    assert len(_FILES) > 50
