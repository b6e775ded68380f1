"""The graph in one SQLite file: all roles of the graph behind one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from memstrata.stores.sqlite import schema
from memstrata.stores.sqlite.connection import Connections
from memstrata.stores.sqlite.exporter import SqliteExporter
from memstrata.stores.sqlite.finder import SqliteFinder
from memstrata.stores.sqlite.neighbourhood import SqliteNeighbourhood
from memstrata.stores.sqlite.projector import SqliteProjector
from memstrata.stores.sqlite.reader import SqliteReader
from memstrata.stores.sqlite.semantic import SqliteSemantic
from memstrata.stores.without_cypher import WithoutCypher

if TYPE_CHECKING:
    from pathlib import Path


class SqliteGraph(
    SqliteNeighbourhood,
    SqliteProjector,
    SqliteFinder,
    SqliteReader,
    SqliteExporter,
    SqliteSemantic,
    WithoutCypher,
):
    """The graph in one file: several processes and threads may read and write it at once.

    Opening creates or migrates it; raises `Incorrect` for a file of a newer version, `Missing` for a
    folder that is not there.
    """

    def __init__(self, path: Path | str) -> None:
        connections = Connections(path)
        SqliteFinder.__init__(self, connections)
        schema.prepare(self._connections.here())

    def close(self) -> None:
        """Lets go of the file; the object cannot be used any more."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
