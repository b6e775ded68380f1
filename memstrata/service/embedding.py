"""Vectors for what was just written over any face: whoever writes does not wait for them.

Where a process works beside the server (`attending`) it is told; else a thread of this one embeds.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from memstrata.errors import MemstrataError
from memstrata.memory.telling import Telling
from memstrata.service.lines import write_line

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.ports import Installation

#: Texts at a time: so long does the end of the process wait at most.
_BATCH: Final = 64


class Vectors(Protocol):
    """What writes tell of what they have written."""

    def want(self) -> None:
        """Something has been written."""

    def close(self) -> None:
        """Nothing more will be."""


@dataclass(slots=True)
class Embedding:
    """Embeds whatever has no vector, in a thread, when something was written; words answer meanwhile."""

    installation: Installation
    _wanted: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)
    _starting: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def want(self) -> None:
        """See `Vectors`."""
        if self.installation.embedder is None:
            return
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="embedding", daemon=True)
                self._thread.start()
        self._wanted.set()

    def close(self) -> None:
        """Ends the thread after the texts that it has in hand."""
        self._ended.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        telling = Telling(installation=self.installation)
        while self._wanted.wait() and not self._ended.is_set():
            self._wanted.clear()
            try:
                while not self._ended.is_set() and telling.embed(limit=_BATCH):
                    pass
            except MemstrataError as error:  # the next write tries again
                write_line("not embedded", error=type(error).__name__)


@dataclass(frozen=True, slots=True)
class Bell:
    """A file that is touched when something was written: whoever works looks at its time."""

    path: Path

    def want(self) -> None:
        """See `Vectors`. A bell that cannot be rung costs time alone: who works looks by itself, too."""
        with suppress(OSError):
            self.path.touch()

    def close(self) -> None:
        """Nothing to do."""

    def rung_at(self) -> int:
        """When it was rung last, as a number that grows; 0 for never."""
        try:
            return self.path.stat().st_mtime_ns
        except OSError:
            return 0


def bell_of(home: Path) -> Bell:
    """The bell of a home."""
    return Bell(home / "service" / "bell")
