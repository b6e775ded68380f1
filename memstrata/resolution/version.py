"""The version of the resolver: a digest of its rules, so that a belief can say which rules it rests on."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files


@cache
def resolver_version() -> str:
    """`resolver-` and 12 hex digits: of all source and data of this package."""
    digest = hashlib.sha256()
    for item in sorted(files(__package__).iterdir(), key=lambda item: item.name):
        if item.name.endswith((".py", ".csv")):
            digest.update(item.name.encode() + b"\0" + item.read_bytes() + b"\0")
    return f"resolver-{digest.hexdigest()[:12]}"
