"""A tool: its name, what it takes, what it does to the memory, and how it is listed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mcp import types

from memstrata.service.mcp.arguments import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.service.mcp.answers import Answer
    from memstrata.service.mcp.arguments import Arguments
    from memstrata.service.mcp.caller import Caller


class Effect(StrEnum):
    """What a tool does to the memory."""

    READS = "reads"
    ADDS = "adds"
    RETRACTS = "retracts"


class Profile(StrEnum):
    """Which tools are listed: what an agent needs always, or all."""

    CORE = "core"
    EXTENDED = "extended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. `run` gets the arguments as `arguments` read them; it may block.

    `idempotent` says that the same call again adds nothing.
    """

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Caller, Any], Answer]
    effect: Effect = Effect.READS
    profile: Profile = Profile.CORE
    idempotent: bool = False

    @property
    def listed(self) -> types.Tool:
        """The tool as the protocol lists it."""
        reads = self.effect is Effect.READS
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=schema_of(self.arguments),
            annotations=types.ToolAnnotations(
                title=self.title,
                read_only_hint=reads,
                destructive_hint=self.effect is Effect.RETRACTS,
                idempotent_hint=reads or self.idempotent,
                open_world_hint=False,
            ),
        )
