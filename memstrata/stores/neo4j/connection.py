"""The way to a Neo4j server: its driver, transactions on it, what its errors mean, the statements in files.

Nothing here knows a label. One driver serves all threads; a session belongs to one call.
"""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, TypeVar

import neo4j
from neo4j import GraphDatabase, exceptions

from memstrata.errors import Damaged, Fault, Incorrect, MemstrataError, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_T = TypeVar("_T")

#: The first release with all that the statements use (dynamic labels, relationship constraints, vectors).
OLDEST: Final = (5, 26)
#: Seconds for which what fails in passing (a deadlock, a restart) is tried again.
PATIENCE: Final = 30.0
#: After somebody has waited for a server in vain, how long nobody else waits for it.
_GONE_SECONDS: Final = 10.0
#: Records that come together of a query that somebody else has worded: each may be large.
_AT_A_TIME: Final = 50
_CONNECT_SECONDS: Final = 5.0
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 2.0
_ADDRESS = re.compile(r"(neo4j|bolt)(\+s|\+ssc)?://[^/@]")
_VERSION = re.compile(r"(\d+)\.(\d+)")
_FILTERS = re.compile(r"^ *// filters \{\n.*?^ *// \}\n", re.MULTILINE | re.DOTALL)
#: What ends the name of a statement that is wanted without its filters.
UNFILTERED: Final = " without filters"


@cache
def statement(name: str) -> str:
    """The text of `cypher/<name>.cypher`; `name` may hold folders, as in `schema/1`.

    With `UNFILTERED` at the end of the name, what stands between `// filters {` and `// }` is left out:
    conditions that ask nothing cost a third of a search by words.
    """
    if name.endswith(UNFILTERED):
        return _FILTERS.sub("", statement(name.removesuffix(UNFILTERED)))
    return files(__package__).joinpath("cypher", f"{name}.cypher").read_text("utf-8")


@cache
def steady(name: str) -> str:
    """The statement, with its plan kept however much the counts of the graph change.

    While a group grows, a server plans again each statement that it is sent, every ten seconds as it comes,
    for 0.1 to 1 s of its processor each. Only for statements that name their indexes.
    """
    return f"CYPHER replan=skip\n{statement(name)}"


def run(transaction: neo4j.ManagedTransaction, name: str, **values: Any) -> list[neo4j.Record]:
    """All records that `cypher/<name>.cypher` gives for the values, inside a transaction."""
    return list(transaction.run(steady(name), values))


class Connection:
    """One server, as one user.

    Raises `Fault` when nothing answers there, `Incorrect` when the user or the password is wrong,
    `Unsupported` when the server is older than `OLDEST`.
    """

    def __init__(
        self, uri: str, user: str = "neo4j", password: str = "", *, patience: float = PATIENCE
    ) -> None:
        if not _ADDRESS.match(uri):
            raise Incorrect(
                f"{uri!r} is no address of a Neo4j server; expected neo4j://HOST:PORT or bolt://HOST:PORT"
            )
        self.uri = uri
        self._user = user
        self._patience = patience
        self._gone_until = 0.0
        with self._translated():
            self._driver = GraphDatabase.driver(
                uri,
                auth=(user, password),
                connection_timeout=_CONNECT_SECONDS,
                max_transaction_retry_time=patience,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
            )
        try:
            with self._translated():
                require_version(self._driver.get_server_info().agent, uri)
        except BaseException:
            self._driver.close()
            raise

    def close(self) -> None:
        """Lets go of all connections."""
        self._driver.close()

    def fetch(self, name: str, **values: Any) -> list[neo4j.Record]:
        """All records that `cypher/<name>.cypher` gives, in one round trip. For statements that only read.

        What fails in passing is tried again for a while, then raises `Fault`.
        """

        def once() -> list[neo4j.Record]:
            with self._driver.session(default_access_mode=neo4j.READ_ACCESS) as session:
                return list(session.run(statement(name), values))

        with self._translated():
            return self._until_it_works(once)

    @contextmanager
    def reading(self) -> Iterator[neo4j.Session]:
        """A session in which nothing can be written, for a query that somebody else has worded."""
        with (
            self._translated(),
            self._driver.session(default_access_mode=neo4j.READ_ACCESS, fetch_size=_AT_A_TIME) as session,
        ):
            yield session

    def stream(self, name: str, **values: Any) -> Iterator[neo4j.Record]:
        """As `fetch`, one record after the other: of one state, without holding all of it."""
        with (
            self._translated(),
            self._driver.session(default_access_mode=neo4j.READ_ACCESS) as session,
        ):
            yield from session.run(statement(name), values)

    def write(self, work: Callable[[neo4j.ManagedTransaction], _T]) -> _T:
        """Does the work in one transaction; all of it or nothing, and again after what fails in passing.

        The work may be done a second time after it had been committed (the answer was lost): it must
        see that for itself, or not mind.
        """

        def once() -> _T:
            with self._driver.session() as session:
                return session.execute_write(work)

        with self._translated():
            if self._is_gone:
                self._driver.verify_connectivity()
            try:
                return once()
            except exceptions.IncompleteCommit:
                return self._until_it_works(once)

    def execute(self, text: str, **values: Any) -> list[neo4j.Record]:
        """Runs a statement in a transaction of its own: changes of the schema, what commits as it goes."""
        with self._translated(), self._driver.session() as session:
            return list(session.run(text, values))

    @property
    def _is_gone(self) -> bool:
        """Whether somebody has just waited for the server in vain: then it is asked once, and no more."""
        return time.monotonic() < self._gone_until

    def _until_it_works(self, once: Callable[[], _T]) -> _T:
        deadline = time.monotonic() + (0.0 if self._is_gone else self._patience)
        pause = _FIRST_PAUSE
        while True:
            try:
                return once()
            except exceptions.Neo4jError as error:
                if not error.is_retryable() or time.monotonic() + pause > deadline:
                    raise
            except exceptions.DriverError as error:
                if not error.is_retryable() or time.monotonic() + pause > deadline:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except MemstrataError:
            raise
        except (exceptions.Neo4jError, exceptions.DriverError) as error:
            if isinstance(error, exceptions.ServiceUnavailable):
                self._gone_until = time.monotonic() + _GONE_SECONDS
            raise _meaning(error, self.uri, self._user) from error
        except (ValueError, exceptions.ConfigurationError) as error:
            raise Incorrect(
                f"{self.uri!r} is no address of a Neo4j server ({error}); expected neo4j://HOST:PORT or "
                "bolt://HOST:PORT"
            ) from error


