"""What is not installed is named with the extra that brings it."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

import pytest

from memstrata import AsyncMemory, Memory
from memstrata.errors import Missing

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for package in ("httpx", "langgraph.store.base", "anyio"):
        monkeypatch.setitem(sys.modules, package, None)
    for module in ("memstrata.memory.remote", "memstrata.memory.langgraph"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return monkeypatch


def test_a_memory_over_http_names_its_extra(without: pytest.MonkeyPatch) -> None:
    with pytest.raises(Missing, match=r"httpx is not installed.*memstrata\[client\]"):
        Memory("http://127.0.0.1:8765")


def test_a_memory_without_blocking_names_its_extra(without: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(Missing, match=r"anyio is not installed.*memstrata\[client\]"):
        AsyncMemory(home=tmp_path)


def test_the_store_for_langgraph_names_its_extra(without: pytest.MonkeyPatch) -> None:
    with pytest.raises(Missing, match=r"langgraph is not installed.*memstrata\[langgraph\]"):
        importlib.import_module("memstrata.memory.langgraph")


def test_a_memory_in_the_process_needs_none_of_them(without: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without.setenv("MEMSTRATA_EMBEDDER", "none")
    with Memory(home=tmp_path) as memory:
        memory.add({"subject": "Ada", "predicate": "knows", "object": "Bob"})
        assert len(memory.get_all().items) == 1
