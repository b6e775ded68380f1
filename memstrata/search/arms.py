"""The arms: each a way to find facts, entities or episodes through the ports, as a `Ranking`.

What is made of several rankings lives in `fusion`.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final

from memstrata.ports import Hit, Sought, Subject
from memstrata.search.fusion import DEPTH, Arm, Ranking, handle_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.ports import Candidates, GraphReader, Scope, Vectors
    from memstrata.search.query import Query
    from memstrata.search.searcher import SearchedGraph

#: By how much cosine the nearest must lead the crowd, and how many make a crowd (see `stands_out`).
LEAST_LEAD: Final = 0.03
FEWEST_TO_TELL: Final = 3

#: From how many entities the one-hop arm starts; when the query names none, from how many likely ones.
MOST_SEEDS: Final = 10
LIKELY_SEEDS: Final = 3


def direct(candidates: Candidates, vector: Vectors | None) -> tuple[Ranking, ...]:
    """The rankings by words and, where the query has a vector, by it.

    BM25 gives 0 to what holds none of the words. Of a cosine there is always a nearest, however far, so
    that scale has no zero.
    """
    words = Ranking(arm=Arm.WORDS, hits=candidates.words, lowest=0.0)
    return (words,) if vector is None else (words, Ranking(arm=Arm.VECTORS, hits=candidates.vectors))


def stands_out(vectors: Ranking) -> bool:
    """Whether the nearest is nearer than the crowd: nothing in a memory is *about* "xyzzy".

    Asked only where no other arm found anything. With e5 on LoCoMo turns, groups of 30 to 350, the
    nearest leads the median of the first hundred by .03 for 90 to 100 % of real questions, and for 13 to
    53 % of nonsense, single characters and matters of another world.
    """
    scores = sorted((hit.score for hit in vectors.hits), reverse=True)
    return len(scores) < FEWEST_TO_TELL or scores[0] - median(scores) >= LEAST_LEAD


def by_one_hop(reader: GraphReader, seeds: Sequence[str], scope: Scope) -> Ranking:
    """Facts about the seed entities: those that join several seeds first, then the latest.

    The score is the number of seeds that a fact touches, plus a part below 1 that falls with its rank
    in valid time.
    """
    starts = set(seeds)
    edges = reader.edges_about(sorted(starts), scope, limit=DEPTH) if starts else ()
    hits = [
        Hit(edge.handle, len({edge.subject, edge.object} & starts) + (len(edges) - at) / (len(edges) + 1))
        for at, edge in enumerate(edges)
    ]
    hits.sort(key=lambda hit: (-hit.score, handle_order(hit.handle)))
    return Ranking(arm=Arm.ONE_HOP, hits=tuple(hits[:DEPTH]), lowest=0.0)


def seeds_of(graph: SearchedGraph, names: Sequence[Hit], query: Query, scope: Scope) -> tuple[str, ...]:
    """Ids of the entities that a query is about: those it names, else the likeliest by words."""
    hits = names[:MOST_SEEDS]
    if not hits:
        hits = graph.find(Subject.ENTITY, Sought(words=query.words), scope, limit=LIKELY_SEEDS).words
    entities = graph.entities_at([hit.handle for hit in hits])
    return tuple(dict.fromkeys(entities[hit.handle].entity_id for hit in hits if hit.handle in entities))
