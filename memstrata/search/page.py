"""A page with room for so many tokens: lines go on it while they fit. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from memstrata.search.tokens import tokens_of

if TYPE_CHECKING:
    from collections.abc import Sequence


class Lined(Protocol):
    """What takes a line of a page."""

    @property
    def line(self) -> str:
        """The line, without its end."""


Piece = TypeVar("Piece", bound=Lined)


@dataclass(slots=True, kw_only=True)
class Page:
    """Lines that together stay within `room` tokens, the ends of lines counted."""

    room: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The whole page."""
        return "\n".join(self.lines)

    @property
    def tokens(self) -> int:
        """About how many tokens the whole page has."""
        return tokens_of(self.text)

    def put(self, line: str) -> bool:
        """Adds the line if there is room for it."""
        cost = cost_of(line)
        if cost > self.room:
            return False
        self.room -= cost
        self.lines.append(line)
        return True

    def section(self, title: str, pieces: Sequence[Piece], *, share: float = 1.0) -> tuple[Piece, ...]:
        """Adds the title and the pieces that fit into that share of the room, in order; returns those.

        A piece that is too long is passed over, and shorter ones after it may stand.
        """
        kept = fitting(pieces, int(self.room * share) - cost_of(title))
        if kept:
            for line in (title, *(piece.line for piece in kept)):
                self.put(line)
        return kept


def fitting(pieces: Sequence[Piece], room: int) -> tuple[Piece, ...]:
    """Those of the pieces that fit together, the earlier ones first."""
    kept = []
    for piece in pieces:
        cost = cost_of(piece.line)
        if cost <= room:
            room -= cost
            kept.append(piece)
    return tuple(kept)


def cost_of(line: str) -> int:
    """What a line costs, its end counted; a text costs no more than its lines."""
    return tokens_of(line) + 1
