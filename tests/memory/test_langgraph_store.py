"""The store for LangGraph, beside LangGraph's own: what both are told, both answer."""

from __future__ import annotations

import asyncio
import string
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from memstrata import Memory
from memstrata.errors import Incorrect
from memstrata.memory.langgraph import MemstrataStore
from memstrata.memory.matching import does_match, has_values
from memstrata.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from langgraph.store.base import BaseStore, Item


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(settings=load_settings(MEMSTRATA_HOME=tmp_path, MEMSTRATA_EMBEDDER="none")) as opened:
        yield opened


@pytest.fixture
def store(memory: Memory) -> MemstrataStore:
    return MemstrataStore(memory)


def plain(items: list[Any]) -> list[tuple[tuple[str, ...], str, object]]:
    return sorted((one.namespace, one.key, one.value) for one in items)


def fill(store: BaseStore) -> None:
    store.put(("users", "ada"), "likes", {"food": "pizza", "stars": 5, "tags": ["a", "b"]})
    store.put(("users", "ada", "notes"), "n1", {"text": "lives in Porto", "stars": 2, "at": {"x": 1}})
    store.put(("users", "bob"), "likes", {"food": "sushi", "stars": 3})
    store.put(("docs",), "report", {"text": "quarterly report", "stars": None})
    store.put(("users", "bob"), "gone", {"food": "none"})
    store.delete(("users", "bob"), "gone")
    store.put(("users", "ada"), "likes", {"food": "pasta", "stars": 4, "tags": ["a", "b"]})


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[MemstrataStore, InMemoryStore]]:
    home = tmp_path_factory.mktemp("full")
    with Memory(settings=load_settings(MEMSTRATA_HOME=home, MEMSTRATA_EMBEDDER="none")) as memory:
        both = MemstrataStore(memory), InMemoryStore()
        for one in both:
            fill(one)
        yield both


@pytest.mark.parametrize("prefix", [(), ("users",), ("users", "ada"), ("docs",), ("nothing",), ("user",)])
@pytest.mark.parametrize(
    "wanted",
    [
        None,
        {"food": "pasta"},
        {"food": {"$ne": "pasta"}},
        {"food": {"$eq": "sushi"}, "stars": 3},
        {"at": {"x": 1}},
        {"tags": ["a", "b"]},
        {"tags": ["a"]},
    ],
)
def test_a_search_by_namespace_and_filter_is_langgraphs(
    full: tuple[MemstrataStore, InMemoryStore], prefix: tuple[str, ...], wanted: dict[str, Any] | None
) -> None:
    ours, theirs = full
    assert plain(ours.search(prefix, filter=wanted)) == plain(theirs.search(prefix, filter=wanted))


@pytest.mark.parametrize("wanted", [{"$gte": 3}, {"$gt": 2, "$lt": 4}, {"$lte": 3}, {"$lt": 0}])
def test_a_search_by_order_is_langgraphs_where_that_does_not_fail(
    full: tuple[MemstrataStore, InMemoryStore], wanted: dict[str, Any]
) -> None:
    ours, theirs = full
    order = {"stars": wanted}
    assert plain(ours.search(("users",), filter=order)) == plain(theirs.search(("users",), filter=order))
    with pytest.raises(TypeError):
        theirs.search(("docs",), filter=order)
    assert ours.search(("docs",), filter=order) == []


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"prefix": ("users",)},
        {"prefix": ("users", "*")},
        {"suffix": ("notes",)},
        {"suffix": ("ada", "*")},
        {"prefix": ("users",), "suffix": ("ada",)},
        {"max_depth": 1},
        {"prefix": ("users",), "max_depth": 2},
        {"limit": 2, "offset": 1},
        {"prefix": ("users", "ada", "notes", "more")},
    ],
)
def test_namespaces_are_listed_as_langgraph_lists_them(
    full: tuple[MemstrataStore, InMemoryStore], asked: dict[str, Any]
) -> None:
    ours, theirs = full
    assert ours.list_namespaces(**asked) == theirs.list_namespaces(**asked)


def test_pages_of_a_search_follow_one_another(full: tuple[MemstrataStore, InMemoryStore]) -> None:
    ours, _ = full
    whole = ours.search((), limit=10)
    assert [one.key for one in whole] == ["likes", "n1", "likes", "report"]
    assert [ours.search((), limit=1, offset=at)[0] for at in range(4)] == whole
    assert ours.search((), limit=2, offset=4) == []


def test_a_query_finds_by_words_best_first(full: tuple[MemstrataStore, InMemoryStore]) -> None:
    ours, _ = full
    (found,) = ours.search(("users",), query="who lives in Porto")
    assert (found.key, found.namespace) == ("n1", ("users", "ada", "notes"))
    assert found.score is not None
    assert ours.search(("docs",), query="Porto") == []
    assert ours.search(("users",), query="Porto", filter={"stars": {"$gt": 2}}) == []


def test_an_item_keeps_its_first_time_until_it_is_deleted(store: MemstrataStore) -> None:
    place = ("users", "ada")
    store.put(place, "k", {"n": 1})
    first = store.get(place, "k")
    store.put(place, "k", {"n": 2})
    second = store.get(place, "k")
    assert first is not None
    assert second is not None
    assert second.value == {"n": 2}
    assert second.created_at == first.created_at < second.updated_at
    store.delete(place, "k")
    assert store.get(place, "k") is None
    assert store.list_namespaces() == []
    store.delete(place, "k")
    store.put(place, "k", {"n": 2})
    again = store.get(place, "k")
    assert again is not None
    assert again.created_at > second.updated_at


