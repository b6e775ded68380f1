"""A small JSON file that several processes read and change, under a lock that dies with its holder.

The lock is a `flock` on the file itself, so nothing stays locked after a kill; what a kill left half
written counts as nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memstrata.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.model import Json

_MOST_BYTES = 1_000_000


class SharedFile:
    """One file with one JSON object; made, with its folder, when it is first opened."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def held(self) -> Iterator[dict[str, Json]]:
        """What the file holds, to be changed in place: written back when the block ends well.

        Others wait meanwhile. Raises `Fault` when the file cannot be opened.
        """
        opened = self._opened()
        try:
            fcntl.flock(opened, fcntl.LOCK_EX)
            before = os.pread(opened, _MOST_BYTES, 0)
            content = _read(before)
            yield content
            after = json.dumps(content, sort_keys=True).encode()
            if after != before:
                os.ftruncate(opened, 0)
                os.pwrite(opened, after, 0)
        finally:
            os.close(opened)  # lets go of the lock

    def _opened(self) -> int:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Fault(
                f"cannot open {self._path}: {error}; the folder MEMSTRATA_HOME must be writable"
            ) from error


def _read(text: bytes) -> dict[str, Json]:
    try:
        content = json.loads(text)
    except ValueError:  # new, or a kill came between the two steps of a write
        return {}
    return content if isinstance(content, dict) else {}
