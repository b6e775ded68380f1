"""What is particular to each subject: which arms find it, and what its rerankers look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from memstrata.errors import Incorrect
from memstrata.model import Entity, Episode, Procedure, Role, Summary
from memstrata.ports import Beside, Hit, NamedVersion, Subject
from memstrata.search import reranking
from memstrata.search.defaults import HOP_DECAY, MOST_EVIDENCE, POOL, RERANKED, VOTING_FACTS
from memstrata.search.fusion import Arm, Ranking
from memstrata.search.recency import asks_how_it_stands, later_first, said
from memstrata.search.reranking import Rerank
from memstrata.search.speakers import is_named, preferred, words_of
from memstrata.search.traversal import MOST_HOPS, traverse
from memstrata.search.turns import raised, spread, with_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from memstrata.ports import Handle
    from memstrata.search.fusion import Fused
    from memstrata.search.look import Look

Record = NamedVersion | Entity | Episode | Summary | Procedure
R = TypeVar("R", bound=Record)

_NO_RERANKER = (
    "the preset asks for a cross-encoder, and none is at hand; configure one, or choose a preset without it"
)
_NO_CENTRE = "ranking by node distance needs the id of the entity from which to measure; give it as centre"


def facts(look: Look) -> tuple[tuple[Fused, NamedVersion], ...]:
    """The facts of a look with their records, as many as it wants."""
    found = look.facts()[: _pool(look)]
    return _ordered(look, Subject.FACT, found, look.graph.versions([one.handle for one in found]))


def entities(look: Look) -> tuple[tuple[Fused, Entity], ...]:
    """The entities: by words, vectors and names, and how near they are to those that are named."""
    candidates = look.candidates(Subject.ENTITY)
    names = Ranking(arm=Arm.NAMES, hits=candidates.names, lowest=0.0)
    there = {hit.handle for arm in (candidates.words, candidates.vectors, candidates.names) for hit in arm}
    records = look.graph.entities_at(sorted(there, key=str))
    near = _near(look, {handle: entity.entity_id for handle, entity in records.items()})
    found = look.fused([*look.direct(Subject.ENTITY), names, near])
    return _ordered(look, Subject.ENTITY, found[: _pool(look)], records)


def summaries(look: Look) -> tuple[tuple[Fused, Summary], ...]:
    """The summaries: by words and vectors, and whether their entity is named or near one that is."""
    candidates = look.candidates(Subject.SUMMARY)
    there = {hit.handle for arm in (candidates.words, candidates.vectors) for hit in arm}
    records = look.graph.summaries_at(sorted(there, key=str))
    about = {handle: summary.entity_id for handle, summary in records.items()}
    named = set(look.named()) if about else set()
    hits = tuple(Hit(handle, 1.0) for handle, entity_id in about.items() if entity_id in named)
    names = Ranking(arm=Arm.NAMES, hits=hits, lowest=0.0)
    found = look.fused([*look.direct(Subject.SUMMARY), names, _near(look, about)])
    return _ordered(look, Subject.SUMMARY, found[: _pool(look)], records)


def procedures(look: Look) -> tuple[tuple[Fused, Procedure], ...]:
    """The procedures: by words and vectors; no entity is joined to them."""
    found = look.fused(look.direct(Subject.PROCEDURE))[: _pool(look)]
    return _ordered(look, Subject.PROCEDURE, found, look.graph.procedures_at([one.handle for one in found]))


def episodes(look: Look) -> tuple[tuple[Fused, Episode], ...]:
    """The turns: found themselves, by facts that rest on them, or beside one that was found."""
    found = look.fused(look.direct(Subject.EPISODE))
    if not found:
        return ()
    records = dict(look.graph.episodes_at([one.handle for one in found[:POOL]]))
    if Arm.FACTS in look.wish.preset.arms:
        found = with_facts(found, _votes(look, records))
    if Arm.BESIDE in look.wish.preset.arms:
        beside = look.graph.beside([one.handle for one in found], look.wish.scope)
        found = spread(found, beside)[:POOL]
        missing = [one.handle for one in found if one.handle not in records]
        records.update(look.graph.episodes_at(missing))
        found = _as_it_stands(look, raised(found, *preferred(records, look.wish.query)), records)
    return _ordered(look, Subject.EPISODE, found[: _pool(look)], records)


def _as_it_stands(
    look: Look, found: tuple[Fused, ...], records: Mapping[Handle, Episode]
) -> tuple[Fused, ...]:
    """For a question how something stands now: what people said later above what it puts out of date."""
    query = look.wish.query
    if not asks_how_it_stands(query.text):
        return found
    people = {
        handle: one
        for handle, one in records.items()
        if one.speaker is None or one.speaker.role is not Role.ASSISTANT
    }
    named = {
        word for one in people.values() if is_named(one.speaker, query) for word in words_of(one.speaker)
    }
    words = [word for word in query.words if word not in named]
    return later_first(found, {handle: said(one) for handle, one in people.items()}, words)


def beside(look: Look, found: Sequence[Handle]) -> Mapping[Handle, tuple[Episode | None, Episode | None]]:
    """The turns before and after each of those episodes."""
    sides = look.graph.beside(found, look.wish.scope)
    near = {side for one in sides.values() for side in (one.before, one.after) if side is not None}
    records = look.graph.episodes_at(sorted(near, key=str))
    return {
        handle: (
            None if one.before is None else records.get(one.before),
            None if one.after is None else records.get(one.after),
        )
        for handle in found
        for one in (sides.get(handle, Beside()),)
    }


def _votes(look: Look, records: Mapping[Handle, Episode]) -> Mapping[Handle, float]:
    """What the best facts say for the turns they rest on: the score of the best fact each."""
    best = look.facts()[:VOTING_FACTS]
    versions = look.graph.versions([one.handle for one in best]) if best else {}
    wanted: dict[str, dict[str, float]] = {}
    for one in best:
        if one.handle in versions:
            fact = versions[one.handle].version.fact
            scores = wanted.setdefault(fact.group_id, {})
            for assertion_id in fact.evidence[:MOST_EVIDENCE]:
                scores[assertion_id] = max(one.score, scores.get(assertion_id, 0.0))
    said: dict[tuple[str, str], float] = {}
    for group_id, scores in wanted.items():
        for placement in look.graph.evidence(group_id, scores):
            key = (group_id, placement.episode_id)
            said[key] = max(scores[placement.id], said.get(key, 0.0))
    votes = {
        handle: said.get((record.group_id, record.episode_id), 0.0) for handle, record in records.items()
    }
    return {handle: vote for handle, vote in votes.items() if vote > 0.0}


def _near(look: Look, about: Mapping[Handle, str]) -> Ranking:
    """How near the entities of these handles are to those that the query names."""
    wanted = Arm.TRAVERSAL in look.wish.preset.arms and bool(about)
    hops = look.reached().entities if wanted and look.named() else {}
    hits = [Hit(handle, HOP_DECAY ** hops[who]) for handle, who in about.items() if who in hops]
    return Ranking(arm=Arm.TRAVERSAL, hits=tuple(hits), lowest=0.0)


def _pool(look: Look) -> int:
    return look.wish.limit if look.wish.preset.rerank is None else max(look.wish.limit, RERANKED)


def _ordered(
    look: Look, subject: Subject, found: Sequence[Fused], records: Mapping[Handle, R]
) -> tuple[tuple[Fused, R], ...]:
    """What is there of what was found, in the reranker's order where the preset has one."""
    there = tuple(one for one in found if one.handle in records)
    rerank = look.wish.preset.rerank
    if rerank is not None:
        there = _RERANKERS[rerank](look, subject, there, records)
    return tuple((one, records[one.handle]) for one in there[: look.wish.limit])


