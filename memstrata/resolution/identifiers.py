"""Identifiers: compared exactly, after the normalisation that their kind allows, never by likeness."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from memstrata.resolution.vocabulary import SHARED_MAILBOXES

_MAIL: Final = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_URL: Final = re.compile(r"(?:https?|ftp|ssh|git)://\S+|www\.\S+", re.IGNORECASE)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HASH: Final = re.compile(r"(?=.*\d)(?:[0-9a-f]{7,40}|[0-9a-f]{64})", re.IGNORECASE)
_PHONE: Final = re.compile(r"(?:\+|00|\()?[\d()\s./-]{6,}\d")
_HANDLE: Final = re.compile(r"@[\w.-]+")
_KEYED: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-?\d[A-Za-z0-9-]*")
_SHORT_HASH: Final = 7
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}

#: Attributes that identify, by the kind that they are normalised as.
IDENTIFYING: Final = {
    "email": "mail", "phone": "phone", "url": "url", "github": "github", "orcid": "orcid", "tax_id": "tax",
}  # fmt: skip


@lru_cache(maxsize=65536)
def normalised(kind: str, value: str) -> str | None:
    """The value of an attribute in the normal form of its kind; None if nothing of it identifies."""
    value = value.strip()
    if kind == "mail":
        address = value.casefold().removeprefix("mailto:")
        local = address.partition("@")[0].partition("+")[0]
        return None if not address or local in SHARED_MAILBOXES else address
    if kind == "phone":
        return _digits(value) or None
    if kind == "url":
        return _url(value) or None
    if kind == "github":
        return value.casefold().removeprefix("https://github.com/").strip("@/") or None
    return re.sub(r"[\W_]", "", value.casefold().rpartition("orcid.org/")[2]) or None


def _digits(value: str) -> str:
    return re.sub(r"\D", "", value if not value.startswith("00") else value[2:])


def _url(value: str) -> str:
    try:
        parts = urlsplit(value if "://" in value else f"https://{value}")
    except ValueError:  # "http://[x": looks like an URL, is none; compared as written
        return value
    scheme, host = parts.scheme.lower(), parts.netloc.lower()
    host = host.removesuffix(_DEFAULT_PORTS.get(scheme, ":"))
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{scheme}://{host}{parts.path.rstrip('/')}{query}{fragment}" if host else ""


@lru_cache(maxsize=65536)
def named(text: str) -> tuple[str, str] | None:
    """(kind, normal form) if a name of any type is plainly a mail address, an URL, a UUID or a handle."""
    if "@" in text:
        if _MAIL.fullmatch(text):
            return "mail", text.casefold()
        if _HANDLE.fullmatch(text):
            return "handle", text.casefold()
    if ("/" in text or text[:4].lower() == "www.") and _URL.fullmatch(text):
        return "url", _url(text)
    if "-" in text and _UUID.fullmatch(text):
        return "uuid", text.casefold()
    return None


@lru_cache(maxsize=65536)
def identifier(text: str) -> tuple[str, str]:
    """(kind, normal form) of a name whose type is identifier; what fits no kind is compared as written."""
    found = named(text)
    if found is not None:
        return found
    if _HASH.fullmatch(text) and not text.isdecimal():
        return "hash", text.casefold()
    if "/" in text or "\\" in text:
        return "path", re.sub(r"(?<=/)\./|^(?:\./)+", "", text).rstrip("/") or text
    if _PHONE.fullmatch(text) and (text[0] in "+(" or " " in text or text.startswith("00")):
        return "phone", _digits(text)
    if _KEYED.fullmatch(text):
        return "key", text.casefold()
    return "other", text


def bucket(kind: str, value: str) -> str:
    """The key under which an identifier meets its equals; a hash meets its shortened forms too."""
    return f"{kind}:{value[:_SHORT_HASH]}" if kind == "hash" else f"{kind}:{value}"
