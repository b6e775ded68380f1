"""What is refused again and again is tried less and less often, told once, forgotten once it is done."""

from __future__ import annotations

from itertools import pairwise

import pytest
from belief_world import MortalGraph, World
from scripted import Says, draft

from memstrata.workflow.patience import LONGEST, Patience
from memstrata.workflow.work import work


def tries(patience: Patience, *, seconds: int) -> list[int]:
    """The seconds at which somebody who looks every second tries what is always refused."""
    tried = []
    for now in range(seconds):
        refused = {} if patience.resting(now) else {"g": "broken"}
        patience.learn(refused, now)
        tried += [now] if refused else []
    return tried


def test_the_pause_doubles_up_to_a_minute() -> None:
    tried = tries(Patience(), seconds=400)
    pauses = [after - before for before, after in pairwise(tried)]
    assert pauses == [1, 2, 4, 8, 16, 32, *[LONGEST] * (len(pauses) - 6)]
    assert len(pauses) > 8


def test_a_reason_is_news_once_and_again_when_it_changes() -> None:
    patience = Patience()
    assert patience.learn({"g": "broken", "h": "broken"}, 0) == ["g", "h"]
    assert patience.learn({"g": "broken"}, 1) == []
    assert patience.learn({"g": "held"}, 3) == ["g"]
    assert patience.learn({"g": "broken"}, 7) == ["g"]


@pytest.mark.parametrize("done", [["g"], []], ids=["it was done", "it had nothing left to do"])
def test_after_success_it_begins_anew(done: list[str]) -> None:
    patience = Patience()
    for now in (0, 1, 3, 7):
        patience.learn({"g": "broken"}, now)
    patience.learn({}, 15, done=done)
    assert patience.learn({"g": "broken"}, 16) == ["g"]
    assert patience.resting(16.9) == {"g"}
    assert patience.resting(17) == frozenset()


def test_what_rests_is_not_forgotten_by_a_pass_that_left_it_alone() -> None:
    patience = Patience()
    patience.learn({"g": "broken"}, 0)
    patience.learn({}, 0.5)
    assert patience.resting(0.9) == {"g"}
    assert patience.learn({"g": "broken"}, 1) == []


# --- a pass ---


@pytest.fixture
def world(tmp_path: object) -> World:
    return World(tmp_path)  # type: ignore[arg-type]


def say(world: World, episode_id: str, group: str) -> None:
    said = Says(subject="Ann Lee", predicate="works_at", object=episode_id)
    world.accept(draft(episode_id, said, day=1, group=group))


def test_a_resting_group_is_left_alone_until_something_new_comes_for_it(world: World) -> None:
    assert isinstance(world.graph, MortalGraph)
    with world:
        world.graph.broken = {"g"}
        say(world, "e1", "g")
        assert [group for group, _ in work(world.installation).failed] == ["g"]
        say(world, "e2", "h")
        worked = work(world.installation, resting=["g"])
        assert (worked.failed, [one.group_id for one in worked.committed]) == ((), ["h"])
        say(world, "e3", "g")
        assert [group for group, _ in work(world.installation, resting=["g"]).failed] == ["g"]


def test_a_decision_wakes_every_group_for_it_may_be_what_mends_it(world: World) -> None:
    with world:
        say(world, "e1", "g")
        world.compact()
        say(world, "e2", "h")
        world.work()
        say(world, "e4", "h")
        world.compact()
        world.retract("e2", "h")
        worked = work(world.installation, resting=["g", "h"])
        assert [one.group_id for one in worked.committed] == ["h"]
