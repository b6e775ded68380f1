"""Pairs in doubt: listed from the graph as it stands, and gone as soon as somebody has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scripted import Says, draft, works

from memstrata.errors import Forbidden, Incorrect
from memstrata.memory import browsing
from memstrata.memory.access import Grant, Right
from memstrata.memory.browsing import Browsing
from memstrata.memory.telling import Telling
from memstrata.model import DecisionKind

if TYPE_CHECKING:
    from belief_world import World

    from memstrata.workflow.doubts import Suspects


def _doubtful(world: World, *said: tuple[str, str]) -> None:
    """People, each with an employer that they are said to have."""
    world.accept(
        *(
            draft(
                f"e{number}",
                Says(
                    subject=name,
                    predicate="likes",
                    object=f"dish {number}",
                    types=("person", None),
                    attributes=(("employer", employer),) if employer else (),
                    is_literal=True,
                ),
                day=number,
            )
            for number, (name, employer) in enumerate(said, start=1)
        )
    )
    world.work()


#: A first name and its only bearer, whose circumstances differ.
_TOM = (("Tom", "Lab"), ("Tom Weller", "Mill"))


def _reviews(world: World) -> tuple[Suspects, ...]:
    return Browsing(installation=world.installation).reviews("g").items


def test_two_who_may_be_one_are_listed_with_the_reason(world: World) -> None:
    _doubtful(world, *_TOM)
    [found] = _reviews(world)
    assert {found.left.name, found.right.name} == {"Tom", "Tom Weller"}
    assert found.left.entity_id < found.right.entity_id
    assert found.reason


def test_a_group_without_doubts_has_none(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    assert _reviews(world) == ()


@pytest.mark.parametrize(("kind", "left"), [(DecisionKind.MERGE, 1), (DecisionKind.KEEP_APART, 2)])
def test_a_decided_pair_is_off_the_list_before_and_after_its_commit(
    world: World, kind: DecisionKind, left: int
) -> None:
    _doubtful(world, *_TOM)
    [found] = _reviews(world)
    telling = Telling(installation=world.installation)
    telling.judge(kind, "g", (found.left.entity_id, found.right.entity_id))
    assert _reviews(world) == ()
    world.work()
    assert _reviews(world) == ()
    people = {one.entity_id for one in world.graph.all_entities("g") if one.type == "person"}
    assert len(people) == left


def test_pages_hold_every_pair_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("Alex Kestrel", "Alex Ortega", "Alex", "Sam Hart", "Sam Reed", "Sam", "Kim Lund")
    _doubtful(world, *((name, "") for name in names), *_TOM)
    whole = _reviews(world)
    assert {frozenset((one.left.name, one.right.name)) for one in whole} == {
        frozenset(pair)
        for pair in (
            ("Alex", "Alex Kestrel"),
            ("Alex", "Alex Ortega"),
            ("Sam", "Sam Hart"),
            ("Sam", "Sam Reed"),
            ("Tom", "Tom Weller"),
        )
    }
    monkeypatch.setattr(browsing, "MOST_LOOKED_THROUGH", 3)
    monkeypatch.setattr(browsing, "_AT_ONCE", 2)
    listing = Browsing(installation=world.installation)
    found: list[Suspects] = []
    after = None
    for _ in range(50):
        page = listing.reviews("g", after=after, limit=2)
        found += page.items
        after = page.following
        if after is None:
            break
    assert tuple(found) == whole


def test_a_place_that_no_page_gave_is_refused(world: World) -> None:
    with pytest.raises(Incorrect, match="take it from the page before"):
        Browsing(installation=world.installation).reviews("g", after="12")


def test_nobody_sees_the_doubts_of_another_group(world: World) -> None:
    _doubtful(world, *_TOM)
    grant = Grant(who="r", groups=("h",), rights=frozenset({Right.READ}))
    with pytest.raises(Forbidden):
        Browsing(installation=world.installation, grant=grant).reviews("g")
