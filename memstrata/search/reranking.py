"""Rerankers: the first results of a fusion in another order. Pure; what they look at comes from `subjects`.

A reranker changes the order alone: each result keeps the score and the arms that the fusion gave it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from memstrata.search.defaults import MMR_LAMBDA, RECENCY_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from memstrata.ports import Handle, Vectors
    from memstrata.search.fusion import Fused


class Rerank(StrEnum):
    """A way to order anew what was found."""

    MMR = "mmr"
    NODE_DISTANCE = "node_distance"
    EPISODE_MENTIONS = "episode_mentions"
    RECENCY = "recency"
    CROSS_ENCODER = "cross_encoder"


def mmr(
    fused: Sequence[Fused],
    vectors: Mapping[Handle, Vectors],
    *,
    limit: int,
    relevance_counts: float = MMR_LAMBDA,
) -> tuple[Fused, ...]:
    """Maximal marginal relevance: each next is relevant and unlike all above it; `limit` at most.

    Carbonell and Goldstein, SIGIR 1998. Likeness is cosine, min-max normalised over all pairs, since the
    cosines of one model lie in a narrow band; what has no vector is unlike everything. Ties keep order.
    """
    likeness = _likeness(fused, vectors)
    most = max((one.score for one in fused), default=0.0) or 1.0
    left = list(range(len(fused)))
    nearest = [0.0] * len(fused)
    chosen: list[int] = []
    while left and len(chosen) < limit:
        best = max(
            left,
            key=lambda at: (
                round(
                    relevance_counts * fused[at].score / most - (1.0 - relevance_counts) * nearest[at], 12
                ),
                -at,
            ),
        )
        left.remove(best)
        chosen.append(best)
        for at in left:
            nearest[at] = max(nearest[at], likeness[at][best])
    return tuple(fused[at] for at in chosen)


def by_distance(fused: Sequence[Fused], hops: Mapping[Handle, int]) -> tuple[Fused, ...]:
    """By hops from a centre, what was not reached last; within the same distance in the order given."""
    far = max(hops.values(), default=0) + 1
    return tuple(sorted(fused, key=lambda one: hops.get(one.handle, far)))


def by_mentions(fused: Sequence[Fused], mentions: Mapping[Handle, int]) -> tuple[Fused, ...]:
    """By the number of episodes that speak of each, most first; else in the order given."""
    return tuple(sorted(fused, key=lambda one: -mentions.get(one.handle, 0)))


def by_recency(fused: Sequence[Fused], times: Mapping[Handle, datetime]) -> tuple[Fused, ...]:
    """Half by score, half by rank in time, the latest first; what has no time is oldest."""
    instants = sorted({*times.values()})
    shares = {instant: (at + 1) / len(instants) for at, instant in enumerate(instants)}
    most = max((one.score for one in fused), default=0.0) or 1.0

    def value(one: Fused) -> float:
        fresh = shares[times[one.handle]] if one.handle in times else 0.0
        return round((1.0 - RECENCY_WEIGHT) * one.score / most + RECENCY_WEIGHT * fresh, 12)

    return tuple(sorted(fused, key=lambda one: -value(one)))


def by_judgement(fused: Sequence[Fused], scores: Mapping[Handle, float]) -> tuple[Fused, ...]:
    """By the scores of a model that read question and text together; what it did not read last."""
    unread = min(scores.values(), default=0.0) - 1.0
    return tuple(sorted(fused, key=lambda one: -scores.get(one.handle, unread)))


def _likeness(fused: Sequence[Fused], vectors: Mapping[Handle, Vectors]) -> Sequence[Sequence[float]]:
    """Cosines of all pairs as shares of the way from the least like (0) to the most like (1)."""
    import numpy as np

    known = [at for at, one in enumerate(fused) if one.handle in vectors]
    matrix = np.zeros((len(fused), len(fused)))
    if len(known) > 1:
        rows = np.stack([vectors[fused[at].handle] for at in known]).astype(np.float64)
        cosines = rows @ rows.T
        pairs = cosines[np.triu_indices(len(known), 1)]
        least, most = float(pairs.min()), float(pairs.max())
        scaled = (cosines - least) / (most - least) if most > least else np.ones_like(cosines)
        matrix[np.ix_(known, known)] = np.clip(scaled, 0.0, 1.0)
    rows_as_lists: list[list[float]] = matrix.tolist()
    return rows_as_lists