def test_the_memory_keeps_what_the_store_forgot(memory: Memory, store: MemstrataStore) -> None:
    store.put(("users", "ada"), "k", {"n": 1})
    store.put(("users", "ada"), "k", {"n": 2})
    store.delete(("users", "ada"), "k")
    record = memory.episode("k", group="langgraph/users/ada")
    assert record.is_retracted
    assert [one.content for one in (*record.earlier, record.episode)] == ['{"n":1}', '{"n":2}']


def test_what_is_not_indexed_is_got_and_listed_but_not_found(store: MemstrataStore) -> None:
    store.put(("a",), "k", {"text": "secret recipe"}, index=False)
    assert store.search(("a",), query="secret recipe") == []
    assert [one.key for one in store.search(("a",))] == ["k"]
    store.put(("a",), "k", {"text": "secret recipe"})
    assert [one.key for one in store.search(("a",), query="secret recipe")] == ["k"]


def test_one_batch_reads_before_it_writes_and_its_last_write_wins(store: MemstrataStore) -> None:
    def told(store: BaseStore) -> list[Any]:
        store.put(("a",), "k", {"n": 0})
        first = store.batch(
            [
                PutOp(("a",), "k", {"n": 1}),
                GetOp(("a",), "k"),
                PutOp(("a",), "k", {"n": 2}),
                SearchOp(("a",)),
                ListNamespacesOp(),
            ]
        )
        return [*first, *store.batch([GetOp(("a",), "k")])]

    def shown(results: list[Any]) -> list[object]:
        get: Any = attrgetter("value")
        return [
            [get(each) if hasattr(each, "value") else each for each in one]
            if isinstance(one, list)
            else one and get(one)
            for one in results
        ]

    assert shown(told(store)) == shown(told(InMemoryStore()))


def test_coroutines_do_the_same(store: MemstrataStore) -> None:
    async def use() -> tuple[Item | None, int]:
        await asyncio.gather(*(store.aput(("a", str(n % 2)), f"k{n}", {"n": n}) for n in range(6)))
        await store.adelete(("a", "0"), "k0")
        assert await store.alist_namespaces(prefix=("a",)) == [("a", "0"), ("a", "1")]
        return await store.aget(("a", "1"), "k3"), len(await store.asearch(("a",)))

    item, count = asyncio.run(use())
    assert item is not None
    assert (item.value, count) == ({"n": 3}, 5)


def test_a_time_to_live_is_refused(store: MemstrataStore) -> None:
    with pytest.raises(NotImplementedError, match="TTL is not supported"):
        store.put(("a",), "k", {}, ttl=5)
    with pytest.raises(NotImplementedError, match="no time to live"):
        store.batch([PutOp(("a",), "k", {}, ttl=5)])
    assert store.get(("a",), "k") is None


def test_wrong_namespaces_keys_and_values_are_refused(store: MemstrataStore) -> None:
    for namespace in ((), ("a.b",), ("",), ("langgraph",)):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {})
    with pytest.raises(Incorrect, match="no JSON"):
        store.put(("a",), "k", {"at": object()})
    with pytest.raises(Incorrect, match="episode_id"):
        store.put(("a",), "", {})
    with pytest.raises(Incorrect, match="no name that an address can hold"):
        store.put(("a",), "..", {})
    with pytest.raises(Incorrect, match="at most 256"):
        store.put(("a",), "k" * 257, {})
    with pytest.raises(Incorrect, match="did you mean \\$gte"):
        has_values({"n": 1}, {"n": {"$ge": 1}})
    assert store.get(("a",), "") is None


@given(
    labels=st.lists(
        st.text(string.printable.replace(".", "") + "äß漢/*+%", min_size=1, max_size=6),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_namespace_is_a_group_and_comes_back(labels: list[str]) -> None:
    from memstrata.intake import check_group

    store = MemstrataStore(None)  # type: ignore[arg-type]
    group = store._group(tuple(labels))
    check_group(group)
    assert store._namespace(group) == tuple(labels)


def test_any_key_and_value_come_back(store: MemstrataStore) -> None:
    value = {
        "text": 'ä\n"漢"',
        "none": None,
        "deep": [{"a": [1, 2.5, True]}],
        "role": "user",
        "subject": "x",
    }
    for key in ("a/b", "ä ö", "...", "*", "k" * 256, "0baeb2c8-a830-5842-adc8-237cbc223d8c"):
        store.put(("odd", "a/b ä+*"), key, value)
        item = store.get(("odd", "a/b ä+*"), key)
        assert item is not None
        assert (item.key, item.value, item.namespace) == (key, value, ("odd", "a/b ä+*"))
    assert store.list_namespaces() == [("odd", "a/b ä+*")]


def test_a_wildcard_is_any_one_label() -> None:
    assert does_match("prefix", ("a", "*"), ("a", "b", "c"))
    assert does_match("suffix", ("*", "c"), ("a", "b", "c"))
    assert not does_match("suffix", ("b",), ("a", "b", "c"))
    with pytest.raises(Incorrect, match="there is no match type"):
        does_match("infix", (), ())