def _by_mmr(
    look: Look, subject: Subject, found: Sequence[Fused], records: Mapping[Handle, Record]
) -> tuple[Fused, ...]:
    del records
    vectors = look.graph.vectors_of(subject, [one.handle for one in found])
    return reranking.mmr(found, vectors, limit=look.wish.limit)


def _by_distance(
    look: Look, subject: Subject, found: Sequence[Fused], records: Mapping[Handle, Record]
) -> tuple[Fused, ...]:
    if look.wish.centre is None:
        raise Incorrect(_NO_CENTRE)
    reached = traverse(look.graph, (look.wish.centre,), look.wish.scope, hops=MOST_HOPS)
    if subject is Subject.FACT:
        return reranking.by_distance(found, reached.fact_hops)
    entities = {handle: one.entity_id for handle, one in records.items() if isinstance(one, Entity)}
    hops = {handle: reached.entities[who] for handle, who in entities.items() if who in reached.entities}
    return reranking.by_distance(found, hops)


def _by_mentions(
    look: Look, subject: Subject, found: Sequence[Fused], records: Mapping[Handle, Record]
) -> tuple[Fused, ...]:
    if subject is Subject.FACT:
        counts = {
            handle: len(one.version.fact.evidence)
            for handle, one in records.items()
            if isinstance(one, NamedVersion)
        }
        return reranking.by_mentions(found, counts)
    named = {handle: one for handle, one in records.items() if isinstance(one, Entity)}
    groups: dict[str, set[str]] = {}
    for one in named.values():
        groups.setdefault(one.group_id, set()).add(one.entity_id)
    counted = {group: look.graph.mention_counts(group, ids) for group, ids in groups.items()}
    mentions = {handle: counted[one.group_id].get(one.entity_id, 0) for handle, one in named.items()}
    return reranking.by_mentions(found, mentions)


