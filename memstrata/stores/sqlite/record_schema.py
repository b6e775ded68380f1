"""The version of the record index's tables: made in a new file, brought up in an older, refused in a newer.

`sql/record/schema.sql` makes version 1, `sql/record/schema_N.sql` leads from N - 1 to N.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.errors import Unsupported
from memstrata.stores.sqlite.connection import statement, writing

if TYPE_CHECKING:
    import apsw

VERSION: Final = 3


def version_of(connection: apsw.Connection) -> int:
    """The version of the tables in the file; 0 for a new one."""
    return int(connection.pragma("user_version"))


def make(connection: apsw.Connection) -> None:
    """Makes the tables in a new file, in the transaction that the caller has begun."""
    _step(connection, 1, "record/schema")
    _bring_up(connection)


def migrate(connection: apsw.Connection) -> None:
    """Brings an older file to `VERSION`, in one transaction; leaves a new one alone.

    Raises `Unsupported`, and leaves the file as it is, when a newer Memstrata wrote it.
    """
    found = version_of(connection)
    if found > VERSION:
        raise Unsupported(
            f"{connection.filename} was written by a newer Memstrata (index version {found}, this one "
            f"knows {VERSION}); install that version, or move the file away (it is built from the lake)"
        )
    if 0 < found < VERSION:
        with writing(connection):
            _bring_up(connection)


def _bring_up(connection: apsw.Connection) -> None:
    for version in range(version_of(connection) + 1, VERSION + 1):
        _step(connection, version, f"record/schema_{version}")


def _step(connection: apsw.Connection, version: int, name: str) -> None:
    connection.execute(statement(name))
    connection.execute(f"PRAGMA user_version = {version}")
