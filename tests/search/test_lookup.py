"""Who is meant by a name that several go by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from memstrata.errors import Incorrect
from memstrata.model import Entity
from memstrata.ports import Filters, Hit, Scope
from memstrata.search.lookup import Lookup

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memstrata.ports import Handle, Subject

SCOPE = Scope(groups=("g", "h"), filters=Filters(types=("person",)))

TOMS = (
    Entity(entity_id="t1", group_id="g", name="Tom Weller", type="person"),
    Entity(entity_id="t2", group_id="g", name="Tom Baker", type=None),
    Entity(entity_id="t3", group_id="h", name="Tom", type=None),
)


@dataclass(frozen=True, slots=True)
class Namesakes:
    """A store in which everybody goes by `Tom` as well."""

    entities: tuple[Entity, ...]

    def named(self, names: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        assert not scope.filters
        return tuple(
            Hit(at, 1.0)
            for at, one in enumerate(self.entities)
            if one.group_id in scope.groups and ({"Tom", one.name} & set(names))
        )

    def match(self, subject: Subject, words: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        return ()

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        return {handle: self.entities[int(handle)] for handle in handles}

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        return {
            one.entity_id: one.name
            for one in self.entities
            if one.group_id == group_id and one.entity_id in ids
        }


@pytest.fixture
def lookup() -> Lookup:
    store: Any = Namesakes(TOMS)
    return Lookup(texts=store, reader=store)


def test_all_that_share_a_name_are_meant_by_it(lookup: Lookup) -> None:
    assert lookup.known("Tom", SCOPE) == TOMS


def test_an_id_means_one(lookup: Lookup) -> None:
    assert lookup.known("t2", SCOPE) == TOMS[1:2]


def test_where_one_is_needed_namesakes_are_refused_with_their_ids(lookup: Lookup) -> None:
    with pytest.raises(Incorrect) as refused:
        lookup.one("Tom", SCOPE)
    said = str(refused.value)
    assert "'Tom' is the name of 2 entities in group g" in said
    assert "Tom Weller (t1, person); Tom Baker (t2)" in said
    assert "entities merge" in said


def test_namesakes_of_two_groups_are_one_each(lookup: Lookup) -> None:
    with pytest.raises(Incorrect):
        lookup.one("Tom", SCOPE)
    assert lookup.one("Tom Weller", SCOPE) == TOMS[:1]
    alone: Any = Namesakes(TOMS[1:])
    assert Lookup(texts=alone, reader=alone).one("Tom", SCOPE) == TOMS[1:]


def test_nobody_is_refused_with_the_groups_that_were_searched(lookup: Lookup) -> None:
    with pytest.raises(Incorrect, match="in groups g, h is called 'Eve'"):
        lookup.known("Eve", SCOPE)
