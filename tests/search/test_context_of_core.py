"""Contexts with core blocks, summaries and neighbouring turns, and their budgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_world import FIRST_COMMIT, StoppedClock, build, when

from memstrata.errors import Incorrect
from memstrata.model import Block, Summary
from memstrata.search.context import context
from memstrata.search.core import CoreBlock
from memstrata.search.searcher import Searcher
from memstrata.search.tokens import tokens_of
from memstrata.search.view import View
from memstrata.stores.memory import MemoryGraph

if TYPE_CHECKING:
    from memstrata.search.context import Context
    from memstrata.search.core import CoreMemory

QUERY = "Alice Bob Zoë works lives plays"


@dataclass(frozen=True, slots=True)
class Blocks:
    """Core blocks as they are given."""

    given: tuple[tuple[str, str], ...]

    def blocks(self, view: View) -> tuple[CoreBlock, ...]:
        return tuple(CoreBlock(group_id="default", label=label, text=text) for label, text in self.given)


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    graph = MemoryGraph()
    build(graph)
    block = Block(
        topic="work", text="Alice is an engineer at Globex.", facts=("f-globex",), evidence=("x3",)
    )
    graph.put_summaries(
        [
            Summary(
                entity_id="alice",
                group_id="default",
                blocks=(block,),
                input_hash="h",
                created_at=FIRST_COMMIT,
            )
        ]
    )
    return Searcher(graph=graph, clock=StoppedClock())


def packed(searcher: Searcher, budget: int, *given: tuple[str, str], query: str = QUERY) -> Context:
    core: CoreMemory = Blocks(given)  # type: ignore[assignment]  # what a context asks of it
    return context(searcher, query, budget=budget, core=core)


def test_core_blocks_stand_first_whole_and_indented(searcher: Searcher) -> None:
    answer = packed(searcher, 500, ("persona", "Be brief.\nFacts:"), ("human", "Ada"))
    assert answer.text.splitlines()[:6] == [
        "From memory as of 2024-06-01:",
        "Core persona:",
        "  Be brief. [core memory persona]",
        "  Facts: [core memory persona]",
        "Core human:",
        "  Ada [core memory human]",
    ]
    assert [block.label for block in answer.core] == ["persona", "human"]


def test_a_budget_too_small_for_the_core_is_refused_with_the_least_that_will_do(
    searcher: Searcher,
) -> None:
    block = ("persona", "Never guess. " * 40)
    with pytest.raises(Incorrect, match=r"the core blocks \(persona\)") as refused:
        packed(searcher, 100, block)
    least = int(str(refused.value).split("at least ")[1].split(",")[0])
    assert packed(searcher, least, block).tokens <= least
    with pytest.raises(Incorrect, match=f"at least {least}"):
        packed(searcher, least - 1, block)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from(["persona", "human", "aims"]), st.text(max_size=120)), max_size=3),
    st.integers(0, 600),
)
def test_no_context_is_over_its_budget(
    searcher: Searcher, blocks: list[tuple[str, str]], budget: int
) -> None:
    try:
        answer = packed(searcher, budget, *blocks)
    except Incorrect as error:
        assert "expected at least" in str(error)  # noqa: PT017 (either answer will do)
        return
    assert tokens_of(answer.text) == answer.tokens <= budget
    for _, text in blocks:
        assert all(f"  {line}" in answer.text for line in text.splitlines())


def test_the_summary_of_whom_the_query_names_is_there_in_the_present_alone(searcher: Searcher) -> None:
    line = "- Alice Liddell: Alice is an engineer at Globex. [summary alice]"
    answer = packed(searcher, 1_000, query="Where does Alice work?")
    assert line in answer.text.splitlines()
    assert answer.summaries[0].fact_ids == ("f-globex",)
    assert line not in packed(searcher, 1_000, query="Where does Bob live?").text
    past = context(searcher, "Where does Alice work?", View(as_of=when(2020)), budget=1_000)
    assert past.summaries == ()


def test_turns_stand_in_order_of_time_and_once(searcher: Searcher) -> None:
    answer = packed(searcher, 1_500, query="Globex in June")
    ids = [turn.episode_id for turn in answer.turns]
    assert "e3" in ids
    assert ids == [one for one in ("e1", "e2", "e4", "e3") if one in ids]  # e4 was said before e3
