"""The clients of the load benchmark: one process, a connection each, always one request under way.

They speak as little HTTP/1.1 as our server needs, so that they take little of the cores that they share
with it, and look at every answer.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: What 100 requests are: 90 reads, most of them searches, and 10 writes.
MIX: Final = {
    "search": 54,
    "context": 9,
    "facts": 9,
    "timeline": 6,
    "entity": 6,
    "history": 6,
    "write": 10,
}
_SHOWN: Final = 5
_LINE: Final = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the clients do: for how long, and with which questions, texts, names and ids.

    `preset` is how they search; None is the service's own default. Without `packs` no context is asked for.
    """

    port: int
    clients: int
    warm_up: float
    seconds: float
    seed: int
    preset: str | None
    packs: bool
    questions: list[str]
    texts: list[str]
    names: list[str]
    ids: list[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: of which kind, its bytes, and what an answer to it must hold."""

    kind: str
    sent: bytes
    is_right: Callable[[Any], bool]


@dataclass(slots=True, kw_only=True)
class Seen:
    """What came back: milliseconds by kind, what was wrong, and the clients' own processor time."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0
    processor_seconds: float = 0.0
    received: int = 0


def requests(plan: Plan) -> Iterator[Asked]:
    """Requests in random order, no question and no text twice, until these are used up."""
    generator = random.Random(plan.seed)
    questions, texts = iter(plan.questions), iter(plan.texts)
    mix = {kind: weight for kind, weight in MIX.items() if plan.packs or kind != "context"}
    kinds, weights = list(mix), list(mix.values())
    while True:
        kind = generator.choices(kinds, weights)[0]
        try:
            yield _request(kind, plan, generator, iter_of=(questions, texts))
        except StopIteration:
            return


def _request(
    kind: str, plan: Plan, generator: random.Random, *, iter_of: tuple[Iterator[str], Iterator[str]]
) -> Asked:
    questions, texts = iter_of
    if kind == "search":
        body: dict[str, object] = {"query": next(questions), "limit": 10}
        if plan.preset is not None:
            body["preset"] = plan.preset
        return Asked(kind, _post("/v1/search", body), _found)
    if kind == "write":
        body = {"episodes": [{"content": next(texts)}]}
        return Asked(kind, _post("/v1/episodes", body), lambda said: len(said["episode_ids"]) == 1)
    if kind == "context":
        return Asked(kind, _get(f"/v1/context?query={quote(next(questions))}"), lambda said: said["facts"])
    if kind == "entity":
        entity_id = generator.choice(plan.ids)
        return Asked(kind, _get(f"/v1/entities/{entity_id}"), lambda said: said["entity"]["entity_id"])
    return _about(kind, quote(generator.choice(plan.names)))


def _about(kind: str, name: str) -> Asked:
    if kind == "facts":
        return Asked(kind, _get(f"/v1/facts?about={name}&limit=20"), lambda said: said["items"])
    if kind == "timeline":
        return Asked(kind, _get(f"/v1/timeline?entity={name}&limit=20"), lambda said: said["spells"])
    return Asked(kind, _get(f"/v1/history?asked={name}&limit=20"), lambda said: said["items"])


def _found(said: Any) -> bool:
    return bool(said["facts"] or said["episodes"])


def _get(target: str) -> bytes:
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def _post(target: str, body: object) -> bytes:
    content = orjson.dumps(body)
    head = (
        f"POST {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def run(plan: Plan) -> Seen:
    """Asks for as long as the plan says, and waits for the last answers."""
    return asyncio.run(_run(plan))


async def _run(plan: Plan) -> Seen:
    asked = requests(plan)
    seen = Seen()
    warm = time.perf_counter() + plan.warm_up
    await asyncio.gather(*(_client(plan.port, asked, Seen(), until=warm) for _ in range(plan.clients)))
    began, used = time.perf_counter(), time.process_time()
    until = began + plan.seconds
    await asyncio.gather(*(_client(plan.port, asked, seen, until=until) for _ in range(plan.clients)))
    seen.seconds = time.perf_counter() - began
    seen.processor_seconds = time.process_time() - used
    return seen


async def _client(port: int, asked: Iterator[Asked], seen: Seen, *, until: float) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_LINE)
    try:
        while (began := time.perf_counter()) < until:
            one = next(asked)
            try:
                writer.write(one.sent)
                status, body = await _answer(reader)
                wrong = _wrong(one, status, body)
            except (ConnectionError, asyncio.IncompleteReadError) as error:
                wrong, body = f"{type(error).__name__}: {error}", b""
                writer.close()
                reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=_LINE)
            seen.times[one.kind].append(1_000 * (time.perf_counter() - began))
            seen.received += len(body)
            if wrong:
                seen.errors += 1
                if len(seen.wrong) < _SHOWN:
                    seen.wrong.append(f"{one.kind}: {wrong}"[:500])
    finally:
        writer.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    status = int(head[9:12])
    _, _, length = head.partition(b"\r\ncontent-length:")
    if not length:
        raise ConnectionError(f"an answer without a length: {head[:200]!r}")
    return status, await reader.readexactly(int(length.partition(b"\r\n")[0]))


def _wrong(asked: Asked, status: int, body: bytes) -> str:
    """What is wrong with an answer; empty if nothing is."""
    if not 200 <= status < 300:
        return f"{status} {body[:300].decode('utf-8', 'replace')}"
    try:
        is_right = asked.is_right(orjson.loads(body))
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        return f"{type(error).__name__} {error} in {body[:200].decode('utf-8', 'replace')}"
    return "" if is_right else f"nothing in {body[:200].decode('utf-8', 'replace')}"
