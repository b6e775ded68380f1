"""Opening SQLite files, transactions on them, and the SQL that is kept in files.

Nothing here knows a table: the graph's are in `schema`, the record index has its own.
"""

from __future__ import annotations

import os
import threading
import time
from array import array
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

import apsw

from memstrata.errors import Damaged, Fault, Missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

Synchronous = Literal["NORMAL", "FULL"]

_BUSY_MS: Final = 30_000
#: Seconds between two tries of what SQLite refuses without waiting.
_AGAIN: Final = 0.02
_CACHE_KIB: Final = 32_768
#: What one commit touches of a graph of 100,000 facts is twice the cache of a reader.
_MAPPED_BYTES: Final = 2**31
_COMMITTING_CACHE_KIB: Final = 131_072
_STATEMENTS: Final = 256
_NOT_AS_IT_WAS: Final = (apsw.SQLError, apsw.CorruptError, apsw.NotADBError)
#: 32 MB of WAL before it is moved into the file: ids are random, so one page there stands for many writes.
_CHECKPOINT_PAGES: Final = 8_000


@cache
def statement(name: str) -> str:
    """The text of `sql/<name>.sql`; `name` may hold folders, as in `record/append`."""
    return files(__package__).joinpath("sql", f"{name}.sql").read_text("utf-8")


def connect(path: Path | str, *, synchronous: Synchronous = "NORMAL") -> apsw.Connection:
    """Opens or creates a file in WAL mode, with foreign keys on and 30 s of patience with other writers.

    `NORMAL` survives the death of the process with everything that was committed, and the loss of power
    without damage but perhaps without the last commits; `FULL` with everything. Raises `Missing` when
    the folder is not there or not writable, `Fault` when the file is no SQLite database.
    """
    try:
        connection = apsw.Connection(str(path), statementcachesize=_STATEMENTS)
    except apsw.CantOpenError as error:
        raise Missing(f"cannot open {path}: {error}; create its folder or give another path") from error
    try:
        connection.set_busy_timeout(_BUSY_MS)
        _use_wal(connection)
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        # A page read through the map is not copied: a search of 50,000 facts takes a third less.
        connection.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
    except apsw.NotADBError as error:
        connection.close()
        raise Fault(f"{path} is not a SQLite file; move it away, or give another path") from error
    return connection


def _use_wal(connection: apsw.Connection) -> None:
    """Puts the file into WAL mode; waits where SQLite does not, while another process does the same."""
    patience = time.monotonic() + _BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except apsw.BusyError as error:
            if time.monotonic() > patience:
                raise Fault(
                    f"{connection.filename} is being opened by another process; try again"
                ) from error
            time.sleep(_AGAIN)
        else:
            return


def fetch(
    connection: apsw.Connection, name: str, values: Sequence[Any] | Mapping[str, Any] = ()
) -> list[Any]:
    """All rows that `sql/<name>.sql` gives for the values.

    Raises `Damaged` when the file is not what it was: tables gone, or pages that contradict one another.
    """
    try:
        return connection.execute(statement(name), values).fetchall()
    except _NOT_AS_IT_WAS as error:
        raise _damaged(connection, error) from error


def fetch_parts(
    connection: apsw.Connection, name: str, values: Sequence[Any], *, size: int
) -> Iterator[list[Any]]:
    """As `fetch`, at most `size` rows at a time: as Python values rows take ten times their place."""
    try:
        cursor = connection.execute(statement(name), values)
        while rows := list(islice(cursor, size)):
            yield rows
    except _NOT_AS_IT_WAS as error:
        raise _damaged(connection, error) from error


def fetch_each(connection: apsw.Connection, name: str, rows: Iterable[Sequence[Any]]) -> list[Any]:
    """All rows that `sql/<name>.sql` gives, run once for each row of values; raises as `fetch` does."""
    try:
        return connection.executemany(statement(name), rows).fetchall()
    except _NOT_AS_IT_WAS as error:
        raise _damaged(connection, error) from error


def _damaged(connection: apsw.Connection, error: apsw.Error) -> Damaged:
    return Damaged(
        f"{connection.filename} was changed from outside or is damaged ({error}); nothing was written: "
        "stop whatever uses it, move it away, and have it made again from the log (memstrata rebuild)"
    )


def widen_cache(connection: apsw.Connection) -> None:
    """Lets the connection keep as many pages as commits touch again and again (128 MB at most)."""
    connection.execute(f"PRAGMA cache_size = -{_COMMITTING_CACHE_KIB}")


def texts(some: Iterable[str]) -> apsw.CArrayBinding | None:
    """Texts as one value, for `carray` in SQL, to be read as `CAST(value AS TEXT)`; None for none.

    One statement for many keys costs half of what the same statement does once for each. C ends a text at
    its first NUL, so texts with one go as bytes.
    """
    strings = tuple(some)
    if not strings:
        return None
    if "\0" in "".join(strings):
        return apsw.carray(tuple(text.encode() for text in strings))
    return apsw.carray(strings)


def integers(some: Iterable[int]) -> apsw.CArrayBinding | None:
    """Integers as one value, for `carray` in SQL; None for none."""
    numbers = array("q", some)
    return apsw.carray(numbers) if numbers else None


@contextmanager
def writing(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """One write transaction, begun at once (`BEGIN IMMEDIATE`): all of the block or nothing.

    Raises `Fault` when another writer held the file for longer than the busy timeout, or the disk is full.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
    except apsw.BusyError as error:
        raise Fault(f"{connection.filename} is being written to by another process; try again") from error
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, apsw.FullError | apsw.IOError):
            raise Fault(
                f"cannot write to {connection.filename}: {error}; nothing was written: make room on its "
                "disk, then try again"
            ) from error
        raise


@contextmanager
def reading(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """One read transaction: every statement of the block sees the same state. Keep it short."""
    if connection.in_transaction:
        yield connection
        return
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.execute("ROLLBACK")


def _identity(path: Path | str) -> tuple[int, int] | None:
    """Which file that is; None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 (asked before every read: a Path would cost three times that)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


class Connections:
    """One connection a thread to the same file, opened when a thread first asks."""

    def __init__(self, path: Path | str, *, synchronous: Synchronous = "NORMAL") -> None:
        self.path = path
        self._synchronous: Synchronous = synchronous
        self._here = threading.local()
        self._lock = threading.Lock()
        self._all: list[apsw.Connection] = []
        self._file: tuple[int, int] | None = None

    def here(self) -> apsw.Connection:
        """This thread's connection.

        Raises `Damaged` when the file is gone, or another has taken its place: what is written to a file
        without a name is lost. Within a transaction that was asked when it began.
        """
        connection: apsw.Connection | None = getattr(self._here, "connection", None)
        if connection is None:
            connection = connect(self.path, synchronous=self._synchronous)
            self._here.connection = connection
            with self._lock:
                self._all.append(connection)
                self._file = self._file or _identity(self.path)
        if not connection.in_transaction and _identity(self.path) != self._file:
            raise Damaged(
                f"{self.path} was deleted or replaced while it was open; nothing was written: restart what "
                "uses it, and have it made again from the log (memstrata rebuild)"
            )
        return connection

    def close(self) -> None:
        """Closes the connections of all threads; none may be in use."""
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()
        self._here = threading.local()
