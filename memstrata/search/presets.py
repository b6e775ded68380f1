"""Presets: ways to search that have a name, such as `facts`, `episodes_mmr` or `everything`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect, nearest
from memstrata.ports import Subject
from memstrata.search.defaults import HOPS
from memstrata.search.fusion import Arm, Fusion
from memstrata.search.reranking import Rerank

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Everything that can be searched, in the order of results.
EVERYTHING: Final = tuple(Subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What is searched, by which arms, how rankings are fused, and by what the first are ordered anew.

    With `neighbours` each turn comes with the turns directly before and after it, which costs two reads.
    """

    name: str
    subjects: tuple[Subject, ...]
    fusion: Fusion = Fusion.WEIGHTED
    rerank: Rerank | None = None
    arms: frozenset[Arm] = frozenset(Arm)
    hops: int = HOPS
    neighbours: bool = False


_NAMES: Final = {
    Subject.FACT: "facts",
    Subject.ENTITY: "entities",
    Subject.EPISODE: "episodes",
    Subject.SUMMARY: "summaries",
    Subject.PROCEDURE: "procedures",
}

#: Which subjects each reranker can order; a cross-encoder and MMR read anything that has a text.
RERANKABLE: Final = {
    Rerank.MMR: frozenset(Subject),
    Rerank.CROSS_ENCODER: frozenset(Subject),
    Rerank.NODE_DISTANCE: frozenset({Subject.FACT, Subject.ENTITY}),
    Rerank.EPISODE_MENTIONS: frozenset({Subject.FACT, Subject.ENTITY}),
    Rerank.RECENCY: frozenset({Subject.FACT, Subject.EPISODE}),
}


def _presets() -> Iterator[Preset]:
    for subject, name in _NAMES.items():
        yield from _variants(name, (subject,))
        yield Preset(name=f"{name}_words", subjects=(subject,), arms=frozenset({Arm.WORDS}))
        yield Preset(name=f"{name}_vectors", subjects=(subject,), arms=frozenset({Arm.VECTORS}))
    for name in ("everything", "combined"):
        yield from _variants(name, EVERYTHING)


def _variants(name: str, subjects: tuple[Subject, ...]) -> Iterator[Preset]:
    yield Preset(name=name, subjects=subjects)
    yield Preset(name=f"{name}_rrf", subjects=subjects, fusion=Fusion.RRF)
    for rerank in Rerank:
        if RERANKABLE[rerank].issuperset(subjects):
            yield Preset(name=f"{name}_{rerank}", subjects=subjects, rerank=rerank)


PRESETS: Final = {preset.name: preset for preset in _presets()}


#: What a context is made of: its turns are shown with their neighbours.
CONTEXT: Final = Preset(
    name="context", subjects=(Subject.FACT, Subject.ENTITY, Subject.EPISODE), neighbours=True
)


def preset_of(name: str) -> Preset:
    """The preset of that name. Raises `Incorrect` with the nearest name if there is none."""
    if name in PRESETS:
        return PRESETS[name]
    near = nearest(name, PRESETS)
    hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(PRESETS)}"
    raise Incorrect(f"there is no preset {name!r}; {hint}")
