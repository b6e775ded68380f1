"""A store for LangGraph's agents (`langgraph.store.base.BaseStore`) that keeps its items in a memory.

A namespace is a group below `root` (`("users", "ada")` is `langgraph/users/ada`; what a group's name
cannot hold is written as `+` and two hex digits). An item is an episode of that group: its key is the
episode's own id, its value the content, as JSON. Putting a key again makes the next revision, deleting
retracts: both stay in the history of the memory, and nothing is erased.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote_to_bytes

import orjson

from memstrata.errors import Incorrect, Missing
from memstrata.instants import format_instant, parse_instant
from memstrata.intake.door import check_group
from memstrata.memory.matching import does_match, has_values
from memstrata.model import SourceType
from memstrata.ports import Subject
from memstrata.search.searcher import MOST_RESULTS

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        PutOp,
        SearchItem,
        SearchOp,
        validate_op_namespace,
    )
except ModuleNotFoundError as error:
    raise Missing("the package langgraph is not installed; pip install 'memstrata[langgraph]'") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from langgraph.store.base import Op, Result

    from memstrata.memory.client import Memory
    from memstrata.model import Episode

    Namespace = tuple[str, ...]

_SOURCE: Final = "langgraph"
_PAGE: Final = 1_000
_PLAIN: Final = re.compile(rb"[A-Za-z0-9_@:-]")


class MemstrataStore(BaseStore):
    """Keeps LangGraph's items in a memory. Safe for threads; coroutines work in worker threads.

    `search` with a query finds by words and by meaning, as the memory does: what has nothing to do with the
    query is left out. `index=False` keeps an item out of such searches; a list of fields has no effect, the
    whole value is searched. There is no time to live: `ttl` raises `NotImplementedError`. Raises
    `Incorrect` for a value that is no JSON, for keys and namespaces longer than 256 characters, and for a
    `root` that names no group.
    """

    __slots__ = ("_memory", "_root")

    supports_ttl = False

    def __init__(self, memory: Memory, *, root: str = _SOURCE) -> None:
        check_group(root)
        self._memory = memory
        self._root = root

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """The result of each operation: reads see what stood before; a key's last write wins."""
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        results: list[Result] = [None if isinstance(op, PutOp) else self._read(op) for op in asked]
        puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
        for op in puts.values():
            self._put(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`, in a worker thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._item(op.namespace, op.key)
            case SearchOp(query=str() as query) if query:
                return self._found(op, query)
            case SearchOp():
                return self._listed(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case _:
                raise ValueError(f"{type(op).__name__} is no operation of a store")

    # --- one item ---

    def _item(self, namespace: Namespace, key: str) -> Item | None:
        if not key:
            return None
        try:
            record = self._memory.episode(key, group=self._group(namespace))
        except Incorrect:
            return None
        if record.is_retracted or record.episode.source != _SOURCE:
            return None
        return Item(**_fields(record.episode, namespace))

    def _put(self, op: PutOp) -> None:
        if op.ttl is not None:
            raise NotImplementedError("MemstrataStore has no time to live; put items with ttl=None")
        if op.key in (".", ".."):
            raise Incorrect(f"the key {op.key!r} is no name that an address can hold; choose another")
        group = self._group(op.namespace)
        there = self._item(op.namespace, op.key)
        if op.value is not None:
            metadata: dict[str, Any] = {"is_searched": op.index is not False}
            if there is not None:
                metadata["created_at"] = format_instant(there.created_at)
            self._memory.add(
                op.value, group=group, id=op.key, source=_SOURCE, type=SourceType.JSON, metadata=metadata
            )
        elif there is not None:
            self._memory.retract(op.key, group=group, reason="deleted from the store")

    # --- many items ---

    def _found(self, op: SearchOp, query: str) -> list[SearchItem]:
        """Those that the memory finds, best first; with a filter, among its first two hundred."""
        wanted = op.offset + op.limit
        found = self._memory.search(
            query,
            groups=self._groups(op.namespace_prefix),
            subjects=(Subject.EPISODE,),
            limit=MOST_RESULTS if op.filter else max(1, min(wanted, MOST_RESULTS)),
        )
        items = [
            SearchItem(**_fields(one.episode, self._namespace(one.episode.group_id)), score=one.score)
            for one in found.episodes
            if one.episode.source == _SOURCE and one.episode.metadata.get("is_searched") is True
        ]
        return [one for one in items if has_values(one.value, op.filter)][op.offset : wanted]

    def _listed(self, op: SearchOp) -> list[SearchItem]:
        """All in the namespaces, the oldest first."""
        depth = len(op.namespace_prefix)
        items = [
            SearchItem(**_fields(episode, namespace))
            for namespace in self._known()
            if namespace[:depth] == op.namespace_prefix
            for episode in self._episodes(namespace)
        ]
        items.sort(key=lambda one: (one.created_at, one.namespace, one.key))
        matching = [one for one in items if has_values(one.value, op.filter)]
        return matching[op.offset : op.offset + op.limit]

    def _episodes(self, namespace: Namespace) -> Iterator[Episode]:
        group, cursor = self._group(namespace), None
        while True:
            page = self._memory.episodes(group=group, limit=_PAGE, cursor=cursor)
            yield from (one for one in page.items if one.source == _SOURCE)
            cursor = page.following
            if cursor is None:
                return

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        """The namespaces that hold something, each once, sorted."""
        matching = {
            namespace[: op.max_depth]
            for namespace in self._known()
            if all(does_match(one.match_type, one.path, namespace) for one in op.match_conditions or ())
        }
        return sorted(matching)[op.offset : op.offset + op.limit]

    def _known(self) -> list[Namespace]:
        below = f"{self._root}/"
        return [
            self._namespace(one.group_id)
            for one in self._memory.groups()
            if one.group_id.startswith(below) and one.episodes + one.pending_episodes
        ]

    # --- namespaces as groups ---

    def _group(self, namespace: Namespace) -> str:
        if not namespace:
            raise ValueError("a namespace has one label at least, such as ('users', 'ada')")
        return "/".join((self._root, *map(_written, namespace)))

    def _groups(self, prefix: Namespace) -> tuple[str, ...]:
        """A namespace and everything below; without labels, everything."""
        if not prefix:
            return (f"{self._root}/*",)
        group = self._group(prefix)
        return group, f"{group}/*"

    def _namespace(self, group: str) -> Namespace:
        labels = group.removeprefix(f"{self._root}/").split("/")
        return tuple(unquote_to_bytes(label.replace("+", "%")).decode() for label in labels)


def _written(label: str) -> str:
    """A label as a part of a group's name."""
    pieces = (bytes([one]) for one in label.encode())
    return "".join(one.decode() if _PLAIN.match(one) else f"+{one.hex().upper()}" for one in pieces)


def _fields(episode: Episode, namespace: Namespace) -> dict[str, Any]:
    """What LangGraph knows of an item."""
    created = episode.metadata.get("created_at")
    value = orjson.loads(episode.content)
    return {
        "namespace": namespace,
        "key": episode.episode_id,
        "value": cast("dict[str, Any]", value) if isinstance(value, Mapping) else {},
        "created_at": parse_instant(created) if isinstance(created, str) else episode.ingested_at,
        "updated_at": episode.ingested_at,
    }
