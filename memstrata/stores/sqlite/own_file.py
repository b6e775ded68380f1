"""A file beside the graph and the record: opened when it is first asked for something, for all threads."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from memstrata.errors import Unsupported
from memstrata.stores.sqlite.connection import Connections, statement, writing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import apsw


class OwnFile:
    """The file, with a connection a thread.

    `steps` are the scripts that lead from one version of it to the next, beginning with an empty one;
    `without` says what is lost if it is moved away.
    """

    def __init__(self, path: Path, steps: Sequence[str], *, without: str) -> None:
        self.path = path
        self._steps = steps
        self._without = without
        self._opening = threading.Lock()
        self._opened: Connections | None = None

    def here(self) -> apsw.Connection:
        """This thread's connection, after the file was made or brought to this version.

        Raises `Unsupported` for a file of a newer version, and as `Connections.here`.
        """
        with self._opening:
            if self._opened is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                opened = Connections(self.path)
                self._prepare(opened.here())
                self._opened = opened
        return self._opened.here()

    def close(self) -> None:
        """Closes the file for all threads."""
        if self._opened is not None:
            self._opened.close()

    def _prepare(self, db: apsw.Connection) -> None:
        known = len(self._steps)
        version = partial(db.execute, "PRAGMA user_version")
        if version().get < known:
            with writing(db):
                for step in self._steps[version().get :]:  # none where another process was first
                    db.execute(statement(step))
                db.execute(f"PRAGMA user_version = {max(version().get, known)}")
        if version().get > known:
            raise Unsupported(
                f"{self.path} was written by a newer Memstrata (version {version().get}, this one knows "
                f"{known}); install that version, or move the file away: {self._without}"
            )
