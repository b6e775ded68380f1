"""Leases as locked files: one holder a name over all processes of a machine, gone with its process.

Locks are `flock`s, which belong to an open file, so each holding opens its own: threads exclude one another
as processes do. A network file system must support `flock` across its clients for this to hold between
machines.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memstrata.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC


class FileLeases:
    """Leases in one folder, made when first needed. A thread may hold again what it holds already."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held = threading.local()

    @contextmanager
    def hold(self, name: str, *, urgent: bool = False) -> Iterator[None]:
        """Waits for the lease; urgent holders (a single waiting write) go before the others.

        Raises `Fault` when the folder cannot be written to.
        """
        held: set[str] = self._held.__dict__.setdefault("names", set())
        if name in held:
            yield
            return
        lock = self._urgently(name) if urgent else self._in_turn(name)
        held.add(name)
        try:
            yield
        finally:
            held.discard(name)
            os.close(lock)

    def _urgently(self, name: str) -> int:
        """Takes the lease, showing meanwhile at the turnstile that somebody is in a hurry."""
        turnstile = self._open(name, "urgent")
        try:
            fcntl.flock(turnstile, fcntl.LOCK_SH)
            return self._locked(name)
        finally:
            os.close(turnstile)

    def _in_turn(self, name: str) -> int:
        """Takes the lease once nobody in a hurry waits; gives it back if somebody has come meanwhile."""
        turnstile = self._open(name, "urgent")
        try:
            while True:
                fcntl.flock(turnstile, fcntl.LOCK_EX)
                fcntl.flock(turnstile, fcntl.LOCK_UN)
                lock = self._locked(name)
                try:
                    fcntl.flock(turnstile, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(lock)
                else:
                    return lock
        finally:
            os.close(turnstile)

    def _locked(self, name: str) -> int:
        lock = self._open(name, "lock")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
        except BaseException:  # interrupted while it waited
            os.close(lock)
            raise
        return lock

    def _open(self, name: str, kind: str) -> int:
        path = self._folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.{kind}"
        try:
            try:
                return os.open(path, _FLAGS, 0o600)
            except FileNotFoundError:
                self._folder.mkdir(parents=True, exist_ok=True)
                return os.open(path, _FLAGS, 0o600)
        except OSError as error:
            raise Fault(
                f"cannot open the lease file {path}: {error}; the folder must be writable"
            ) from error
