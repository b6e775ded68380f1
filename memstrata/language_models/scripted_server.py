"""A real HTTP server on loopback that speaks OpenAI's chat protocol from a script, and fails as it is told.

For tests and benchmarks, as `ScriptedModel` is, but with the wire between: what a client makes of rate
limits, hang-ups and pages of HTML is seen on a client that nothing was changed in. It stands here because
tests and benchmarks, which may not import one another, both need it; it uses the standard library alone.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from memstrata.model import Json

_BYTES_A_TOKEN: Final = 4
_JSON: Final = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came; `key` is the Authorization header, `at` the monotonic time."""

    path: str
    body: Mapping[str, Any]
    key: str
    at: float

    @property
    def text(self) -> str:
        """All messages together."""
        return "\n".join(str(message.get("content")) for message in self.body.get("messages", ()))

    @property
    def user(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One response. `hang_up_at` closes the connection after so many bytes of the body.

    `blanks` are sent before the body, one each `after_seconds`, as some do to keep a connection open.
    """

    status: int = 200
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = _JSON
    after_seconds: float = 0.0
    hang_up_at: int | None = None
    blanks: int = 0


class _Server(ThreadingHTTPServer):
    """Many may connect at once, and who hangs up is no error of the server's."""

    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        del request, client_address


Script = Callable[[Asked], "Said | str"]


def reply(text: str, *, finish: str = "stop", usage: tuple[int, int] | None = (10, 5)) -> Said:
    """A completion; without `usage` the server counts nothing."""
    return completion([{"role": "assistant", "content": text}], finish=finish, usage=usage)


def refusal(text: str) -> Said:
    """A refusal as OpenAI writes it."""
    return completion([{"role": "assistant", "content": None, "refusal": text}])


def tool_calls(*arguments: str) -> Said:
    """Tool calls where content was asked for."""
    calls: list[Json] = [
        {"id": f"call_{at}", "type": "function", "function": {"name": "reply", "arguments": given}}
        for at, given in enumerate(arguments)
    ]
    return completion([{"role": "assistant", "content": None, "tool_calls": calls}], finish="tool_calls")


def completion(
    messages: list[dict[str, Json]], *, finish: str = "stop", usage: tuple[int, int] | None = (10, 5)
) -> Said:
    """A completion with a choice for each message."""
    body: dict[str, Any] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [
            {"index": at, "message": message, "finish_reason": finish}
            for at, message in enumerate(messages)
        ],
    }
    if usage is not None:
        given, taken = usage
        body["usage"] = {
            "prompt_tokens": given,
            "completion_tokens": taken,
            "total_tokens": given + taken,
        }
    return Said(body=json.dumps(body))


def failure(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    wait: float | None = None,
) -> Said:
    """An error as OpenAI writes it; `wait` is its Retry-After in seconds."""
    error = {"message": message, "type": "error", "code": code, "param": param}
    headers = () if wait is None else (("Retry-After", f"{wait:g}"),)
    return Said(status=status, body=json.dumps({"error": error}), headers=headers)


def page_of_html(status: int = 502) -> Said:
    """What a proxy shows of itself."""
    return Said(status=status, body="<html><body>Bad gateway</body></html>", content_type="text/html")


def hung_up(said: Said, at: int = 20) -> Said:
    """The same, with the connection closed in the middle of the body."""
    return replace(said, hang_up_at=at)


def slow(said: Said, seconds: float) -> Said:
    """The same, later."""
    return replace(said, after_seconds=seconds)


@dataclass(slots=True, kw_only=True)
class ScriptedServer:
    """The server; use it as a context manager. `script` answers each request, `instead` goes before it.

    `refuses` names what it does not take: json_schema, strict, loose (a schema that is not strict),
    json_object, temperature, max_tokens, max_completion_tokens, seed, system. Several threads may change
    `instead` while it serves.
    """

    script: Script = lambda _: reply("yes")
    refuses: Collection[str] = ()
    instead: deque[Said] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)
    url: str = ""
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        """Listens on a free port of loopback."""
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stops listening; what is still being said is cut off."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def answer(self, asked: Asked) -> Said:
        """What is said to a request; also keeps it."""
        self.asked.append(asked)
        try:
            return self.instead.popleft()
        except IndexError:
            pass
        refused = _refused(asked.body, self.refuses)
        if refused is not None:
            return refused
        said = self.script(asked)
        if isinstance(said, Said):
            return said
        counted = (len(asked.text) // _BYTES_A_TOKEN, len(said) // _BYTES_A_TOKEN)
        return reply(said, usage=counted)


def _refused(body: Mapping[str, Any], refuses: Collection[str]) -> Said | None:
    wanted = body.get("response_format") or {}
    kind = wanted.get("type", "")
    if kind in refuses:
        return failure(400, f"Invalid parameter: 'response_format' of type '{kind}' is not supported.")
    is_strict = bool(wanted.get("json_schema", {}).get("strict"))
    if kind == "json_schema" and ("strict" if is_strict else "loose") in refuses:
        expected = "false" if is_strict else "true"
        return failure(400, f"response_format.json_schema.strict: Input should be {expected}")
    for name in ("temperature", "seed", "max_tokens", "max_completion_tokens"):
        if name in body and name in refuses:
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            if name == "max_tokens":
                message += " Use 'max_completion_tokens' instead."
            return failure(400, message, code="unsupported_parameter", param=name)
    if "system" in refuses and any(one.get("role") == "system" for one in body.get("messages", ())):
        return failure(400, "System role not supported")
    return None


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(
                path=self.path,
                body=body,
                key=self.headers.get("Authorization", ""),
                at=time.monotonic(),
            )
            said = server.answer(asked)
            if not said.blanks:
                time.sleep(said.after_seconds)
            try:
                self._send(said)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # whoever asked has given up

        def _send(self, said: Said) -> None:
            body = said.body.encode()
            self.send_response(said.status)
            self.send_header("Content-Type", said.content_type)
            for name, value in said.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) + said.blanks))
            self.end_headers()
            for _ in range(said.blanks):
                self.wfile.write(b"\n")
                self.wfile.flush()
                time.sleep(said.after_seconds)
            self.wfile.write(body if said.hang_up_at is None else body[: said.hang_up_at])
            self.wfile.flush()
            if said.hang_up_at is not None:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Says nothing: a test's output is its own."""

    return Handler
