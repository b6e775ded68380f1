"""Verdicts on items through a promotion, a reworded version and a change of mind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from other_version import OtherExtractor
from scripted import Says, ScriptedExtractor, draft, works

from memstrata.instants import Precision
from memstrata.model import DecisionKind
from memstrata.ports import Days, Promotion
from memstrata.workflow import review
from memstrata.workflow.promotions import promote, rollback
from memstrata.workflow.reextract import run_candidate
from memstrata.workflow.review import Matter, Which

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belief_world import World

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
