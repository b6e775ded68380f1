"""The version of the graph's schema: created in a new database, migrated in an older, refused in a newer.

`cypher/schema/N.cypher` leads from version N - 1 to N. All of it can be done again, so two processes that
open a new database at once do no harm, and an index that somebody dropped is made anew. What others keep in
the same database is left alone.
"""

from __future__ import annotations

import re
import time
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from memstrata.errors import Fault, Incorrect
from memstrata.stores.neo4j.connection import run, statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import neo4j

    from memstrata.stores.neo4j.connection import Connection

VERSION: Final = 1
#: Seconds to wait for indexes that are being filled (after a restore, or in a database with much in it).
POPULATING: Final = 60.0
_AGAIN: Final = 0.1
_NAME: Final = re.compile(r"(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS")


def version_of(connection: Connection) -> int:
    """The version of the schema in the database; 0 where there is none."""
    found = connection.fetch("schema/version")
    return int(found[0]["version"]) if found else 0


def prepare(connection: Connection, *, patience: float = POPULATING) -> None:
    """Brings the database to `VERSION`, and waits until every index of the schema is there and answers.

    Raises `Incorrect`, and leaves the database as it is, when a newer Memstrata wrote it; `Fault` when an
    index is not filled in time, or has failed.
    """
    found = version_of(connection)
    if found > VERSION:
        raise Incorrect(
            f"the database at {connection.uri} has version {found} of the graph's schema, this Memstrata "
            f"reads up to {VERSION}; upgrade memstrata, or build the graph from its log in another "
            "database (memstrata project)"
        )
    for step in range(found + 1, VERSION + 1):
        connection.write(partial(_lead_to, step=step))
        connection.write(partial(run, name="schema/set_version", version=step))
    _restore(connection)
    _wait_for_indexes(connection, patience)


def _lead_to(transaction: neo4j.ManagedTransaction, step: int) -> None:
    for text in statements(step):
        transaction.run(text).consume()


def statements(step: int) -> Iterator[str]:
    """The statements that lead to that version, in order."""
    for text in statement(f"schema/{step}").split(";\n"):
        if text.strip():
            yield text


@cache
def named() -> Mapping[str, str]:
    """The statement that makes each index and each constraint, by its name."""
    every = (text for step in range(1, VERSION + 1) for text in statements(step))
    return {found[1]: text for text in every if (found := _NAME.search(text))}


def _restore(connection: Connection) -> None:
    """Makes what somebody has dropped; full-text and vector indexes are asked for by their names."""
    there = {row["name"] for row in connection.fetch("schema/indexes")}
    for name, text in named().items():
        if name not in there:
            connection.execute(text)


def _wait_for_indexes(connection: Connection, patience: float) -> None:
    deadline = time.monotonic() + patience
    while unready := [
        row
        for row in connection.fetch("schema/indexes")
        if row["state"] != "ONLINE" and row["name"] in named()
    ]:
        first = unready[0]
        if first["state"] == "FAILED":
            raise Fault(
                f"the index {first['name']} at {connection.uri} has failed; drop it "
                f"(DROP INDEX {first['name']}) and open the graph again: it is created anew"
            )
        if time.monotonic() > deadline:
            raise Fault(
                f"{len(unready)} indexes at {connection.uri} are still being filled ({first['name']}: "
                f"{first['percent']:.0f} %); try again in a while"
            )
        time.sleep(_AGAIN)
