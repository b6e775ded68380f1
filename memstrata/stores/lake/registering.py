"""What the index is told of records that are numbered, or were numbered before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.stores.lake.numbering import in_order, number
from memstrata.stores.lake.rows import decision_row, episode_row
from memstrata.stores.sqlite.record_rows import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Decision, Episode
    from memstrata.stores.lake.columns import Origin
    from memstrata.stores.lake.numbering import Numbered
    from memstrata.stores.sqlite.record_index import RecordIndex
    from memstrata.stores.sqlite.record_rows import EpisodeKey, Head


def numbering_of(
    index: RecordIndex, episodes: Sequence[Episode], decisions: Sequence[Decision], *, logged: bool = False
) -> tuple[dict[EpisodeKey, Head], Numbered]:
    """Numbers a compaction's records against what the index knows; gives also what it knew of them."""
    records = in_order(episodes, decisions)
    keys = {(episode.group_id, episode.episode_id) for episode in episodes}
    for decision in decisions:
        if isinstance(episode_id := decision.target.get("episode_id"), str):
            keys.add((decision.group_id, episode_id))
    known = index.heads(keys)
    decided = index.known_decisions((one.group_id, one.decision_id) for one in decisions)
    return known, number(records, known, decided, logged=logged)


def batch_of(
    order: int,
    known: dict[EpisodeKey, Head],
    numbered: Numbered,
    *,
    context_turns: int,
    origin: Origin | None = None,
    again: bool = False,
) -> Batch:
    """What the index has to register of one compaction, or of a page, which has no origin."""
    return Batch(
        number=order,
        parts=() if origin is None else origin.parts,
        sources=() if origin is None else origin.sources,
        context_turns=context_turns,
        episodes=tuple(episode_row(episode) for episode in numbered.episodes),
        withdrawn=numbered.withdrawn,
        decisions=tuple(decision_row(decision) for decision in numbered.decisions),
        known=known,
        again=again,
    )
