"""The rules of a commit are those of the log up to it, whatever was asked before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripted import draft, works

from memstrata.workflow.items import rejected as rejected_in
from memstrata.workflow.rules import rules_at

if TYPE_CHECKING:
    from belief_world import World

    from memstrata.workflow.items import Item


def test_rules_are_the_same_forwards_backwards_and_again(world: World) -> None:
    rejected = []
    for day, name in enumerate(("Ann Lee", "Bob Moor", "Cid Fox")):
        world.accept(draft(f"e{day}", works(name, "Lab"), day=day))
        world.work()
        fact = next(iter(world.graph.all_facts("g")))
        world.reject(fact.id)
        world.work()
        last = world.graph.last_seq("g")
        rejected.append((last, len(_rejected(world, "g", last))))
    assert [count for _, count in rejected] == [1, 2, 3]
    again = [len(_rejected(world, "g", seq)) for seq, _ in rejected[::-1]]
    assert again == [3, 2, 1]
    assert _rejected(world, "g", 0) == frozenset()
    assert _rejected(world, "h", 0) == frozenset()


def _rejected(world: World, group: str, seq: int) -> frozenset[Item]:
    return rejected_in(rules_at(world.installation.record, group, seq, ()).standing)
