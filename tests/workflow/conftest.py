"""A world in a folder of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from belief_world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path) as made:
        yield made
