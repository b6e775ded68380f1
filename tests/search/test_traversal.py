"""Walking the graph: how far, in which order, and with which scores."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.errors import Incorrect
from memstrata.ports import Edge, Scope
from memstrata.search.defaults import HOP_DECAY
from memstrata.search.traversal import nearest_first, traverse
from memstrata.stores.memory import MemoryGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

SCOPE = Scope(groups=("default",))


def edge(handle: int, subject: str, target: str, *, leads_on: bool = True) -> Edge:
    return Edge(
        handle=handle, group_id="default", subject=subject, object=target, leads_on=leads_on, valid_at=None
    )


class Table(MemoryGraph):
    """`edges_about` from a table, latest first."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        super().__init__()
        self._edges = tuple(edges)

    def edges_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Edge, ...]:
        return tuple(
            one
            for one in self._edges
            if one.subject in entity_ids or (one.leads_on and one.object in entity_ids)
        )


CHAIN = Table([edge(1, "a", "b"), edge(2, "b", "c"), edge(3, "c", "d"), edge(4, "d", "e")])
STAR = Table([edge(9, "b", "z"), edge(3, "a", "x"), edge(2, "a", "b"), edge(1, "a", "y")])


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_as_many_hops_are_walked_as_were_asked_for(hops: int) -> None:
    reached = traverse(CHAIN, ["a"], SCOPE, hops=hops)
    assert reached.fact_hops == {at: at for at in range(1, hops + 1)}
    assert reached.entities == {name: at for at, name in enumerate("abcde"[: hops + 1])}


def test_each_hop_further_counts_less() -> None:
    facts = traverse(CHAIN, ["a"], SCOPE, hops=3).facts
    assert facts[2] == pytest.approx(HOP_DECAY * facts[1])


def test_facts_that_join_two_seeds_come_first_then_the_latest() -> None:
    reached = traverse(STAR, ["b", "a", "a"], SCOPE, hops=1)
    assert [handle for handle, _ in nearest_first(reached)] == [2, 9, 3, 1]


def test_a_literal_leads_nowhere() -> None:
    table = Table([edge(1, "a", "5", leads_on=False), edge(2, "5", "c")])
    assert traverse(table, ["a"], SCOPE, hops=3).fact_hops == {1: 1}


def test_without_seeds_nothing_is_near() -> None:
    assert traverse(STAR, [], SCOPE, hops=3).facts == {}


def test_it_goes_no_further_once_it_has_reached_enough() -> None:
    assert traverse(CHAIN, ["a"], SCOPE, hops=3, enough=2).fact_hops == {1: 1, 2: 2}


@pytest.mark.parametrize("hops", [0, 4])
def test_other_hops_are_refused(hops: int) -> None:
    with pytest.raises(Incorrect, match="expected 1, 2 or 3"):
        traverse(STAR, ["a"], SCOPE, hops=hops)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=12))
def test_hops_are_those_of_the_shortest_way(pairs: list[tuple[str, str]]) -> None:
    edges = [edge(at, subject, target) for at, (subject, target) in enumerate(pairs)]
    reached = traverse(Table(edges), ["a"], SCOPE, hops=3)
    near = {"a": 0}
    for hop in (1, 2, 3):
        for one in edges:
            for here, there in ((one.subject, one.object), (one.object, one.subject)):
                if near.get(here) == hop - 1:
                    near.setdefault(there, hop)
    assert reached.entities == near
    ranked = [score for _, score in nearest_first(reached)]
    assert all(above >= below for above, below in pairwise(ranked))
    assert all(0 < score <= 1 for score in ranked)
