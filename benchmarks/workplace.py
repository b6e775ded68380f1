"""A memory in a folder of its own, with a clock that the benchmark sets."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memstrata.settings import load_settings, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.ports import GraphStore, Installation


class SetClock:
    """A clock that stands where it was set; the real time until then."""

    def __init__(self) -> None:
        self._instant: datetime | None = None

    def set(self, instant: datetime) -> None:
        """Puts the clock."""
        self._instant = instant

    def now(self) -> datetime:
        """The instant set, else the real one."""
        return self._instant or datetime.now(UTC)


@contextmanager
def workplace(
    home: Path, *, embedder: str = "none", graph: GraphStore | None = None
) -> Iterator[tuple[Installation, SetClock]]:
    """An installation in `home`, closed afterwards; its graph is there too, unless one is given."""
    clock = SetClock()
    settings = load_settings(MEMSTRATA_HOME=home, MEMSTRATA_EMBEDDER=embedder)
    with opened(settings) as installation:
        yield replace(installation, clock=clock, graph=graph or installation.graph), clock
