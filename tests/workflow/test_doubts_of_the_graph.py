"""The doubts that are read around a few entities are those of resolving the whole group from scratch."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from belief_world import World
from expectations import _pair, extracted
from histories import play, steps
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstrata.resolution import resolve
from memstrata.workflow.doubts import suspects

if TYPE_CHECKING:
    from histories import Step


def _expected(world: World, group: str) -> set[tuple[str, str]]:
    said = extracted(world.live(group), world.extractor)
    mentions = [mention for one in said for mention in one.mentions]
    answer = resolve(mentions, map(_pair, world.verdicts.get(group, ())))
    home = {member: one.entity_id for one in answer.clusters for member in one.members}
    pairs = (sorted((home[one.left], home[one.right])) for one in answer.reviews)
    return {(left, right) for left, right in pairs}


def _found(world: World, group: str, at_once: int) -> set[tuple[str, str]]:
    ids = [one.entity_id for one in world.graph.all_entities(group)]
    return {
        (one.left.entity_id, one.right.entity_id)
        for start in range(0, len(ids), at_once)
        for one in suspects(world.installation, group, ids[start : start + at_once])
    }


@given(st.lists(steps, min_size=4, max_size=14))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_doubts_around_each_entity_are_those_of_the_whole(history: list[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        play(world, history)
        for group in world.groups():
            expected = _expected(world, group)
            assert _found(world, group, 1) == expected
            assert _found(world, group, 100) == expected