def _meaning(error: exceptions.Neo4jError | exceptions.DriverError, uri: str, user: str) -> MemstrataError:
    """What the driver's error means for whoever asked."""
    match error:
        case exceptions.AuthError() | exceptions.TokenExpired():
            return Incorrect(
                f"Neo4j at {uri} refuses user {user!r} with the password given; "
                "set NEO4J_USER and NEO4J_PASSWORD"
            )
        case exceptions.ServiceUnavailable() | exceptions.SessionExpired():
            return Fault(
                f"no Neo4j server answers at {uri} ({_short(error)}); start it with `make neo4j`, or set "
                "NEO4J_URI to where it runs, and try again"
            )
        case exceptions.ConstraintError():
            return Damaged(f"what is stored at {uri} stands against it: {_short(error)}")
        case exceptions.TransientError() | exceptions.DatabaseError():
            return _trouble(error, uri)
        case _:
            return Fault(f"Neo4j at {uri}: {_short(error)}")


def _trouble(error: exceptions.Neo4jError, uri: str) -> Fault:
    """What the server says of itself: in passing, or for good."""
    if error.code == "Neo.DatabaseError.Schema.ConstraintCreationFailed":
        return Damaged(
            f"what is stored at {uri} stands against the graph's schema ({_short(error)}): somebody else "
            "has written to it. The log holds all of it: empty the database, then run `memstrata work`"
        )
    if isinstance(error, exceptions.DatabaseError):
        return Fault(
            f"Neo4j at {uri} failed ({_short(error)}); nothing was written: look at the disk's free space "
            "and the server's logs, then try again"
        )
    again = "try again"
    if "Memory" in str(error.code):
        again += (
            ", and if it comes again give the server more (server.memory.heap.max_size, "
            "db.memory.transaction.max)"
        )
    return Fault(f"Neo4j at {uri} could not do it for now ({_short(error)}); nothing was written: {again}")


def _short(error: Exception) -> str:
    code = getattr(error, "code", None)
    text = str(getattr(error, "message", None) or error).partition("\n")[0][:300]
    return f"{code}: {text}" if code else text


def require_version(agent: str, uri: str) -> None:
    """Raises `Unsupported` for a server older than `OLDEST`; `agent` is as it names itself."""
    found = _VERSION.search(agent)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < OLDEST:
        raise Unsupported(
            f"the server at {uri} calls itself {agent!r}; Neo4j {OLDEST[0]}.{OLDEST[1]} or newer is "
            "needed: upgrade it (deploy/docker-compose.yml names a version that works)"
        )
