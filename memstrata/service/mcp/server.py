"""The protocol answered: tools listed, calls checked and run in threads, what goes wrong told."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from memstrata import __version__
from memstrata.errors import (
    Conflict,
    Forbidden,
    Incorrect,
    MemstrataError,
    Missing,
    Unauthenticated,
    Unsupported,
)
from memstrata.grounding import UngroundedQuery
from memstrata.memory.rendering import as_json
from memstrata.model import DEFAULT_GROUP
from memstrata.service.mcp.arguments import read_arguments
from memstrata.service.mcp.caller import Caller
from memstrata.service.mcp.catalogue import Catalogue
from memstrata.service.mcp.tool import Effect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp.server.context import ServerRequestContext

    from memstrata.memory.access import Grant
    from memstrata.memory.audit import Audit
    from memstrata.ports import Installation
    from memstrata.service.embedding import Vectors
    from memstrata.service.mcp.answers import Answer
    from memstrata.service.mcp.tool import Tool

logger = logging.getLogger("memstrata.mcp")

#: Calls that run at once; others wait for one of them.
_AT_ONCE: Final = 8
_MOST_MESSAGE: Final = 2_000
_INSTRUCTIONS: Final = """\
Memstrata is a memory of facts with two times: when each was true, and when it was believed.
Ask `context` first for a question in words; `search_memory_facts` and `search_nodes` find single facts and
entities, `as_of` what held at another time, `history` how a fact came about. Tell it what should be
remembered with `add_memory`: when that answers, its facts can be found. Cite the ids in brackets.
"""
_KINDS: Final[tuple[tuple[type[MemstrataError], str], ...]] = (
    (UngroundedQuery, "ungrounded_query"),
    (Conflict, "conflict"),
    (Incorrect, "incorrect"),
    (Unauthenticated, "unauthenticated"),
    (Forbidden, "forbidden"),
    (Unsupported, "unsupported"),
    (Missing, "unavailable"),
)
_HINTS: Final = {
    "unavailable": "try again later; whoever runs this server has to mend it",
    "internal": "try again; if it stays, whoever runs this server finds it in the log",
}


@dataclass(frozen=True, kw_only=True)
class Tools:
    """An installation as tools. `grant_of` says who calls, from the request of HTTP if there is one."""

    installation: Installation
    grant_of: Callable[[Any], Grant]
    catalogue: Catalogue = field(default_factory=Catalogue)
    audit: Audit | None = None
    vectors: Vectors | None = None
    group_id: str = DEFAULT_GROUP

    def server(self) -> Server[dict[str, Any]]:
        """The server, which any transport can carry."""
        limiter = anyio.CapacityLimiter(_AT_ONCE)

        async def list_tools(
            context: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
        ) -> types.ListToolsResult:
            del context, params
            return types.ListToolsResult(tools=[tool.listed for tool in self.catalogue.tools.values()])

        async def call_tool(
            context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
        ) -> types.CallToolResult:
            tool = self.catalogue.tools.get(params.name)
            if tool is None:
                return self._unlisted(params.name)
            return await anyio.to_thread.run_sync(
                self._called, tool, params.arguments, context.request, limiter=limiter
            )

        return Server(
            "memstrata",
            version=__version__,
            title="Memstrata",
            instructions=_INSTRUCTIONS,
            on_list_tools=list_tools,
            on_call_tool=call_tool,
        )

    def _unlisted(self, name: str) -> types.CallToolResult:
        why = self.catalogue.why_not(name)
        if why is None:
            raise MCPError(types.INVALID_PARAMS, self.catalogue.unknown(name))
        return _failed("unsupported", why)

    def _called(
        self, tool: Tool, arguments: Mapping[str, object] | None, request: object
    ) -> types.CallToolResult:
        """Runs the tool; whatever goes wrong is an answer that says what to do."""
        begun = time.monotonic()
        who, outcome = "", "ok"
        try:
            grant = self.grant_of(request)
            who = grant.who
            caller = Caller(
                installation=self.installation, grant=grant, audit=self.audit, default=self.group_id
            )
            answer = tool.run(caller, read_arguments(tool.arguments, arguments))
            if tool.effect is Effect.ADDS and self.vectors is not None:
                self.vectors.want()
            return _answered(answer)
        except MemstrataError as error:
            outcome = _kind_of(error)
            return _refused(error, outcome)
        except Exception as error:  # noqa: BLE001 (a fault of ours: logged by its place, told without content)
            outcome = "internal"
            fault = {"fault": type(error).__name__, "at_place": _place_of(error)}
            logger.error("fault", extra=fault)  # noqa: TRY400 (a traceback shows its message, and that content)
            return _failed("internal", f"{tool.name} failed within the server; {_HINTS['internal']}")
        finally:
            milliseconds = round((time.monotonic() - begun) * 1_000, 1)
            logger.info(
                "call",
                extra={"tool": tool.name, "who": who, "outcome": outcome, "milliseconds": milliseconds},
            )


def _answered(answer: Answer) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)], structured_content=as_json(answer.data)
    )


def _refused(error: MemstrataError, kind: str) -> types.CallToolResult:
    said = str(error)
    shown = said if len(said) <= _MOST_MESSAGE else f"{said[:_MOST_MESSAGE]}…"
    hint = _HINTS.get(kind)
    problems = error.problems[:10] if isinstance(error, UngroundedQuery) else ()
    return _failed(kind, f"{shown} ({hint})" if hint else shown, problems=problems)


def _failed(kind: str, message: str, **more: object) -> types.CallToolResult:
    """An error of a tool, as the model sees it."""
    details = as_json({"kind": kind, "message": message, **{key: one for key, one in more.items() if one}})
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=f"{kind}: {message}")],
        structured_content={"error": details},
        is_error=True,
    )


def _kind_of(error: MemstrataError) -> str:
    return next((kind for known, kind in _KINDS if isinstance(error, known)), "unavailable")


def _place_of(error: BaseException) -> str:
    """The function and line where it was raised: a message could hold content."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    code = trace.tb_frame.f_code
    return f"{code.co_filename}:{trace.tb_lineno} {code.co_name}"
