"""REST and MCP as targets: read from the server's own document and its own list of tools."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import httpx

from benchmarks.isolation_crossing import Answer, Target
from benchmarks.isolation_slots import Slots
from benchmarks.isolation_world import client_of
from memstrata.errors import Missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks.isolation_world import Caller, World

_FIRST_ERROR: Final = 400
_SERVER_ERROR: Final = 500
_SECONDS: Final = 60
#: What holds nothing of the memory; why each is open stands in `service.gate`.
_OPEN: Final = re.compile(r"/health/|/version$|/openapi\.json$")
_READING: Final = frozenset({"/v1/search", "/v1/context", "/v1/cypher"})
_FLEETING_HEADERS: Final = re.compile(r"(?m)^(x-request-id|content-length|etag|last-modified|date): .*$")
_FILE: Final = b"Ada Byron lives in Porto."
_MCP_HEADERS: Final = {"Accept": "application/json, text/event-stream"}


# --- REST ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route of the document; a request of it is an object of `path`, `query`, `header` and `body`."""

    method: str
    path: str
    slots: Slots
    is_upload: bool

    def target(self, client: httpx.Client) -> Target:
        """The route, asked by that client."""
        return Target(
            name=f"{self.method} {self.path}",
            slots=self.slots,
            is_reading=self.method == "get" or self.path in _READING,
            send=lambda given: self._send(client, given),
        )

    def _send(self, client: httpx.Client, given: Mapping[str, Any]) -> Answer:
        path = self.path
        for name, value in given.get("path", {}).items():
            path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
        headers = {
            name: str(value).encode("ascii", "replace").decode().replace("\0", "?")
            for name, value in given.get("header", {}).items()
            if value is not None
        }
        body: dict[str, Any] = {"json": given["body"]} if "body" in given else {}
        if self.is_upload:
            body = {"content": _FILE}
        answer = client.request(self.method, path, params=given.get("query"), headers=headers, **body)
        return answer_of(answer)


def answer_of(answer: httpx.Response) -> Answer:
    """Everything of it but the path that was asked for, and what differs each time."""
    return plain_answer(answer.status_code, answer.text, answer.headers)


def plain_answer(status: int, text: str, headers: Mapping[str, Any]) -> Answer:
    """As `answer_of`, of whatever client asked."""
    said = "\n".join(f"{name}: {value}" for name, value in headers.items())
    told = text if status < _FIRST_ERROR else re.sub(r'"instance":"[^"]*"', "", text)
    return Answer(
        status=str(status),
        text=f"{told}\n{_FLEETING_HEADERS.sub('', said)}",
        is_done=status < _FIRST_ERROR,
        is_fault=status == _SERVER_ERROR,
    )


def routes_of(made: World) -> list[Route]:
    """All routes that hold something of the memory."""
    document = made.owner.get("/openapi.json").json()
    schemas = document["components"]["schemas"]
    definitions = {f"#/components/schemas/{name}": schema for name, schema in schemas.items()}
    found = []
    for path, methods in sorted(document["paths"].items()):
        for method, said in sorted(methods.items()):
            if _OPEN.search(path):
                continue
            content = said.get("requestBody", {}).get("content", {})
            parts = _parts(said, content)
            schema = {"type": "object", "properties": parts, "required": list(parts)}
            found.append(
                Route(
                    method=method,
                    path=path,
                    slots=Slots(schema=schema, definitions=definitions),
                    is_upload="application/octet-stream" in content,
                )
            )
    return found


def _parts(said: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    for one in said.get("parameters", ()):
        part = parts.setdefault(one["in"], {"type": "object", "properties": {}, "required": []})
        part["properties"][one["name"]] = one["schema"]
        if one.get("required"):
            part["required"].append(one["name"])
    if "application/json" in content:
        parts["body"] = content["application/json"]["schema"]
    return parts


@contextmanager
def rest(made: World, caller: Caller, routes: Sequence[Route]) -> Iterator[list[Target]]:
    """The routes, as that caller asks them."""
    with client_of(made, caller) as client:
        yield [route.target(client) for route in routes]


# --- MCP ---


@contextmanager
def tools(made: World, caller: Caller) -> Iterator[list[Target]]:
    """The tools, as that caller asks them: each caller is a client of the SDK with its own connection."""
    try:
        import httpx2
        from anyio.from_thread import start_blocking_portal
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client
    except ModuleNotFoundError as error:
        raise Missing(f"the package {error.name} is not installed; make install has it") from error
    headers = {"Authorization": f"Bearer {caller.token}"}
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        asked = httpx2.AsyncClient(headers=headers, timeout=_SECONDS)
        transport = streamable_http_client(made.mcp, http_client=asked)
        client = stack.enter_context(portal.wrap_async_context_manager(Client(transport)))

        def asking(name: str) -> Callable[[Mapping[str, Any]], Answer]:
            return lambda given: _told(portal.call(client.call_tool, name, dict(given)))

        yield [
            Target(
                name=f"tool {tool.name}",
                slots=_slots_of(tool.input_schema),
                is_reading=bool(tool.annotations and tool.annotations.read_only_hint),
                send=asking(tool.name),
            )
            for tool in portal.call(client.list_tools).tools
        ]


def _slots_of(schema: Mapping[str, Any]) -> Slots:
    definitions = {f"#/$defs/{name}": one for name, one in schema.get("$defs", {}).items()}
    return Slots(schema=schema, definitions=definitions)


def _told(result: Any) -> Answer:
    data = result.structured_content or {}
    kind = data.get("error", {}).get("kind", "error") if result.is_error else "ok"
    text = "\n".join([*(one.text for one in result.content), json.dumps(data, ensure_ascii=False)])
    return Answer(
        status=f"tool {kind}", text=text, is_done=not result.is_error, is_fault=kind == "internal"
    )


def raw_tools(made: World, caller: Caller) -> Iterator[tuple[str, Answer]]:
    """What both endpoints answer to one who has no business there: each request, and its answer."""
    headers = {**_MCP_HEADERS, **({"Authorization": f"Bearer {caller.token}"} if caller.token else {})}
    call = {"name": "context", "arguments": {"query": "who works where", "group_ids": ["*"]}}
    for url in (made.mcp, f"{made.rest}/mcp"):
        for method, params in (("initialize", {}), ("tools/list", {}), ("tools/call", call)):
            asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            yield (
                f"{url} {method}",
                answer_of(httpx.post(url, json=asked, headers=headers, timeout=_SECONDS)),
            )
