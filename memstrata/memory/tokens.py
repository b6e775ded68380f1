"""Tokens: who may enter from outside, with which groups and rights; kept as hashes in one file of the home.

A server reads the file again when it has changed: what is made or revoked counts with the next request.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from memstrata.errors import Damaged, Fault, Incorrect, Unauthenticated
from memstrata.intake.door import check_group
from memstrata.memory.access import Grant, Right
from memstrata.memory.rendering import as_json
from memstrata.search.view import ANY
from memstrata.stores.leases import FileLeases

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from memstrata.ports import Clock

#: What every token begins with, so that scanners for secrets find it.
PREFIX: Final = "mst"
_SECRET_BYTES: Final = 32
_ID_BYTES: Final = 6
_LEASE: Final = "tokens"
_VERSION: Final = 1
_NOBODY: Final = "0" * 64
_REFUSED: Final = (
    "this token is not valid: it is unknown, has expired or was revoked; whoever runs this memory makes "
    "one with `memstrata token create`"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What is known of a token but its secret. `expires_at` None: never; times are UTC."""

    token_id: str
    name: str
    groups: tuple[str, ...]
    rights: tuple[Right, ...]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_valid(self, now: datetime) -> bool:
        """Whether it lets anybody in now."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    @property
    def grant(self) -> Grant:
        """What it allows; raises `Incorrect` for patterns that no group matches."""
        return Grant(
            who=self.name, groups=self.groups, rights=frozenset(self.rights), token_id=self.token_id
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    token: Token
    sha256: str


@dataclass(frozen=True, slots=True)
class _File:
    """What the file said, and by what one sees that it says something else now."""

    mark: tuple[int, int, int] | None = None
    kept: dict[str, _Kept] = field(default_factory=dict)


class Tokens:
    """The tokens of one home. Safe for threads and for several processes at once."""

    def __init__(self, home: Path, *, clock: Clock | None = None) -> None:
        self._path = home / "tokens.json"
        self._leases = FileLeases(home / "locks")
        self._clock = clock
        self._read = _File()

    @property
    def is_configured(self) -> bool:
        """Whether there ever was a token, valid or not: then nobody enters without one."""
        return bool(self._kept())

    def create(
        self,
        name: str,
        *,
        groups: Iterable[str],
        rights: Iterable[Right],
        expires_at: datetime | None = None,
    ) -> tuple[Token, str]:
        """A new token, and its text, which is kept nowhere.

        Raises `Incorrect` for no name, groups or rights, patterns that match nothing, a time that is past.
        """
        token = self.drafted(name, groups=groups, rights=rights, expires_at=expires_at)
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        with self._leases.hold(_LEASE):
            self._write({**self._kept(), token.token_id: _Kept(token=token, sha256=_hash(secret))})
        return token, f"{PREFIX}_{token.token_id}_{secret}"

    def drafted(
        self,
        name: str,
        *,
        groups: Iterable[str],
        rights: Iterable[Right],
        expires_at: datetime | None = None,
    ) -> Token:
        """What `create` would make; nothing is kept. Errors as there."""
        now = self._now()
        token = Token(
            token_id=secrets.token_hex(_ID_BYTES),
            name=name.strip(),
            groups=tuple(dict.fromkeys(groups)),
            rights=tuple(sorted(set(rights))),
            created_at=now,
            expires_at=None if expires_at is None else expires_at.astimezone(UTC),
        )
        _check(token, now)
        return token

    def list(self) -> tuple[Token, ...]:
        """All tokens, revoked and expired ones too, oldest first."""
        tokens = (one.token for one in self._kept().values())
        return tuple(sorted(tokens, key=lambda one: (one.created_at, one.token_id)))

    def revoke(self, token_id: str) -> Token:
        """Makes a token worthless from now on; one that is so already stays as it is.

        Raises `Incorrect` for an unknown id.
        """
        with self._leases.hold(_LEASE):
            token = self.find(token_id)
            if token.revoked_at is not None:
                return token
            kept, revoked = self._kept(), replace(token, revoked_at=self._now())
            self._write({**kept, token.token_id: replace(kept[token.token_id], token=revoked)})
        return revoked

    def find(self, token_id: str) -> Token:
        """The token of an id; raises `Incorrect` for an unknown one."""
        asked = _id_in(token_id)  # whoever gives the whole token does not see it again in an error
        found = self._kept().get(asked)
        if found is None:
            raise Incorrect(f"there is no token {asked!r}; `memstrata token list` shows the ids")
        return found.token

    def grant_of(self, text: str) -> Grant:
        """What the token of that text allows; raises `Unauthenticated` unless it is valid."""
        prefix, _, rest = text.partition("_")
        token_id, _, secret = rest.partition("_")
        found = self._kept().get(token_id)
        is_right = hmac.compare_digest(_hash(secret), _NOBODY if found is None else found.sha256)
        if found is None or not is_right or prefix != PREFIX or not found.token.is_valid(self._now()):
            raise Unauthenticated(_REFUSED)
        return found.token.grant

    def _now(self) -> datetime:
        return datetime.now(UTC) if self._clock is None else self._clock.now()

    def _kept(self) -> dict[str, _Kept]:
        """What the file says now; raises `Damaged` if it is not one of ours, or is gone all of a sudden."""
        try:
            if _mark(os.stat(self._path)) == self._read.mark:  # noqa: PTH116 (asked with each request)
                return self._read.kept
            with self._path.open("rb") as file:
                mark, content = _mark(os.fstat(file.fileno())), file.read()
        except FileNotFoundError:
            if self._read.kept:
                raise Damaged(
                    f"{self._path} is gone, and with it all tokens; put it back, or start again to begin "
                    "without any"
                ) from None
            return {}
        except OSError as error:
            raise Fault(f"cannot read {self._path}: {error}") from error
        self._read = _File(mark, _parsed(content, self._path))
        return self._read.kept

    def _write(self, kept: dict[str, _Kept]) -> None:
        """Puts a whole new file in the place of the old one; readers see one or the other."""
        tokens = [{**_fields(one.token), "sha256": one.sha256} for one in kept.values()]
        content = orjson.dumps({"version": _VERSION, "tokens": tokens}, option=orjson.OPT_INDENT_2)
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            with open(beside, "wb", opener=_private) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            raise Fault(f"cannot write {self._path}: {error}; nothing was changed") from error


class _StoredToken(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token_id: str
    name: str
    groups: tuple[str, ...]
    rights: tuple[Right, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    sha256: str


class _StoredFile(BaseModel):
    version: int
    tokens: tuple[_StoredToken, ...]


def _parsed(content: bytes, path: Path) -> dict[str, _Kept]:
    try:
        stored = _StoredFile.model_validate_json(content)
    except ValidationError as error:
        raise Damaged(
            f"{path} holds no tokens as this version writes them ({error.errors()[0]['msg']}); put it back "
            "from a backup: nobody enters meanwhile"
        ) from None
    if stored.version > _VERSION:
        raise Damaged(
            f"{path} was written by a newer Memstrata (version {stored.version}); install that one"
        )
    return {
        one.token_id: _Kept(token=Token(**one.model_dump(exclude={"sha256"})), sha256=one.sha256)
        for one in stored.tokens
    }


def _fields(token: Token) -> dict[str, object]:
    fields = as_json(token)
    assert isinstance(fields, dict)  # noqa: S101 (a dataclass becomes an object)
    return fields


def _check(token: Token, now: datetime) -> None:
    for what, given in (("name", token.name), ("groups", token.groups), ("rights", token.rights)):
        if not given:
            raise Incorrect(f"a token without {what} is of no use; give at least one")
    for pattern in token.grant.groups:
        path = pattern.removesuffix(ANY).removesuffix("/")
        if path:
            check_group(path)
    if not token.is_valid(now):
        raise Incorrect(f"the token would have expired at {token.expires_at}; give a time to come")


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _id_in(text: str) -> str:
    return text.split("_")[1] if text.startswith(f"{PREFIX}_") else text


def _mark(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
