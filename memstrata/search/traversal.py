"""Traversal: what lies within one to three facts of the entities that a query is about.

Facts count less with each hop, and more the more of the entities reached so far they join.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.search.defaults import DEPTH, EDGES_AN_ENTITY, EDGES_BEYOND, HOP_DECAY, MOST_FRONTIER
from memstrata.search.fusion import handle_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.ports import Edge, GraphReader, Handle, Scope

MOST_HOPS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """How near facts and entities are: by the hop that reached each first, with the facts' scores.

    `facts` are scores above 0, higher is nearer; `fact_hops` from 1, `entities` from 0 for the seeds.
    """

    facts: Mapping[Handle, float] = field(default_factory=dict)
    fact_hops: Mapping[Handle, int] = field(default_factory=dict)
    entities: Mapping[str, int] = field(default_factory=dict)


def traverse(
    reader: GraphReader,
    seeds: Iterable[str],
    scope: Scope,
    *,
    hops: int,
    first: Sequence[Edge] | None = None,
    enough: int | None = None,
) -> Reached:
    """Walks from the seeds, hop by hop, from at most `MOST_FRONTIER` entities a hop.

    Of a seed it looks at the latest `EDGES_AN_ENTITY` facts, of an entity beyond at the latest
    `EDGES_BEYOND`. `first` are the seeds' own edges, where somebody has them already; once `enough`
    facts are reached it goes no further. Raises `Incorrect` for hops other than 1, 2 or 3.
    """
    if not 1 <= hops <= MOST_HOPS:
        raise Incorrect(f"traversal over {hops} hops was asked for; expected 1, 2 or 3")
    entities: dict[str, int] = dict.fromkeys(sorted(set(seeds)), 0)
    facts: dict[Handle, float] = {}
    fact_hops: dict[Handle, int] = {}
    frontier = list(entities)
    edges: Sequence[Edge]
    for hop in range(1, hops + 1):
        if hop > 1 and (not frontier or (enough is not None and len(facts) >= enough)):
            break
        if hop > 1 or first is None:
            most = EDGES_AN_ENTITY if hop == 1 else EDGES_BEYOND
            edges = reader.edges_about(frontier, scope, limit=most)
        else:
            edges = first
        scored = scores_of([edge for edge in edges if edge.handle not in facts], set(frontier))
        for handle, score in scored.items():
            facts[handle] = HOP_DECAY ** (hop - 1) * score
            fact_hops[handle] = hop
        frontier = _next(edges, scored, entities)
        entities.update(dict.fromkeys(frontier, hop))
    return Reached(facts=facts, fact_hops=fact_hops, entities=entities)


def scores_of(edges: Sequence[Edge], starts: set[str]) -> Mapping[Handle, float]:
    """Scores from 0 to 1: facts that join two starts first, then the latest (edges come latest first)."""
    return {
        edge.handle: (len({edge.subject, edge.object} & starts) + (len(edges) - at) / (len(edges) + 1)) / 3
        for at, edge in enumerate(edges)
    }


def nearest_first(reached: Reached) -> tuple[tuple[Handle, float], ...]:
    """The facts with their scores, best first, at most `DEPTH` of them."""
    ordered = sorted(reached.facts.items(), key=lambda one: (-one[1], handle_order(one[0])))
    return tuple(ordered[:DEPTH])


def _next(edges: Iterable[Edge], scored: Mapping[Handle, float], known: Mapping[str, int]) -> list[str]:
    """The entities that these facts lead to for the first time, those of the best facts first."""
    best: dict[str, float] = {}
    for edge in edges:
        ends = (edge.subject, edge.object) if edge.leads_on else (edge.subject,)
        for end in ends:
            if end not in known:
                best[end] = max(best.get(end, 0.0), scored.get(edge.handle, 0.0))
    return sorted(best, key=lambda one: (-best[one], one))[:MOST_FRONTIER]
