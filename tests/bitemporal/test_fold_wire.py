"""What `memstrata fold` refuses, in which order, and what its lines look like to the byte."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from fold_strategies import SYSTEM
from hypothesis import given
from hypothesis import strategies as st

from memstrata.bitemporal.wire import parse_placement, read_placements
from memstrata.cli.fold import fold
from memstrata.errors import Misplaced
from memstrata.instants import format_instant

if TYPE_CHECKING:
    from pathlib import Path

GOOD: dict[str, Any] = {
    "id": "a1",
    "group_id": "g",
    "episode_id": "e1",
    "subject": "anna",
    "predicate": "works_at",
    "object": "Bäckerei Weiß",
    "fact": "Anna arbeitet in der Bäckerei Weiß.",
    "kind": "holds",
    "reference_time": "2024-01-10T09:00:00+01:00",
    "recorded_at": "2024-01-10T08:00Z",
}
_NO_FIELD = object()


def _line(**changes: Any) -> bytes:
    record = {name: value for name, value in (GOOD | changes).items() if value is not _NO_FIELD}
    return json.dumps(record).encode()


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"id": _NO_FIELD, "group_id": ""}, "id", "is missing"),
        ({"group_id": "", "fact": 3}, "group_id", "non-empty string"),
        ({"fact": ["x"], "kind": "began"}, "fact", "non-empty string"),
        ({"object": "anna", "kind": "began"}, "object", "is the subject too"),
        ({"kind": "began", "reference_time": None}, "kind", "expected started, holds, ended, denied"),
        ({"kind": None}, "kind", "unknown"),
        ({"reference_time": None, "recorded_at": 5}, "reference_time", "is missing"),
        ({"recorded_at": "2024-01-10T08:00"}, "recorded_at", "has no UTC offset"),
        ({"valid_at": "2023-02-29T00:00Z", "confidence": 2}, "valid_at", "does not exist"),
        ({"valid_at": "2024-01-10T08:00:00.1234567Z"}, "valid_at", "is not a time"),
        ({"invalid_at": "0001-01-01T00:00:00+01:00"}, "invalid_at", "outside the years"),
        ({"retracted_at": 17, "valid_at_precision": "eon"}, "retracted_at", "is not a time"),
        ({"valid_at": "2023-01-01T00:00Z", "valid_at_precision": "eon"}, "valid_at_precision", "decade"),
        ({"invalid_at": "2023-01-01T00:00Z", "invalid_at_precision": 1}, "invalid_at_precision", "unknown"),
        ({"confidence": None}, "confidence", "null"),
        ({"confidence": True}, "confidence", "true"),
        ({"confidence": "1"}, "confidence", "from 0 to 1"),
        (
            {"valid_at": "2024-01-01T00:00Z", "invalid_at": "2023-01-01T00:00Z", "confidence": -0.1},
            "confidence",
            "-0.1",
        ),
        ({"valid_at": "2024-01-01T00:00Z", "invalid_at": "2023-12-31T00:00Z"}, "invalid_at", "is before"),
        ({"kind": "ended", "valid_at": "2025-01-01T00:00Z"}, "valid_at", "is after reference_time"),
        ({"retracted_at": "2024-01-10T07:59:59Z"}, "retracted_at", "is before recorded_at"),
    ],
)
def test_the_first_thing_wrong_with_a_line_is_named(changes: dict[str, Any], field: str, said: str) -> None:
    with pytest.raises(Misplaced) as refused:
        parse_placement(_line(**changes))
    assert refused.value.field == field
    assert said in refused.value.problem


@pytest.mark.parametrize("line", [b"[1]", b'"a"', b"{", b'{"id": "\xff"}', b'{"confidence": NaN}', b"null"])
def test_what_is_no_json_object_is_refused(line: bytes) -> None:
    with pytest.raises(Misplaced) as refused:
        parse_placement(line)
    assert refused.value.field == "json"


def test_blank_lines_are_counted_but_say_nothing() -> None:
    with pytest.raises(Misplaced) as refused:
        list(read_placements([b"\n", _line(), b"  \r\n", _line(id="a2", kind="?")]))
    assert (refused.value.line, refused.value.field) == (4, "kind")


def test_a_period_may_begin_inside_the_period_of_its_end() -> None:
    inside = {"valid_at": "2019-03-15T00:00Z", "invalid_at": "2019-01-01T00:00Z"}
    assert parse_placement(_line(**inside, invalid_at_precision="year")).valid_at is not None
    with pytest.raises(Misplaced):
        parse_placement(_line(**inside, invalid_at_precision="month"))


def test_a_precision_without_its_time_is_ignored() -> None:
    assert parse_placement(_line(valid_at_precision="eon")) == parse_placement(_line())


def test_equal_lines_are_one_whatever_their_offsets() -> None:
    same = _line(
        reference_time="2024-01-10T08:00:00.000Z", recorded_at="2024-01-10T09:00+01:00", confidence=1
    )
    assert len(list(read_placements([_line(), same]))) == 1


@pytest.mark.parametrize("change", [{"group_id": "h"}, {"episode_id": "e2"}])
def test_an_id_keeps_its_group_and_episode_even_when_it_was_never_live(change: dict[str, str]) -> None:
    never = _line(retracted_at=GOOD["recorded_at"], **change)
    with pytest.raises(Misplaced) as refused:
        list(read_placements([_line(), never]))
    assert (refused.value.line, refused.value.field) == (2, "id")


_spans = st.tuples(st.sampled_from(SYSTEM), st.none() | st.sampled_from(SYSTEM)).filter(
    lambda span: span[1] is None or span[0] <= span[1]
)


@given(st.lists(st.tuples(_spans, st.sampled_from(["A", "B"])), min_size=1, max_size=4))
def test_12_an_id_is_refused_exactly_if_two_of_its_lines_are_live_together(lines: list[Any]) -> None:
    written = [
        _line(
            object=object_,
            recorded_at=format_instant(start),
            retracted_at=None if stop is None else format_instant(stop),
        )
        for (start, stop), object_ in lines
    ]
    different = list(dict.fromkeys(lines))
    together = any(
        sum(start <= system and (stop is None or stop > system) for (start, stop), _ in different) > 1
        for system in SYSTEM
    )
    if together:
        with pytest.raises(Misplaced, match="live at one system time"):
            list(read_placements(written))
    else:
        assert len(list(read_placements(written))) == len(different)


def _run(tmp_path: Path, ontology: str, given_: bytes, *options: str) -> Any:
    file = tmp_path / "ontology.yaml"
    file.write_text(ontology, encoding="utf-8")
    return CliRunner().invoke(fold, ["--ontology", str(file), *options], input=given_)


def test_a_fact_is_one_compact_line_in_the_order_of_the_specification(tmp_path: Path) -> None:
    result = _run(tmp_path, "", _line(valid_at="2024-01-10T08:00:00.5Z", confidence=1))
    assert result.stdout == (
        '{"id":"b35f13d7-4d3e-5340-b2a2-0dc94abed939","group_id":"g","subject":"anna","predicate":"works_at",'
        '"object":"Bäckerei Weiß","fact":"Anna arbeitet in der Bäckerei Weiß.",'
        '"valid_at":"2024-01-10T08:00:00.500000Z","valid_at_precision":"instant","invalid_at":null,'
        '"invalid_at_precision":null,"evidence":["a1"],"contested":false,"confidence":1.0}\n'
    )


def test_history_as_of_a_system_time_knows_nothing_later(tmp_path: Path) -> None:
    placed = _line(retracted_at="2024-02-01T00:00Z")
    whole = json.loads(_run(tmp_path, "", placed, "--history").stdout)
    assert (whole["created_at"], whole["expired_at"]) == ("2024-01-10T08:00:00Z", "2024-02-01T00:00:00Z")
    early = json.loads(_run(tmp_path, "", placed, "--history", "--system-time", "2024-01-31T00:00Z").stdout)
    assert early["expired_at"] is None
    assert _run(tmp_path, "", placed, "--system-time", "2024-01-10T07:59Z").stdout == ""


@pytest.mark.parametrize(
    ("ontology", "named"),
    [
        ("relations: [{name: a}, {name: a}]", "'a' is declared twice"),
        ("relations: [{cardinality: one}]", "relation 1 of document 1 has no name"),
        ("relations: [{name: a, cardinality: few}]", "relation 'a'"),
        ("relations: [{name: a, cardinality: one, symmetric: true}]", "relation 'a'"),
        ("default_cardinality: one\nrelations: [{name: a, symmetric: true}]", "relation 'a'"),
        ("default_cardinality: few", "default_cardinality"),
        ("in_force_from: 2024-01-01T00:00:00Z", "in_force_from"),
        ("{}\n---\nrelations: []", "in_force_from"),
        ("{}\n---\nin_force_from: 2024-01-01T00:00:00", "no UTC offset"),
        ("relations: [", "not YAML"),
        ("- 1", "not a mapping"),
    ],
)
def test_a_wrong_ontology_comes_before_any_line(tmp_path: Path, ontology: str, named: str) -> None:
    result = _run(tmp_path, ontology, b"nonsense\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("ontology: ")
    assert named in result.stderr


def test_quoted_and_plain_times_come_into_force_alike(tmp_path: Path) -> None:
    stream = "{{}}\n---\nin_force_from: {}\ndefault_cardinality: one\nunknown: [kept, {{out: of}}]\n"
    said = _line() + b"\n" + _line(id="a2", episode_id="e2", object="B", reference_time="2024-01-11T00:00Z")
    plain = _run(tmp_path, stream.format("2024-03-01T01:00:00+01:00"), said, "--history").stdout
    quoted = _run(tmp_path, stream.format("'2024-03-01T00:00:00Z'"), said, "--history").stdout
    assert plain == quoted
    assert len(plain.splitlines()) == 3


def test_a_wrong_system_time_is_refused(tmp_path: Path) -> None:
    result = _run(tmp_path, "", b"nonsense\n", "--system-time", "2024-01-01T00:00:00")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("--system-time: ")


def test_lines_separated_by_other_line_ends_inside_text_stay_whole() -> None:
    (placement,) = read_placements([_line(fact="one\u2028two\u0085three")])
    assert placement.fact == "one\u2028two\u0085three"
