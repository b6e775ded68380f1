"""What docs/mcp.md tells a client to do, read from the document and done as the client does it.

Only the home, the port and the token are put in; everything else is as it stands there.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from agents import ROOT, connected, environment, free_port, until_open
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agents import Agent

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs/mcp.md").read_text("utf-8")
TOLD_HOME, TOLD_PORT, TOLD_TOKEN = "/home/ada/.memstrata", "8421", "mst_..."
#: Options of `claude mcp add` that take one value, and those that take everything up to the next option.
ONE_VALUE = {"--transport": "transport", "-t": "transport", "--scope": "scope", "-s": "scope"}
MANY_VALUES = {"--env": "env", "-e": "env", "--header": "headers", "-H": "headers"}


@dataclass(slots=True, kw_only=True)
class Added:
    """What `claude mcp add` makes of its words."""

    transport: str = "stdio"
    scope: str = "local"
    env: list[str] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)


def added(line: str) -> Added:
    """The line as that command reads it (its own grammar: `add <name> <commandOrUrl> [args...]`)."""
    words = shlex.split(line)
    assert words[:3] == ["claude", "mcp", "add"]
    before, _, after = line.partition(" -- ")
    made, taking = Added(), ""
    for word in shlex.split(before)[3:]:
        if word in MANY_VALUES:
            taking = MANY_VALUES[word]
        elif word in ONE_VALUE:
            taking = ONE_VALUE[word]
        elif taking in ("transport", "scope"):
            setattr(made, taking, word)
            taking = ""
        elif taking:
            getattr(made, taking).append(word)
        else:
            assert not word.startswith("-"), f"claude mcp add has no option {word}"
            made.rest.append(word)
    made.rest += shlex.split(after)
    return made


def lines(beginning: str) -> list[str]:
    return [line.partition(" #")[0].strip() for line in PAGE.splitlines() if line.startswith(beginning)]


def configurations() -> list[dict[str, Any]]:
    found = []
    for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL):
        (servers,) = json.loads(block).values()
        assert list(json.loads(block)) == ["mcpServers"]
        found.extend(servers.values())
    return found


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which `memstrata` is a command, and nothing else is set."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "memstrata"
    python = f"PYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)}"
    command.write_text(f'#!/bin/sh\n{python} -m memstrata "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    for name in [name for name in os.environ if name.startswith(("MEMSTRATA_", "PYTHON"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@contextmanager
def started(path: Path, command: str, args: list[str], env: dict[str, str]) -> Iterator[Agent]:
    """An agent as a client starts it: that command, that environment beside PATH and HOME, anywhere."""
    parameters = StdioServerParameters(command=command, args=args, env=env, cwd="/")
    with (
        (path / "stderr").open("w", encoding="utf-8") as log,
        connected(stdio_client(parameters, log)) as agent,
    ):
        yield agent


@contextmanager
def served(path: Path, words: list[str], port: str) -> Iterator[None]:
    """A server as the document starts it."""
    with (path / "stderr").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            words, cwd=path, env=environment(path / "home"), stdin=subprocess.DEVNULL, stderr=log
        )
        try:
            until_open(int(port), process)
            yield
        finally:
            process.terminate()
            process.wait(30)


def remembers(agent: Agent, group: str) -> None:
    """Whether the agent can do what it is there for."""
    assert {"add_memory", "search_memory_facts", "context"} <= set(agent.tools())
    added = agent.ask("add_memory", name="where", episode_body="Ada lives in Lisbon.")
    assert added.data["group_id"] == group
    found = agent.ask("search_memory_facts", query="where does Ada live")
    assert [one["target_node_name"] for one in found.data["facts"]] == ["Lisbon"]


def test_claude_code_over_stdio(path: Path) -> None:
    (line,) = [line for line in lines("claude mcp add") if "--transport" not in line]
    made = added(line.replace(TOLD_HOME, str(path / "home")))
    assert made.transport == "stdio"
    assert all(re.fullmatch(r"[A-Z_]+=.+", pair) for pair in made.env)  # else it is refused
    name, command, *args = made.rest
    assert name == "memstrata"
    with started(path, command, args, dict(pair.split("=", 1) for pair in made.env)) as agent:
        remembers(agent, "default")
    assert any((path / "home").iterdir())


def test_claude_desktop_and_cursor_over_stdio(path: Path) -> None:
    (one,) = [one for one in configurations() if "command" in one]
    assert set(one) <= {"command", "args", "env"}
    env = {name: value.replace(TOLD_HOME, str(path / "home")) for name, value in one["env"].items()}
    with started(path, one["command"], one["args"], env) as agent:
        remembers(agent, "acme/eng")


def test_over_stdio_a_token_goes_into_the_environment_once_there_are_some(path: Path) -> None:
    (one,) = [one for one in configurations() if "command" in one]
    (path / "home").mkdir()
    _, token = Tokens(path / "home").create("ada", groups=["acme/*"], rights=[Right.READ, Right.WRITE])
    env = {"MEMSTRATA_HOME": str(path / "home"), "MEMSTRATA_TOKEN": token}
    with started(path, one["command"], one["args"], env) as agent:
        remembers(agent, "acme/eng")


def _http_clients() -> dict[str, tuple[str, dict[str, str]]]:
    """The address and headers that each client over HTTP is told."""
    (line,) = [line for line in lines("claude mcp add") if "--transport http" in line]
    made = added(line.replace("$MEMSTRATA_TOKEN", TOLD_TOKEN))
    name, url = made.rest
    assert (name, made.transport, made.env) == ("memstrata", "http", [])
    (cursor,) = [one for one in configurations() if "url" in one]
    assert set(cursor) <= {"url", "headers"}
    headers = dict(header.split(": ", 1) for header in made.headers)
    return {"Claude Code": (url, headers), "Cursor": (cursor["url"], cursor["headers"])}


@pytest.mark.parametrize("server", ["memstrata mcp --http", "memstrata serve"])
def test_claude_code_and_cursor_over_http(path: Path, server: str) -> None:
    port = str(free_port())
    if server == "memstrata serve":  # which has the same tools at its own /mcp
        assert "`memstrata serve` has the same tools at its own `/mcp`" in PAGE
        words = [*shlex.split(server), "--port", port]
    else:
        (line,) = lines(server)
        words = shlex.split(line.replace(TOLD_PORT, port))
    (path / "home").mkdir()
    rights = [Right.READ, Right.WRITE]
    with served(path, words, port):
        for client, (url, told) in _http_clients().items():
            group = client.replace(" ", "-")
            _, token = Tokens(path / "home").create(client, groups=[group], rights=rights)
            headers = {name: value.replace(TOLD_TOKEN, token) for name, value in told.items()}
            asked = httpx2.AsyncClient(headers=headers, timeout=60)
            address = url.replace(TOLD_PORT, port)
            with connected(streamable_http_client(address, http_client=asked)) as agent:
                remembers(agent, group)


def test_every_command_of_the_page_is_one(path: Path) -> None:
    for line in lines("memstrata "):
        words = shlex.split(line)
        done = subprocess.run([*words, "--help"], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, (line, done.stderr)


def test_a_name_after_the_environment_would_be_taken_for_a_part_of_it() -> None:
    wrong = added("claude mcp add --env A=b memstrata -- memstrata mcp")
    assert wrong.env == ["A=b", "memstrata"]
