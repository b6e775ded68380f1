"""Which episodes share a call: small neighbouring turns of one saga."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.extraction.model.splitting import tokens_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.extraction.model.parts import Manner, Part

Unit = tuple["Part", ...]


def units_of(parts: Iterable[Part], manner: Manner) -> tuple[Unit, ...]:
    """The parts in their order, those together that may share a call (see `Manner`).

    A turn joins those before it only if they are the last turns that it is shown anyway, so that in a
    shared call each has the context that it would have alone.
    """
    units: list[list[Part]] = []
    tokens = 0
    for part in parts:
        size = tokens_in(part.text)
        last = units[-1] if units else []
        if (
            last
            and len(last) < manner.most_shared
            and tokens + size <= manner.shared_tokens
            and _follows(part, last)
        ):
            last.append(part)
            tokens += size
        else:
            units.append([part])
            tokens = size
    return tuple(tuple(unit) for unit in units)


def _follows(part: Part, unit: list[Part]) -> bool:
    """Whether the unit's episodes are those right before this one in its saga, and all are whole."""
    episode, last = part.episode, unit[-1].episode
    if episode.saga is None or (episode.group_id, episode.saga) != (last.group_id, last.saga):
        return False
    before = [(turn.episode_id, turn.revision) for turn in part.shown[-len(unit) :]]
    return (
        before == [(one.episode.episode_id, one.episode.revision) for one in unit]
        and part.is_whole
        and all(one.is_whole for one in unit)
    )
