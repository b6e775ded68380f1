"""The tools over standard input and output: one client, which started this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from mcp.server.stdio import stdio_server

from memstrata.errors import Unauthenticated
from memstrata.memory.access import OWNER

if TYPE_CHECKING:
    from memstrata.memory.access import Grant
    from memstrata.memory.tokens import Tokens
    from memstrata.service.mcp.server import Tools


def grant_of_process(tokens: Tokens, token: str) -> Grant:
    """What the token allows; everything without one, as long as none is configured.

    Raises `Unauthenticated` for a token that is not valid, and for none where there are some.
    """
    if token:
        return tokens.grant_of(token)
    if tokens.is_configured:
        raise Unauthenticated("tokens are configured, so one is needed here too; set MEMSTRATA_TOKEN to it")
    return OWNER


def serve(tools: Tools) -> None:
    """Serves the tools until standard input ends."""
    anyio.run(_serve, tools)


async def _serve(tools: Tools) -> None:
    server = tools.server()
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
