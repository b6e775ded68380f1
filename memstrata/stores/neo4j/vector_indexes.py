"""The vector indexes: made when the first vector tells the dimension, and filled by the server.

They keep whole vectors. With quantized ones, which are the server's default, each neighbour's own vector
has to be read for its score, and twice as many neighbours asked for to find as much. When all vectors are
forgotten the indexes stay, with nothing in them, until a model of another dimension comes: each change of
the schema has the server plan every statement again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from neo4j import exceptions

from memstrata.errors import Fault
from memstrata.stores.neo4j.connection import statement

if TYPE_CHECKING:
    from memstrata.stores.neo4j.connection import Connection

#: Seconds to wait for indexes that are being filled.
POPULATING: Final = 120.0
_AGAIN: Final = 0.02
_KINDS: Final = ("fact", "entity", "passage", "summary", "procedure")


def make_ready(connection: Connection, *, patience: float = POPULATING) -> None:
    """Creates the indexes that the model stored has not yet, and waits until all answer.

    Raises `Fault` when an index is not filled in time, or has failed.
    """
    found = connection.fetch("vectors/model")
    if not found:
        return
    dimension = found[0]["dimension"]
    there = {row["name"]: row["dimension"] for row in connection.fetch("vectors/indexes")}
    for kind in _KINDS:
        name = f"memstrata_{kind}_vectors"
        if name in there and there[name] != dimension:
            connection.execute(statement(f"vectors/drop_{kind}_index"))
        if there.get(name) != dimension:
            connection.execute(statement(f"vectors/create_{kind}_index"), dimension=dimension)
    _wait(connection, patience)


def is_about_an_index(fault: Fault) -> bool:
    """Whether a statement failed because an index is missing, or still being filled."""
    cause = fault.__cause__
    return isinstance(cause, exceptions.Neo4jError) and "index" in str(cause.message).lower()


def _wait(connection: Connection, patience: float) -> None:
    deadline = time.monotonic() + patience
    while unready := [row for row in connection.fetch("vectors/indexes") if row["state"] != "ONLINE"]:
        first = unready[0]
        if first["state"] == "FAILED":
            raise Fault(
                f"the vector index {first['name']} at {connection.uri} has failed; drop it (DROP INDEX "
                f"{first['name']}) and ask again: it is created anew"
            )
        if time.monotonic() > deadline:
            raise Fault(
                f"the vector index {first['name']} at {connection.uri} is still being filled "
                f"({first['percent']:.0f} %); try again in a while"
            )
        time.sleep(_AGAIN)
