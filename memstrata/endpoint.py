"""An endpoint that speaks OpenAI's protocol: where it is, as whom it is asked, and what may be shown of it.

Embedders and language models share this; what they ask and how they read replies is theirs.
"""

from __future__ import annotations

import base64
import logging
import re
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from memstrata.errors import Incorrect, Missing
from memstrata.secrecy import redacted

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI: Final = "https://api.openai.com/v1"

_TRIES_AGAIN: Final = 5
_SECONDS: Final = 60.0
_SAID: Final = 300
_LOGGERS: Final = ("httpx", "httpx2")  # the package's HTTP client, by its version
#: So many characters of a key give it away; beside signs that stand for the rest of it, fewer do.
_PIECE: Final = 6
_PIECE_BESIDE: Final = 3
_WORD = re.compile(r"[^\s\"'`<>(){}\[\],;:]+")
_MASKED = re.compile(r"\*{2,}|\.{3,}|\u2026|\u2022{2,}|x{4,}", re.IGNORECASE)
#: A user and a password in an address: all before the last @, for either may hold any sign.
_USER = re.compile(r"(?P<scheme>^[a-z0-9+.-]*://)?(?P<user>.*)@", re.IGNORECASE | re.DOTALL)
_QUERY = re.compile(r"[?#].*", re.DOTALL)
_KEYS = re.compile(
    r"\bsk[-_][\w*.-]{6,}|\b(key|Bearer)[-_ ](?=[\w*.-]*[\d*])[\w*.-]{6,}|\bAIza[\w-]{10,}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where to ask, and as whom. Without `url` it is OpenAI; a server of one's own may need no key."""

    url: str | None = field(default=None, repr=False)
    key: str | None = field(default=None, repr=False)
    tries_again: int = _TRIES_AGAIN
    seconds: float = _SECONDS

    @property
    def shown(self) -> str:
        """The address as it may be shown: without a user and password, and without a query."""
        return _QUERY.sub("", _USER.sub(r"\g<scheme>...@", self.url or OPENAI))

    def redacted(self, text: str) -> str:
        """The text without the key, the address's user and password, and its query."""
        query = _QUERY.search(self.url or "")
        secrets = [self.key, self._user, self._user.partition(":")[2], _basic(self._user)]
        secrets += [query[0][1:]] if query else []
        for secret in secrets:
            if secret and len(secret) >= _PIECE_BESIDE:  # less is a stand-in, and in every other word
                text = text.replace(secret, "...")
        return text

    @property
    def _user(self) -> str:
        """User and password of the address, as they are written there; empty without any."""
        found = _USER.match(self.url or "")
        return found["user"] if found else ""

    def told(self, text: str) -> str:
        """What a server said, on one line, shortened: without the key or pieces of it, and without secrets.

        Servers repeat parts of a key (`abcd****wxyz`), and some the whole of what they were asked.
        """
        line = _KEYS.sub("...", self.redacted(" ".join(text.split())))
        line = _WORD.sub(lambda word: "..." if self._tells_key(word[0]) else word[0], line)
        return redacted(line)[:_SAID]

    def _tells_key(self, word: str) -> bool:
        key = self.key or ""
        least = _PIECE_BESIDE if _MASKED.search(word) else _PIECE
        pieces = (word[at : at + least] for at in range(len(word) - least + 1))
        return any(piece in key for piece in pieces if _MASKED.search(piece) is None)


def check_askable(endpoint: Endpoint, setting: str, *, instead: str = "") -> None:
    """Raises `Missing` without the package openai, or without a key for OpenAI's own server.

    Raises `Incorrect` for a key that no header can hold: the package would fail with it in its message.

    `setting` is what asks for it, as `NAME = value`, and `instead` tells what goes without.
    """
    if find_spec("openai") is None:
        raise Missing(
            f"{setting} needs the package openai; install it with: pip install 'memstrata[openai]'{instead}"
        )
    if not endpoint.key and endpoint.url is None:
        raise Missing(
            f"{setting} needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own"
            f"{instead}"
        )
    if endpoint.key and not (endpoint.key.isascii() and endpoint.key.isprintable()):
        raise Incorrect(
            "OPENAI_API_KEY holds a character that no key has, such as a line break or a typographic "
            "quotation mark; copy the key anew"
        )


def connected(endpoint: Endpoint, *, tries_again: int) -> OpenAI:
    """A client of the package for that endpoint; raises `Incorrect` if its address is none.

    User, password and query of the address are handed over apart from it: the package puts a path behind
    the query otherwise, and its HTTP client logs every address that it asks.
    """
    import openai

    try:
        parts = urlsplit(endpoint.url or OPENAI)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError  # noqa: TRY301 (the client would find out at its first request, and call it away)
        user, _, place = parts.netloc.rpartition("@")
        if parts.query:
            for name in _LOGGERS:
                logging.getLogger(name).addFilter(_WithoutQuery(place=place))
        return openai.OpenAI(
            api_key=endpoint.key or "none",
            base_url=f"{parts.scheme}://{place}{parts.path}",
            default_headers={"Authorization": f"Basic {_basic(user)}"} if user else None,
            default_query=dict(parse_qsl(parts.query, keep_blank_values=True)),
            max_retries=tries_again,
            timeout=endpoint.seconds,
        )
    except Exception:  # noqa: BLE001 (of the package's HTTP client, which differs by version)
        raise Incorrect(
            f"OPENAI_BASE_URL = {endpoint.shown!r} is no address; expected one such as "
            "http://127.0.0.1:11434/v1"
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _WithoutQuery:
    """Takes the query out of what an HTTP client logs of addresses at that place."""

    place: str

    def __call__(self, record: logging.LogRecord) -> bool:
        told = record.getMessage()
        record.msg = re.sub(rf"({re.escape(self.place)}[^\s?]*\?)\S*", r"\1...", told)
        record.args = ()
        return True


def _basic(user: str) -> str:
    """User and password as the header of RFC 7617 has them: with a colon, also before no password."""
    if not user:
        return ""
    name, _, password = user.partition(":")
    return base64.b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()
