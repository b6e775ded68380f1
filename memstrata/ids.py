"""Deterministic ids: the uuid5 of what a record says, so that the same input gives the same id anywhere."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING
from uuid import UUID

import orjson

if TYPE_CHECKING:
    from collections.abc import Sequence

    Part = str | int | float | bool | None | Sequence["Part"]

#: The namespace of every Memstrata id (docs/fold.md, R11, fixes it for facts).
NAMESPACE = UUID("16a0ea51-eda8-5b4a-90b0-d404fda155fe")
_NAMESPACE_BYTES = NAMESPACE.bytes

_TEXT = {str}
#: The nibble that says which kind of UUID it is, made of one of the digest's.
_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def canonical_json(value: object) -> str:
    """Compact JSON with sorted keys and non-ASCII as it is: equal values give equal text."""
    return _ENCODER.encode(value)


def identify(*parts: Part) -> str:
    """The uuid5 of the JSON array of `parts`, as text."""
    # Of texts, orjson makes the same bytes: the two differ in numbers and in the order of keys only.
    name = orjson.dumps(parts) if {*map(type, parts)} == _TEXT else canonical_json(parts).encode()
    # As uuid.uuid5 does it, at a third of its time: the fold names every fact.
    text = hashlib.sha1(_NAMESPACE_BYTES + name, usedforsecurity=False).hexdigest()
    return f"{text[:8]}-{text[8:12]}-5{text[13:16]}-{_VARIANT[text[16]]}{text[17:20]}-{text[20:32]}"


def digest(value: object) -> str:
    """The SHA-256 of the canonical JSON of `value`, as 64 hex digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
