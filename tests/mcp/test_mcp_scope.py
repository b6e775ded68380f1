"""Who may do what: a token reaches its groups by no tool, no argument and no id of another group."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from agents import ALL, over_http, over_stdio, served
from mcp.shared.exceptions import MCPError

from memstrata.memory.access import Right
from memstrata.memory.audit import read_audit
from memstrata.memory.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agents import Reply

pytestmark = pytest.mark.slow

#: What only the foreign group knows.
SECRETS = ("Zanzibar", "Quillfeather", "harpsichord")
OWN, FOREIGN = "acme/eng", "globex/lab"


class StoodClock:
    """A clock that stands."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at


class World:
    """A server with two groups, and tokens for the first of them."""

    def __init__(self, home: Path, address: str) -> None:
        self.home, self.address = home, address
        tokens = Tokens(home)
        self.admin = tokens.create("admin", groups=["*"], rights=[*Right])[1]
        self.own = tokens.create("eng", groups=["acme/*"], rights=[*Right])[1]
        self.reader = tokens.create("reader", groups=["acme/*"], rights=[Right.READ])[1]
        past = datetime.now(UTC) - timedelta(days=2)
        self.expired = Tokens(home, clock=StoodClock(past)).create(
            "late", groups=["*"], rights=[*Right], expires_at=past + timedelta(days=1)
        )[1]
        made, self.revoked = tokens.create("gone", groups=["*"], rights=[*Right])
        tokens.revoke(made.token_id)
        with over_http(address, self.admin) as agent:
            agent.ask("add_memory", name="own", episode_body="Ada lives in Lisbon.", group_id=OWN)
            added = agent.ask(
                "add_memory",
                name="foreign",
                episode_body="Quillfeather lives in Zanzibar. Quillfeather plays the harpsichord.",
                group_id=FOREIGN,
                saga="plans",
            ).data
        self.episode = str(added["episode_uuid"])
        self.fact = str(added["facts"][0]["uuid"])
        self.entity = str(added["facts"][0]["source_node_uuid"])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("scope")
    with served(home, *ALL) as address:
        yield World(home, address)


