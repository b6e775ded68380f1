"""How what is known of turns adds up: what was found of them, of their facts, of the turns beside them.

A question is often answered by the turn after the one that it resembles. Pure; who stands beside whom,
and which facts rest on what, comes from the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.search.defaults import FACTS_WEIGHT, SPREAD
from memstrata.search.fusion import Arm, Found, Fused, handle_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.ports import Beside, Handle

#: What the parts of a turn's score can add up to: found itself, as much on both sides, and by its facts.
_MOST = 1.0 + 2 * SPREAD + FACTS_WEIGHT


def received(scores: Mapping[Handle, float], beside: Mapping[Handle, Beside]) -> Mapping[Handle, float]:
    """What each turn gets from the turns directly beside it: a share of their scores."""
    given: dict[Handle, float] = {}
    for handle, score in scores.items():
        near = beside.get(handle)
        for side in () if near is None or score <= 0.0 else (near.before, near.after):
            if side is not None:
                given[side] = given.get(side, 0.0) + SPREAD * score
    return given


def with_facts(fused: Iterable[Fused], votes: Mapping[Handle, float]) -> tuple[Fused, ...]:
    """The turns with what the facts that rest on them add; `votes` are scores of those facts, above 0.

    The best vote of all counts fully. Turns that only facts found are there too. A fact says which turn it
    stands in, so what it adds is not spread: votes come after spreading. Scores lie between 0 and 1 again.
    """
    known = {one.handle: one for one in fused}
    places = _places(votes)
    best = max(votes.values(), default=0.0)
    for handle, place in places.items():
        one = known.get(handle) or Fused(handle=handle, score=0.0, found=())
        score = one.score + FACTS_WEIGHT * votes[handle] / best
        found = (*one.found, Found(arm=Arm.FACTS, rank=place, score=votes[handle]))
        known[handle] = Fused(handle=handle, score=score, found=found)
    return best_first(
        Fused(handle=one.handle, score=one.score / _MOST, found=one.found) for one in known.values()
    )


def spread(fused: Sequence[Fused], beside: Mapping[Handle, Beside]) -> tuple[Fused, ...]:
    """The turns with what the turns beside them add, best first."""
    known = {one.handle: one for one in fused}
    shares = received({one.handle: one.score for one in fused}, beside)
    places = _places(shares)
    for handle, share in shares.items():
        one = known.get(handle) or Fused(handle=handle, score=0.0, found=())
        found = (*one.found, Found(arm=Arm.BESIDE, rank=places[handle], score=share))
        known[handle] = Fused(handle=handle, score=one.score + share, found=found)
    return best_first(known.values())


def raised(fused: Iterable[Fused], gains: Mapping[Handle, float]) -> tuple[Fused, ...]:
    """The turns with what each gains, in parts of a whole arm, best first; scores from 0 to 1 again."""
    most = 1.0 + max(gains.values(), default=0.0) / _MOST
    return best_first(
        Fused(
            handle=one.handle,
            score=(one.score + gains.get(one.handle, 0.0) / _MOST) / most,
            found=one.found,
        )
        for one in fused
    )


def best_first(fused: Iterable[Fused]) -> tuple[Fused, ...]:
    """By score; ties (which differ in their last bits alone) by handle."""
    return tuple(sorted(fused, key=lambda one: (-round(one.score, 12), handle_order(one.handle))))


def _places(scores: Mapping[Handle, float]) -> Mapping[Handle, int]:
    """Ranks from 1."""
    ordered = sorted(scores, key=lambda handle: (-scores[handle], handle_order(handle)))
    return {handle: place for place, handle in enumerate(ordered, 1)}
