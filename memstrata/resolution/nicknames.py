"""English nicknames and the given names that they are short for.

The table is `nicknames.csv` of carltonnorthern/nicknames (Apache License 2.0), `has_nickname` rows.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def _table() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in files(__package__).joinpath("nicknames.csv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            full, nickname = line.split(",")
            found[nickname].add(full)
    return {nickname: frozenset(full) for nickname, full in found.items()}


@cache
def _known() -> frozenset[str]:
    return frozenset(_table()).union(*_table().values())


def is_known(token: str) -> bool:
    """Whether the table has it, as a given name or as a nickname."""
    return token in _known()


@lru_cache(maxsize=65536)
def given_names(token: str) -> frozenset[str]:
    """The given names that a folded name can stand for, itself included."""
    return _table().get(token, frozenset()) | {token}
