"""Each row of the table in docs/fold.md, section 5, as a test; `works_at` has one value."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from memstrata.bitemporal import believe, fold, violations
from memstrata.errors import Incorrect
from memstrata.instants import Precision, StatedTime, format_instant
from memstrata.model import Kind, Placement
from memstrata.ontology import Cardinality, Ontology, OntologyStream, Relation

if TYPE_CHECKING:
    from memstrata.model import Fact

ONTOLOGY = Ontology(relations=(Relation(name="works_at", cardinality=Cardinality.ONE),))
_UNITS = {4: Precision.YEAR, 7: Precision.MONTH, 10: Precision.DAY}
_LONG = "2019-01-01T00:00:00Z"


def _at(text: str) -> datetime:
    """`2019`, `2019-03` or `2019-03-15`: the first instant of it."""
    return datetime.fromisoformat(text + _LONG[len(text) :]).astimezone(UTC)


def _stated(text: str | None) -> StatedTime | None:
    """A time with the precision that its text shows; `=2020` is exact."""
    if text is None:
        return None
    if text.startswith("="):
        return StatedTime(_at(text[1:]))
    return StatedTime(_at(text), _UNITS[len(text)])


def say(
    kind: str, object_: str, spoken: str, valid_at: str | None = None, invalid_at: str | None = None
) -> dict[str, object]:
    return {
        "kind": Kind(kind),
        "object": object_,
        "reference_time": _at(spoken),
        "valid_at": _stated(valid_at),
        "invalid_at": _stated(invalid_at),
    }


def _placements(said: list[dict[str, object]]) -> list[Placement]:
    return [
        Placement(
            id=f"a{number}",
            group_id="g",
            episode_id=f"e{number}",
            subject="s",
            predicate="works_at",
            fact=f"sentence {number}",
            recorded_at=_at("2026"),
            **one,
        )
        for number, one in enumerate(said)
    ]


def _shown(fact: Fact) -> str:
    start = "?" if fact.valid_at is None else _short(fact.valid_at)
    stop = "open" if fact.invalid_at is None else _short(fact.invalid_at)
    return f"{fact.object} {start} .. {stop}" + (" contested" if fact.contested else "")


def _short(instant: datetime) -> str:
    text = format_instant(instant)
    return text.removesuffix("T00:00:00Z")


ROWS = {
    1: ([say("holds", "A", "2024-05-01")], ["A 2024-05-01 .. open"]),
    2: ([say("holds", "A", "2024", "2019")], ["A 2019-01-01 .. open"]),
    3: ([say("holds", "A", "2024", "2019", "=2020")], ["A 2019-01-01 .. 2020-01-01"]),
    4: ([say("ended", "A", "2024", None, "2022-06")], ["A ? .. 2022-06-01"]),
    5: (
        [say("holds", "A", "2024-01-10"), say("ended", "A", "2024-06-10")],
        ["A 2024-01-10 .. 2024-06-10"],
    ),
    6: (
        [say("holds", "B", "2024"), say("holds", "A", "2021")],
        ["A 2021-01-01 .. 2024-01-01", "B 2024-01-01 .. open"],
    ),
    7: (
        [
            say("started", "A", "2023", "2018"),
            say("started", "B", "2023", "2020"),
            say("started", "A", "2023", "2022"),
        ],
        ["A 2018-01-01 .. 2020-01-01", "A 2022-01-01 .. open", "B 2020-01-01 .. 2022-01-01"],
    ),
    8: (
        [say("ended", "A", "2024-07-01"), say("holds", "B", "2024-07-01")],
        ["A ? .. 2024-07-01", "B 2024-07-01 .. open"],
    ),
    9: (
        [say("started", "A", "2020-06", "2019"), say("started", "A", "2021", "2020")],
        ["A 2020-01-01 .. open"],
    ),
    10: (
        [say("started", "A", "2020", "2019-03-15"), say("started", "A", "2024", "2019")],
        ["A 2019-03-15 .. open"],
    ),
    11: (
        [
            say("holds", "A", "2024-04-01", "2024-02"),
            say("denied", "A", "2024-04-10", "2024-02", "=2024-03"),
            say("started", "A", "2024-04-10", "2024-03"),
        ],
        ["A 2024-03-01 .. open"],
    ),
    12: ([say("holds", "A", "2024-01", "2019"), say("denied", "A", "2024-03", None, "=2024-03")], []),
    13: (
        [say("holds", "A", "2024-01"), say("denied", "A", "2024-02"), say("holds", "A", "2024-03")],
        ["A 2024-01-01 .. 2024-02-01", "A 2024-03-01 .. open"],
    ),
    14: (
        [say("holds", "A", "2024-03-15"), say("ended", "A", "2024-04-10", None, "2024-03")],
        ["A 2024-03-15 .. 2024-04-01"],
    ),
    15: (
        [say("holds", "A", "2024-02"), say("started", "B", "2024-11", "2024")],
        ["A 2024-02-01 .. 2024-02-01T00:00:00.000001Z", "B 2024-02-01T00:00:00.000001Z .. open"],
    ),
    16: (
        [say("holds", "A", "2025", "=2019", "=2022"), say("holds", "A", "2025", "=2021", "=2024")],
        ["A 2019-01-01 .. 2024-01-01"],
    ),
    17: (
        [say("holds", "A", "2023", "2019", "2022"), say("denied", "A", "2024", "2020", "=2021")],
        ["A 2019-01-01 .. 2020-01-01", "A 2021-01-01 .. 2022-01-01"],
    ),
    18: (
        [say("holds", "B", "2024", "2015"), say("ended", "A", "2024", None, "2019")],
        ["A 2019-01-01 .. 2019-01-01 contested", "B 2015-01-01 .. open"],
    ),
    19: (
        [say("ended", "A", "2024", None, "2015"), say("ended", "B", "2024", None, "2019")],
        ["A ? .. 2015-01-01", "B 2015-01-01 .. 2019-01-01"],
    ),
    20: (
        [say("started", "X", "2024-05", "2024-04-01"), say("started", "Y", "2024-06", "2024-04-01")],
        ["X 2024-04-01 .. 2024-04-01 contested", "Y 2024-04-01 .. open"],
    ),
    21: (
        [say("ended", "A", "2024-04", None, "2024-06-01"), say("ended", "A", "2024-05-05")],
        ["A ? .. 2024-05-05"],
    ),
    22: (
        [say("started", "A", "2024", "2019"), say("ended", "A", "2024", None, "2019")],
        ["A 2019-01-01 .. 2020-01-01"],
    ),
    23: (
        [
            say("started", "B", "2024-06", "2024-01-15"),
            say("holds", "A", "2024-01-10", "2015"),
            say("ended", "A", "2024-06", None, "2024-03"),
        ],
        ["A 2015-01-01 .. 2024-01-15", "B 2024-01-15 .. open"],
    ),
    24: ([say("holds", "A", "2021")], ["A 2021-01-01 .. open"]),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_row_of_the_specification_folds_as_it_says(row: int) -> None:
    said, expected = ROWS[row]
    assert [_shown(fact) for fact in fold(_placements(said), ONTOLOGY)] == expected


def test_row_25_a_merge_moves_the_object_and_keeps_the_start() -> None:
    first, later = _placements([say("holds", "A", "2021"), say("holds", "B", "2024")])
    moved = replace(first, object="B", recorded_at=_at("2026-02"))
    retracted = replace(first, retracted_at=_at("2026-02"))
    stream = OntologyStream(first=ONTOLOGY)
    facts = believe([retracted, moved, later], stream, None)
    assert [_shown(fact) for fact in facts] == ["B 2021-01-01 .. open"]
    assert facts[0].evidence == (first.id, later.id)


def test_of_two_implied_values_the_second_gives_way_where_the_first_was_placed_late() -> None:
    said = _placements(
        [
            say("holds", "C", "2024", "=2010", "=2012"),
            say("ended", "A", "2023", None, "=2011"),
            say("ended", "A", "2024", None, "=2015"),
            say("ended", "B", "2023", None, "=2011-06"),
            say("ended", "B", "2024", None, "=2018"),
        ]
    )
    facts = fold(said, ONTOLOGY)
    assert [_shown(fact) for fact in facts] == [
        "A 2012-01-01 .. 2015-01-01",
        "B 2012-01-01 .. 2012-01-01 contested",
        "C 2010-01-01 .. 2012-01-01",
    ]
    assert violations(facts, said, ONTOLOGY) == ()


def test_two_different_placements_of_one_id_are_not_folded_together() -> None:
    first, later = _placements([say("holds", "A", "2021"), say("holds", "B", "2024")])
    with pytest.raises(Incorrect, match="'a0' is placed twice"):
        fold([first, replace(later, id=first.id)], ONTOLOGY)


def test_violations_name_overlaps_empty_facts_and_foreign_evidence() -> None:
    said = _placements([say("holds", "A", "2021"), say("holds", "B", "2024")])
    first, later = fold(said, ONTOLOGY)
    wrong = [
        replace(first, invalid_at=None),
        replace(later, invalid_at=later.valid_at, evidence=("a0",)),
    ]
    found = " ".join(violations([*wrong, replace(later, id="other")], said, ONTOLOGY))
    assert "is true while" in found
    assert "ends before it begins" in found
    assert "rests on assertion 'a0'" in found
