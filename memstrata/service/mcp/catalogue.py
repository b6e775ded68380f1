"""Which tools a server lists, and what it says to whoever asks for one that it does not list."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from memstrata.errors import nearest
from memstrata.service.mcp import (
    graph_tools,
    grouping_tools,
    reading_tools,
    retracting_tools,
    reviewing_tools,
    searching_tools,
    writing_tools,
)
from memstrata.service.mcp.tool import Effect, Profile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.service.mcp.tool import Tool

TOOLS: Final[tuple[Tool, ...]] = (
    *writing_tools.TOOLS,
    *searching_tools.TOOLS,
    *reading_tools.TOOLS,
    *graph_tools.TOOLS,
    *grouping_tools.TOOLS,
    *reviewing_tools.TOOLS,
    *retracting_tools.TOOLS,
)


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """The tools of a profile; those that retract only where that was allowed, then in every profile."""

    profile: Profile = Profile.CORE
    allow_destructive: bool = False

    @cached_property
    def tools(self) -> Mapping[str, Tool]:
        """The listed tools by name."""
        return {tool.name: tool for tool in TOOLS if self._lists(tool)}

    def why_not(self, name: str) -> str | None:
        """Why a tool that there is is not listed here; None if there is no such tool."""
        tool = next((one for one in TOOLS if one.name == name), None)
        if tool is None:
            return None
        if tool.effect is Effect.RETRACTS:
            return f"{name} is off on this server; whoever runs it can start it with --allow-destructive"
        return (
            f"{name} is not in the profile {self.profile}; whoever runs this server can start it with "
            f"--profile {Profile.EXTENDED}"
        )

    def unknown(self, name: str) -> str:
        """What is said of a name that no tool has."""
        near = nearest(name, self.tools)
        hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(self.tools)}"
        return f"there is no tool {name[:80]!r}; {hint}"

    def _lists(self, tool: Tool) -> bool:
        if tool.effect is Effect.RETRACTS:
            return self.allow_destructive
        return self.profile is Profile.EXTENDED or tool.profile is Profile.CORE