def crossings(world: World) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tool, each with foreign group ids and foreign ids in each of its arguments."""
    for groups in (FOREIGN, [OWN, FOREIGN], [FOREIGN], "globex/*"):
        yield "search_nodes", {"query": "Quillfeather", "group_ids": groups}
        yield "search_memory_facts", {"query": "Zanzibar", "group_ids": groups}
        yield "search_memory_facts", {"query": "x", "group_ids": groups, "edge_types": ["plays"]}
        yield "as_of", {"query": "Zanzibar", "as_of": "2030", "group_ids": groups}
        yield "context", {"query": "Zanzibar", "group_ids": groups}
        yield "history", {"about": "Quillfeather", "group_ids": groups}
        yield "history", {"about": world.fact, "group_ids": groups}
        yield "get_episodes", {"group_ids": groups}
        yield "build_communities", {"group_ids": groups}
        yield "clear_graph", {"group_ids": groups}
    for group in (FOREIGN, OWN, None):
        named = {} if group is None else {"group_id": group}
        yield "get_entity_edge", {"uuid": world.fact, **named}
        yield "get_episode_entities", {"episode_uuids": [world.episode], **named}
        yield "delete_episode", {"uuid": world.episode, **named}
        yield "delete_entity_edge", {"uuid": world.fact, **named}
        yield (
            "add_triplet",
            {
                "source_node_name": "Quillfeather",
                "source_node_uuid": world.entity,
                "edge_name": "knows",
                "fact": "They know one another.",
                "target_node_name": "Ada",
                **named,
            },
        )
    yield "review", {"group_id": FOREIGN}
    for group in (FOREIGN, OWN):
        yield "review", {"action": "merge", "group_id": group, "left": world.entity, "right": "Ada"}
    yield "review_items", {"group_id": FOREIGN}
    for group in (FOREIGN, OWN):
        yield "review_items", {"action": "reject", "group_id": group, "id": world.fact}
    yield "review_proposals", {"group_id": FOREIGN}
    for group in (FOREIGN, OWN):
        yield "review_proposals", {"action": "reject", "group_id": group, "relation": "plays"}
    yield "schema", {"group_id": FOREIGN}
    yield "read_cypher", {"query": "MATCH (n) RETURN n", "group_id": FOREIGN}
    yield "add_memory", {"name": "x", "episode_body": "Ada.", "group_id": FOREIGN}
    yield (
        "add_memory",
        {
            "name": "x",
            "episode_body": "Ada.",
            "group_id": OWN,
            "saga": "plans",
            "saga_previous_episode_uuid": world.episode,
        },
    )
    yield "search_memory_facts", {"query": "Ada", "group_ids": OWN, "center_node_uuid": world.entity}
    yield "search_nodes", {"query": "Ada", "group_ids": OWN, "center_node_uuid": world.entity}


def leaked(reply: Reply, asked: dict[str, Any]) -> list[str]:
    """What of the foreign group the answer tells, beyond the words of the question."""
    given = str(asked)
    return [word for word in SECRETS if word in reply.whole and word not in given]


def test_nothing_of_a_foreign_group_comes_by_any_tool_or_id(world: World) -> None:
    tried = set()
    with over_http(world.address, world.own) as agent:
        for name, arguments in crossings(world):
            reply = agent.call(name, **arguments)
            tried.add(name)
            assert reply.is_error, (name, arguments, reply.text)
            assert reply.kind in {"forbidden", "incorrect", "unsupported"}, reply.text
            assert leaked(reply, arguments) == []
        assert tried == set(agent.tools()) - {"get_status"}


def test_what_is_foreign_and_what_never_was_are_refused_alike(world: World) -> None:
    with over_http(world.address, world.own) as agent:
        for name, argument in (
            ("get_entity_edge", "uuid"),
            ("delete_entity_edge", "uuid"),
            ("delete_episode", "uuid"),
        ):
            there = world.episode if name == "delete_episode" else world.fact
            never = "0" * len(there)
            replies = [agent.call(name, **{argument: one}) for one in (there, never)]
            assert replies[0].text.replace(there, never) == replies[1].text
        groups = [agent.call("context", query="x", group_ids=one).text for one in (FOREIGN, "globex/nil")]
        assert groups[0].replace(FOREIGN, "globex/nil") == groups[1]


def test_patterns_and_status_show_the_own_groups_alone(world: World) -> None:
    with over_http(world.address, world.own) as agent:
        replies = [
            agent.ask("search_nodes", query="Ada Quillfeather", group_ids="*"),
            agent.ask("search_memory_facts", query="lives in", group_ids=["*"]),
            agent.ask("context", query="who lives where?", group_ids="*"),
            agent.ask("history", about="Ada", group_ids="*"),
            agent.ask("get_episodes", group_ids="*"),
            agent.ask("get_status"),
        ]
        for reply in replies:
            assert leaked(reply, {}) == []
            assert "globex" not in reply.whole
        assert "Lisbon" in replies[1].whole


def test_after_all_that_the_foreign_group_is_as_it_was(world: World) -> None:
    with over_http(world.address, world.own) as agent:
        for name, arguments in crossings(world):
            agent.call(name, **arguments)
    with over_http(world.address, world.admin) as agent:
        assert len(agent.ask("get_episodes", group_ids=FOREIGN).data["episodes"]) == 1
        assert agent.ask("get_entity_edge", uuid=world.fact).data["is_believed"] is True


def test_a_reader_adds_and_retracts_nothing(world: World) -> None:
    with over_http(world.address, world.reader) as agent:
        writes = [
            agent.call("add_memory", name="x", episode_body="Ada.", group_id=OWN),
            agent.call(
                "add_triplet",
                source_node_name="Ada",
                edge_name="knows",
                fact="Ada knows Bob",
                target_node_name="Bob",
                group_id=OWN,
            ),
            agent.call("clear_graph", group_ids=OWN),
        ]
        assert [one.kind for one in writes] == ["forbidden"] * 3
        assert agent.ask("search_memory_facts", query="Ada", group_ids=OWN).data["facts"]


@pytest.mark.parametrize("which", ["none", "unknown", "revoked", "expired", "basic"])
def test_nobody_comes_in_without_a_valid_token(world: World, which: str) -> None:
    said = {
        "none": None,
        "unknown": f"Bearer {world.own[:-4]}abcd",
        "revoked": f"Bearer {world.revoked}",
        "expired": f"Bearer {world.expired}",
        "basic": "Basic YTpi",
    }[which]
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    if said is not None:
        headers["Authorization"] = said
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = httpx2.post(world.address, json=call, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert "token" in answer.json()["detail"]
    with pytest.raises((MCPError, BaseExceptionGroup)), over_http(world.address, None) as agent:
        agent.tools()


def test_a_token_that_is_revoked_loses_its_place_at_once(world: World) -> None:
    tokens = Tokens(world.home)
    made, text = tokens.create("brief", groups=["acme/*"], rights=[Right.READ])
    with over_http(world.address, text) as agent:
        agent.ask("get_status")
        tokens.revoke(made.token_id)
        with pytest.raises(MCPError):
            agent.call("get_status")


def test_what_was_read_and_written_is_audited_without_content(world: World) -> None:
    with over_http(world.address, world.own) as agent:
        agent.ask("context", query="where does Ada live these days?", group_ids=OWN)
    lines = list(read_audit(world.home))
    assert {"eng", "admin"} <= {one.who for one in lines}
    assert {one.face for one in lines} == {"mcp"}
    assert {"context", "remember"} <= {one.operation for one in lines}
    raw = "".join(path.read_text("utf-8") for path in (world.home / "audit").iterdir())
    assert not [word for word in (*SECRETS, "these days", "Lisbon") if word in raw]


def test_the_log_names_tools_and_outcomes_and_no_content(world: World) -> None:
    with over_http(world.address, world.own) as agent:
        agent.ask("context", query="where does Ada live these days?", group_ids=OWN)
        agent.call("search_nodes", query="Zanzibar", quary="these days")
    log = (world.home / "stderr").read_text("utf-8")
    assert '"tool":"context"' in log
    assert '"who":"eng"' in log
    assert not [word for word in (*SECRETS, "these days", "Lisbon", "mst_") if word in log]


def test_on_stdio_the_token_of_the_environment_narrows_every_call(world: World) -> None:
    with over_stdio(world.home, *ALL, MEMSTRATA_TOKEN=world.reader) as agent:
        assert agent.ask("search_memory_facts", query="Ada", group_ids=OWN).data["facts"]
        assert agent.call("context", query="x", group_ids=FOREIGN).kind == "forbidden"
        assert agent.call("context", query="x").kind == "forbidden"
        assert agent.call("clear_graph", group_ids=OWN).kind == "forbidden"


@pytest.mark.parametrize("token", ["", "mst_0_wrong"])
def test_on_stdio_nobody_comes_in_without_a_valid_token_once_there_are_some(
    world: World, token: str
) -> None:
    log = world.home / "stderr"
    with pytest.raises((MCPError, BaseExceptionGroup)), over_stdio(world.home, MEMSTRATA_TOKEN=token):
        pass
    assert "token" in log.read_text("utf-8")


def test_the_only_group_of_a_token_is_meant_where_none_is_named(world: World) -> None:
    _, text = Tokens(world.home).create("lab", groups=[FOREIGN], rights=[Right.READ])
    with over_http(world.address, text) as agent:
        assert agent.ask("get_status").data["default_group"] == FOREIGN
        assert agent.ask("search_nodes", query="Quillfeather").data["nodes"]
