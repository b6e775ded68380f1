"""How much a client may ask for at once: bytes of a body, requests under way, seconds of an answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memstrata.service.problems import Problem, Refused, response_of, type_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MEBIBYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bytes, counts and seconds. `upload` holds where a file is sent, `body` everywhere else.

    `requests` may be under way at once in one process, `requests_of_one` of them for one token.
    """

    body: int = 5 * MEBIBYTE
    upload: int = 256 * MEBIBYTE
    requests: int = 64
    requests_of_one: int = 48
    answer_seconds: float = 60.0
    body_seconds: float = 30.0
    send_seconds: float = 60.0
    readers: int = 12
    writers: int = 8
    exports: int = 4


@dataclass(slots=True)
class _Turn:
    """A place among the requests under way, given back once."""

    limited: Limited
    who: str
    is_held: bool = True

    def give_back(self) -> None:
        if self.is_held:
            self.is_held = False
            self.limited.under_way -= 1
            self.limited.of_each[self.who] -= 1
            if not self.limited.of_each[self.who]:
                del self.limited.of_each[self.who]


@dataclass(slots=True)
class Limited:
    """The app behind `limits`; stands behind the gate, which says who asks."""

    app: ASGIApp
    limits: Limits
    uploads: frozenset[str]
    under_way: int = 0
    of_each: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers, or says what is too much."""
        if scope["type"] != "http" or scope["path"].startswith("/health/"):
            await self.app(scope, receive, send)
            return
        try:
            turn = self._turn(scope)
            self._check_declared(scope)
        except Refused as refused:
            await response_of(refused.problem, scope["path"])(scope, receive, send)
            return
        try:
            await self._in_time(_Exchange(self, scope, receive, send, turn=turn))
        finally:
            turn.give_back()

    def most_bytes(self, scope: Scope) -> int:
        """How long the body may be."""
        return self.limits.upload if scope["path"] in self.uploads else self.limits.body

    def _turn(self, scope: Scope) -> _Turn:
        grant = scope["state"].get("grant")
        who = grant.token_id if grant is not None else ""
        if self.under_way >= self.limits.requests:
            raise Refused(
                503,
                f"{self.under_way} requests are being answered already; try again in a moment",
                kind="busy",
                headers={"Retry-After": "1"},
            )
        if who and self.of_each[who] >= self.limits.requests_of_one:
            raise Refused(
                429,
                f"{self.of_each[who]} requests with this token are being answered already; wait for some",
                kind="too-many-requests",
                headers={"Retry-After": "1"},
            )
        self.under_way += 1
        self.of_each[who] += 1
        return _Turn(self, who)

    def _check_declared(self, scope: Scope) -> None:
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length) > self.most_bytes(scope):
            raise _too_long(self.most_bytes(scope))
        has_body = (length.isdigit() and int(length) > 0) or b"transfer-encoding" in headers
        if not has_body or scope["path"] in self.uploads or not scope["path"].startswith("/v1/"):
            return
        kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
        if kind != b"application/json" and not kind.endswith(b"+json"):
            raise Refused(
                415,
                f"the body is {kind.decode('latin-1') or 'of no stated type'}; expected JSON with the "
                "header Content-Type: application/json",
                kind="unsupported-media-type",
            )

    async def _in_time(self, exchange: _Exchange) -> None:
        """Gives an answer up that does not begin in time; what has begun may take as its reader reads.

        The app goes on after that, for what runs in a thread cannot be stopped, and keeps its turn. A timer
        costs a tenth of what two tasks do.
        """
        exchange.timer = asyncio.get_running_loop().call_later(self.limits.answer_seconds, exchange.give_up)
        try:
            await self.app(exchange.scope, exchange.receive, exchange.send)
        finally:
            exchange.timer.cancel()
            if exchange.refusal is not None:
                await exchange.refusal


@dataclass(slots=True)
class _Exchange:
    """One request and its answer, watched."""

    limited: Limited
    scope: Scope
    _receive: Receive
    _send: Send
    turn: _Turn
    timer: asyncio.TimerHandle | None = None
    refusal: asyncio.Task[None] | None = None
    is_refused: bool = False
    is_whole: bool = False
    read: int = 0

    async def receive(self) -> Message:
        """The next piece of the body: raises where it is too long or takes too long."""
        if self.is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout(self.limited.limits.body_seconds):
                message = await self._receive()
        except TimeoutError:
            raise Refused(408, "the body did not arrive in time; send it again", kind="timeout") from None
        self.read += len(message.get("body", b""))
        self.is_whole = not message.get("more_body", False)
        most = self.limited.most_bytes(self.scope)
        if self.read > most:
            raise _too_long(most)
        return message

    async def send(self, message: Message) -> None:
        """Passes an answer on, unless it was given up; its turn ends where its reader's begins."""
        if self.is_refused:
            return
        if self.timer is not None:
            self.timer.cancel()
        if message["type"] == "http.response.body":
            self.turn.give_back()
        try:
            async with asyncio.timeout(self.limited.limits.send_seconds):
                await self._send(message)
        except TimeoutError:
            self.is_refused = True
            raise ConnectionAbortedError("the client does not read its answer") from None

    def give_up(self) -> None:
        """Answers that it takes too long; whatever the app sends from now on goes nowhere."""
        self.is_refused = True
        self.refusal = asyncio.create_task(self._refuse())

    async def _refuse(self) -> None:
        seconds = self.limited.limits.answer_seconds
        problem = Problem(
            status=504,
            type=type_of("too-slow"),
            detail=f"no answer within {seconds:g} s; ask for less. What was to be written may be written "
            "still: the same request again does no harm",
        )
        await response_of(problem, self.scope["path"])(self.scope, self._receive, self._send)


def _too_long(most: int) -> Refused:
    return Refused(
        413,
        f"the body is longer than {most:,} bytes; send less at a time",
        kind="too-large",
        headers={"Connection": "close"},
    )
