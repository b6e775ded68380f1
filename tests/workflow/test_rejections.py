"""A fact that somebody withdraws: gone from the next commit on, for whoever rebuilds or extracts again."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from belief_world import World
from histories import Accept, Reject, Restore, Retract, Work, both_worlds, drafts, play
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scripted import Says, draft, on, works

from memstrata.errors import Incorrect
from memstrata.instants import Precision
from memstrata.model import DecisionKind, Kind
from memstrata.workflow.intake import Ruling, decide

if TYPE_CHECKING:
    from histories import Step

    from memstrata.stores.neo4j import Neo4jGraph

ONE_EMPLOYER = "relations:\n- {name: works_at, cardinality: one}\n"


def _fact(world: World, target: str) -> str:
    """The id of the current fact about that object."""
    names = {one.entity_id: one.name for one in world.graph.all_entities("g")}
    return next(one.id for one in world.graph.all_facts("g") if names.get(one.object, one.object) == target)


def test_a_withdrawn_fact_goes_and_what_it_had_closed_reopens(world: World) -> None:
    world.declare(ONE_EMPLOYER)
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Ann Lee", "Mill"), day=9))
    world.work()
    before = world.instants()[-1]
    fact_id = _fact(world, "Mill")

    world.reject(fact_id)
    world.work()

    assert world.lasting() == {("Ann Lee", "works_at", "Lab", True)}
    [version] = [one.version for one in world.graph.history("g", fact_id)]
    assert version.created_at <= before
    assert version.expired_at == world.instants()[-1]
    world.check()
    world.check_log()


def test_the_rest_of_its_episode_stays(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), works("Bob Moor", "Mill"), day=1))
    world.work()
    world.reject(_fact(world, "Mill"))
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Lab")}
    assert world.names() == {"Ann Lee", "Lab", "Bob Moor", "Mill"}
    world.check()


def test_it_stays_away_when_a_newer_extractor_says_the_same(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), works("Bob Moor", "Mill"), day=1))
    world.work()
    world.reject(_fact(world, "Mill"))
    world.work()
    world.extractor.version = "scripted-2"
    world.accept(draft("a", works("Bob  MOOR", "Mill"), works("Cid Fox", "Lab"), day=1))
    world.work()
    assert world.said() == {("Cid Fox", "works_at", "Lab")}
    world.check_log()


def test_it_stays_away_when_its_episode_is_retracted_and_comes_again(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    world.reject(_fact(world, "Lab"))
    world.work()
    world.accept(world.retract("a"))
    world.work()
    assert world.said() == set()
    world.check()


def test_another_episode_may_say_it_anew(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    world.reject(_fact(world, "Lab"))
    world.work()
    world.accept(draft("b", works("Ann Lee", "Lab"), day=5))
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Lab")}
    world.check()


def test_what_ended_it_makes_no_fact_of_its_own(world: World) -> None:
    world.accept(
        draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Ann Lee", "Lab", Kind.ENDED), day=9)
    )
    world.work()
    world.reject(_fact(world, "Lab"))
    world.work()
    assert world.said() == set()
    world.check()


def test_a_literal_can_be_withdrawn(world: World) -> None:
    world.accept(draft("a", Says(subject="Ann Lee", predicate="age", object="41", is_literal=True), day=1))
    world.work()
    world.reject(_fact(world, "41"))
    world.work()
    assert world.said() == set()
    world.check()


def test_of_two_that_differ_in_their_times_alone_one_goes(world: World) -> None:
    years = [
        Says(
            subject="Ann Lee",
            predicate="works_at",
            object="Lab",
            valid=(start, Precision.DAY),
            invalid=(start + 9, Precision.DAY),
        )
        for start in (0, 50)
    ]
    world.accept(draft("a", *years, day=99))
    world.work()
    first, second = sorted(world.graph.all_facts("g"), key=lambda one: one.valid_at or on(0))
    world.reject(second.id)
    world.work()
    assert [one.id for one in world.graph.all_facts("g")] == [first.id]
    world.accept(draft("a", years[1], day=99))  # alone, and said again
    world.work()
    assert world.said() == set()
    world.check()
    world.check_log()


def test_a_withdrawal_can_be_taken_back_once(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    before = world.canonical()
    decision = world.reject(_fact(world, "Lab"))
    world.work()
    world.restore(decision)
    world.work()
    assert world.canonical() == before
    with pytest.raises(Incorrect, match="counts again already"):
        world.restore(decision)
    world.check()
    world.check_log()


def test_a_fact_is_withdrawn_once(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    fact_id = _fact(world, "Lab")
    world.reject(fact_id)
    world.compact()
    with pytest.raises(Incorrect, match="withdrawn already"):
        world.reject(fact_id)
    world.work()
    with pytest.raises(Incorrect, match="not believed any more"):
        world.reject(fact_id)
    with pytest.raises(Incorrect, match="no fact 'nothing'"):
        world.reject("nothing")


@pytest.mark.parametrize("target", [{}, {"items": []}, {"items": ["a"]}, {"items": [{"episode_id": "a"}]}])
def test_a_rejection_that_names_no_items_never_reaches_the_log(
    world: World, target: dict[str, list[object]]
) -> None:
    ruling = Ruling(group_id="g", kind=DecisionKind.REJECT, target=target, payload={})  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(Incorrect, match="the target names"):
        decide(world.installation, ruling)


_undoing: st.SearchStrategy[Step] = st.one_of(
    st.lists(drafts(), min_size=1, max_size=3).map(lambda made: Accept(tuple(made))),
    st.just(Work()),
    st.builds(Reject, st.sampled_from("gh"), st.integers(0, 99)),
    st.builds(Retract, st.integers(0, 99)),
    st.builds(Restore, st.integers(0, 99)),
)


@given(st.lists(_undoing, min_size=4, max_size=16))
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
def test_after_random_withdrawals_a_rebuild_gives_the_same_history(history: list[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        play(world, history)
        world.check_log()


@pytest.mark.slow
@given(st.lists(_undoing, min_size=6, max_size=20))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_both_stores_withdraw_alike(history: list[Step]) -> None:
    held = []
    for world in both_worlds():
        play(world, history)
        held.append({group: world.canonical(group, history=True) for group in world.groups()})
    assert held[0] == held[1]


def test_as_of_before_the_withdrawal_still_shows_the_fact(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    world.reject(_fact(world, "Lab"))
    world.work()

    world.check_as_of("g", [on(2)])
    assert [one.fact.predicate for one in world.graph.all_versions("g")] == ["works_at"]


def test_neo4j_withdraws_as_the_others_do(neo4j_graph: Neo4jGraph, tmp_path: Path) -> None:
    with World(tmp_path, graph=neo4j_graph) as world:
        world.declare(ONE_EMPLOYER)
        world.accept(
            draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Ann Lee", "Mill"), day=9)
        )
        world.work()
        decision = world.reject(_fact(world, "Mill"))
        world.work()
        assert world.lasting() == {("Ann Lee", "works_at", "Lab", True)}
        world.check_log()
        world.restore(decision)
        world.work()
        world.check()
        world.check_log()
