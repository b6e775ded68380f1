"""Console blocks of Markdown documents: what is typed, and what is expected to be seen.

`$ ` begins a command, `? N` is its exit status (0 if not given), any other line must stand in its output,
in that order; lines between may be left out. Ids and times of the present are compared as such.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_NOW = re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    command: str
    status: int
    seen: tuple[str, ...]


def typed_in(document: str) -> list[Typed]:
    """All commands of a document, in order."""
    blocks = [re.split(r"^\$ ", block, flags=re.MULTILINE) for block in _BLOCK.findall(document)]
    return [one for parts in blocks for one in _commands(parts)]


def _commands(parts: Iterable[str]) -> Iterable[Typed]:
    for part in parts:
        command, *lines = part.splitlines() or [""]
        if not command:
            continue
        statuses = [int(line[2:]) for line in lines if line.startswith("? ")]
        seen = tuple(line for line in lines if line and not line.startswith("? "))
        yield Typed(command=command, status=statuses[0] if statuses else 0, seen=seen)


def plain(line: str) -> str:
    """The line without what differs from run to run."""
    return _NOW.sub("TIME", _ID.sub("ID", line.rstrip()))


def missing(expected: Iterable[str], output: str) -> str | None:
    """The first expected line that does not follow in the output; None if all do."""
    rest = iter([plain(line) for line in output.splitlines()])
    return next((line for line in expected if plain(line) not in rest), None)
