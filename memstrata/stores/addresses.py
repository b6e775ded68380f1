"""Which store an address of the graph means, and how it is opened."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from memstrata.errors import Incorrect, Missing
from memstrata.stores.deferred import DeferredGraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.intake.graphiti import GraphitiGraph
    from memstrata.ports import GraphStore

_NEO4J_PORT: Final = 7687


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphAddress:
    """`store` as written: sqlite:///PATH, neo4j://HOST:PORT, neo4j for `server`, or empty for `own`."""

    store: str
    own: Path
    server: str
    user: str
    password: str = field(repr=False)

    def open(self) -> GraphStore:
        """The store, opened when it is first asked for something.

        Raises `Incorrect` for an address that no store answers to; what opening it raises (no server, a
        wrong password, a newer file, a missing extra) comes with the first question.
        """
        scheme, _, place = self.store.partition("://")
        match scheme, place:
            case "", "":
                opening = partial(_open_sqlite, self.own)
            case "sqlite", path if path.startswith("/") and path != "/":
                opening = partial(_open_sqlite, Path(path[1:]).absolute())
            case "neo4j", "":
                opening = partial(self._open_neo4j, without_user(self.server))
            case (("neo4j" | "neo4j+s" | "neo4j+ssc" | "bolt" | "bolt+s" | "bolt+ssc"), _):
                opening = partial(self._open_neo4j, without_user(self.store))
            case _:
                raise Incorrect(
                    f"MEMSTRATA_STORE = {without_user(self.store)!r}: expected sqlite:///PATH, "
                    "neo4j://HOST:PORT, bolt://HOST:PORT, or neo4j for the server of NEO4J_URI"
                )
        return cast("GraphStore", DeferredGraph(opening))  # it has the roles of what it opens

    @property
    def place(self) -> str:
        """Where that is, however it is written: a file's path, or HOST:PORT.

        Two of one place are one store; a server that has two names has two places.
        """
        scheme, _, place = self.store.partition("://")
        if scheme in ("", "sqlite"):
            return str((Path(place[1:]) if place else self.own).resolve())
        return server_address(self.store if place else self.server)

    def read_foreign(self, uri: str, group_id: str) -> GraphitiGraph:
        """A group of the Graphiti graph at `uri`, or at `server` for none; as the same user.

        Raises `Incorrect` for a group that is not there, `Fault` when no server answers.
        """
        address = without_user(uri or self.server)
        with _neo4j_installed():
            from memstrata.stores.neo4j.graphiti import read_graphiti
        return read_graphiti(address, self.user, self.password, group_id=group_id)

    def _open_neo4j(self, uri: str) -> GraphStore:
        with _neo4j_installed():
            from memstrata.stores.neo4j import Neo4jGraph
        return Neo4jGraph(uri, self.user, self.password)


def server_address(uri: str) -> str:
    """HOST:PORT of a Neo4j server, the default port written out and this machine always by number."""
    host, _, port = uri.partition("://")[2].partition("/")[0].partition(":")
    return f"{'127.0.0.1' if host == 'localhost' else host}:{port or _NEO4J_PORT}"


def without_user(uri: str) -> str:
    """The address; raises `Incorrect`, not showing it, if a user and perhaps a password stand in it."""
    if "@" in uri:
        raise Incorrect(
            "the address of the graph (MEMSTRATA_STORE, NEO4J_URI, or the one given) names a user before "
            "the @; leave it out, and set NEO4J_USER and NEO4J_PASSWORD instead"
        )
    return uri


def _open_sqlite(path: Path) -> GraphStore:
    from memstrata.stores.sqlite import SqliteGraph

    return SqliteGraph(path)


@contextmanager
def _neo4j_installed() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "neo4j":
            raise
        raise Missing("the package neo4j is not installed; pip install 'memstrata[neo4j]'") from error
