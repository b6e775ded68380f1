"""What is withdrawn through the one module that faces call, and who may."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scripted import draft, works

from memstrata.errors import Forbidden, Incorrect
from memstrata.memory.access import Grant, Right
from memstrata.memory.telling import Telling
from memstrata.workflow import rejections

if TYPE_CHECKING:
    from belief_world import World

WRITER = Grant(who="ci", groups=("g",), rights=frozenset({Right.READ, Right.WRITE}))
DECIDER = Grant(who="ada", groups=("g",), rights=frozenset({Right.DECIDE}))


@pytest.fixture
def told(world: World) -> World:
    world.accept(
        draft("a", works("Ann Lee", "Lab"), day=1),
        draft("b", works("Bob Moor", "Mill"), day=2),
        draft("c", works("Cid Fox", "Mill"), day=3, group="h"),
    )
    world.work()
    return world


def test_a_fact_is_withdrawn_in_the_name_of_who_asks(told: World) -> None:
    telling = Telling(installation=told.installation, grant=DECIDER)
    fact = next(iter(told.graph.all_facts("g")))
    decision = telling.retract_fact("g", fact.id, reason="said in jest")
    telling.commit("g")
    assert (decision.who, decision.reason, decision.payload["fact_id"]) == ("ada", "said in jest", fact.id)
    assert len(told.said("g")) == 1


def test_a_withdrawal_is_taken_back_by_its_id(told: World) -> None:
    telling = Telling(installation=told.installation, grant=DECIDER)
    before = told.canonical()
    fact = next(iter(told.graph.all_facts("g")))
    decision = telling.retract_fact("g", fact.id)
    telling.commit("g")
    taken_back = telling.restore_fact("g", decision.decision_id, reason="it was true")
    telling.commit("g")
    assert told.canonical() == before
    assert taken_back.reason == "it was true"
    with pytest.raises(Incorrect, match="no withdrawn fact"):
        telling.restore_fact("g", taken_back.decision_id)


def test_who_may_only_write_withdraws_nothing(told: World) -> None:
    telling = Telling(installation=told.installation, grant=WRITER)
    fact = next(iter(told.graph.all_facts("g")))
    for withdraw in (
        lambda: telling.retract_fact("g", fact.id),
        lambda: telling.clear_group("g"),
        lambda: telling.retract("g", "a"),
    ):
        with pytest.raises(Forbidden, match="may not decide"):
            withdraw()
    told.work()
    assert len(told.said("g")) == 2


def test_a_fact_of_another_group_is_not_there(told: World) -> None:
    telling = Telling(installation=told.installation, grant=DECIDER)
    fact = next(iter(told.graph.all_facts("h")))
    with pytest.raises(Incorrect, match="there is no fact"):
        telling.retract_fact("g", fact.id)
    with pytest.raises(Forbidden):
        telling.retract_fact("h", fact.id)


def test_no_group_out_of_reach_is_committed(told: World) -> None:
    with pytest.raises(Forbidden, match="does not reach"):
        Telling(installation=told.installation, grant=DECIDER).commit("h")


def test_a_group_is_cleared_in_batches_and_the_others_stay(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rejections, "BATCH", 1)
    told.accept(draft("d", works("Dan Roe", "Lab"), day=4))  # accepted, and not compacted yet
    telling = Telling(installation=told.installation, grant=DECIDER)
    assert telling.clear_group("g", reason="a trial") == 3
    told.work()
    assert (told.said("g"), told.names("g")) == (set(), set())
    assert told.said("h") == {("Cid Fox", "works_at", "Mill")}
    assert telling.clear_group("g") == 0
    told.check_log()


def test_what_was_cleared_can_be_told_again(told: World) -> None:
    telling = Telling(installation=told.installation, grant=DECIDER)
    telling.clear_group("g")
    told.work()
    told.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    told.work()
    assert told.said("g") == {("Ann Lee", "works_at", "Lab")}
