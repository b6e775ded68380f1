"""Communities: who belongs together by facts, the same for the same facts, and told in a few words."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import pytest

from memstrata.consolidation.communities import communities_of
from memstrata.errors import Missing
from memstrata.instants import Precision
from memstrata.model import Fact, ObjectKind

pytest.importorskip("graspologic_native")


def _fact(left: str, right: str, predicate: str = "knows", year: int | None = None) -> Fact:
    return Fact(
        id=f"{left}-{predicate}-{right}",
        group_id="g",
        subject=left,
        predicate=predicate,
        object=right,
        fact=f"{left} {predicate} {right}",
        valid_at=None if year is None else datetime(year, 1, 1, tzinfo=UTC),
        valid_at_precision=None if year is None else Precision.YEAR,
        invalid_at=None,
        invalid_at_precision=None,
        evidence=("e",),
        contested=False,
        confidence=1.0,
    )


def _clique(*names: str) -> list[Fact]:
    return [_fact(left, right) for left, right in combinations(names, 2)]


_TWO = [*_clique("a", "b", "c", "d"), *_clique("v", "w", "x", "y", "z"), _fact("a", "z")]


def _sets(facts: list[Fact]) -> list[set[str]]:
    return [{member.entity_id for member in one.members} for one in communities_of(facts, {})]


def test_two_circles_with_one_acquaintance_are_two_communities_the_larger_first() -> None:
    assert _sets(_TWO) == [{"v", "w", "x", "y", "z"}, {"a", "b", "c", "d"}]


def test_the_order_of_facts_does_not_matter() -> None:
    shuffled = list(_TWO)
    random.Random(1).shuffle(shuffled)  # noqa: S311 (an order, no secret)
    turned = [replace(one, subject=one.object, object=one.subject) for one in shuffled]
    assert communities_of(shuffled, {}) == communities_of(_TWO, {})
    assert _sets(turned) == _sets(_TWO)


def test_another_process_finds_the_same() -> None:
    said = (
        "import random; from memstrata.consolidation.communities import _partition; r = random.Random(3);"
        "pairs = {(f'{a}', f'{b}'): 1 for a in range(60) for b in range(a) if r.random() < 0.1};"
        "print(sorted(_partition(pairs).items()))"
    )
    run = [sys.executable, "-c", said]
    root = Path(__file__).parents[2]
    answers = {subprocess.run(run, cwd=root, capture_output=True, check=True).stdout for _ in range(3)}
    assert len(answers) == 1


def test_literals_contested_facts_and_oneself_join_nobody() -> None:
    facts = [
        replace(_fact("a", "41"), object_kind=ObjectKind.LITERAL),
        replace(_fact("a", "b"), contested=True),
        _fact("a", "a"),
    ]
    assert communities_of(facts, {}) == ()


def test_no_facts_have_no_communities() -> None:
    assert communities_of([], {}) == ()


def test_a_report_tells_size_centre_relations_and_times() -> None:
    facts = [
        _fact("a", "lab", "works_at", 2019),
        _fact("b", "lab", "works_at", 2021),
        _fact("a", "b", "knows"),
    ]
    [found] = communities_of(facts, {"a": "Ann", "b": "Bob", "lab": "Lab"})
    assert found.report == (
        "3 entities, by facts among them: Ann (2), Bob (2), Lab (2). "
        "Relations: works at (2), knows (1). Times: 2019 to 2021."
    )
    assert (found.facts, found.since, found.until) == (
        3,
        datetime(2019, 1, 1, tzinfo=UTC),
        datetime(2021, 1, 1, tzinfo=UTC),
    )


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class _Absent:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "graspologic_native":
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.delitem(sys.modules, "graspologic_native", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Absent(), *sys.meta_path])
    with pytest.raises(Missing, match=r"pip install 'memstrata\[communities\]'"):
        communities_of(_TWO, {})
