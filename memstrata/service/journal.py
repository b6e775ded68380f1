"""What is written down of each request: one JSON line and a few numbers; never a query, never content.

With MEMSTRATA_LOG_CONTENT=1 the query string and the text of unforeseen errors are written too.
"""

from __future__ import annotations

import os
import re
import secrets
import traceback
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Final

from memstrata.service.lines import write_line
from memstrata.service.problems import problem_of, response_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from memstrata.service.metrics import Metrics

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_UNMATCHED: Final = "unmatched"
_FRAMES: Final = 12
_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"vary", b"Authorization"),
    (b"x-content-type-options", b"nosniff"),
)


@dataclass(slots=True)
class Journal:
    """The outermost layer: gives each request an id, times it, and answers what nobody foresaw."""

    app: ASGIApp
    metrics: Metrics
    with_content: bool = field(default_factory=lambda: os.environ.get("MEMSTRATA_LOG_CONTENT") == "1")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        scope.setdefault("state", {})
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        watched = _Watched(send, _id_of(scope))
        scope["state"]["request_id"] = watched.request_id
        began = perf_counter()
        try:
            await self.app(scope, receive, watched.send)
        except ConnectionError:
            watched.status = watched.status or 499
        except Exception as error:  # noqa: BLE001 (whatever it is, the client is told and the log has it)
            problem = problem_of(error)
            if problem.status >= 500:  # noqa: PLR2004 (statuses of servers)
                self._tell_of(error, watched.request_id)
            if not watched.has_begun:
                await response_of(problem, scope["path"])(scope, receive, watched.send)
        finally:
            self._write(scope, watched, perf_counter() - began)

    def _write(self, scope: Scope, watched: _Watched, seconds: float) -> None:
        route = scope.get("route")
        template = getattr(route, "path", None) or _UNMATCHED
        grant = scope["state"].get("grant")
        status = watched.status or 499
        self.metrics.observe(template, scope["method"], status, seconds)
        line = {
            "request_id": watched.request_id,
            "method": scope["method"],
            "route": template,
            "status": status,
            "ms": round(seconds * 1_000, 2),
            "token_id": "" if grant is None else grant.token_id,
        }
        if self.with_content:
            line["query"] = scope["query_string"].decode("latin-1")
        write_line("request", **line)

    def _tell_of(self, error: Exception, request_id: str) -> None:
        frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
        said = {"said": str(error)} if self.with_content else {}
        write_line(
            "unexpected",
            request_id=request_id,
            error=type(error).__name__,
            at=[f"{one.filename}:{one.lineno} {one.name}" for one in frames],
            **said,
        )


@dataclass(slots=True)
class _Watched:
    """An answer on its way: its status, and the headers that every answer has."""

    _send: Send
    request_id: str
    status: int = 0

    @property
    def has_begun(self) -> bool:
        return self.status != 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = {name for name, _ in message.get("headers", ())}
            message["headers"] = [
                *message.get("headers", ()),
                *(one for one in _HEADERS if one[0] not in own),
                (b"x-request-id", self.request_id.encode()),
            ]
        await self._send(message)


def _id_of(scope: Scope) -> str:
    """The id that the client gave, if it is one that can be written down; else a new one."""
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    text: str = given.decode("latin-1")
    return text if _ID.fullmatch(text) else secrets.token_hex(8)
