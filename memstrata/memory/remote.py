"""Verbs asked of a server over HTTP, blocking or not; its problems come back as the errors they were.

Which requests a verb makes is said in `routes`. A write carries an Idempotency-Key, so that it is done once
although the connection broke before the answer, and is sent again.
"""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypedDict, TypeVar

from memstrata.errors import (
    Conflict,
    Damaged,
    Fault,
    Forbidden,
    Incorrect,
    Misplaced,
    Missing,
    NotThere,
    Unauthenticated,
    Unsupported,
)
from memstrata.memory.decoding import Unreadable
from memstrata.memory.verbs import Pause

try:
    import httpx
except ModuleNotFoundError as error:
    raise Missing(
        "the package httpx is not installed; a memory over HTTP needs it: pip install 'memstrata[client]'"
    ) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstrata.errors import MemstrataError
    from memstrata.memory.verbs import Exchange, Request, Verb

T = TypeVar("T")

#: Waiting writes take as long as extraction takes.
_TIMEOUT: Final = httpx.Timeout(120.0, connect=10.0)
_TYPE: Final = "urn:memstrata:problem:"
_TIMES: Final = 3
_BETWEEN: Final = 0.2

#: The errors that a server names; whatever else it names is told by its status.
_KINDS: Final = {
    kind.__name__.lower(): kind
    for kind in (
        Incorrect, Misplaced, Conflict, Forbidden, Unauthenticated, Unsupported, Missing, Fault, Damaged,
    )
}  # fmt: skip
_BY_STATUS: Final = {401: Unauthenticated, 403: Forbidden, 404: NotThere, 409: Conflict, 501: Unsupported}
_FAULTS: Final = 500
_TOO_MANY: Final = 429


class Remote:
    """The engine of a memory behind an address. Any number of threads may use one at once."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    @classmethod
    def at(cls, url: str, token: str | None) -> Self:
        """With a client of its own. Raises `Incorrect` for what is no address."""
        return cls(httpx.Client(base_url=_address(url), headers=_headers(token), timeout=_TIMEOUT))

    def do(self, verb: Verb[T]) -> T:
        """Asks until the verb has its result. Raises what the server says, `Fault` when it is away."""
        talk = _Talk(verb.there())
        while not talk.is_over:
            step = talk.step
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                talk.rested()
                continue
            try:
                answer = self._client.send(self._client.build_request(**talk.asked(step)))
            except httpx.TransportError as error:
                talk.lost(error)
            else:
                talk.heard(answer)
        return talk.result

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


class AsyncRemote:
    """The same for coroutines."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        from anyio import sleep

        self._client = client
        self._sleep = sleep

    @classmethod
    def at(cls, url: str, token: str | None) -> Self:
        """See `Remote.at`."""
        return cls(httpx.AsyncClient(base_url=_address(url), headers=_headers(token), timeout=_TIMEOUT))

    async def do(self, verb: Verb[T]) -> T:
        """See `Remote.do`."""
        talk = _Talk(verb.there())
        while not talk.is_over:
            step = talk.step
            if isinstance(step, Pause):
                await self._sleep(step.seconds)
                talk.rested()
                continue
            try:
                answer = await self._client.send(self._client.build_request(**talk.asked(step)))
            except httpx.TransportError as error:
                talk.lost(error)
            else:
                talk.heard(answer)
        return talk.result

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()


class _Talk(Generic[T]):
    """One verb's exchange: what is to be done next, and what came of it. It neither sends nor waits."""

    def __init__(self, exchange: Exchange[T]) -> None:
        self.is_over = False
        self.step: Request | Pause = Pause(0.0)
        self._exchange = exchange
        self._result: list[T] = []
        self._lost = 0
        self._key = ""
        self._again: Request | Pause | None = None
        self._forget()
        self._go_on(lambda: next(exchange))

    @property
    def result(self) -> T:
        """What the verb came to, once it is over."""
        return self._result[0]

    def asked(self, request: Request) -> _Sent:
        """The request as the client builds it; again with the same key, if it has to be sent again."""
        sent = _Sent(method=request.method, url=request.path, params=request.query)
        if request.body is not None:
            sent["json"] = request.body
        if request.method != "GET":
            sent["headers"] = {"Idempotency-Key": self._key}
        return sent

    def rested(self) -> None:
        """A pause is over."""
        if self._again is not None:
            self.step, self._again = self._again, None
        else:
            self._go_on(lambda: self._exchange.send(None))

    def lost(self, error: httpx.TransportError) -> None:
        """The connection broke: the same again after a pause, some times; then raises `Fault`."""
        self._lost += 1
        where, why = error.request.url, str(error) or type(error).__name__
        if self._lost == _TIMES or isinstance(error, httpx.TimeoutException):
            raise Fault(
                f"no answer from {where.scheme}://{where.netloc.decode()} ({why}); "
                "is the server running there? What was accepted stays"
            ) from error
        self._again, self.step = self.step, Pause(_BETWEEN * self._lost)

    def heard(self, answer: httpx.Response) -> None:
        """An answer came. Raises what it says was wrong, unless the verb can do with that."""
        self._forget()
        if answer.is_success:
            content = _json(answer)
            self._go_on(lambda: self._exchange.send(content))
        else:
            error = error_of(answer)
            self._go_on(lambda: self._exchange.throw(error))

    def _forget(self) -> None:
        self._lost = 0
        self._key = secrets.token_hex(16)
        self._again = None

    def _go_on(self, onward: Callable[[], Request | Pause]) -> None:
        try:
            self.step = onward()
        except StopIteration as stop:
            self.is_over = True
            self._result.append(stop.value)


class _Sent(TypedDict, total=False):
    method: str
    url: str
    params: Mapping[str, Any]
    json: object
    headers: Mapping[str, str]


def error_of(answer: httpx.Response) -> MemstrataError:
    """The error that a server's problem+json tells of."""
    try:
        told = answer.json()
    except ValueError:
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("detail"), str):
        kind = Fault if answer.status_code >= _FAULTS else Incorrect
        return kind(f"{answer.url} answered {answer.status_code} without saying why: is it Memstrata's?")
    name = str(told.get("type", "")).removeprefix(_TYPE)
    detail = str(told["detail"])
    if name == "misplaced":
        return _misplaced(detail, told.get("errors"))
    if name in _KINDS:
        return _KINDS[name](detail)
    away = answer.status_code >= _FAULTS or answer.status_code == _TOO_MANY
    return _BY_STATUS.get(answer.status_code, Fault if away else Incorrect)(detail)


def _misplaced(detail: str, errors: object) -> Misplaced:
    """The error with its field; the rest of what it said stands in the detail."""
    first = errors[0] if isinstance(errors, list) and errors else None
    if isinstance(first, dict):
        place, problem = str(first.get("field")), str(first.get("problem"))
        begin = f"{place}: {problem}"
        if detail.startswith(begin):
            mend = detail.removeprefix(begin).strip().removeprefix("(").removesuffix(")")
            return Misplaced(problem, field=place, mend=mend or None)
    return Misplaced(detail)


def _json(answer: httpx.Response) -> object:
    try:
        return answer.json()
    except ValueError:
        raise Unreadable(f"{answer.url} answered something that is no JSON; is it Memstrata's?") from None


def _address(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise Incorrect(f"{url!r} is no address of a server; expected one such as http://127.0.0.1:8765")
    return url.rstrip("/").removesuffix("/v1")


def _headers(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}
