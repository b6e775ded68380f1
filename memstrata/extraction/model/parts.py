"""What goes into one call and what comes out of it, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memstrata.ports import Spending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.extraction.model.items import AssertionItem, EntityItem
    from memstrata.extraction.verification import Source
    from memstrata.model import Episode, Json, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a model is asked; none of it is part of the version. Sizes are in estimated tokens.

    An episode above `piece_tokens` is split into pieces that overlap by up to `overlap_tokens`. Up to
    `most_shared` neighbouring episodes of a saga, of `shared_tokens` together, share a call; 1 shares none.
    A cut-off reply is continued at most `most_rests` times. `reply_tokens` bounds each reply.
    """

    context_turns: int = 6
    at_once: int = 64
    in_flight: int = 4
    piece_tokens: int = 2000
    overlap_tokens: int = 100
    most_shared: int = 4
    shared_tokens: int = 600
    most_rests: int = 3
    reply_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One episode in a call, or the piece `[start, end)` of it; pieces of one episode share its source."""

    source: Source
    start: int
    end: int

    @property
    def episode(self) -> Episode:
        """The episode."""
        return self.source.episode

    @property
    def shown(self) -> Sequence[Episode]:
        """The turns shown before it."""
        return self.source.shown

    @property
    def text(self) -> str:
        """What of the content is to be read."""
        return self.episode.content[self.start : self.end]

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole episode."""
        return self.start == 0 and self.end == len(self.episode.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An assertion as the reply gave it, with the piece of the content that it was read from.

    `settled` is what repair or the second pass decided on it, if they were asked.
    """

    item: AssertionItem
    window: tuple[int, int]
    settled: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """An item that cannot stand as it is, and why. `place` is its list in the reply.

    `part` counts from 0; None if it names no episode of the call.
    `found` is the assertion if it could be read, and only its evidence is not to be found.
    """

    part: int | None
    place: str
    item: Json
    rule: str
    reason: str
    found: Found | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What was taken of one part, and what that cost."""

    entities: tuple[EntityItem, ...] = ()
    assertions: tuple[Found, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    spent: Spending = field(default_factory=Spending)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAnswer:
    """That a part could not be read, and why; `is_final` if asking again will not help."""

    reason: str
    is_final: bool = False
    spent: Spending = field(default_factory=Spending)
