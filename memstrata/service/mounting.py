"""What is served beside the routes, behind the same layers: the pages at `/`, the tools of MCP at `/mcp`.

The tools are there where the package `mcp` is installed.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from memstrata.memory.audit import Audit
from memstrata.service import pages
from memstrata.service.problems import Refused, response_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi import FastAPI
    from starlette.types import ASGIApp, Receive, Scope, Send

    from memstrata.service.caller import Service

PATH = "/mcp"


class Tools:
    """The endpoint of MCP, once the memory is open."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        endpoint: ASGIApp | None = self._app.state.mcp
        if endpoint is None:
            refused = Refused(
                501, "the package mcp is not installed; pip install 'memstrata[service]'", kind="missing"
            )
            answer: Response = response_of(refused.problem, scope["path"])
            await answer(scope, receive, send)
        else:
            await endpoint(scope, receive, send)


def mount(app: FastAPI) -> None:
    """Puts the tools and the pages beside the routes."""
    pages.mount(app)
    app.router.routes.append(Route(PATH, Tools(app)))


@asynccontextmanager
async def running(app: FastAPI, service: Service) -> AsyncIterator[None]:
    """The tools over the open memory, for as long as the app lives."""
    app.state.mcp = None
    try:
        from memstrata.service.mcp import http, server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "mcp":
            raise
        yield
        return
    audit = Audit(service.home, "mcp")
    tools = server.Tools(
        installation=service.installation,
        grant_of=http.grant_of_request,
        audit=audit,
        vectors=service.vectors,
    )
    endpoint = http.Endpoint(tools)
    async with endpoint.running():
        app.state.mcp = endpoint
        yield
    audit.close()
