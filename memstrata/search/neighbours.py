"""Who is around an entity: its latest facts, some at a time, and whom each of them leads to.

For drawing and walking a graph. Ways of several hops are `paths`' to find, ranked ones `searcher`'s.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.model import ObjectKind
from memstrata.ports import Filters
from memstrata.search.timeline import stands_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.bitemporal import Moment
    from memstrata.model import Entity
    from memstrata.ports import NamedVersion, Scope
    from memstrata.search.lookup import Lookup

#: How many facts of the entity are counted at most, and how many of each neighbour.
MOST: Final = 5_000
MOST_OF_EACH: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """An entity as a node: `facts` is how many versions in view are about it, up to `MOST_OF_EACH`."""

    entity_id: str
    name: str
    type: str | None
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """An entity, some of the facts about it (latest first), and the entities at their other ends.

    `total` is how many facts in view are about it, of which `skipped` come before these; `is_whole` is
    False where there are more than the `MOST` that are counted. A fact comes once, in the version that is
    believed at the moment's system time.
    """

    entity: Entity
    moment: Moment
    history: bool
    facts: tuple[NamedVersion, ...]
    others: tuple[Neighbour, ...]
    skipped: int
    total: int
    is_whole: bool


def neighbours(lookup: Lookup, asked: str, scope: Scope, *, limit: int, skip: int = 0) -> Neighbours:
    """What is around the entity of that id or name, from the fact after the first `skip` on.

    Raises `Incorrect` for one that nobody knows, and for a name that several go by.
    """
    entity = _one(lookup, asked, scope)
    narrowed = replace(scope, groups=(entity.group_id,))
    edges = lookup.reader.edges_about([entity.entity_id], narrowed, limit=MOST)
    handles = [edge.handle for edge in edges]
    if scope.history:  # versions that are not believed any more are no edges
        versions = lookup.reader.versions(handles)
        system = scope.moment.system
        handles = [one for one in handles if one in versions and stands_at(versions[one].version, system)]
    shown = handles[skip : skip + limit]
    if not scope.history:
        versions = lookup.reader.versions(shown)
    facts = tuple(versions[handle] for handle in shown if handle in versions)
    return Neighbours(
        entity=entity,
        moment=scope.moment,
        history=scope.history,
        facts=facts,
        others=_others(lookup, entity, facts, narrowed),
        skipped=skip,
        total=len(handles),
        is_whole=len(edges) < MOST,
    )


def _one(lookup: Lookup, asked: str, scope: Scope) -> Entity:
    found = lookup.one_ever(asked, scope)
    if len(found) > 1:
        groups = ", ".join(one.group_id for one in found)
        raise Incorrect(f"{asked!r} is known in several groups: {groups}; name the one that is meant")
    return found[0]


def _others(
    lookup: Lookup, entity: Entity, facts: Iterable[NamedVersion], scope: Scope
) -> tuple[Neighbour, ...]:
    """Those whom the facts lead to, in the order of the facts."""
    names: dict[str, str] = {}
    for one in facts:
        fact = one.version.fact
        names.setdefault(fact.subject, one.subject)
        if fact.object_kind is ObjectKind.ENTITY:
            names.setdefault(fact.object, one.object)
    names.pop(entity.entity_id, None)
    standing = lookup.standing(entity.group_id, names, scope)
    counted = _counts(lookup, list(names), scope)
    return tuple(
        Neighbour(
            entity_id=entity_id,
            name=name,
            type=standing[entity_id].type if entity_id in standing else None,
            facts=counted.get(entity_id, 0),
        )
        for entity_id, name in names.items()
    )


def _counts(lookup: Lookup, ids: Sequence[str], scope: Scope) -> Mapping[str, int]:
    """How many edges each of those has, up to `MOST_OF_EACH`; nothing narrows them."""
    if not ids:
        return {}
    edges = lookup.reader.edges_about(ids, replace(scope, filters=Filters()), limit=MOST_OF_EACH)
    ends = Counter(end for edge in edges for end in {edge.subject, edge.object if edge.leads_on else ""})
    return {one: min(ends[one], MOST_OF_EACH) for one in ids}
