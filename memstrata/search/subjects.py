"""What is particular to each subject but turns (`conversation`): which arms find it; and all rerankers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from memstrata.errors import Incorrect
from memstrata.model import Entity, Episode, Procedure, Summary
from memstrata.ports import Hit, NamedVersion, Subject
from memstrata.search import reranking
from memstrata.search.defaults import HOP_DECAY, RERANKED
from memstrata.search.fusion import Arm, Ranking
from memstrata.search.reranking import Rerank
from memstrata.search.traversal import MOST_HOPS, traverse

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
    found = look.facts()[: pool(look)]
    return ordered(look, Subject.FACT, found, look.graph.versions([one.handle for one in found]))


def entities(look: Look) -> tuple[tuple[Fused, Entity], ...]:
    """The entities: by words, vectors and names, and how near they are to those that are named."""
    candidates = look.candidates(Subject.ENTITY)
    names = Ranking(arm=Arm.NAMES, hits=candidates.names, lowest=0.0)
    there = {hit.handle for arm in (candidates.words, candidates.vectors, candidates.names) for hit in arm}
    records = look.graph.entities_at(sorted(there, key=str))
    near = _near(look, {handle: entity.entity_id for handle, entity in records.items()})
    found = look.fused([*look.direct(Subject.ENTITY), names, near])
    return ordered(look, Subject.ENTITY, found[: pool(look)], records)


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
    return ordered(look, Subject.SUMMARY, found[: pool(look)], records)


def procedures(look: Look) -> tuple[tuple[Fused, Procedure], ...]:
    """The procedures: by words and vectors; no entity is joined to them."""
    found = look.fused(look.direct(Subject.PROCEDURE))[: pool(look)]
    return ordered(look, Subject.PROCEDURE, found, look.graph.procedures_at([one.handle for one in found]))


def _near(look: Look, about: Mapping[Handle, str]) -> Ranking:
    """How near the entities of these handles are to those that the query names."""
    wanted = Arm.TRAVERSAL in look.wish.preset.arms and bool(about)
    hops = look.reached().entities if wanted and look.named() else {}
    hits = [Hit(handle, HOP_DECAY ** hops[who]) for handle, who in about.items() if who in hops]
    return Ranking(arm=Arm.TRAVERSAL, hits=tuple(hits), lowest=0.0)


def pool(look: Look) -> int:
    """How many of the first are worth a reranker's look."""
    return look.wish.limit if look.wish.preset.rerank is None else max(look.wish.limit, RERANKED)


def ordered(
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
