"""Verbs done in this process: an installation that is opened when it is first needed, and closed once.

The stores keep a connection a thread, so any number of threads may use one of these at once.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from memstrata.errors import Incorrect, Missing
from memstrata.memory.access import OWNER
from memstrata.memory.audit import Audit
from memstrata.memory.desk import Desk
from memstrata.memory.tokens import Tokens
from memstrata.settings import install

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.memory.access import Grant
    from memstrata.memory.verbs import Verb
    from memstrata.ports import Installation
    from memstrata.settings import Settings

T = TypeVar("T")

_FACE: Final = "python"


class Embedded:
    """The engine of a memory in this process: `opening` is called once, `granting` with each verb."""

    def __init__(
        self,
        opening: Callable[[], Installation],
        *,
        granting: Callable[[], Grant] = lambda: OWNER,
        audit: Audit | None = None,
    ) -> None:
        self._opening = opening
        self._granting = granting
        self._audit = audit
        self._lock = threading.Lock()
        self._installation: Installation | None = None
        self._is_closed = False

    @classmethod
    def of(cls, settings: Settings, token: str | None = None) -> Embedded:
        """On what the settings choose; with a token it reaches what that grants now, and is audited."""
        opening = partial(install, settings)
        if token is None:
            return cls(opening)
        home = settings.home.absolute()
        granting = partial(Tokens(home).grant_of, token)
        return cls(opening, granting=granting, audit=Audit(home=home, face=_FACE))

    def do(self, verb: Verb[T]) -> T:
        """Does it here, in the thread that asks."""
        installation = self.open()
        return verb.here(Desk(installation=installation, grant=self._granting(), audit=self._audit))

    def open(self) -> Installation:
        """Opens what is not open yet. Raises what the settings and the stores raise."""
        with self._lock:
            if self._is_closed:
                raise Incorrect("this memory has been closed; open another one")
            if self._installation is None:
                self._installation = self._opening()
            return self._installation

    def close(self) -> None:
        """Closes the stores, once; verbs that are under way in other threads may fail."""
        with self._lock:
            self._is_closed = True
            installation, self._installation = self._installation, None
        if installation is not None:
            installation.close()
        if self._audit is not None:
            self._audit.close()


class InThreads:
    """The same for coroutines: each verb is done in a worker thread. A write that has begun is finished."""

    def __init__(self, embedded: Embedded) -> None:
        try:
            from anyio import to_thread
        except ModuleNotFoundError:
            raise Missing("the package anyio is not installed; pip install 'memstrata[client]'") from None
        self._embedded = embedded
        self._run = to_thread.run_sync

    async def do(self, verb: Verb[T]) -> T:
        """Does it in a thread."""
        return await self._run(partial(self._embedded.do, verb))

    async def close(self) -> None:
        """As `Embedded.close`."""
        await self._run(self._embedded.close)
