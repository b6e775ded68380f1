"""The version of the graph's tables: created in a new file, migrated in an older one, refused in a newer.

`sql/schema/N.sql` leads from version N - 1 to N, with what `migrating` has for it; version 0 is an
empty file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.stores.sqlite.connection import statement, writing
from memstrata.stores.sqlite.migrating import STEPS

if TYPE_CHECKING:
    import apsw

VERSION: Final = 4


def version_of(connection: apsw.Connection) -> int:
    """The version of the tables in the file."""
    return int(connection.pragma("user_version"))


def prepare(connection: apsw.Connection) -> None:
    """Brings the file to `VERSION`, in one transaction a step.

    Raises `Incorrect`, and leaves the file as it is, when a newer Memstrata wrote it.
    """
    while (found := version_of(connection)) != VERSION:
        if found > VERSION:
            raise Incorrect(
                f"{connection.filename} has version {found} of the graph's tables, this Memstrata reads up "
                f"to {VERSION}; upgrade memstrata, or rebuild the graph from its log into another file"
            )
        with writing(connection):
            if version_of(connection) == found:  # nobody else migrated while this process waited
                connection.execute(statement(f"schema/{found + 1}"))
                STEPS.get(found + 1, _nothing_more)(connection)
                connection.execute(f"PRAGMA user_version = {found + 1}")


def _nothing_more(_: apsw.Connection) -> None:
    """For steps that are all SQL."""
