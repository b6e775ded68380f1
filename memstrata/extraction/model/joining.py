"""What the pieces of one episode gave, as its candidates: entities joined by name, nothing said twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.extraction.model.placing import Scene
from memstrata.extraction.verification import folded

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.model.parts import Found, Taken
    from memstrata.extraction.verification import Source


def candidates_in(source: Source, taken: Taken) -> tuple[Candidate, ...]:
    """The candidates of an episode, in the order of their pieces.

    Where pieces overlap, what both quote from one place is one: the one that states more times is kept.
    """
    scene = Scene(source, taken.entities)
    kept: dict[tuple[str, ...], list[tuple[Found, Candidate]]] = {}
    order: list[tuple[str, ...]] = []
    for found in dict.fromkeys(taken.assertions):  # a model that is stuck gives one item over and over
        candidate = scene.candidate(found)
        said = (folded(found.item.subject), candidate.predicate, folded(found.item.object), found.item.kind)
        alike = kept.setdefault(said, [])
        twin = next(
            (at for at, (other, one) in enumerate(alike) if _is_told_twice(found, candidate, other, one)),
            None,
        )
        if twin is None:
            alike.append((found, candidate))
            order.append(said)
        elif _times(candidate) > _times(alike[twin][1]):
            alike[twin] = (found, candidate)
    in_order = {said: iter(alike) for said, alike in kept.items()}
    return tuple(next(in_order[said])[1] for said in order)


def _is_told_twice(found: Found, candidate: Candidate, other: Found, one: Candidate) -> bool:
    """Whether two pieces give the same from where they overlap."""
    if found.window == other.window or candidate.span is None or one.span is None:
        return False
    return candidate.span[0] < one.span[1] and one.span[0] < candidate.span[1]


def _times(candidate: Candidate) -> int:
    return (candidate.valid_at is not None) + (candidate.invalid_at is not None)
