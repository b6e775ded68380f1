"""Keeps one process at work beside the servers of a home (`background`), for as long as this one serves.

Of several servers (`--workers`, or two of one home) one has it: the one that holds the lock. A process that
ends by itself is started again, after a pause that grows.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memstrata.service.lines import write_line
from memstrata.workflow.patience import FIRST, LONGEST

if TYPE_CHECKING:
    from pathlib import Path

_LOOKS: Final = 0.5
_GRACE_SECONDS: Final = 10.0
#: A process that lived so long did not fail at once: the next is started without a long pause.
_LIVED_SECONDS: Final = 60.0


@dataclass(slots=True)
class Attendant:
    """Starts, watches and ends the process that works; `environment` is that of the server and more."""

    home: Path
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins to look whether this server is the one."""
        self._thread = threading.Thread(target=self._attend, name="attendant", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the process, if it is this one's, with what it has in hand."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _attend(self) -> None:
        lock = self._held()
        if lock is None:
            return
        try:
            pause = FIRST
            while not self._stop.is_set():
                began = time.monotonic()
                self._lived()
                if self._stop.is_set():
                    return
                pause = FIRST if time.monotonic() - began > _LIVED_SECONDS else min(LONGEST, 2 * pause)
                self._stop.wait(pause)
        finally:
            os.close(lock)

    def _held(self) -> int | None:
        """The lock, once it is free; None when that is not waited for any more."""
        folder = self.home / "service"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(folder / "work.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        while not self._stop.is_set():
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._stop.wait(_LOOKS)
            else:
                return lock
        os.close(lock)
        return None

    def _lived(self) -> None:
        """One life of the process."""
        with subprocess.Popen(
            [sys.executable, "-m", "memstrata.service.background"],
            stdin=subprocess.PIPE,
            env=self.environment,
            start_new_session=True,  # a terminal's interrupt is for the server
        ) as process:
            while not self._stop.wait(_LOOKS):
                status = process.poll()
                if status is not None:
                    write_line("work process ended", status=status)
                    return
            self._end(process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:  # in a long computation; what it has not kept is done again
            process.kill()
            process.wait()
