"""What is around an entity: its facts, latest first, some at a time, and whom they lead to."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from small_world import BETWEEN, NOW

from memstrata.errors import Incorrect
from memstrata.search.neighbours import MOST_OF_EACH, neighbours
from memstrata.search.view import View

if TYPE_CHECKING:
    from small_world import Graph

    from memstrata.search.neighbours import Neighbours
    from memstrata.search.reads import Reads


def _around(
    reads: Reads, world: Graph, asked: str, *, limit: int = 20, skip: int = 0, **view: object
) -> Neighbours:
    scope = View(groups=("default",), **view).scope(NOW, world)  # type: ignore[arg-type]
    return neighbours(reads.lookup, asked, scope, limit=limit, skip=skip)


def test_the_facts_in_force_lead_to_others_who_say_how_many_they_have(reads: Reads, world: Graph) -> None:
    found = _around(reads, world, "alice")
    assert found.entity.name == "Alice Liddell"
    assert found.total == len(found.facts) > 0
    ends = {end for one in found.facts for end in (one.version.fact.subject, one.version.fact.object)}
    assert {one.entity_id for one in found.others} <= ends - {"alice"}
    assert all(1 <= one.facts <= MOST_OF_EACH for one in found.others)
    assert "alice" not in {one.entity_id for one in found.others}


def test_what_ended_is_there_in_history_alone_and_each_fact_once(reads: Reads, world: Graph) -> None:
    now, ever = _around(reads, world, "alice"), _around(reads, world, "alice", history=True)
    ids = [one.version.fact.id for one in ever.facts]
    assert len(ids) == len(set(ids)) == ever.total
    assert {one.version.fact.id for one in now.facts} < set(ids)
    assert any(
        one.version.fact.invalid_at is not None and one.version.fact.invalid_at < NOW for one in ever.facts
    )


def test_pages_together_are_the_whole_in_its_order(reads: Reads, world: Graph) -> None:
    whole = _around(reads, world, "alice", history=True)
    some = [_around(reads, world, "alice", history=True, limit=1, skip=at) for at in range(whole.total)]
    assert tuple(one.facts[0] for one in some) == whole.facts
    assert {one.total for one in some} == {whole.total}
    assert _around(reads, world, "alice", history=True, skip=whole.total).facts == ()


def test_an_earlier_belief_has_the_edges_of_then(reads: Reads, world: Graph) -> None:
    then = _around(reads, world, "alice", system_as_of=BETWEEN, history=True)
    assert then.facts
    assert all(one.version.created_at <= BETWEEN for one in then.facts)
    assert all(one.version.expired_at is None or one.version.expired_at > BETWEEN for one in then.facts)


def test_before_anything_was_true_somebody_stands_alone(reads: Reads, world: Graph) -> None:
    found = _around(reads, world, "alice", as_of=NOW - timedelta(days=20_000))
    assert (found.total, found.facts, found.others) == (0, (), ())


def test_nobody_knows_a_stranger(reads: Reads, world: Graph) -> None:
    with pytest.raises(Incorrect, match="called 'Nobody Such'"):
        _around(reads, world, "Nobody Such")
