"""The graph on a Neo4j server: all roles of the graph behind one object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.stores.neo4j import schema
from memstrata.stores.neo4j.connection import PATIENCE, Connection
from memstrata.stores.neo4j.exporter import Neo4jExporter
from memstrata.stores.neo4j.finder import Neo4jFinder
from memstrata.stores.neo4j.neighbourhood import Neo4jNeighbourhood
from memstrata.stores.neo4j.projector import Neo4jProjector
from memstrata.stores.neo4j.queries import Neo4jQueries
from memstrata.stores.neo4j.reader import Neo4jReader
from memstrata.stores.neo4j.semantic import Neo4jSemantic
from memstrata.stores.neo4j.vectors import Neo4jVectors, SeenModel

if TYPE_CHECKING:
    from typing import Self


class Neo4jGraph(
    Neo4jNeighbourhood,
    Neo4jProjector,
    Neo4jFinder,
    Neo4jVectors,
    Neo4jReader,
    Neo4jExporter,
    Neo4jSemantic,
    Neo4jQueries,
):
    """The graph in one Neo4j database: several processes and threads may read and write it at once.

    Opening creates or migrates the schema. Raises `Fault` when no server answers at `uri`, `Incorrect`
    when user or password are wrong or a newer Memstrata wrote the schema, `Unsupported` when the server
    is too old.
    """

    def __init__(
        self, uri: str, user: str = "neo4j", password: str = "", *, patience: float = PATIENCE
    ) -> None:
        """`patience`: seconds for which what fails in passing is tried again before it is a `Fault`."""
        connection = Connection(uri, user, password, patience=patience)
        try:
            schema.prepare(connection)
        except BaseException:
            connection.close()
            raise
        seen = SeenModel()
        Neo4jFinder.__init__(self, connection, seen)
        Neo4jVectors.__init__(self, connection, seen)  # the others need the connection alone

    def clear(self, group_id: str | None = None) -> None:
        """Empties the graph of one group, or the whole, vectors and pending episodes included."""
        Neo4jProjector.clear(self, group_id)
        if group_id is None:
            self.forget()

    def close(self) -> None:
        """Lets go of the connections; the object cannot be used any more."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
