"""What an extractor is shown, and what its records are keyed by.

An extraction is kept under (episode revision, context hash, extractor version): running again costs
nothing, and a context that changes later queues the turns that saw it. The port is `ports.Extractor`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.ids import digest
from memstrata.model import SourceType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Episode

#: What sees no context: it says everything itself.
DECLARED = frozenset({SourceType.FACT_TRIPLE, SourceType.JSON})


def shown_context(episode: Episode, context: Sequence[Episode], turns: int) -> tuple[Episode, ...]:
    """The turns of `context` (oldest first) that an extractor which wants `turns` of them gets to see."""
    if episode.source_type in DECLARED or not turns:
        return ()
    return tuple(context[-turns:])


def context_hash(context: Sequence[Episode]) -> str:
    """The digest of the turns shown, by id, revision and content; empty if none was."""
    if not context:
        return ""
    return digest([[turn.episode_id, turn.revision, turn.content_hash] for turn in context])
