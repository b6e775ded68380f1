"""Verdicts: who is meant by a name or an id, and what outlives rebuild, revision and absence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from belief_world import World
from scripted import Says, draft, works

from memstrata.errors import Incorrect
from memstrata.model import By, DecisionKind
from memstrata.stores.memory import MemoryGraph
from memstrata.stores.sqlite import SqliteGraph
from memstrata.workflow.intake import Ruling
from memstrata.workflow.verdicts import verdict

if TYPE_CHECKING:
    from pathlib import Path

BORN_1950, BORN_1980 = (("birth_date", "1950-01-01"),), (("birth_date", "1980-01-01"),)
Named = tuple[str, str | None, tuple[tuple[str, str], ...]]
MAIL = (("email", "a@x.org"),)
MERGE, APART = DecisionKind.MERGE, DecisionKind.KEEP_APART


def _rule(world: World, kind: DecisionKind, one: str, other: str) -> None:
    world.decide(verdict(world.installation, kind, "g", (one, other)))
    world.work()
    world.check()


def _id_of(world: World, name: str) -> str:
    return next(one.entity_id for one in world.graph.all_entities("g") if one.name == name)


@pytest.fixture
def two(world: World) -> World:
    """Two people, who are two."""
    world.accept(draft("a", works("Ann Lee", "Lab"), day=10), draft("b", works("Bob Moor", "Mill"), day=12))
    world.work()
    return world


def test_two_names_are_merged_and_kept_apart_again(two: World) -> None:
    before = two.canonical()
    _rule(two, MERGE, "Ann Lee", "bob moor")
    assert two.names() == {"Ann Lee", "Lab", "Mill"}
    _rule(two, APART, "Bob Moor", "Ann Lee")
    assert two.canonical() == before


def test_ids_and_names_mean_the_same(two: World) -> None:
    by_name = verdict(two.installation, MERGE, "g", ("Ann Lee", "Bob Moor"))
    ids = _id_of(two, "Ann Lee"), _id_of(two, "Bob Moor")
    assert verdict(two.installation, MERGE, "g", ids) == by_name
    assert verdict(two.installation, MERGE, "g", (ids[0], "Bob Moor")) == by_name


def test_the_id_of_those_who_were_merged_means_the_other_name_too(two: World) -> None:
    before = two.canonical()
    _rule(two, MERGE, "Ann Lee", "Bob Moor")
    _rule(two, APART, _id_of(two, "Ann Lee"), "Bob Moor")
    assert two.canonical() == before


def test_a_merge_is_undone_although_earlier_mentions_of_both_names_have_come_since(two: World) -> None:
    _rule(two, MERGE, "Ann Lee", "Bob Moor")
    two.accept(draft("c", works("Ann Lee", "Inn"), day=5), draft("d", works("Bob Moor", "Zoo"), day=4))
    two.work()
    _rule(two, APART, "Ann Lee", "Bob Moor")
    assert two.said() == {
        ("Ann Lee", "works_at", "Lab"),
        ("Ann Lee", "works_at", "Inn"),
        ("Bob Moor", "works_at", "Mill"),
        ("Bob Moor", "works_at", "Zoo"),
    }
    _rule(two, MERGE, "Ann Lee", "Bob Moor")
    assert {who for who, _, _ in two.said()} == {"Ann Lee"}


def test_two_who_were_merged_by_way_of_a_third_are_kept_apart(two: World) -> None:
    two.accept(draft("c", works("Cid Fox", "Zoo"), day=14))
    two.work()
    _rule(two, MERGE, "Ann Lee", "Cid Fox")
    _rule(two, MERGE, "Cid Fox", "Bob Moor")
    two.accept(draft("d", works("Ann Lee", "Inn"), day=5), draft("e", works("Bob Moor", "Pub"), day=4))
    two.work()
    _rule(two, APART, "Ann Lee", "Bob Moor")
    assert ("Ann Lee", "works_at", "Lab") in two.said()
    assert ("Ann Lee", "works_at", "Inn") in two.said()
    assert {("Ann Lee", "works_at", place) for place in ("Mill", "Pub")}.isdisjoint(two.said())


def test_a_short_form_is_kept_apart_from_whom_the_rules_took_it_for(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Ann", "Mill"), day=2))
    world.work()
    assert world.names() == {"Ann Lee", "Lab", "Mill"}
    _rule(world, APART, "Ann", "Ann Lee")
    assert world.names() == {"Ann", "Ann Lee", "Lab", "Mill"}


def test_a_merge_across_types_is_a_persons_to_make(two: World) -> None:
    before = two.canonical()
    _rule(two, MERGE, "Ann Lee", "Mill")
    assert ("Bob Moor", "works_at", "Ann Lee") in two.said()
    _rule(two, APART, "Mill", "Ann Lee")
    assert two.canonical() == before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Ann Lee", "person", ()), ("Lab", "organization", ())),
        (("Lab 7", None, ()), ("Lab 8", None, ())),
        (("Ann Lee", "person", BORN_1950), ("Bob Moor", "person", BORN_1980)),
        (("Ann Lee", "person", BORN_1950), ("Ann Lee", "person", BORN_1980)),
    ],
)
def test_a_merge_takes_all_that_are_called_so_whatever_would_have_barred_the_two(
    world: World, one: Named, other: Named
) -> None:
    for number in range(3):
        for key, (name, kind, attributes) in (("a", one), ("b", other)):
            said = Says(
                subject=name,
                predicate="likes",
                object=f"Tea {number}",
                types=(kind, None),
                attributes=attributes,
            )
            world.accept(draft(f"{key}{number}", said, day=number))
    world.work()
    before = world.canonical()
    ids = [
        entity.entity_id for entity in world.graph.all_entities("g") if entity.name in (one[0], other[0])
    ]
    _rule(world, MERGE, ids[0], ids[1])
    assert len(world.names() & {one[0], other[0]}) == 1
    assert len({fact.subject for fact in world.graph.all_facts("g")}) == 1
    pair = world.verdicts["g"][0]
    world.decide(Ruling(group_id="g", kind=APART, target=pair.target, payload={}))
    world.work()
    world.check()
    assert world.canonical() == before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Ann", "person", ()), ("Ann Lee", "person", ())),
        (("A. Lee", "person", ()), ("Ann Lee", "person", ())),
        (("Bob Lee", "person", (("aliases", "Robert Lee"),)), ("Robert Lee", "person", ())),
        (("Bob Lee", "person", MAIL), ("Robert Lee", "person", MAIL)),
    ],
)
def test_two_names_that_the_rules_took_for_one_are_kept_apart_with_all_that_are_called_so(
    world: World, one: Named, other: Named
) -> None:
    for number in range(3):
        for key, (name, kind, attributes) in (("a", one), ("b", other)):
            said = Says(
                subject=name,
                predicate="likes",
                object=f"Tea {key} {number}",
                types=(kind, None),
                attributes=attributes,
            )
            world.accept(draft(f"{key}{number}", said, day=number))
    world.work()
    before = world.canonical()
    assert len({fact.subject for fact in world.graph.all_facts("g")}) == 1
    _rule(world, APART, one[0], other[0])
    wanted = {(name, f"Tea {key} {n}") for key, name in (("a", one[0]), ("b", other[0])) for n in range(3)}
    assert {(subject, target) for subject, _, target in world.said()} == wanted
    _rule(world, MERGE, one[0], other[0])
    assert world.canonical() == before


def test_a_name_kept_apart_from_one_of_two_namesakes_may_be_the_other(world: World) -> None:
    for number, born in enumerate((BORN_1950, BORN_1980)):
        said = Says(
            subject="Ann Lee", predicate="likes", object="Tea", types=("person", None), attributes=born
        )
        world.accept(draft(f"e{number}", said, day=number))
    world.accept(draft("a", works("Ann", "Lab"), day=5))
    world.work()
    assert "Ann" in world.names()
    world.judge(APART, world.mention("Ann", "a"), world.mention("Ann Lee", "e0"))
    world.work()
    world.check()
    assert ("Ann Lee", "works_at", "Lab") in world.said()


def test_a_merge_of_two_namesakes_leaves_a_third_alone(world: World) -> None:
    for number, born in enumerate((*BORN_1950, *BORN_1980, ("birth_date", "1990-01-01"))):
        said = Says(
            subject="Ann Lee", predicate="likes", object="Tea", types=("person", None), attributes=(born,)
        )
        world.accept(draft(f"e{number}", said, day=number))
    world.work()
    world.judge(MERGE, world.mention("Ann Lee", "e0"), world.mention("Ann Lee", "e1"))
    world.work()
    world.check()
    assert sorted(len(fact.evidence) for fact in world.graph.all_facts("g")) == [1, 2]


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("Zed", "Lab"), "nobody is called 'Zed' in group 'g'; `memstrata search` finds names and ids"),
        (("Ann Lee", "I"), "nobody is called 'I'"),
        (("Ann Lee", ""), "nobody is called ''"),
        (
            ("Ann Lee", "ann lee"),
            "'Ann Lee' and 'ann lee' are one name (case, titles and legal forms aside)",
        ),
    ],
)
def test_a_name_that_means_nobody_or_the_same_is_refused_with_a_hint(
    two: World, pair: tuple[str, str], message: str
) -> None:
    for kind in (MERGE, APART):
        with pytest.raises(Incorrect) as refused:
            verdict(two.installation, kind, "g", pair)
        assert message in str(refused.value)


def test_the_id_of_an_entity_that_is_gone_is_refused_with_what_its_names_stand_for(two: World) -> None:
    gone = _id_of(two, "Bob Moor")
    _rule(two, MERGE, "Ann Lee", "Bob Moor")
    with pytest.raises(Incorrect, match=f"is gone; its names stand for {_id_of(two, 'Ann Lee')} now"):
        verdict(two.installation, APART, "g", (gone, "Ann Lee"))


def test_both_stores_lead_from_a_merged_or_revised_entity_to_what_its_mentions_are_now(
    tmp_path: Path,
) -> None:
    for name, graph in (("memory", MemoryGraph()), ("file", SqliteGraph(tmp_path / "graph.db"))):
        with World(tmp_path / name, graph=graph) as world:
            said = Says(subject="Ann Lee", predicate="likes", object="Tea", types=("person", None))
            world.accept(draft("a", said, day=1), draft("b", works("Bob Moor", "Lab"), day=0))
            world.work()
            ann, bob = _id_of(world, "Ann Lee"), _id_of(world, "Bob Moor")
            _rule(world, MERGE, ann, bob)
            assert graph.successors("g", ann) == (bob,)
            world.rebuild()
            assert graph.successors("g", ann) == (bob,)
            world.accept(draft("b", works("Cid Fox", "Lab"), day=0))
            world.work()
            assert graph.successors("g", bob) == (ann,)


def test_a_name_of_several_is_refused_with_their_ids(world: World) -> None:
    births = ("1950-01-01", "1980-01-01")
    for number, born in enumerate(births):
        said = Says(
            subject="Ann Lee",
            predicate="likes",
            object="Tea",
            types=("person", None),
            attributes=(("birth_date", born),),
        )
        world.accept(draft(f"e{number}", said, day=number), draft("x", works("Bob Moor", "Lab"), day=3))
    world.work()
    ids = {one.entity_id for one in world.graph.all_entities("g") if one.name == "Ann Lee"}
    with pytest.raises(Incorrect, match="'Ann Lee' names 2 entities of group 'g'") as refused:
        verdict(world.installation, MERGE, "g", ("Ann Lee", "Bob Moor"))
    assert len(ids) == 2
    assert all(one in str(refused.value) for one in ids)
    _rule(world, MERGE, *ids)
    assert world.names() == {"Ann Lee", "Bob Moor", "Lab", "Tea"}


def test_a_verdict_outlives_rebuild_and_a_revision_that_still_has_the_name(two: World) -> None:
    _rule(two, MERGE, "Ann Lee", "Bob Moor")
    two.rebuild()
    two.check()
    two.accept(draft("b", works("Bob Moor", "Pub"), works("Bob Moor", "Inn"), day=30))
    two.work()
    two.check()
    assert two.said() == {("Ann Lee", "works_at", where) for where in ("Lab", "Pub", "Inn")}


def test_a_verdict_on_a_mention_that_is_gone_waits_for_it(two: World) -> None:
    _rule(two, MERGE, "Ann Lee", "Bob Moor")
    merged = two.canonical()
    two.accept(draft("c", works("Bob Moor", "Zoo"), day=40))
    said = two.retract("b")
    two.work()
    two.check()
    assert two.said() == {("Ann Lee", "works_at", "Lab"), ("Bob Moor", "works_at", "Zoo")}

    two.retract("c")
    two.accept(said)
    two.work()

    assert two.canonical() == merged
    two.check()


def test_a_verdict_on_a_mention_that_a_revision_drops_joins_nobody(two: World) -> None:
    _rule(two, MERGE, "Ann Lee", "Bob Moor")
    two.accept(draft("b", works("Cid Fox", "Mill"), day=12))
    two.work()
    two.check()
    assert two.said() == {("Ann Lee", "works_at", "Lab"), ("Cid Fox", "works_at", "Mill")}


def test_a_verdict_before_its_mentions_are_committed_takes_effect_with_them(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Bob Moor", "Mill"), day=2))
    world.compact()
    world.judge(MERGE, world.mention("Ann Lee", "a"), world.mention("Bob Moor", "b"))
    world.work()
    world.check()
    assert world.names() == {"Ann Lee", "Lab", "Mill"}


def test_a_person_is_above_a_model_whoever_came_later(two: World) -> None:
    pair = two.mention("Ann Lee", "a"), two.mention("Bob Moor", "b")
    two.judge(APART, *pair, by=By.PERSON)
    two.judge(MERGE, *pair, by=By.MODEL)
    two.work()
    two.check()
    assert "Bob Moor" in two.names()


@pytest.mark.parametrize("asked", ["Ann", "Ann Lee", None])
def test_a_merge_takes_the_whole_entity_although_a_short_form_was_its_earliest_mention(
    world: World, asked: str | None
) -> None:
    world.accept(
        draft("a", works("Ann", "Inn"), day=1),
        draft("b", works("Ann Lee", "Lab"), day=2),
        draft("c", works("Bob", "Zoo"), day=3),
        draft("d", works("Bob Moor", "Mill"), day=4),
    )
    world.work()
    assert world.names() == {"Ann Lee", "Bob Moor", "Inn", "Lab", "Mill", "Zoo"}
    _rule(world, MERGE, asked or _id_of(world, "Ann Lee"), _id_of(world, "Bob Moor"))
    assert len(world.names() & {"Ann Lee", "Ann", "Bob Moor", "Bob"}) == 1
    assert len({fact.subject for fact in world.graph.all_facts("g")}) == 1