def _by_recency(
    look: Look, subject: Subject, found: Sequence[Fused], records: Mapping[Handle, Record]
) -> tuple[Fused, ...]:
    del look, subject
    times: dict[Handle, datetime] = {}
    for one in found:
        record = records[one.handle]
        if isinstance(record, Episode):
            times[one.handle] = record.reference_time
        elif isinstance(record, NamedVersion) and record.version.fact.valid_at is not None:
            times[one.handle] = record.version.fact.valid_at
    return reranking.by_recency(found, times)


def _by_cross_encoder(
    look: Look, subject: Subject, found: Sequence[Fused], records: Mapping[Handle, Record]
) -> tuple[Fused, ...]:
    del subject
    if look.reranker is None:
        raise Incorrect(_NO_RERANKER)
    texts = [text_of(records[one.handle]) for one in found]
    judged = look.reranker.scores(look.wish.query.text, texts)
    scores = {one.handle: float(score) for one, score in zip(found, judged, strict=True)}
    return reranking.by_judgement(found, scores)


def text_of(record: Record) -> str:
    """What a model that reads question and text together is given of a result."""
    match record:
        case NamedVersion():
            return record.version.fact.fact
        case Entity():
            return ", ".join((record.name, *record.aliases))
        case Episode():
            name = None if record.speaker is None else record.speaker.name
            return f"{name}: {record.content}" if name else record.content
        case Summary():
            return record.text
        case Procedure():
            return "\n".join((record.name, *(str(step) for step in record.steps)))


_RERANKERS: Mapping[
    Rerank, Callable[[Look, Subject, Sequence[Fused], Mapping[Handle, Record]], tuple[Fused, ...]]
] = {
    Rerank.MMR: _by_mmr,
    Rerank.NODE_DISTANCE: _by_distance,
    Rerank.EPISODE_MENTIONS: _by_mentions,
    Rerank.RECENCY: _by_recency,
    Rerank.CROSS_ENCODER: _by_cross_encoder,
}
