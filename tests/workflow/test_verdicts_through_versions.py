"""Verdicts on items through a promotion, a reworded version and a change of mind."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from belief_world import World
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from other_version import OtherExtractor
from scripted import Says, ScriptedExtractor, draft, on, works

from memstrata.errors import Incorrect
from memstrata.instants import Precision
from memstrata.model import DecisionKind
from memstrata.ports import Days, Promotion
from memstrata.workflow import review
from memstrata.workflow.items import ON_ITEMS, items_of, ruling_on, said_by, standing_after
from memstrata.workflow.promotions import promote, rollback
from memstrata.workflow.reextract import run_candidate
from memstrata.workflow.review import Matter, Which
from memstrata.workflow.rules import decided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Episode, Extraction, Json
    from memstrata.workflow.review import Entry

DAY = Precision("day")


def likes(what: str, *, since: int | None = None) -> Says:
    valid = None if since is None else (since, DAY)
    return Says(subject="Ann Lee", predicate="likes", object=what, confidence=0.1, valid=valid)


def waiting(world: World) -> tuple[Entry, ...]:
    world.compact()
    return review.entries(world.installation, "g", Which(), limit=100)[0]


def rule(world: World, verdict: DecisionKind, entry_id: str, **changes: Json) -> None:
    world.compact()
    world.decide(review.ruling(world.installation, "g", verdict, entry_id, changes))
    world.work()


def promoted(world: World, extractor: ScriptedExtractor) -> None:
    run_candidate(world.installation, days=Days(), extractor=extractor)
    promote(world.installation, "g", Promotion(version=extractor.version, days=Days()))
    world.work()


@dataclass(slots=True)
class Sparing(ScriptedExtractor):
    """Takes the first line of what is said alone."""

    version: str = "sparing-1"

    def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction:
        first = replace(episode, content=episode.content.splitlines()[0])
        return ScriptedExtractor.extract(self, first, context)


@pytest.mark.parametrize(
    ("verdict", "believed"),
    [(DecisionKind.ACCEPT, {"Tea"}), (DecisionKind.REJECT, set()), (DecisionKind.EDIT, {"Coffee"})],
)
def test_a_verdict_holds_in_the_version_that_is_promoted_and_after_it_is_taken_back(
    world: World, verdict: DecisionKind, believed: set[str]
) -> None:
    world.accept(draft("a", likes("Tea"), works("Ann Lee", "Lab"), day=1))
    world.work()
    [entry] = waiting(world)
    changes: dict[str, Json] = {"object": "Coffee"} if verdict is DecisionKind.EDIT else {}
    rule(world, verdict, entry.entry_id, **changes)
    promoted(world, OtherExtractor(renamed={"Lab": "Labo"}))
    liked = {target for _, relation, target in world.said() if relation == "likes"}
    assert (liked, waiting(world)) == (believed, ())
    rollback(world.installation, "g")
    world.work()
    liked = {target for _, relation, target in world.said() if relation == "likes"}
    assert (liked, waiting(world)) == (believed, ())
    world.check_log()


def test_what_the_promoted_version_words_otherwise_is_lost_until_that_is_taken_back(world: World) -> None:
    world.accept(draft("a", likes("Tea"), day=1))
    world.work()
    [entry] = waiting(world)
    rule(world, DecisionKind.ACCEPT, entry.entry_id)
    promoted(world, OtherExtractor(renamed={"Tea": "Green tea"}))
    assert world.said() == set()
    assert {(one.matter, one.item.object) for one in waiting(world)} == {
        (Matter.HELD, "green tea"),
        (Matter.LOST, "tea"),
    }
    rollback(world.installation, "g")
    world.work()
    assert (world.said(), waiting(world)) == ({("Ann Lee", "likes", "Tea")}, ())


@pytest.mark.parametrize("verdict", [DecisionKind.ACCEPT, DecisionKind.REJECT])
def test_a_verdict_on_one_of_two_with_the_same_words_holds_where_it_is_found_alone(
    world: World, verdict: DecisionKind
) -> None:
    world.accept(draft("a", likes("Tea", since=3), likes("Tea", since=9), day=20))
    world.work()
    first = next(one for one in waiting(world) if one.item.times.startswith("2024-01-04"))
    rule(world, verdict, first.entry_id)
    [other] = waiting(world)
    assert other.item.times != first.item.times
    promoted(world, Sparing())
    assert waiting(world) == ()
    assert bool(world.said()) == (verdict is DecisionKind.ACCEPT)
    world.check_log()


def test_the_last_verdict_counts_whether_it_named_times_or_words_alone(world: World) -> None:
    world.accept(draft("a", likes("Tea", since=3), likes("Tea", since=9), day=20))
    world.work()
    first = next(one for one in waiting(world) if one.item.times.startswith("2024-01-04"))
    rule(world, DecisionKind.ACCEPT, first.entry_id)
    promoted(world, Sparing())
    [fact] = world.graph.all_facts("g")
    rule(world, DecisionKind.REJECT, fact.id)
    assert world.said() == set(), "withdrawn by its words alone, where it is found alone"
    rule(world, DecisionKind.ACCEPT, first.entry_id)
    [fact] = world.graph.all_facts("g")
    rule(world, DecisionKind.REJECT, fact.id)
    assert world.said() == set(), "withdrawn a second time"
    rule(world, DecisionKind.ACCEPT, first.entry_id)
    assert len(world.said()) == 1
    rollback(world.installation, "g")
    world.work()
    assert [one.valid_at for one in world.graph.all_facts("g")] == [on(3)]
    assert waiting(world) == ()
    world.check_log()


def test_whoever_changes_his_mind_rules_by_the_same_id_again(world: World) -> None:
    world.accept(draft("a", likes("Tea"), day=1))
    world.work()
    [entry] = waiting(world)
    rule(world, DecisionKind.REJECT, entry.entry_id)
    again = review.entry(world.installation, "g", entry.entry_id)
    assert again is not None
    assert (again.rule, again.reason.split(";")[0]) == ("is_decided", "it was rejected")
    rule(world, DecisionKind.ACCEPT, entry.entry_id)
    assert world.said() == {("Ann Lee", "likes", "Tea")}
    rule(world, DecisionKind.EDIT, entry.entry_id, object="Coffee")
    assert world.said() == {("Ann Lee", "likes", "Coffee")}
    again = review.entry(world.installation, "g", entry.entry_id)
    assert again is not None
    assert again.says is not None
    assert again.says.object == "Coffee"
    rule(world, DecisionKind.REJECT, entry.entry_id)
    assert (world.said(), waiting(world)) == (set(), ())
    world.retract("a")
    world.work()
    assert review.entry(world.installation, "g", entry.entry_id) is None
    world.check_log()


THINGS = ("Tea", "Coffee", "Jam")
OTHERS = {
    "v2": OtherExtractor(version="v2", renamed={"Tea": "Coffee"}),
    "v3": OtherExtractor(version="v3", renamed={"Coffee": "Tea", "Jam": "Honey"}),
    "v4": Sparing(version="v4"),
}
_liked = st.builds(likes, st.sampled_from(THINGS), since=st.sampled_from((None, 3, 9)))
_told = st.lists(st.lists(_liked, min_size=1, max_size=4), min_size=1, max_size=3)
_course = st.lists(
    st.one_of(
        st.tuples(st.sampled_from((DecisionKind.ACCEPT, DecisionKind.REJECT)), st.integers(0, 9)),
        st.tuples(st.just("promote"), st.sampled_from(sorted(OTHERS))),
        st.just(("rollback", "")),
    ),
    max_size=8,
)


@given(_told, _course)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_promoted_all_that_waits_can_be_ruled_on_and_nothing_else_is_asked(
    told: list[list[Says]], course: list[tuple[str, int | str]]
) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        world.accept(*(draft(f"e{n}", *said, day=20) for n, said in enumerate(told)))
        world.work()
        seen: dict[str, None] = {}
        for what, which in course:
            seen |= {one.entry_id: None for one in waiting(world) if one.matter is Matter.HELD}
            if what == "promote":
                with suppress(Incorrect):
                    promoted(world, OTHERS[str(which)])
            elif what == "rollback":
                with suppress(Incorrect):
                    rollback(world.installation, "g")
                    world.work()
            elif seen:  # what was ruled on may be ruled on again
                with suppress(Incorrect):
                    rule(world, DecisionKind(what), list(seen)[int(which) % len(seen)])
            _check(world)
        ids = {one.entry_id for one in waiting(world) if one.matter is Matter.HELD}
        for one in sorted(ids):
            rule(world, DecisionKind.ACCEPT, one)
        assert not any(one.matter is Matter.HELD for one in waiting(world))
        world.check_log()


def _check(world: World) -> None:
    """What waits is what says nothing though nobody has rejected it."""
    world.compact()
    record = world.installation.record
    standing = standing_after(decided(record, "g", ON_ITEMS))
    waits = [one for one in waiting(world) if one.matter is Matter.HELD]
    ids = {one.entry_id for one in waits}
    for episode, extraction in record.in_force("g", [f"e{n}" for n in range(3)]):
        counts = {one.assertion_id for one in said_by(extraction, standing).assertions}
        for one, item in items_of(extraction):
            is_listed = review.entry_id_of("g", item) in ids
            assert not (is_listed and one.assertion_id in counts), (episode.episode_id, item)
            ruled = ruling_on(one, item, standing.get(episode.episode_id, {}))
            assert is_listed == (ruled is None), (episode.episode_id, item, ruled)
            assert ruled is None or ruled.counts == (one.assertion_id in counts)
