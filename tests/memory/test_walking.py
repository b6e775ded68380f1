"""Pages of what is around an entity: nothing skipped and nothing twice while others write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scripted import Says, draft

from memstrata.errors import Forbidden, Incorrect
from memstrata.memory.access import Grant, Right
from memstrata.memory.asking import Asking
from memstrata.search.view import View

if TYPE_CHECKING:
    from belief_world import World

    from memstrata.model import Draft

VIEW = View(groups=("g",))


def _knows(number: int) -> Draft:
    said = Says(subject="Hub", predicate="knows", object=f"Person {number}", types=("person", "person"))
    return draft(f"e{number}", said, day=1 + number % 28)


def test_pages_of_a_walk_read_what_was_believed_at_the_first(world: World) -> None:
    world.accept(*(_knows(number) for number in range(7)))
    world.work()
    asking = Asking(installation=world.installation)
    page = asking.neighbours("Hub", VIEW, limit=3)
    found = list(page.neighbours.facts)
    world.accept(_knows(27))  # the latest of all: it would push every other one down
    world.work()
    while page.following is not None:
        page = asking.neighbours("Hub", VIEW, limit=3, after=page.following)
        found += page.neighbours.facts
    names = [one.object for one in found]
    assert sorted(names) == [f"Person {number}" for number in range(7)]
    assert asking.neighbours("Hub", VIEW, limit=3).neighbours.facts[0].object == "Person 27"
    assert asking.neighbours("Hub", VIEW).neighbours.total == 8


def test_a_value_is_nobody_to_walk_to(world: World) -> None:
    said = Says(subject="Hub", predicate="likes", object="tea", types=("person", None), is_literal=True)
    world.accept(_knows(1), draft("tea", said, day=2))
    world.work()
    found = Asking(installation=world.installation).neighbours("Hub", VIEW).neighbours
    assert [one.object for one in found.facts] == ["tea", "Person 1"]
    assert [(one.name, one.type, one.facts) for one in found.others] == [("Person 1", "person", 1)]


@pytest.mark.parametrize("cursor", ["x", "", "WyIyMDI0IiwgIi0xIl0", "WyJ4IiwiMSJd"])
def test_a_cursor_of_ones_own_making_is_refused(world: World, cursor: str) -> None:
    world.accept(_knows(1))
    world.work()
    with pytest.raises(Incorrect, match="no cursor of this list"):
        Asking(installation=world.installation).neighbours("Hub", VIEW, after=cursor)


@pytest.mark.parametrize("limit", [0, 201])
def test_a_page_has_1_to_200_facts(world: World, limit: int) -> None:
    with pytest.raises(Incorrect, match="expected 1 to 200"):
        Asking(installation=world.installation).neighbours("Hub", VIEW, limit=limit)


def test_whoever_does_not_reach_the_group_learns_nothing_of_it(world: World) -> None:
    elsewhere = Grant(who="eve", groups=("other",), rights=frozenset(Right))
    with pytest.raises(Forbidden):
        Asking(installation=world.installation, grant=elsewhere).neighbours("Hub", VIEW)
