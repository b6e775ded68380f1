"""The tools over streamable HTTP: mounted beside other routes, or served alone.

No sessions are kept: each request shows its own token, so nothing of one caller is left for another.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Route

from memstrata.errors import Incorrect, Unauthenticated
from memstrata.service.gate import Gate, is_loopback

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from memstrata.memory.access import Grant
    from memstrata.memory.tokens import Tokens
    from memstrata.service.mcp.server import Tools

PATH: Final = "/mcp"
#: The longest content of an episode, written as JSON in its longest form, and a little around it.
_MOST_BODY: Final = 8 * 1024 * 1024
_SECONDS_TO_END: Final = 10


def grant_of_request(request: Request | None) -> Grant:
    """What `service.gate.Gate` let in; raises `Unauthenticated` where no gate stands before the tools."""
    grant = None if request is None else request.scope.get("state", {}).get("grant")
    if grant is None:
        raise Unauthenticated("nobody was let in by this request; send Authorization: Bearer mst_...")
    return grant  # type: ignore[no-any-return]  # the gate put it there


@dataclass(frozen=True)
class Endpoint:
    """An ASGI app that answers on whatever path it is put, while `running` is entered (once).

    It expects `service.gate.Gate` before it, and in the tools `grant_of_request`.
    """

    tools: Tools

    @cached_property
    def _manager(self) -> StreamableHTTPSessionManager:
        return StreamableHTTPSessionManager(
            self.tools.server(), json_response=True, stateless=True, max_request_body_size=_MOST_BODY
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        """What the application around it enters in its lifespan."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        await self._manager.handle_request(scope, receive, send)


def application(tools: Tools, tokens: Tokens) -> ASGIApp:
    """The tools alone at `/mcp`, behind the gate."""
    endpoint = Endpoint(tools)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with endpoint.running():
            yield

    return Gate(Starlette(routes=[Route(PATH, endpoint)], lifespan=lifespan), tokens)


def serve(tools: Tools, tokens: Tokens, *, host: str, port: int) -> None:
    """Serves the tools until the process is told to end.

    Raises `Incorrect` for an address that others can reach while no token is configured.
    """
    if not is_loopback(host) and not tokens.is_configured:
        raise Incorrect(
            f"--host {host} can be reached from other machines, and no token is configured; make one with "
            "`memstrata token create`, or serve 127.0.0.1"
        )
    import uvicorn

    options: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False}
    config = uvicorn.Config(
        application(tools, tokens),
        host=host,
        port=port,
        timeout_graceful_shutdown=_SECONDS_TO_END,
        proxy_headers=False,
        **options,
    )
    uvicorn.Server(config).run()
