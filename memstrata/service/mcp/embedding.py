"""Vectors for what was just added, in a thread of their own: whoever adds does not wait for them."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memstrata.errors import MemstrataError
from memstrata.memory.telling import Telling

if TYPE_CHECKING:
    from memstrata.ports import Installation

logger = logging.getLogger("memstrata.mcp")

#: Texts at a time: so long does the end of the process wait at most.
_BATCH: Final = 64


@dataclass(slots=True)
class Embedding:
    """Embeds whatever has no vector, whenever it is told that something came; words answer meanwhile."""

    installation: Installation
    _wanted: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def want(self) -> None:
        """Something has been added."""
        if self.installation.embedder is None:
            return
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
            except MemstrataError as error:  # the next addition tries again
                logger.warning("not embedded", extra={"fault": type(error).__name__})
