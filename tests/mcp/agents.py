"""An agent as the SDK's real client, over either transport, called without `await`."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from anyio.from_thread import BlockingPortal
    from mcp import types

ROOT = Path(__file__).resolve().parents[2]
ALL = ("--profile", "extended", "--allow-destructive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a tool answered."""

    text: str
    data: dict[str, Any]
    is_error: bool

    @property
    def kind(self) -> str:
        """The kind of the error."""
        return str(self.data["error"]["kind"])

    @property
    def whole(self) -> str:
        """Everything that the caller got to see."""
        return f"{self.text}\n{json.dumps(self.data)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One connected client."""

    portal: BlockingPortal
    client: Client

    def tools(self) -> dict[str, types.Tool]:
        listed = self.portal.call(self.client.list_tools)
        return {tool.name: tool for tool in listed.tools}

    def call(self, name: str, /, **arguments: Any) -> Reply:
        answer = self.portal.call(self.client.call_tool, name, arguments)
        (content,) = answer.content
        return Reply(text=content.text, data=answer.structured_content, is_error=answer.is_error)

    def ask(self, name: str, /, **arguments: Any) -> Reply:
        """As `call`, of a tool that is expected to succeed."""
        reply = self.call(name, **arguments)
        assert not reply.is_error, reply.text
        return reply


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMSTRATA_")}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "MEMSTRATA_HOME": str(home),
        "MEMSTRATA_EMBEDDER": "none",
        **more,
    }


@contextmanager
def over_stdio(home: Path, *options: str, **more: str) -> Iterator[Agent]:
    """An agent of a server that it starts; the log stands in `home/stderr`."""
    home.mkdir(parents=True, exist_ok=True)
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "memstrata", "mcp", *options],
        env=environment(home, **more),
        cwd=home,
    )
    with (
        (home / "stderr").open("w", encoding="utf-8") as log,
        connected(stdio_client(parameters, log)) as one,
    ):
        yield one


@contextmanager
def served(home: Path, *options: str, **more: str) -> Iterator[str]:
    """The address of a server over HTTP; its log stands in `home/stderr`."""
    home.mkdir(parents=True, exist_ok=True)
    port = free_port()
    with (home / "stderr").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "memstrata", "mcp", "--http", "--port", str(port), *options],
            cwd=home,
            env=environment(home, **more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        try:
            until_open(port, process)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            out, _ = process.communicate(timeout=20)
            assert out == b""


@contextmanager
def over_http(address: str, token: str | None = None) -> Iterator[Agent]:
    """An agent of a server that runs."""
    headers: Mapping[str, str] = {} if token is None else {"Authorization": f"Bearer {token}"}
    client = httpx2.AsyncClient(headers=headers, timeout=60)
    with connected(streamable_http_client(address, http_client=client)) as agent:
        yield agent


@contextmanager
def connected(transport: Any) -> Iterator[Agent]:
    """An agent over a transport of the SDK."""
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        client = stack.enter_context(portal.wrap_async_context_manager(Client(transport)))
        yield Agent(portal=portal, client=client)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def until_open(port: int, process: subprocess.Popen[Any]) -> None:
    """Waits until somebody listens there."""
    for _ in range(200):
        assert process.poll() is None, "the server has ended"
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server does not answer")
