"""The SQLite store keeps the contract, and what is particular to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from contract import GraphStoreContract

from memstrata.stores.sqlite import SqliteGraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class TestSqliteGraph(GraphStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SqliteGraph]:
        with SqliteGraph(tmp_path / "graph.db") as graph:
            yield graph
