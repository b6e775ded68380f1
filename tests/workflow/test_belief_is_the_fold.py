"""Whatever happens to a memory, it holds what its live episodes say, and its history is the log's."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from belief_world import World
from histories import Crash, both_worlds, play, steps
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scripted import on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from histories import Step

VALID = [on(day) for day in (0, 10, 15, 30, 60)]
_many = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
_few = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def _live_through(history: Sequence[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        play(world, history)
        for group in world.groups():
            world.check_as_of(group, VALID)
        world.check_log()


@given(st.lists(steps, min_size=4, max_size=14))
@_few
def test_after_every_pass_the_graph_is_everything_folded_from_scratch(history: list[Step]) -> None:
    _live_through(history)


@pytest.mark.slow
@given(st.lists(steps, min_size=15, max_size=45))
@_many
def test_after_every_pass_of_a_long_history_the_graph_is_everything_folded_from_scratch(
    history: list[Step],
) -> None:
    _live_through(history)


@pytest.mark.slow
@given(st.lists(steps.filter(lambda step: not isinstance(step, Crash)), min_size=8, max_size=25))
@settings(_many, max_examples=15)
def test_both_stores_hold_the_same_history(history: list[Step]) -> None:
    held = []
    for world in both_worlds():
        play(world, history)
        held.append({group: world.canonical(group, history=True) for group in world.groups()})
        for group in world.groups():
            world.check_as_of(group, VALID[:2])
    assert held[0] == held[1]
