"""Promotions that lie over one another, taken back in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from other_version import OtherExtractor
from scripted import draft, works

from memstrata.ports import Days, Promotion
from memstrata.workflow.promotions import promote, promotions, rollback
from memstrata.workflow.reextract import run_candidate

if TYPE_CHECKING:
    from belief_world import World

PLACES = {"v2": "Labo", "v3": "Werk", "v4": "Bau"}


def promoted(world: World, *versions: str) -> list[str]:
    """Promotes each in turn over one told episode; gives the ids of the decisions."""
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    ids = []
    for version in versions:
        other = OtherExtractor(version=version, renamed={"Lab": PLACES[version]})
        run_candidate(world.installation, days=Days(), extractor=other)
        done = promote(world.installation, "g", Promotion(version=version, days=Days()))
        assert done.decision is not None
        ids.append(done.decision.decision_id)
        world.work()
    return ids


def place(world: World) -> str:
    world.work()
    [(_, _, where)] = world.said()
    return where


@pytest.mark.parametrize(
    ("order", "places"),
    [
        ((0, 1, 2), ("Bau", "Bau", "Lab")),
        ((0, 2, 1), ("Bau", "Werk", "Lab")),
        ((1, 0, 2), ("Bau", "Bau", "Lab")),
        ((1, 2, 0), ("Bau", "Labo", "Lab")),
        ((2, 0, 1), ("Werk", "Werk", "Lab")),
        ((2, 1, 0), ("Werk", "Labo", "Lab")),
    ],
)
def test_what_was_taken_back_does_not_come_again_with_what_lay_over_it(
    world: World, order: tuple[int, ...], places: tuple[str, ...]
) -> None:
    ids = promoted(world, "v2", "v3", "v4")
    found = []
    for one in order:
        rollback(world.installation, "g", ids[one])
        found.append(place(world))
    assert tuple(found) == places
    assert [one.standing for one in promotions(world.installation, "g")] == [0, 0, 0]
    world.check_log()
    world.compact()
    world.installation.record.rebuild_index()
    assert place(world) == "Lab"


def test_a_version_promoted_a_second_time_does_not_go_with_its_first_promotion(world: World) -> None:
    first, second = promoted(world, "v2", "v3")
    promote(world.installation, "g", Promotion(version="v2", days=Days()))
    promote(world.installation, "g", Promotion(version="v3", days=Days()))
    rollback(world.installation, "g", first)
    rollback(world.installation, "g")
    assert place(world) == "Labo", "its second promotion stands"
    rollback(world.installation, "g")
    assert place(world) == "Werk"
    rollback(world.installation, "g", second)
    assert place(world) == "Lab"
