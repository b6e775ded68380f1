"""Who may come in: the token of a request becomes its grant; without tokens, this machine alone.

What a grant reaches is decided in `memstrata.memory.access`.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import MemstrataError, Unauthenticated
from memstrata.memory.access import OWNER
from memstrata.service import pages
from memstrata.service.problems import Refused, problem_of, response_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from memstrata.memory.access import Grant
    from memstrata.memory.tokens import Tokens

#: What holds nothing of the memory, and is answered to whoever can reach the server.
OPEN: Final = frozenset({"/health/live", "/health/ready", "/version", "/openapi.json"}) | pages.PATHS
_LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_SCHEME: Final = "bearer"


@dataclass(frozen=True, slots=True)
class Gate:
    """The app behind the gate: `scope["state"]["grant"]` says what a request may reach."""

    app: ASGIApp
    tokens: Tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request in, or answers why not."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] == "http":
            try:
                grant = self._grant(scope)
            except (MemstrataError, Refused) as error:
                await response_of(problem_of(error), scope["path"])(scope, receive, send)
                return
            scope["state"]["grant"] = grant
        await self.app(scope, receive, send)

    def _grant(self, scope: Scope) -> Grant | None:
        headers = _headers(scope)
        if self.tokens.is_configured:
            said = headers.get("authorization", "")
            if not said and scope["path"] in OPEN:
                return None
            return self.tokens.grant_of(_token_in(said))
        if scope["path"] in OPEN and not _is_local(scope):
            return None
        _check_local(scope, headers)
        return OWNER


def _headers(scope: Scope) -> dict[str, str]:
    """The headers; of one that comes twice the two together, which no check lets through."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _token_in(said: str) -> str:
    scheme, _, token = said.partition(" ")
    if not said:
        raise Unauthenticated("no token was sent; send one with the header Authorization: Bearer mst_...")
    if scheme.lower() != _SCHEME or not token.strip():
        raise Unauthenticated(
            "the header Authorization holds no bearer token; expected Authorization: Bearer mst_..."
        )
    return token.strip()


def _check_local(scope: Scope, headers: dict[str, str]) -> None:
    """Without tokens only a client of this machine that means this machine, and no page of another site."""
    if not _is_local(scope) or "x-forwarded-for" in headers or "forwarded" in headers:
        raise Unauthenticated(
            "no token is configured, so only clients on this machine are answered; make one with "
            "`memstrata token create` and send it"
        )
    host = headers.get("host", "")
    if _name_of(host) not in _LOCAL_NAMES:
        raise Refused(
            403,
            f"the host asked for is {host[:80]!r}, and without tokens only localhost and 127.0.0.1 are "
            "served (DNS rebinding); ask for one of them, or make a token",
            kind="wrong-host",
        )
    origin = headers.get("origin", "")
    if origin and _name_of(origin.partition("://")[2]) not in _LOCAL_NAMES:
        raise Refused(
            403, "pages of other sites may not ask here; no token is configured", kind="wrong-origin"
        )


def _name_of(host: str) -> str:
    """The host without its port."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


def _is_local(scope: Scope) -> bool:
    client = scope.get("client")
    if client is None:  # a Unix socket
        return True
    return is_loopback(client[0])


def is_loopback(host: str) -> bool:
    """Whether an address (or `localhost`) is of this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
