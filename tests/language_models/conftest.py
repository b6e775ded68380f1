from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest
from asking import ClockByHand

from memstrata.language_models.scripted_server import ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if importlib.util.find_spec("openai") is None:
    collect_ignore_glob = ["test_errors*.py", "test_open*.py", "test_refus*.py", "test_real*.py"]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def clock() -> ClockByHand:
    return ClockByHand()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "language_models"
