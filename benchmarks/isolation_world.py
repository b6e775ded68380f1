"""Two groups in one memory, served by real processes; what a foreigner may have got hold of of the second.

Its words, names and ids are told nowhere else, so that whoever sees one of them without having sent it
has seen through the wall.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import httpx

from benchmarks.workplace import SetClock
from memstrata.errors import Fault
from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

OWN: Final = "acme/eng"
FOREIGN: Final = "acme/vault7"
#: A group of the same form that never was.
NEVER: Final = "acme/grove4"
_SECONDS: Final = 60
_TOLD: Final = (
    "Quillfeather Zanzibarov has worked at Harpsichordia since 2021.",
    "Quillfeather Zanzibarov moved to Kumquatville in May 2024.",
)
#: What only the foreign group knows.
SECRETS: Final = ("quillfeather", "zanzibarov", "harpsichordia", "kumquatville", "oubliettes", "vault7")
#: What only the own group knows: it is for whoever may read it.
OWN_SECRETS: Final = ("lisbonette",)
_OWN_TOLD: Final = ("Ada Byron has worked at Acme since 2021.", "Ada Byron lives in Lisbonette.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something of the foreign group, and one of the same form that never was (cursors have none)."""

    kind: str
    there: str
    never: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A token and what is to be kept from it; `is_let_in` False: nothing but a refusal is for it."""

    name: str
    token: str | None
    secrets: tuple[str, ...] = SECRETS
    is_let_in: bool = True
    #: What its answers may repeat: the patterns that it reaches.
    reach: tuple[str, ...] = ()
    may_write: bool = True
    #: Whether all its requests are made with the twins too.
    is_compared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The servers, and who asks them."""

    rest: str
    mcp: str
    owner: httpx.Client
    callers: tuple[Caller, ...]
    things: tuple[Thing, ...]

    def whole(self, group: str = FOREIGN) -> bytes:
        """All that a group holds, and all that was decided and started about it."""
        lists = ("export?history=true", "episodes?", "decisions?", "core/human/history?", "review?")
        parts = [self.owner.get(f"/v1/{path}&group_id={group}").content for path in lists]
        operations = self.owner.get("/v1/operations").json()["items"]
        parts.extend(str(one).encode() for one in operations if one["group_id"] == group)
        return b"\n".join(parts)


@contextmanager
def world(home: Path) -> Iterator[World]:
    """A memory in the folder, with both groups told, served until the end."""
    home.mkdir()
    tokens = Tokens(home)
    _, admin = tokens.create("admin", groups=["*"], rights=[*Right])
    with ExitStack() as stack:
        rest = stack.enter_context(_served(home, "serve", "--port", "0"))
        port = str(_free_port())
        options = ("--http", "--port", port, "--profile", "extended", "--allow-destructive")
        mcp = stack.enter_context(_served(home, "mcp", *options, url=f"http://127.0.0.1:{port}"))
        owner = stack.enter_context(_client(rest, admin))
        things = _planted(owner)
        yield World(rest=rest, mcp=f"{mcp}/mcp", owner=owner, callers=_callers(home), things=things)


def client_of(world: World, caller: Caller) -> httpx.Client:
    """A client of REST with that token."""
    return _client(world.rest, caller.token)


def _client(url: str, token: str | None) -> httpx.Client:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=url, headers=headers, timeout=_SECONDS)


# --- what is there ---


def _planted(owner: httpx.Client) -> tuple[Thing, ...]:
    """Tells both groups what they know, and takes hold of the ids of the foreign one."""
    for group, told in ((OWN, _OWN_TOLD), (FOREIGN, _TOLD)):
        episodes = [
            {
                "content": text,
                "reference_time": "2024-06-01",
                "group_id": group,
                "saga": f"{told[0][:12]} plans",
                "speaker": {"id": f"{told[0][:5]}-account", "name": told[0][:12]},
                "native_id": f"{told[0][:5]}-{number}",
            }
            for number, text in enumerate(told)
        ]
        _ok(owner.post("/v1/episodes", json={"episodes": episodes, "wait": True}))
    _ok(owner.post("/v1/core/human", json=_edit("Oubliettes are dear to them.", FOREIGN)))
    _ok(owner.post("/v1/core/human", json=_edit("Likes Lisbonette.", OWN)))
    facts = _ok(owner.get("/v1/facts", params={"groups": FOREIGN})).json()["items"]
    doomed = facts[-1]["version"]["fact"]["id"]
    kept = facts[0]["version"]["fact"]
    decision = _ok(owner.delete(f"/v1/facts/{doomed}", params={"group_id": FOREIGN, "wait": True})).json()
    episodes = _ok(owner.get("/v1/episodes", params={"group_id": FOREIGN, "limit": 1})).json()
    entities = _ok(owner.get("/v1/entities", params={"group_id": FOREIGN, "limit": 1})).json()
    listed = _ok(owner.get("/v1/facts", params={"groups": FOREIGN, "limit": 1})).json()
    started = {"kind": "export", "group_id": FOREIGN}
    export = _ok(owner.post("/v1/operations", json=started)).json()["operation_id"]
    _until_done(owner, export)
    return (
        Thing(kind="group", there=FOREIGN, never=NEVER),
        Thing(kind="name", there="Quillfeather Zanzibarov", never="Brimblewatt Ostrogothi"),
        Thing(kind="place", there="Harpsichordia", never="Clavicembalia"),
        _id("episode", episodes["items"][0]["episode_id"]),
        _id("fact", kept["id"]),
        _id("gone fact", doomed),
        _id("entity", kept["subject"]),
        _id("decision", decision["decision_id"]),
        _id("operation", export),
        *(Thing(kind="cursor", there=one["next_cursor"]) for one in (episodes, entities, listed)),
        Thing(kind="saga", there="Quillfeather plans", never="Brimblewatty plans"),
        Thing(kind="account", there="Quill-account", never="Brimb-account"),
    )


