"""Deterministic ids: the uuid5 of what a record says, so that the same input gives the same id anywhere."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

if TYPE_CHECKING:
    from collections.abc import Sequence

    Part = str | int | float | bool | None | Sequence["Part"]

#: The namespace of every Memstrata id (docs/fold.md, R11, fixes it for facts).
NAMESPACE = UUID("16a0ea51-eda8-5b4a-90b0-d404fda155fe")


def canonical_json(value: object) -> str:
    """Compact JSON with sorted keys and non-ASCII as it is: equal values give equal text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def identify(*parts: Part) -> str:
    """The uuid5 of the JSON array of `parts`, as text."""
    return str(uuid5(NAMESPACE, canonical_json(parts)))


def digest(value: object) -> str:
    """The SHA-256 of the canonical JSON of `value`, as 64 hex digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
