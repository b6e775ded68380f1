"""One search under way: what it asks of the graph, each question once, and what its arms have found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from memstrata.errors import MemstrataError
from memstrata.ports import Finder, GraphReader, Hit, SemanticMemory, Sought, Subject, VectorIndex
from memstrata.search.arms import direct, stands_out
from memstrata.search.defaults import (
    DEPTH,
    EDGES_AN_ENTITY,
    LIKELY_SEEDS,
    MOST_SEEDS,
    REACHED_ENOUGH,
    RERANKED,
    VOTING_FACTS,
)
from memstrata.search.fusion import Arm, Ranking, fuse
from memstrata.search.traversal import nearest_first, traverse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from memstrata.ports import Candidates, Embedder, Reranker, Scope, Vectors
    from memstrata.search.fusion import Fused
    from memstrata.search.presets import Preset
    from memstrata.search.query import Query
    from memstrata.search.traversal import Reached


#: What starts from the entities that a query calls by name.
_BY_NAME: Final = frozenset({Arm.NAMES, Arm.TRAVERSAL})


class SearchedGraph(Finder, VectorIndex, GraphReader, SemanticMemory, Protocol):
    """The roles of a store that search needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody is looking for: the query, where and when, how, how many of each, from which centre."""

    query: Query
    scope: Scope
    preset: Preset
    limit: int
    centre: str | None = None


@dataclass(slots=True, kw_only=True)
class Look:
    """A wish and the graph it is put to."""

    graph: SearchedGraph
    wish: Wish
    vector: Vectors | None
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    _candidates: dict[Subject, Candidates] = field(default_factory=dict)
    _named: tuple[str, ...] | None = None
    _reached: Reached | None = None
    _facts: tuple[Fused, ...] | None = None

    def candidates(self, subject: Subject) -> Candidates:
        """What the arms of the store find of a subject."""
        if subject not in self._candidates:
            wish = self.wish
            walks = subject is Subject.FACT and Arm.TRAVERSAL in wish.preset.arms
            sought = Sought(
                words=wish.query.forms,
                names=wish.query.names if wish.preset.arms & _BY_NAME else (),
                vector=self.vector,
                starts=MOST_SEEDS if walks else 0,
                edges=EDGES_AN_ENTITY if walks else 0,
            )
            self._candidates[subject] = self.graph.find(subject, sought, wish.scope, limit=DEPTH)
        return self._candidates[subject]

    def named(self) -> tuple[str, ...]:
        """Ids of the entities that the query calls by name, whether they pass the filters or not."""
        if self._named is None:
            found = self.candidates(Subject.FACT)
            self._named = self._ids(found.names[:MOST_SEEDS]) if found.starts is None else found.starts
        return self._named

    def reached(self) -> Reached:
        """What lies near the entities that the query names, or else near the likeliest by words."""
        if self._reached is None:
            named = self.named()
            self._reached = traverse(
                self.graph,
                named or self._likely(),
                self.wish.scope,
                hops=self.wish.preset.hops,
                first=self.candidates(Subject.FACT).edges if named else None,
                enough=max(REACHED_ENOUGH, self.wish.limit),
            )
        return self._reached

    def facts(self) -> tuple[Fused, ...]:
        """The facts that were found, best first: as many as are wanted, reranked, or asked for votes."""
        if self._facts is None:
            rankings = list(direct(self.candidates(Subject.FACT), self.vector))
            if Arm.TRAVERSAL in self.wish.preset.arms:
                near = tuple(Hit(handle, score) for handle, score in nearest_first(self.reached()))
                rankings.append(Ranking(arm=Arm.TRAVERSAL, hits=near, lowest=0.0))
            self._facts = self.fused(rankings, most=max(self.wish.limit, RERANKED, VOTING_FACTS))
        return self._facts

    def direct(self, subject: Subject) -> tuple[Ranking, ...]:
        """The rankings by words and by vector."""
        return direct(self.candidates(subject), self.vector)

    def nearest_without(self, subject: Subject, left_out: AbstractSet[str]) -> Ranking | None:
        """The ranking by the vector of the query without those words.

        None where no word would be left, or where no vector is to be had.
        """
        query, scope = self.wish.query, self.wish.scope
        if self.vector is None or self.embedder is None or left_out >= set(query.words):
            return None
        try:
            vector = self.embedder.queries([query.without(left_out)])[0]
        except MemstrataError:  # a server that is away from now on must not take what was found with it
            return None
        return Ranking(arm=Arm.VECTORS, hits=self.graph.nearest(subject, vector, scope, limit=DEPTH))

    def fused(self, rankings: Iterable[Ranking], *, most: int | None = None) -> tuple[Fused, ...]:
        """The rankings of the preset's arms as one, `most` of it at most.

        Empty where vectors alone found something, and nothing that stands out.
        """
        asked = [ranking for ranking in rankings if ranking.arm in self.wish.preset.arms]
        found = [ranking for ranking in asked if ranking.hits]
        if all(one.arm is Arm.VECTORS and not stands_out(one) for one in found):
            return ()
        return fuse(asked, self.wish.preset.fusion, limit=most)

    def _likely(self) -> tuple[str, ...]:
        candidates = self._candidates.get(Subject.ENTITY) or self.graph.find(
            Subject.ENTITY, Sought(words=self.wish.query.forms), self.wish.scope, limit=LIKELY_SEEDS
        )
        return self._ids(candidates.words[:LIKELY_SEEDS])

    def _ids(self, hits: Sequence[Hit]) -> tuple[str, ...]:
        entities = self.graph.entities_at([hit.handle for hit in hits])
        there = (entities[hit.handle].entity_id for hit in hits if hit.handle in entities)
        return tuple(dict.fromkeys(there))
