"""What every extractor promises, and what its records are keyed by.

An extraction is kept under (episode revision, context hash, extractor version): running again costs
nothing, and a context that changes later queues the turns that saw it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memstrata.ids import digest
from memstrata.model import SourceType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.model import Episode, Extraction

#: What sees no context: it says everything itself.
DECLARED = frozenset({SourceType.FACT_TRIPLE, SourceType.JSON})


class Extractor(Protocol):
    """Takes what one episode asserts, seen with the preceding turns of its saga and nothing else.

    The same episode with the same context gives the same extraction, whatever else is in the batch.
    """

    @property
    def version(self) -> str:
        """A name for everything that determines the result: rules, prompts, models."""

    @property
    def context_turns(self) -> int:
        """How many preceding turns of the saga it wants to see, at most."""

    def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction:
        """The extraction of `episode`; `context` holds the preceding turns, oldest first.

        An episode that asserts nothing gives an extraction without assertions, never an error.
        """

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """The extractions of many episodes, in their order, each as `extract` would give it."""


def shown_context(episode: Episode, context: Sequence[Episode], turns: int) -> tuple[Episode, ...]:
    """The turns of `context` that an extractor which wants `turns` of them gets to see."""
    if episode.source_type in DECLARED or not turns:
        return ()
    return tuple(context[-turns:])


def context_hash(context: Sequence[Episode]) -> str:
    """The digest of the turns shown, by id, revision and content; empty if none was."""
    if not context:
        return ""
    return digest([[turn.episode_id, turn.revision, turn.content_hash] for turn in context])
