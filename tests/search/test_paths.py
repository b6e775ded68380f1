"""The shortest ways between two entities."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_world import a_fact, when

from memstrata.errors import Incorrect
from memstrata.model import Entity, Version
from memstrata.ports import Edge, NamedVersion, Scope
from memstrata.search.lookup import Lookup
from memstrata.search.paths import paths
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memstrata.ports import Handle
    from memstrata.search.paths import Paths
    from memstrata.search.reads import Reads

SCOPE = Scope(groups=("g",))


@dataclass(frozen=True, slots=True)
class Web:
    """A reader of entities named by numbers, and facts that join pairs of them."""

    pairs: tuple[tuple[int, int], ...]

    def edges_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Edge, ...]:
        assert scope == SCOPE
        return tuple(
            Edge(
                handle=at,
                group_id="g",
                subject=str(one),
                object=str(other),
                leads_on=True,
                valid_at=None,
            )
            for at, (one, other) in enumerate(self.pairs)
            if not {str(one), str(other)}.isdisjoint(entity_ids)
        )

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, NamedVersion]:
        return {handle: self._version(int(handle)) for handle in handles}

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        return {one: one for one in ids if one.isdigit()}

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        return {
            handle: Entity(entity_id=str(handle), group_id="g", name=str(handle), type=None)
            for handle in handles
        }

    def named(self, names: Sequence[str], scope: Scope, *, limit: int) -> tuple[Any, ...]:
        return tuple(_Hit(handle=name) for name in names)

    def _version(self, at: int) -> NamedVersion:
        one, other = map(str, self.pairs[at])
        fact = a_fact(f"f{at}", (one, "KNOWS", other), "", period=(None, None), evidence=(), group_id="g")
        version = Version(fact=fact, created_at=when(2024), expired_at=None)
        return NamedVersion(version=version, subject=one, object=other)


@dataclass(frozen=True, slots=True)
class _Hit:
    handle: str


def ways(pairs: Sequence[tuple[int, int]], start: int, end: int, most_hops: int, limit: int = 100) -> Paths:
    web: Any = Web(tuple(pairs))
    lookup = Lookup(texts=web, reader=web)
    return paths(lookup, (str(start), str(end)), SCOPE, most_hops=most_hops, limit=limit)


def naive(pairs: Collection[tuple[int, int]], start: int, end: int, most_hops: int) -> set[tuple[int, ...]]:
    """All shortest ways, by growing every way a hop at a time."""
    joined = {*pairs, *((other, one) for one, other in pairs)}
    grown = [(start,)]
    for _ in range(most_hops):
        grown = [(*way, there) for way in grown for here, there in joined if here == way[-1]]
        found = {way for way in grown if way[-1] == end and len(set(way)) == len(way)}
        if found:
            return found
    return set()


_pairs = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda pair: pair[0] != pair[1]), max_size=10
)


@given(_pairs, st.integers(1, 4))
def test_ways_are_all_the_shortest_and_none_other(pairs: list[tuple[int, int]], most_hops: int) -> None:
    answer = ways(pairs, 0, 1, most_hops)
    found = [(*tuple(int(step.start) for step in way), int(way[-1].end)) for way in answer.paths]
    assert set(found) == naive(pairs, 0, 1, most_hops)
    assert found == sorted(found)
    assert answer.is_exhaustive


@given(_pairs)
def test_every_step_shows_all_facts_that_join_its_ends(pairs: list[tuple[int, int]]) -> None:
    for way in ways(pairs, 0, 1, 4).paths:
        for one, other in pairwise([way[0].start, *(step.end for step in way)]):
            (step,) = [each for each in way if each.start == one]
            told = {(fact.subject, fact.object) for fact in step.facts}
            assert told <= {(one, other), (other, one)}
            assert len(step.facts) == sum({str(a), str(b)} == {one, other} for a, b in pairs)


@given(_pairs, st.randoms(use_true_random=False))
def test_the_order_of_facts_makes_no_difference(pairs: list[tuple[int, int]], random: Any) -> None:
    once = [[(step.start, step.end) for step in way] for way in ways(pairs, 0, 1, 4, limit=2).paths]
    random.shuffle(pairs)
    again = [[(step.start, step.end) for step in way] for way in ways(pairs, 0, 1, 4, limit=2).paths]
    assert once == again


def test_more_ways_than_the_limit_are_told() -> None:
    answer = ways([(0, 2), (2, 1), (0, 3), (3, 1)], 0, 1, 3, limit=1)
    assert (len(answer.paths), answer.hops, answer.more) == (1, 2, True)


def test_a_store_leads_through_facts_of_the_moment(reads: Reads) -> None:
    answer = reads.path(("Alice", "Globex"))
    ((step,),) = answer.paths
    assert [fact.version.fact.id for fact in step.facts] == ["f-globex"]
    assert reads.path(("Alice", "Globex"), View(as_of=when(2020))).paths == ()
    through = reads.path(("Acme", "Globex"), View(history=True))
    assert [step.end for step in through.paths[0]] == ["Alice Liddell", "Globex"]


def test_ends_that_cannot_be_joined_are_refused(reads: Reads) -> None:
    with pytest.raises(Incorrect, match="are one entity"):
        reads.path(("Alice", "Alice Liddell"))
    with pytest.raises(Incorrect, match="is called 'Nobody'"):
        reads.path(("Alice", "Nobody"))
    with pytest.raises(Incorrect, match="expected a number from 1 to 6"):
        reads.path(("Alice", "Globex"), most_hops=7)
    with pytest.raises(Incorrect, match="name the group that is meant"):
        reads.path(("Alice", "Globex"), View(groups=("*",)))