def _edit(text: str, group: str) -> dict[str, str]:
    return {"operation": "set", "text": text, "group_id": group}


def _id(kind: str, there: str) -> Thing:
    return Thing(kind=kind, there=there, never=_turned(there))


def _turned(text: str) -> str:
    """Of the same form, and nobody's: each hexadecimal digit but the one that tells a UUID's version."""
    turned = str.maketrans("0123456789abcdef", "fedcba9876543210")
    return text[:8].translate(turned) + text[8:]


def _ok(answer: httpx.Response) -> httpx.Response:
    if answer.is_error:
        raise Fault(
            f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text[:300]}"
        )
    return answer


def _until_done(owner: httpx.Client, operation: str) -> None:
    until = time.monotonic() + _SECONDS
    while owner.get(f"/v1/operations/{operation}").json()["state"] != "done":
        if time.monotonic() > until:
            raise Fault(f"operation {operation} is not done after {_SECONDS} s")
        time.sleep(0.05)


# --- who asks ---

#: Names and paths that are near to the foreign group, and do not reach it.
_SIBLINGS: Final = (
    "acme", "acme/vault", "acme/vault77", f"{FOREIGN}/*", f"{FOREIGN}/below", "Acme/Vault7", "ACME/*",
    "acmeother/*", "acm/*", "acme.vault7", "vault7",
)  # fmt: skip


def _callers(home: Path) -> tuple[Caller, ...]:
    tokens = Tokens(home)
    own = ("acme/eng", "acme/eng/*")

    def made(name: str, groups: tuple[str, ...] = own, can: Any = tuple(Right), **also: Any) -> str:
        return tokens.create(name, groups=groups, rights=can, **also)[1]

    past = SetClock()
    past.set(datetime.now(UTC) - timedelta(days=2))
    late = Tokens(home, clock=past).create(
        "expired", groups=["*"], rights=[*Right], expires_at=past.now() + timedelta(days=1)
    )[1]
    gone, revoked = tokens.create("revoked", groups=["*"], rights=[*Right])
    tokens.revoke(gone.token_id)
    right = made("own")
    wrong = right[:-6] + ("abcdef" if not right.endswith("abcdef") else "fedcba")
    everybody_else = (*SECRETS, *OWN_SECRETS)
    return (
        Caller(name="own", token=right, reach=own, is_compared=True),
        Caller(name="siblings", token=made("siblings", _SIBLINGS), secrets=everybody_else, reach=_SIBLINGS),
        Caller(name="reader", token=made("reader", can=[Right.READ]), reach=own, may_write=False),
        Caller(
            name="writer",
            token=made("writer", can=[Right.WRITE]),
            secrets=everybody_else,
            reach=own,
        ),
        *(
            Caller(name=name, token=token, secrets=everybody_else, is_let_in=False)
            for name, token in (("expired", late), ("revoked", revoked), ("wrong", wrong), ("none", None))
        ),
    )


# --- the servers ---


@contextmanager
def _served(home: Path, command: str, *options: str, url: str | None = None) -> Iterator[str]:
    """The address of a server in a process of its own; of `serve`, which tells it itself."""
    with (home / f"{command}.log").open("w+b") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "memstrata", command, *options],
            env=_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
        try:
            yield _answering(process, home / f"{command}.log", url)
        finally:
            process.terminate()
            process.wait(_SECONDS)


def _environment(home: Path) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMSTRATA_")}
    return {**kept, "MEMSTRATA_HOME": str(home), "COLUMNS": "200"}


def _answering(process: subprocess.Popen[bytes], log: Path, url: str | None) -> str:
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until and process.poll() is None:
        said = log.read_text("utf-8", "replace")
        found = url or said.partition("listening on ")[2].partition("\n")[0].strip()
        if found:
            try:
                httpx.get(f"{found}/health/live", timeout=_SECONDS)
            except httpx.TransportError:
                pass
            else:
                return found
        time.sleep(0.05)
    raise Fault(f"the server does not answer; it said: {log.read_text('utf-8', 'replace')[-500:]}")


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
