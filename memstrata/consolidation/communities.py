"""Communities: entities that have more to do with one another than with the rest, each with a report. Pure.

Found by Leiden (Traag, Waltman, van Eck: From Louvain to Leiden, 2019), maximising modularity, on the facts
between entities; every pair weighs as much as it has facts. Equal facts give equal communities.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.consolidation.wording import relation_words, time_words
from memstrata.errors import Missing
from memstrata.ids import identify
from memstrata.instants import Precision, StatedTime
from memstrata.model import ObjectKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Fact

_SEED: Final = 7
_ITERATIONS: Final = 3
_TOLD_MEMBERS: Final = 5
_TOLD_RELATIONS: Final = 4
_SMALLEST: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An entity of a community; `facts` are those that it has with other members."""

    entity_id: str
    name: str
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """Members by their facts, then name; `relations` by how many facts have them, most first.

    `facts` counts those between members. `since` is their earliest known beginning, `until` their latest
    known bound of any kind; None where none is known. The id is that of the set of members.
    """

    community_id: str
    members: tuple[Member, ...]
    facts: int
    relations: tuple[tuple[str, int], ...]
    since: datetime | None
    until: datetime | None
    report: str


def communities_of(facts: Iterable[Fact], names: Mapping[str, str]) -> tuple[Community, ...]:
    """The communities of at least two among the facts of one group, the largest first, then by id.

    Literals, contested facts and facts of an entity with itself join nobody. Raises `Missing` without the
    package graspologic-native.
    """
    between: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact.object_kind is ObjectKind.ENTITY and not fact.contested and fact.subject != fact.object:
            left, right = sorted((fact.subject, fact.object))
            between[left, right].append(fact)
    members: dict[int, list[str]] = defaultdict(list)
    home = _partition({pair: len(own) for pair, own in between.items()})
    for entity_id, number in home.items():
        members[number].append(entity_id)
    inside: dict[int, list[Fact]] = defaultdict(list)
    for (left, right), own in between.items():
        if home[left] == home[right]:
            inside[home[left]].extend(own)
    found = [
        _community(sorted(own), inside[number], names)
        for number, own in members.items()
        if len(own) >= _SMALLEST
    ]
    return tuple(sorted(found, key=lambda one: (-len(one.members), one.community_id)))


def _partition(weights: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """The community of each entity; nobody's for no pairs, which Leiden refuses."""
    try:
        from graspologic_native import leiden
    except ModuleNotFoundError as error:
        if error.name != "graspologic_native":
            raise
        raise Missing(
            "communities need the package graspologic-native; install it with: "
            "pip install 'memstrata[communities]'"
        ) from None
    if not weights:
        return {}
    edges = [(left, right, float(weight)) for (left, right), weight in sorted(weights.items())]
    home: dict[str, int] = leiden(edges, seed=_SEED, iterations=_ITERATIONS)[1]
    return home


def _community(ids: Sequence[str], facts: Sequence[Fact], names: Mapping[str, str]) -> Community:
    links = Counter(end for fact in facts for end in (fact.subject, fact.object))
    members = sorted(
        (Member(entity_id=one, name=names.get(one, one), facts=links[one]) for one in ids),
        key=lambda one: (-one.facts, one.name, one.entity_id),
    )
    relations = sorted(
        Counter(fact.predicate for fact in facts).items(), key=lambda counted: (-counted[1], counted[0])
    )
    begun = [(fact.valid_at, fact.valid_at_precision) for fact in facts]
    bounds = begun + [(fact.invalid_at, fact.invalid_at_precision) for fact in facts]
    first = min(_known(begun), default=None)
    last = max(_known(bounds), default=None)
    return Community(
        community_id=identify("community", *ids),
        members=tuple(members),
        facts=len(facts),
        relations=tuple(relations),
        since=first and first[0],
        until=last and last[0],
        report=_report(members, relations, first, last),
    )


_Bound = tuple["datetime", str]


def _known(bounds: Iterable[tuple[datetime | None, Precision | None]]) -> list[_Bound]:
    """Those that are known, each with its words; one that nobody stated is told to the day."""
    return [
        (at, time_words(StatedTime(at, precision or Precision.DAY)))
        for at, precision in bounds
        if at is not None
    ]


def _report(
    members: Sequence[Member],
    relations: Sequence[tuple[str, int]],
    first: _Bound | None,
    last: _Bound | None,
) -> str:
    central = ", ".join(f"{one.name} ({one.facts})" for one in members[:_TOLD_MEMBERS])
    common = ", ".join(f"{relation_words(name)} ({count})" for name, count in relations[:_TOLD_RELATIONS])
    more = len(members) - _TOLD_MEMBERS
    others = f" and {more} more" if more > 0 else ""
    told = [
        f"{len(members)} entities, by facts among them: {central}{others}.",
        f"Relations: {common}{', ...' if len(relations) > _TOLD_RELATIONS else ''}.",
    ]
    if first is not None and last is not None:
        told.append(f"Times: {first[1]}." if first[1] == last[1] else f"Times: {first[1]} to {last[1]}.")
    return " ".join(told)
