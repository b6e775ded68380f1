"""The reference store keeps the contract."""

from __future__ import annotations

import pytest
from contract import GraphStoreContract

from memstrata.stores.memory import MemoryGraph


class TestMemoryGraph(GraphStoreContract):
    @pytest.fixture
    def store(self) -> MemoryGraph:
        return MemoryGraph()
