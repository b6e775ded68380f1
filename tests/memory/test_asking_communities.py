"""Communities of a group through the one module that faces call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scripted import draft, works

from memstrata.errors import Forbidden
from memstrata.memory.access import Grant, Right
from memstrata.memory.asking import Asking

if TYPE_CHECKING:
    from belief_world import World

pytest.importorskip("graspologic_native")


def test_who_works_together_is_a_community_of_its_group_alone(world: World) -> None:
    for group, place in (("g", "Lab"), ("h", "Mill")):
        world.accept(
            draft("a", works("Ann Lee", place), day=1, group=group),
            draft("b", works("Bob Moor", place), day=2, group=group),
        )
    world.work()
    grant = Grant(who="r", groups=("g",), rights=frozenset({Right.READ}))
    asking = Asking(installation=world.installation, grant=grant)
    [found] = asking.communities("g")
    assert {member.name for member in found.members} == {"Ann Lee", "Bob Moor", "Lab"}
    with pytest.raises(Forbidden):
        asking.communities("h")
