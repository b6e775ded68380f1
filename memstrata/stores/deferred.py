"""A graph store that is opened when it is first asked for something: the door needs none to accept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.ports import GraphStore


class DeferredGraph:
    """Stands for the store that `open_store` opens, with all of its roles; errors of opening come then.

    What could not be opened is tried again with the next call.
    """

    def __init__(self, open_store: Callable[[], GraphStore]) -> None:
        self._open = open_store
        self._lock = threading.Lock()
        self._opened: GraphStore | None = None

    def __getattr__(self, name: str) -> Any:
        """Any role of the store, which is opened for it."""
        if name.startswith("__"):  # what copying and pickling look for is no role
            raise AttributeError(name)
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return getattr(self._opened, name)

    def close(self) -> None:
        """Closes the store, if it was opened."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None
