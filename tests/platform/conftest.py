"""An ephemeral instance, and an empty memory without an embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from dagster import DagsterInstance
from dated_memory import DatedMemory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def instance() -> Iterator[DagsterInstance]:
    with DagsterInstance.ephemeral() as one:
        yield one


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DatedMemory:
    monkeypatch.setenv("MEMSTRATA_EMBEDDER", "none")
    monkeypatch.delenv("MEMSTRATA_ONTOLOGY", raising=False)
    return DatedMemory(home=str(tmp_path / "home"))
