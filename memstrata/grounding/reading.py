"""What a query reads, as the parser found it: patterns, names and where they stand. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memstrata.grounding.tokens import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A node or a relationship of a pattern.

    `names` are the labels (or types) that it asks for, `keys` those of its property map. `room` is the
    offset at which a property map can be put in, or, with `has_map`, a first entry of the one there is.
    """

    variable: Token | None
    names: tuple[Token, ...]
    keys: tuple[Token, ...]
    room: int
    has_map: bool
    is_node: bool
    is_long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """A property read from a variable: `variable.key`."""

    variable: str
    key: Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A variable that goes on under another name: `variable AS name`."""

    variable: str
    name: str


@dataclass(slots=True)
class Reading:
    """Everything that a query reads, collected while it is parsed."""

    patterns: list[Pattern] = field(default_factory=list)
    bare_relationships: list[int] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    tested: list[tuple[str, Token]] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)
    parameters: list[Token] = field(default_factory=list)

    def mark(self) -> tuple[int, ...]:
        """How much has been collected, to forget what an attempt adds."""
        return tuple(map(len, self._lists()))

    def forget_since(self, mark: tuple[int, ...]) -> None:
        """Forgets what was collected since the mark."""
        for collected, length in zip(self._lists(), mark, strict=True):
            del collected[length:]

    def _lists(self) -> tuple[list[object], ...]:
        return (  # type: ignore[return-value]  # lists of different things, of which only the length counts
            self.patterns,
            self.bare_relationships,
            self.accesses,
            self.tested,
            self.aliases,
            self.parameters,
        )
