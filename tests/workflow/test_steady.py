"""Work that goes on: small passes until nothing is left, and refusals tried less and less often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belief_world import World
from scripted import draft, works

from memstrata.workflow.holds import hold, release
from memstrata.workflow.steady import Steady

if TYPE_CHECKING:
    from pathlib import Path


def _accept(world: World, count: int, *, group: str = "g") -> None:
    world.accept(*(draft(f"e{n}", works(f"Ann {n}", "Lab"), day=n, group=group) for n in range(count)))


def test_a_backlog_is_taken_in_by_small_passes_until_nothing_is_left(world: World) -> None:
    _accept(world, 7)
    steady = Steady(installation=world.installation, episodes=3)
    sizes = []
    while not (turn := steady.turn()).is_idle:
        assert turn.worked is not None
        sizes.append(turn.worked.extracted.episodes)
        assert len(world.said("g")) == sum(sizes)  # each pass is committed before the next begins
    assert [one for one in sizes if one] == [3, 3, 1]


def test_it_comes_to_the_same_as_one_pass(world: World, tmp_path: Path) -> None:
    _accept(world, 7)
    steady = Steady(installation=world.installation, episodes=2)
    while not steady.turn().is_idle:
        pass
    with World(tmp_path / "other") as other:
        _accept(other, 7)
        other.work()
        assert world.said("g") == other.said("g")


def test_a_held_group_waits_for_a_person_and_keeps_no_other_waiting(world: World) -> None:
    _accept(world, 1)
    world.work()
    hold(world.installation, "g", who="a test", reason="it looks wrong")
    world.accept(draft("late", works("Bob", "Mill"), day=9, group="g"))
    world.accept(draft("b", works("Cid", "Mill"), day=9, group="h"))
    now = [0.0]
    steady = Steady(installation=world.installation, now=lambda: now[0])
    told = []
    for _ in range(40):
        turn = steady.turn()
        now[0] += 1.0
        told += turn.worked.failed if turn.worked is not None else ()
    assert [group for group, _ in told] == ["g"]  # once
    assert len(world.said("h")) == 1
    release(world.installation, "g", who="a test", reason="it is right")
    for _ in range(70):
        steady.turn()
        now[0] += 1.0
    assert len(world.said("g")) == 2
