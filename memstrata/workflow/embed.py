"""Vectors for what has none yet; words answer in the meantime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.ports import Subject

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.ports import Installation

#: How many texts are embedded and stored together.
BATCH = 256

#: Of a longer text the beginning stands for the whole: the model reads windows of 512 tokens, and a tool
#: trace of 5,000 characters would cost as much as fifty facts.
MOST_CHARACTERS = 800


def embed(
    installation: Installation,
    *,
    limit: int | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Embeds at most `limit` texts (all, for None) and returns how many; 0 without an embedder.

    Raises `Conflict` if vectors of another model are stored (drop them first: `VectorIndex.forget`).
    """
    embedder, graph = installation.embedder, installation.graph
    if embedder is None:
        return 0
    done = 0
    for subject in Subject:
        while limit is None or done < limit:
            room = BATCH if limit is None else min(BATCH, limit - done)
            missing = graph.without_vector(subject, limit=room)
            if not missing:
                break
            vectors = embedder.passages([text[:MOST_CHARACTERS] for _, text in missing])
            graph.put(subject, embedder.model, [handle for handle, _ in missing], vectors)
            done += len(missing)
            on_progress(len(missing))
    return done
