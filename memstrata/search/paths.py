"""How two entities are joined: the shortest ways through facts in scope, found from both ends at once.

Literals join nobody. Bounded: `WIDTH` facts an entity (its latest), `MOST_REACHED` entities in
all, `MOST_WAYS` ways of equal length.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.search.lookup import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memstrata.bitemporal import Moment
    from memstrata.model import Entity
    from memstrata.ports import Edge, GraphReader, NamedVersion, Scope
    from memstrata.search.lookup import Lookup

    Place = tuple[str, str]  # (group, entity id)
    Links = dict[frozenset[Place], dict[object, Edge]]

MOST_HOPS: Final = 6
WIDTH: Final = 200
MOST_REACHED: Final = 5_000
MOST_WAYS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One hop: from a name to a name, by all facts in scope that join the two, latest first."""

    start: str
    end: str
    facts: tuple[NamedVersion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """The shortest ways between two entities, in order of the names on them; () if there is none.

    `hops` is their length; `is_exhaustive` is False if a bound was met, so that others, or shorter
    ones, may have been missed; `more` says that there are more of that length than `limit`.
    """

    start: Entity
    end: Entity
    moment: Moment
    most_hops: int
    paths: tuple[tuple[Step, ...], ...]
    is_exhaustive: bool
    more: bool

    @property
    def hops(self) -> int:
        """The length of the ways; 0 if there is none."""
        return len(self.paths[0]) if self.paths else 0


def paths(lookup: Lookup, ends: tuple[str, str], scope: Scope, *, most_hops: int, limit: int) -> Paths:
    """The shortest ways from one entity to another, of at most `most_hops` facts, in either direction.

    Raises `Incorrect` for unknown and ambiguous names, for one entity named twice, for entities of two
    groups, and for `most_hops` outside 1 to 6.
    """
    if not 1 <= most_hops <= MOST_HOPS:
        raise Incorrect(f"the most hops are {most_hops}; expected a number from 1 to {MOST_HOPS}")
    start, end = _ends(lookup, ends, scope)
    search = _Search(reader=lookup.reader, scope=scope)
    ways = search.ways(_place(start), _place(end), most_hops)
    names = _names(lookup.reader, ways)
    ways.sort(key=lambda way: [(names[place], place) for place in way])
    return Paths(
        start=start,
        end=end,
        moment=scope.moment,
        most_hops=most_hops,
        paths=tuple(
            tuple(_step(lookup.reader, pair, names, search.links) for pair in pairwise(way))
            for way in ways[:limit]
        ),
        is_exhaustive=search.is_exhaustive,
        more=len(ways) > limit,
    )


def _place(entity: Entity) -> Place:
    return entity.group_id, entity.entity_id


def _ends(lookup: Lookup, ends: tuple[str, str], scope: Scope) -> tuple[Entity, Entity]:
    """The two entities, of one group."""
    starts = {one.group_id: one for one in lookup.one(ends[0], scope)}
    goals = {one.group_id: one for one in lookup.one(ends[1], scope)}
    shared = sorted(starts.keys() & goals.keys())
    if not shared:
        raise Incorrect(
            f"{ends[0]!r} is in {listed(sorted(starts))} and {ends[1]!r} in {listed(sorted(goals))}; facts "
            "never cross groups, so nothing can join them"
        )
    if len(shared) > 1:
        raise Incorrect(
            f"both {ends[0]!r} and {ends[1]!r} are in {listed(shared)}; name the group that is meant"
        )
    start, end = starts[shared[0]], goals[shared[0]]
    if start.entity_id == end.entity_id:
        raise Incorrect(
            f"{ends[0]!r} and {ends[1]!r} are one entity, {start.name} ({start.entity_id}); name two"
        )
    return start, end


@dataclass(slots=True, kw_only=True)
class _Search:
    """Two searches, breadth first, that meet; `links` holds the facts between any two places seen."""

    reader: GraphReader
    scope: Scope
    links: Links = field(default_factory=lambda: defaultdict(dict))
    is_exhaustive: bool = True

    def ways(self, start: Place, end: Place, most_hops: int) -> list[list[Place]]:
        """All shortest ways, as the places on them."""
        sides = (_Side.at(start), _Side.at(end))
        for _ in range(most_hops):
            near, far = sorted(sides, key=lambda side: len(side.front))
            if not near.front:
                return []
            self._widen(near)
            if meeting := near.front & far.front:
                return self._through(sorted(meeting), sides)
            if len(sides[0].before) + len(sides[1].before) > MOST_REACHED:
                self.is_exhaustive = False
                return []
        return []

    def _through(self, meeting: Sequence[Place], sides: tuple[_Side, _Side]) -> list[list[Place]]:
        found = (
            [*reversed(there), *back[1:]]
            for place in meeting
            for there in sides[0].ways_back(place)
            for back in sides[1].ways_back(place)
        )
        ways = list(islice(found, MOST_WAYS + 1))
        if len(ways) > MOST_WAYS:
            self.is_exhaustive = False
        return ways[:MOST_WAYS]

    def _widen(self, side: _Side) -> None:
        reached: defaultdict[Place, set[Place]] = defaultdict(set)
        ids = sorted({entity_id for _, entity_id in side.front})
        edges = [edge for edge in self.reader.edges_about(ids, self.scope, limit=WIDTH) if edge.leads_on]
        ends: defaultdict[Place, int] = defaultdict(int)
        for edge in edges:
            one, other = (edge.group_id, edge.subject), (edge.group_id, edge.object)
            ends[one] += 1
            ends[other] += 1
            self.links[frozenset((one, other))][edge.handle] = edge
            for here, there in ((one, other), (other, one)):
                if here in side.front and there not in side.before:
                    reached[there].add(here)
        if any(ends[place] >= WIDTH for place in side.front):
            self.is_exhaustive = False
        side.before.update(reached)
        side.front = set(reached)


@dataclass(slots=True, kw_only=True)
class _Side:
    """What one search has reached: its front, and of every place those directly before it."""

    front: set[Place]
    before: dict[Place, set[Place]]

    @classmethod
    def at(cls, place: Place) -> _Side:
        return cls(front={place}, before={place: set()})

    def ways_back(self, place: Place) -> Iterator[list[Place]]:
        """Every shortest way from the place to where this search began."""
        if not self.before[place]:
            yield [place]
        for previous in sorted(self.before[place]):
            for way in self.ways_back(previous):
                yield [place, *way]


def _names(reader: GraphReader, ways: Iterable[Sequence[Place]]) -> dict[Place, str]:
    """What the places on the ways are called; by their ids where no name is known."""
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for group, entity_id in chain.from_iterable(ways):
        ids[group].add(entity_id)
    known = {group: reader.names_of(group, wanted) for group, wanted in ids.items()}
    return {
        (group, entity_id): known[group].get(entity_id, entity_id)
        for group, wanted in ids.items()
        for entity_id in wanted
    }


def _step(
    reader: GraphReader,
    pair: tuple[Place, Place],
    names: Mapping[Place, str],
    links: Mapping[frozenset[Place], dict[object, Edge]],
) -> Step:
    edges = links[frozenset(pair)].values()
    facts = sorted(reader.versions([edge.handle for edge in edges]).values(), key=_latest_first)
    start, end = pair
    return Step(start=names[start], end=names[end], facts=tuple(facts))


def _latest_first(named: NamedVersion) -> tuple[float, str, str, float]:
    fact = named.version.fact
    begun = float("-inf") if fact.valid_at is None else fact.valid_at.timestamp()
    return (-begun, fact.predicate, fact.id, named.version.created_at.timestamp())
