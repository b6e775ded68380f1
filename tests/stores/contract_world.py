"""A small world and the questions that the contract's tests ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graph_samples import (
    GROUP,
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    named,
    placement,
)

from memstrata.bitemporal import Key, Moment
from memstrata.ports import Changes, Scope, Subject, VectorModel
from memstrata.projection.passages import passages_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.model import Episode
    from memstrata.ports import GraphStore, Handle

NOW = Scope(groups=(GROUP,), moment=Moment(valid=at(100)))
EVER = Scope(groups=(GROUP,), history=True)
SAID = "Tom works at Acme."
MODEL = VectorModel(name="tiny", dimension=4, engine="hand")
KEY = Key(GROUP, "id-tom", "works_at")


def everything(seq: int = 1, *, group: str = GROUP) -> Changes:
    """One episode that says that Tom works at Acme, taken all the way."""
    tom, acme = mention("Tom", group=group), mention("Acme", group=group, type="Organization")
    return Changes(
        commit=commit(seq, group=group, episodes=("e1",)),
        episodes=(episode("e1", group=group),),
        mentions=((tom, "s-tom"), (acme, "s-acme")),
        names=(named("Tom", group=group), named("Acme", group=group)),
        entities=(entity("Tom", group=group), entity("Acme", group=group, type="Organization")),
        placements_recorded=(
            placement(
                "a1",
                group=group,
                seq=seq,
                subject_mention=tom.mention_id,
                object_mention=acme.mention_id,
            ),
        ),
        facts_created=(fact("f1", group=group),),
        evidence_added=(("f1", "a1"),),
    )


def sentences(store: GraphStore, handles: Any) -> list[str]:
    found = store.versions([getattr(one, "handle", one) for one in handles])
    return [found[getattr(one, "handle", one)].version.fact.fact for one in handles]


def asked(store: GraphStore, *words: str, scope: Scope = NOW, limit: int = 10) -> list[str]:
    return sentences(store, store.match(Subject.FACT, words, scope, limit=limit))


def found_entities(store: GraphStore, hits: Any) -> list[str]:
    found = store.entities_at([hit.handle for hit in hits])
    return [found[hit.handle].name for hit in hits]


def found_episodes(store: GraphStore, *words: str, scope: Scope = NOW) -> list[str]:
    hits = store.match(Subject.EPISODE, words, scope, limit=10)
    found = store.episodes_at([hit.handle for hit in hits])
    return sorted(found[hit.handle].content for hit in hits)


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


def embed(store: GraphStore, vectors: dict[str, np.ndarray], subject: Subject = Subject.FACT) -> None:
    """Gives the texts that wait their vectors, where there is one for them."""
    waiting = [one for one in store.without_vector(subject, limit=100) if one[1] in vectors]
    table = np.stack([vectors[text] for _, text in waiting])
    store.put(subject, MODEL, [handle for handle, _ in waiting], table)


def alone(*episodes: Episode) -> list[tuple[Episode, tuple[str, ...]]]:
    """Episodes as they are shown while they wait: by passages without neighbours."""
    return [(one, passages_of(one)) for one in episodes]


def labels(store: GraphStore, subject: Subject, handles: Iterable[Handle]) -> list[str]:
    """Ids of facts, episodes and procedures, names of entities and of those whom summaries are of."""
    asked = list(handles)
    if subject is Subject.FACT:
        return [one.version.fact.id for one in store.versions(asked).values()]
    if subject is Subject.ENTITY:
        return [one.name for one in store.entities_at(asked).values()]
    if subject is Subject.EPISODE:
        return [one.episode_id for one in store.episodes_at(asked).values()]
    if subject is Subject.SUMMARY:
        found = store.summaries_at(asked).values()
        return [one.entity_id.removeprefix("id-").capitalize() for one in found]
    return [one.procedure_id for one in store.procedures_at(asked).values()]
