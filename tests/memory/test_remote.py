"""The face for Python over HTTP, against the real service: what it answers is what it answers here."""

from __future__ import annotations

import threading
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest
import uvicorn

from memstrata import AsyncMemory, Memory
from memstrata.errors import (
    Conflict,
    Fault,
    Forbidden,
    Incorrect,
    Misplaced,
    Unauthenticated,
    Unsupported,
)
from memstrata.memory.access import Right
from memstrata.memory.decoding import Unreadable
from memstrata.memory.langgraph import MemstrataStore
from memstrata.memory.remote import error_of
from memstrata.memory.tokens import Tokens
from memstrata.service.app import application
from memstrata.service.problems import problem_of, response_of
from memstrata.settings import load_settings, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starlette.types import ASGIApp

    from memstrata.errors import MemstrataError
    from memstrata.ports import Installation

WORKS = {"subject": "Ada", "predicate": "works_at", "object": "Acme", "valid_at": "2021-03-01T00:00:00Z"}
THEN = "2024-06-01"


class Clock:
    """The real time, until it is stopped."""

    stopped: datetime | None = None

    def now(self) -> datetime:
        return self.stopped or datetime.now(UTC)


@dataclass(frozen=True)
class Served:
    home: Path
    installation: Installation
    url: str
    clock: Clock


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """The address of a server in a thread of its own."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def service(home: Path) -> Iterator[Served]:
    settings = load_settings(MEMSTRATA_HOME=home, MEMSTRATA_EMBEDDER="none")
    clock = Clock()
    with opened(settings) as whole:
        installation = replace(whole, clock=clock)
        with serving(application(installation, home)) as url:
            yield Served(home, installation, url, clock)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with service(tmp_path) as one:
        yield one


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, Memory]]:
    """A memory that knows where Ada works, here and there."""
    with service(tmp_path_factory.mktemp("read")) as one, closing(Memory(one.url)) as there:
        here = Memory.on(one.installation)
        here.add(WORKS)
        yield here, there


@pytest.fixture
def here(served: Served) -> Memory:
    return Memory.on(served.installation)


@pytest.fixture
def there(served: Served) -> Iterator[Memory]:
    with closing(Memory(served.url)) as memory:
        yield memory


def test_every_question_is_answered_as_it_is_here(served: Served, here: Memory, there: Memory) -> None:
    first = there.add(WORKS, time="2021-04-01", id="first")
    there.add(WORKS | {"object": "Initech", "valid_at": "2024-01-01T00:00:00Z"}, time="2024-02-01")
    plays = {"subject": "Ada", "predicate": "plays", "object": "chess"}
    there.add(plays, saga="s", speaker="Ada", time="2024-03-01")
    there.core.set("persona", "Be brief.", reason="asked to")
    there.core.rule("human", "Ada", relations=["works_at"], most=2)
    assert first.commit is not None
    fact = first.created[0]
    questions: list[Callable[[Memory], object]] = [
        lambda m: m.search("where does Ada work", as_of=THEN),
        lambda m: m.search("Ada", as_of=THEN, subjects=["entity", "episode"], limit=3, preset="facts_rrf"),
        lambda m: m.search("Ada", during=("2021-05", "2022"), relations="works_at", least_confidence=0.5),
        lambda m: m.search("Ada", history=True, system_as_of=first.commit and first.commit.instant),
        lambda m: m.search("chess", as_of=THEN, speakers=["Ada"], subjects=["episode"]),
        lambda m: m.context("Ada", 400, as_of=THEN),
        lambda m: m.get(fact.id),
        lambda m: m.get(fact.subject, as_of=THEN),
        lambda m: m.get("first"),
        lambda m: m.get_all(as_of=THEN, limit=1),
        lambda m: m.get_all(as_of="2022", about="Ada", relations=["works_at"]),
        lambda m: m.get_all(as_of=THEN, about=fact.subject),
        lambda m: m.get_all(as_of=THEN, about=fact.subject, limit=1),
        lambda m: m.episodes(limit=2).items,
        lambda m: m.episode("first"),
        lambda m: m.get_all(groups=["default", "none/*"], history=True),
        lambda m: m.history("Ada works_at"),
        lambda m: m.timeline("Ada", system_as_of=first.commit and first.commit.instant),
        lambda m: m.diff(first.commit.instant, about=fact.subject) if first.commit else None,
        lambda m: m.groups(),
        lambda m: m.core.blocks(),
        lambda m: m.core.get("persona"),
        lambda m: m.core.get("nobody"),
        lambda m: m.core.history("persona"),
    ]
    served.clock.stopped = datetime.now(UTC)  # answers tell when "now" was
    for at, ask in enumerate(questions):
        assert ask(there) == ask(here), at


def test_every_write_does_what_it_does_here(here: Memory, there: Memory) -> None:
    told = there.add(WORKS, id="contract")
    assert here.get_all().items[0].version.fact == told.created[0]
    waiting = there.add({"not": "waited for"}, wait=False)
    assert "next pass" in waiting.waiting
    there.update("contract", '{"subject": "Ada", "predicate": "works_at", "object": "Initech"}')
    (fact,) = here.get_all().items
    assert fact.object == "Initech"
    decision = there.retract(fact.version.fact.id, reason="wrong")
    assert decision.reason == "wrong"
    assert here.get_all().items == ()
    there.delete("contract")
    there.core.append("persona", "Be brief.")
    assert there.core.replace("persona", "brief", "kind", by="person") == here.core.get("persona")
    assert there.core.clear("persona") is None
    done = there.work()
    assert done.failed == ()


def test_pages_go_on_where_they_ended(here: Memory, there: Memory) -> None:
    for number in range(5):
        here.add({"subject": f"P{number}", "predicate": "knows", "object": "Ada"})
    seen: list[str] = []
    cursor = None
    while True:
        page = there.get_all(limit=2, cursor=cursor)
        seen += [one.subject for one in page.items]
        cursor = page.following
        if cursor is None:
            break
    assert sorted(seen) == [f"P{number}" for number in range(5)]


def test_a_store_for_langgraph_works_over_a_server_too(there: Memory) -> None:
    store = MemstrataStore(there)
    place = ("users", "a/b ä")
    store.put(place, "k 1/2", {"text": "likes pizza"})
    store.put(place, "other", {"text": "has a dog"})
    item = store.get(place, "k 1/2")
    assert item is not None
    assert item.value == {"text": "likes pizza"}
    assert [one.key for one in store.search(("users",), query="pizza")] == ["k 1/2"]
    store.delete(place, "other")
    assert [one.key for one in store.search(())] == ["k 1/2"]
    assert store.list_namespaces() == [place]


def test_coroutines_ask_the_same_server(served: Served, here: Memory) -> None:
    async def tell() -> tuple[object, object]:
        async with AsyncMemory(served.url) as memory:
            async with anyio.create_task_group() as group:
                for number in range(8):
                    group.start_soon(
                        memory.add, {"subject": f"P{number}", "predicate": "knows", "object": "Ada"}
                    )
            await memory.core.set("persona", "Be brief.")
            await memory.work()
            return await memory.search("P3", as_of="2100"), await memory.core.blocks()

    found, blocks = anyio.run(tell)
    assert found == here.search("P3", as_of="2100")
    assert blocks == here.core.blocks()
    assert len(here.get_all().items) == 8


WRONG: list[Callable[[Memory], Any]] = [
    lambda m: m.search(""),
    lambda m: m.search("Ada", preset="fact"),
    lambda m: m.search("Ada", relations="works"),
    lambda m: m.search("Ada", limit=0),
    lambda m: m.context("Ada", 10),
    lambda m: m.timeline("Nobody"),
    lambda m: m.history("Nobody"),
    lambda m: m.get("nothing"),
    lambda m: m.retract("nothing"),
    lambda m: m.update("nothing", "x"),
    lambda m: m.core.history("never"),
    lambda m: m.core.replace("persona", "a", "b"),
    lambda m: m.core.set("persona", "x" * 2_001),
    lambda m: m.diff("2100"),
    lambda m: m.get_all(cursor="nonsense"),
]


@pytest.mark.parametrize("ask", WRONG)
def test_what_is_wrong_is_the_same_family_of_errors(
    ask: Callable[[Memory], Any], read_only: tuple[Memory, Memory]
) -> None:
    here, there = read_only
    with pytest.raises(Incorrect):
        ask(here)
    with pytest.raises(Incorrect) as caught:
        ask(there)
    assert len(str(caught.value)) > 20


def test_tokens_reach_what_they_grant_and_no_more(served: Served, here: Memory) -> None:
    here.add(WORKS, group="acme/eng")
    tokens = Tokens(served.home)
    _, text = tokens.create("reader", groups=["acme/*"], rights=[Right.READ])
    with Memory(served.url, token=text) as scoped:
        assert len(scoped.get_all(group="acme/*").items) == 1
        with pytest.raises(Forbidden):
            scoped.add(WORKS, group="acme/eng")
        with pytest.raises(Forbidden):
            scoped.search("Ada", group="other")
    with Memory(served.url, token="mst_0_0") as unknown, pytest.raises(Unauthenticated):  # noqa: S106
        unknown.groups()


def test_a_server_that_is_away_is_a_fault() -> None:
    with Memory("http://127.0.0.1:9") as memory, pytest.raises(Fault, match="is the server running"):
        memory.groups()


def test_a_write_whose_answer_was_lost_is_sent_again_under_the_same_key() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        if len(asked) == 1:
            raise httpx.RemoteProtocolError("server disconnected", request=request)
        return httpx.Response(202, json={"episode_ids": ["e"], "committed": []})

    client = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://memory")
    with Memory.over(client) as memory:
        assert memory.add("x", wait=False).episode_ids == ("e",)
        memory.add("y", wait=False)
    keys = [one.headers["idempotency-key"] for one in asked]
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (httpx.Response(200, text="<html>"), Unreadable),
        (httpx.Response(200, json={"surprise": 1}), Unreadable),
        (httpx.Response(502, text="bad gateway"), Fault),
        (httpx.Response(404, text="not found"), Incorrect),
        (httpx.Response(429, json={"detail": "too many requests; wait"}), Fault),
    ],
)
def test_an_answer_that_is_none_of_memstratas_is_named(
    answer: httpx.Response, error: type[MemstrataError]
) -> None:
    client = httpx.Client(transport=httpx.MockTransport(lambda _: answer), base_url="http://memory")
    with Memory.over(client) as memory, pytest.raises(error):
        memory.groups()


@pytest.mark.parametrize(
    "error",
    [
        Incorrect("no group"),
        Misplaced("empty", field="content", mend="leave it out"),
        Misplaced("must be a string", field="group_id"),
        Conflict("another body"),
        Forbidden("not here"),
        Unauthenticated("who?"),
        Unsupported("no Cypher"),
        Fault("later"),
    ],
)
def test_an_error_that_went_over_the_wire_is_the_same_error(error: MemstrataError) -> None:
    response = response_of(problem_of(error), "/v1/search")
    request = httpx.Request("POST", "http://memory/v1/search")
    back = error_of(httpx.Response(response.status_code, content=bytes(response.body), request=request))
    assert (type(back), str(back)) == (type(error), str(error))
    if isinstance(error, Misplaced):
        assert isinstance(back, Misplaced)
        assert (back.field, back.problem, back.mend) == (error.field, error.problem, error.mend)
