"""What is done and undone leaves the belief as it was; the history keeps both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripted import Says, draft, works

from memstrata.model import DecisionKind

if TYPE_CHECKING:
    from belief_world import World

ONE_EMPLOYER = "relations:\n- {name: works_at, cardinality: one}\n"
MUTUAL = "relations:\n- {name: knows, symmetric: true}\n"


def _knows(who: str, whom: str) -> Says:
    return Says(subject=who, predicate="knows", object=whom, types=("person", "person"))


def test_what_a_retracted_episode_had_closed_reopens(world: World) -> None:
    world.declare(ONE_EMPLOYER)
    world.accept(draft("old", works("Ann Lee", "Lab"), day=1))
    world.work()
    before = world.canonical()
    world.accept(draft("new", works("Ann Lee", "Mill"), day=9))
    world.work()
    assert ("Ann Lee", "works_at", "Lab", False) in world.lasting()

    world.retract("new")
    world.work()

    assert world.canonical() == before
    assert world.lasting() == {("Ann Lee", "works_at", "Lab", True)}
    world.check()


def test_a_retracted_episode_that_is_accepted_again_says_the_same_again(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Bob Moor", "Lab"), day=2))
    world.work()
    before = world.canonical()
    said = world.retract("a")
    world.work()
    assert world.names() == {"Bob Moor", "Lab"}

    world.accept(said)
    world.work()

    assert world.canonical() == before
    world.check()


def test_a_retraction_and_the_return_of_its_episode_in_one_pass_change_nothing(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    before = world.canonical(history=True)
    world.accept(world.retract("a"))
    world.work()
    assert world.canonical(history=True) == before


def test_keeping_a_merged_pair_apart_moves_the_facts_back_and_reopens_what_they_closed(
    world: World,
) -> None:
    world.declare(ONE_EMPLOYER)
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Bob Moor", "Mill"), day=9))
    world.work()
    before = world.canonical()
    pair = world.mention("Ann Lee", "a"), world.mention("Bob Moor", "b")
    world.judge(DecisionKind.MERGE, *pair)
    world.work()
    assert world.lasting() == {("Ann Lee", "works_at", "Lab", False), ("Ann Lee", "works_at", "Mill", True)}

    world.judge(DecisionKind.KEEP_APART, *pair)
    world.work()

    assert world.canonical() == before
    world.check()


def test_a_relation_between_two_who_were_one_comes_back_when_they_part(world: World) -> None:
    world.accept(
        draft("a", _knows("Ann Lee", "Bob Moor"), day=1), draft("b", _knows("Cid Fox", "Bob Moor"), day=2)
    )
    world.work()
    before = world.canonical()
    pair = world.mention("Ann Lee", "a"), world.mention("Bob Moor", "a")
    world.judge(DecisionKind.MERGE, *pair)
    world.work()
    assert world.said() == {("Cid Fox", "knows", "Ann Lee")}

    world.judge(DecisionKind.KEEP_APART, *pair)
    world.work()

    assert world.canonical() == before
    world.check()


def test_a_retracted_relation_of_two_who_are_one_does_not_come_back(world: World) -> None:
    world.accept(
        draft("a", _knows("Ann Lee", "Bob Moor"), day=1), draft("b", _knows("Ann Lee", "Bob Moor"), day=2)
    )
    world.work()
    pair = world.mention("Ann Lee", "a"), world.mention("Bob Moor", "a")
    world.judge(DecisionKind.MERGE, *pair)
    world.work()
    world.retract("b")
    world.work()
    world.judge(DecisionKind.KEEP_APART, *pair)
    world.work()
    world.check()


def test_an_ontology_there_and_back_leaves_the_belief_as_it_was(world: World) -> None:
    world.accept(
        draft("a", works("Ann Lee", "Lab"), _knows("Cid Fox", "Ann Lee"), day=1),
        draft("b", works("Ann Lee", "Mill"), _knows("Ann Lee", "Cid Fox"), day=9),
    )
    world.work()
    before = world.canonical()
    for ontology in (ONE_EMPLOYER, MUTUAL, ONE_EMPLOYER + MUTUAL.removeprefix("relations:\n")):
        world.declare(ontology)
        world.work()
        world.check()
        assert world.canonical() != before
        world.declare("")
        world.work()
        world.check()
        assert world.canonical() == before


def test_belief_as_of_an_earlier_commit_goes_by_the_ontology_of_then(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Ann Lee", "Mill"), day=9))
    world.work()
    world.declare(ONE_EMPLOYER)
    world.work()
    many, one = (
        [
            version
            for version in world.graph.all_versions("g")
            if version.fact.invalid_at is None and was(version)
        ]
        for was in (lambda one: one.created_at == world.instants()[0], lambda one: one.expired_at is None)
    )
    assert (len(many), len(one)) == (2, 1)
