"""The contract of `ports.SemanticMemory`, kept by both stores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from memstrata.model import Block, Procedure, ProcedureStep, Rate, Slot, Summary, SupportOf
from memstrata.stores.memory import MemoryGraph
from memstrata.stores.sqlite import SqliteGraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import SemanticMemory

MONDAY = datetime(2026, 3, 2, 9, 0, 0, 5, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SemanticMemory]:
    graph = MemoryGraph() if request.param == "memory" else SqliteGraph(tmp_path / "graph.db")
    yield graph
    graph.close()


def summary(text: str, at: datetime, entity: str = "ada") -> Summary:
    block = Block(topic="works_at", text=text, facts=("f1", "f2"), evidence=("a1",))
    return Summary(
        entity_id=entity, group_id="g", blocks=(block,), input_hash=f"hash of {text}", created_at=at
    )


def procedure(name: str, support: int) -> Procedure:
    slot = Slot(argument="user_id", name="user_id", type="string")
    return Procedure(
        procedure_id=name,
        group_id="g",
        name=name,
        steps=(ProcedureStep(tool="look_up", slots=(slot,), repeats=False),) * 2,
        support=support,
        support_of=SupportOf.TASKS,
        success_with=Rate(successes=2, runs=3),
        success_without=Rate(successes=0, runs=0),
        evidence=("e1", "e2"),
    )


def test_an_earlier_summary_stays_readable_as_of_its_time(store: SemanticMemory) -> None:
    early, late = summary("At Acme.", MONDAY), summary("At Globex.", MONDAY + DAY)
    store.put_summaries([early])
    store.put_summaries([late])
    assert store.summary("g", "ada") == late
    assert store.summary("g", "ada", at=MONDAY + DAY) == late
    assert store.summary("g", "ada", at=MONDAY + DAY / 2) == early
    assert store.summary("g", "ada", at=MONDAY - DAY) is None
    assert store.summary("g", "bob") is None


def test_a_summary_of_the_same_instant_replaces_the_one_before(store: SemanticMemory) -> None:
    store.put_summaries([summary("Wrong.", MONDAY)])
    store.put_summaries([summary("Right.", MONDAY)])
    assert store.summary("g", "ada", at=MONDAY) == summary("Right.", MONDAY)


def test_hashes_are_those_of_the_latest_summaries_of_the_group(store: SemanticMemory) -> None:
    store.put_summaries([summary("At Acme.", MONDAY), summary("In Oslo.", MONDAY, entity="bob")])
    store.put_summaries([summary("At Globex.", MONDAY + DAY)])
    assert store.summary_hashes("g") == {"ada": "hash of At Globex.", "bob": "hash of In Oslo."}
    assert store.summary_hashes("other") == {}


def test_procedures_hold_until_a_later_run_leaves_them_out(store: SemanticMemory) -> None:
    store.put_procedures("g", [procedure("book", 2), procedure("cancel", 5)], MONDAY)
    store.put_procedures("g", [procedure("book", 3)], MONDAY + DAY)
    assert [one.name for one in store.procedures("g", at=MONDAY)] == ["cancel", "book"]
    assert store.procedures("g") == (procedure("book", 3),)
    assert store.procedures("g", at=MONDAY - DAY) == ()
    assert store.procedures("other") == ()


def test_putting_the_same_procedures_again_changes_nothing(store: SemanticMemory) -> None:
    for days in range(3):
        store.put_procedures("g", [procedure("book", 2)], MONDAY + days * DAY)
    assert store.procedures("g", at=MONDAY) == store.procedures("g") == (procedure("book", 2),)


def test_clearing_a_groups_graph_keeps_what_was_made_of_it(store: SemanticMemory) -> None:
    store.put_summaries([summary("At Acme.", MONDAY)])
    store.clear("g")  # type: ignore[attr-defined]  # a role of the same object
    assert store.summary("g", "ada") == summary("At Acme.", MONDAY)
