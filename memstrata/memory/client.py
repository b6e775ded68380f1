"""`Memory` and `AsyncMemory`: the same verbs, blocking and not, in this process or over HTTP.

What a verb takes and does is defined once, in `reading_verbs`, `writing_verbs`, `core_verbs` and
`review_verbs`; here it becomes a method of both.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

from memstrata.errors import Incorrect
from memstrata.memory import core_verbs, reading_verbs, review_verbs, writing_verbs
from memstrata.memory.access import OWNER
from memstrata.memory.embedded import Embedded, InThreads
from memstrata.memory.looking import NoKeyword
from memstrata.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    import httpx

    from memstrata.memory.access import Grant
    from memstrata.memory.verbs import Verb
    from memstrata.ports import Installation
    from memstrata.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


class Engine(Protocol):
    """Does verbs."""

    def do(self, verb: Verb[T]) -> T:
        """The verb's result; raises what the verb raises."""

    def close(self) -> None:
        """Lets go of everything."""


class AsyncEngine(Protocol):
    """Does verbs without blocking."""

    async def do(self, verb: Verb[T]) -> T:
        """See `Engine`."""

    async def close(self) -> None:
        """See `Engine`."""


class _Doing:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine


class _AsyncDoing:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine


def _done(make: Callable[P, Verb[T]]) -> Callable[Concatenate[_Doing, P], T]:
    """The verb as a method that returns its result."""

    def method(self: _Doing, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._engine.do(_made(make, *args, **kwargs))

    _describe(method, make)
    return method


def _awaited(make: Callable[P, Verb[T]]) -> Callable[Concatenate[_AsyncDoing, P], Coroutine[Any, Any, T]]:
    """The verb as a method that returns a coroutine of its result."""

    async def method(self: _AsyncDoing, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._engine.do(_made(make, *args, **kwargs))

    _describe(method, make)
    return method


def _made(make: Callable[P, Verb[T]], *args: P.args, **kwargs: P.kwargs) -> Verb[T]:
    """The verb; a keyword that it does not have is refused beside all that it has, its own ones first."""
    try:
        return make(*args, **kwargs)
    except NoKeyword as error:
        its_own = inspect.signature(make).parameters.values()
        names = [one.name for one in its_own if one.kind is inspect.Parameter.KEYWORD_ONLY]
        raise NoKeyword(error.name, [*names, *error.names]) from None


def _describe(method: Callable[..., object], make: Callable[..., object]) -> None:
    """Gives the method the verb's name, documentation and parameters, for `help` and for notebooks."""
    functools.update_wrapper(method, make)
    del method.__wrapped__  # type: ignore[attr-defined]  # its signature lacks self
    signature = inspect.signature(make)
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__signature__ = signature.replace(  # type: ignore[attr-defined]  # what inspect looks for
        parameters=[itself, *signature.parameters.values()], return_annotation=inspect.Signature.empty
    )


class Core(_Doing):
    """The core blocks of a memory: `memory.core`."""

    blocks = _done(core_verbs.blocks)
    get = _done(core_verbs.get)
    set = _done(core_verbs.set_block)
    append = _done(core_verbs.append)
    replace = _done(core_verbs.replace)
    clear = _done(core_verbs.clear)
    rule = _done(core_verbs.rule)
    history = _done(core_verbs.history)


class AsyncCore(_AsyncDoing):
    """The core blocks of a memory, without blocking: `memory.core`."""

    blocks = _awaited(core_verbs.blocks)
    get = _awaited(core_verbs.get)
    set = _awaited(core_verbs.set_block)
    append = _awaited(core_verbs.append)
    replace = _awaited(core_verbs.replace)
    clear = _awaited(core_verbs.clear)
    rule = _awaited(core_verbs.rule)
    history = _awaited(core_verbs.history)


class Review(_Doing):
    """What waits for a person, and the verdicts on it: `memory.review`."""

    list = _done(review_verbs.waiting)
    show = _done(review_verbs.show)
    counts = _done(review_verbs.counts)
    accept = _done(review_verbs.accept)
    reject = _done(review_verbs.reject)
    edit = _done(review_verbs.edit)
    accept_all = _done(review_verbs.accept_all)
    reject_all = _done(review_verbs.reject_all)
    proposals = _done(review_verbs.proposals)
    accept_proposal = _done(review_verbs.accept_proposal)
    reject_proposal = _done(review_verbs.reject_proposal)


class AsyncReview(_AsyncDoing):
    """What waits for a person, and the verdicts on it, without blocking: `memory.review`."""

    list = _awaited(review_verbs.waiting)
    show = _awaited(review_verbs.show)
    counts = _awaited(review_verbs.counts)
    accept = _awaited(review_verbs.accept)
    reject = _awaited(review_verbs.reject)
    edit = _awaited(review_verbs.edit)
    accept_all = _awaited(review_verbs.accept_all)
    reject_all = _awaited(review_verbs.reject_all)
    proposals = _awaited(review_verbs.proposals)
    accept_proposal = _awaited(review_verbs.accept_proposal)
    reject_proposal = _awaited(review_verbs.reject_proposal)


class Memory(_Doing):
    """A memory: in this process, or with the address of a server, over HTTP.

    Any number of threads may use one at once. Close it, or use it in a `with`.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        home: str | Path | None = None,
        settings: Settings | None = None,
        token: str | None = None,
    ) -> None:
        """Opens the memory at `url`, in the folder `home`, or the one that settings choose.

        Without any, settings are those of the environment and `memstrata.yaml`. With a token it reaches
        what that grants. Raises what opening raises: `Incorrect` settings, a `Missing` extra, a `Fault`.
        """
        if url is None:
            engine = Embedded.of(_settings(home, settings), token)
            engine.open()
            super().__init__(engine)
        else:
            from memstrata.memory.remote import Remote

            _alone(url, home, settings)
            super().__init__(Remote.at(url, token))

    @classmethod
    def on(cls, installation: Installation, *, grant: Grant = OWNER) -> Self:
        """The memory on an installation that is open already; closing it closes that."""
        return cls._with(Embedded(lambda: installation, granting=lambda: grant))

    @classmethod
    def over(cls, client: httpx.Client) -> Self:
        """The memory over a client of your own, with its address, headers, timeouts and transport."""
        from memstrata.memory.remote import Remote

        return cls._with(Remote(client))

    @classmethod
    def _with(cls, engine: Engine) -> Self:
        memory = cls.__new__(cls)
        _Doing.__init__(memory, engine)
        return memory

    @property
    def core(self) -> Core:
        """The texts that stand in every context."""
        return Core(self._engine)

    @property
    def review(self) -> Review:
        """What verification left to a person, and the verdicts on it."""
        return Review(self._engine)

    add = _done(writing_verbs.add)
    update = _done(writing_verbs.update)
    retract = _done(writing_verbs.retract)
    delete = _done(writing_verbs.retract)
    work = _done(writing_verbs.work)
    search = _done(reading_verbs.search)
    context = _done(reading_verbs.context)
    get = _done(reading_verbs.get)
    episode = _done(reading_verbs.episode)
    episodes = _done(reading_verbs.episodes)
    get_all = _done(reading_verbs.get_all)
    history = _done(reading_verbs.history)
    timeline = _done(reading_verbs.timeline)
    diff = _done(reading_verbs.diff)
    groups = _done(reading_verbs.groups)

    def close(self) -> None:
        """Closes what it opened. Again: nothing."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncMemory(_AsyncDoing):
    """As `Memory`, each verb a coroutine: over HTTP natively, in this process in worker threads.

    Everything else is the same. Close it, or use it in an `async with`.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        home: str | Path | None = None,
        settings: Settings | None = None,
        token: str | None = None,
    ) -> None:
        """As `Memory`; in this process it is opened with the first verb, which raises what that raises."""
        if url is None:
            super().__init__(InThreads(Embedded.of(_settings(home, settings), token)))
        else:
            from memstrata.memory.remote import AsyncRemote

            _alone(url, home, settings)
            super().__init__(AsyncRemote.at(url, token))

    @classmethod
    def on(cls, installation: Installation, *, grant: Grant = OWNER) -> Self:
        """See `Memory.on`."""
        return cls._with(InThreads(Embedded(lambda: installation, granting=lambda: grant)))

    @classmethod
    def over(cls, client: httpx.AsyncClient) -> Self:
        """See `Memory.over`."""
        from memstrata.memory.remote import AsyncRemote

        return cls._with(AsyncRemote(client))

    @classmethod
    def _with(cls, engine: AsyncEngine) -> Self:
        memory = cls.__new__(cls)
        _AsyncDoing.__init__(memory, engine)
        return memory

    @property
    def core(self) -> AsyncCore:
        """The texts that stand in every context."""
        return AsyncCore(self._engine)

    @property
    def review(self) -> AsyncReview:
        """What verification left to a person, and the verdicts on it."""
        return AsyncReview(self._engine)

    add = _awaited(writing_verbs.add)
    update = _awaited(writing_verbs.update)
    retract = _awaited(writing_verbs.retract)
    delete = _awaited(writing_verbs.retract)
    work = _awaited(writing_verbs.work)
    search = _awaited(reading_verbs.search)
    context = _awaited(reading_verbs.context)
    get = _awaited(reading_verbs.get)
    episode = _awaited(reading_verbs.episode)
    episodes = _awaited(reading_verbs.episodes)
    get_all = _awaited(reading_verbs.get_all)
    history = _awaited(reading_verbs.history)
    timeline = _awaited(reading_verbs.timeline)
    diff = _awaited(reading_verbs.diff)
    groups = _awaited(reading_verbs.groups)

    async def close(self) -> None:
        """Closes what it opened. Again: nothing."""
        await self._engine.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _settings(home: str | Path | None, settings: Settings | None) -> Settings:
    if settings is None:
        return load_settings() if home is None else load_settings(MEMSTRATA_HOME=home)
    if home is not None:
        raise Incorrect(f"both home ({home}) and settings (with home {settings.home}) were given")
    return settings


def _alone(url: str, home: object, settings: object) -> None:
    if home is not None or settings is not None:
        raise Incorrect(f"home and settings are for a memory in this process; {url} has its own")
