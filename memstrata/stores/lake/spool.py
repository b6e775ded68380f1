"""The spool: where accepted records wait, one append-only file a process and stream.

A file holds batches: the records of one call, one JSON object a line, then a line with their count and
checksum. A batch without that last line was never acknowledged and does not exist. Whoever appends holds
the file's lock meanwhile; the compactor takes the same lock to seal a file, by renaming it, and its writer
then begins another.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
import zlib
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.errors import Damaged, Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_LIVE: Final = ".jsonl"
_SEALED: Final = ".sealed.jsonl"
_TRAILER: Final = b'{"batch":'
_FULL_FILE: Final = 32 * 2**20

_sync = getattr(os, "fdatasync", os.fsync)  # macOS has no fdatasync


class Stream(StrEnum):
    """What is spooled apart."""

    EPISODES = "episodes"
    DECISIONS = "decisions"
    COMMITS = "commits"
    PAGES = "pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spooled:
    """What a file holds from an offset on: the records' lines, their end, and the torn bytes after it."""

    lines: tuple[bytes, ...]
    end: int
    torn: int


class Spool:
    """The spool of one home folder, for this process; safe for all its threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._writers: dict[Stream, _Writer] = {}

    def append(self, stream: Stream, lines: Sequence[bytes]) -> None:
        """Appends the lines durably, all or none; threads that append at once share an fsync.

        Raises `Fault` when the disk is full or gone; then nothing of the call is read later.
        """
        if lines:
            self._writer(stream).append(_framed(lines))

    def seal(self, stream: Stream) -> None:
        """Closes every file of the stream, of whichever process, to further appends."""
        sealed = False
        for path in sorted(self._files(stream, sealed=False)):
            with _locked(path) as size:
                if size == 0:
                    path.unlink()
                elif size is not None:
                    path.rename(path.with_name(path.name.removesuffix(_LIVE) + _SEALED))
                    sealed = True
        if sealed:
            sync_folder(self._folder / stream)

    def sealed(self, stream: Stream) -> tuple[str, ...]:
        """The names of the sealed files, without their endings, sorted."""
        return tuple(sorted(stem_of(path) for path in self._files(stream, sealed=True)))

    def sizes(self, stream: Stream) -> dict[str, int]:
        """The size in bytes of each file, live or sealed, by its name without ending."""
        found: dict[str, int] = {}
        for path in self._files(stream):
            with suppress(FileNotFoundError):
                found[stem_of(path)] = path.stat().st_size
        return found

    def read(self, stream: Stream, stem: str, *, start: int = 0) -> Spooled | None:
        """What the file holds from byte `start` on, as far as it is durable; None if there is no such file.

        Raises `Damaged` when a batch in its middle is not what was written.
        """
        folder = self._folder / stream
        for path in (
            folder / f"{stem}{_LIVE}",
            folder / f"{stem}{_SEALED}",
        ):  # the order in which it is renamed
            with suppress(FileNotFoundError), path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH)
                file.seek(start)
                return _unframed(file.read(), start, path)
        return None

    def remove(self, stream: Stream, stems: Sequence[str]) -> None:
        """Removes sealed files; those that are gone already do not matter."""
        for stem in stems:
            (self._folder / stream / f"{stem}{_SEALED}").unlink(missing_ok=True)
        if stems:
            sync_folder(self._folder / stream)

    def close(self) -> None:
        """Lets go of this process's files; they stay for the compactor."""
        with self._lock:
            for writer in self._writers.values():
                writer.close()
            self._writers.clear()

    def _writer(self, stream: Stream) -> _Writer:
        with self._lock:
            writer = self._writers.get(stream)
            if writer is None or writer.pid != os.getpid():  # after a fork the file is the parent's
                writer = self._writers[stream] = _Writer(self._folder / stream)
            return writer

    def _files(self, stream: Stream, *, sealed: bool | None = None) -> list[Path]:
        folder = self._folder / stream
        try:
            names = os.listdir(folder)  # noqa: PTH208 (called before every commit: no Path a file until it is wanted)
        except FileNotFoundError:
            return []
        return [
            folder / name
            for name in names
            if name.endswith(_LIVE) and sealed in (None, name.endswith(_SEALED))
        ]


class _Ticket:
    """One call's batch, on its way to the disk."""

    __slots__ = ("done", "error", "frame")

    def __init__(self, frame: bytes) -> None:
        self.frame = frame
        self.done = False
        self.error: OSError | None = None


class _Writer:
    """Appends to this process's file of one stream; the first thread writes for all that wait."""

    def __init__(self, folder: Path) -> None:
        self.pid = os.getpid()
        self._folder = folder
        self._process = f"{time.time_ns():016x}-{self.pid}-{os.urandom(3).hex()}"
        self._count = 0
        self._file: int | None = None
        self._path = folder
        self._queue: list[_Ticket] = []
        self._queue_lock = threading.Lock()
        self._turn = threading.Lock()

    def append(self, frame: bytes) -> None:
        ticket = _Ticket(frame)
        with self._queue_lock:
            self._queue.append(ticket)
        with self._turn:
            if not ticket.done:
                self._write_waiting()
        if ticket.error is not None:
            raise Fault(
                f"cannot append to {self._path}: {ticket.error.strerror or ticket.error}; nothing of "
                "this call was accepted: make room on the disk (or check it) and send it again"
            ) from ticket.error

    def close(self) -> None:
        with self._turn:
            self._let_go()

    def _write_waiting(self) -> None:
        with self._queue_lock:
            tickets, self._queue = self._queue, []
        error: OSError | None = None
        try:
            self._write(b"".join(ticket.frame for ticket in tickets))
        except OSError as caught:
            error = caught
        for ticket in tickets:
            ticket.error = error
            ticket.done = True

    def _write(self, data: bytes) -> None:
        file, size = self._locked_file()
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(file, rest) :]
            _sync(file)
            fcntl.flock(file, fcntl.LOCK_UN)
        except OSError:
            # What was written in part must not be read later. Should even this fail, the batch has no last
            # line.
            with suppress(OSError):
                os.ftruncate(file, size)
                _sync(file)
            self._let_go()
            raise
        if size + len(data) > _FULL_FILE:
            self._let_go()

    def _locked_file(self) -> tuple[int, int]:
        """This process's file, locked, and its size; a new one if there is none or it has been sealed."""
        while True:
            if self._file is None:
                self._file = self._begin()
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                here = os.fstat(self._file)
                if os.path.samestat(here, self._path.stat()):
                    return self._file, here.st_size
            except FileNotFoundError:
                pass
            self._let_go()

    def _begin(self) -> int:
        self._count += 1
        self._folder.mkdir(parents=True, exist_ok=True)
        self._path = self._folder / f"{self._process}-{self._count}{_LIVE}"
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        for folder in (self._folder, self._folder.parent, self._folder.parent.parent):
            sync_folder(folder)
        return file

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def stem_of(path: Path) -> str:
    """A spool file's name without its ending: the same before and after sealing."""
    return path.name.removesuffix(_SEALED).removesuffix(_LIVE)


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable; a folder that is not there needs nothing."""
    with suppress(FileNotFoundError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


@contextmanager
def _locked(path: Path) -> Iterator[int | None]:
    """Waits for the file's writer; gives the size, or None if the file has gone meanwhile."""
    try:
        file = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        yield None
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        here = os.fstat(file)
        yield here.st_size if path.exists() and os.path.samestat(here, path.stat()) else None
    finally:
        os.close(file)


def _framed(lines: Sequence[bytes]) -> bytes:
    body = b"".join(line + b"\n" for line in lines)
    return body + _trailer(body, len(lines)) + b"\n"


def _unframed(data: bytes, start: int, path: Path) -> Spooled:
    """Takes batches apart; what follows the last whole batch is torn."""
    lines: list[bytes] = []
    batch: list[bytes] = []
    begin = end = place = 0
    broken = False
    while (newline := data.find(b"\n", place)) >= 0:
        line = data[place:newline]
        if line.startswith(_TRAILER):
            if broken:
                raise Damaged(
                    f"{path}: the batch at byte {start + end} is not what was written; restore the file"
                )
            if line == _trailer(data[begin:place], len(batch)):
                lines += batch
                end = newline + 1
            else:
                broken = True
            batch = []
            begin = newline + 1
        else:
            batch.append(line)
        place = newline + 1
    return Spooled(lines=tuple(lines), end=start + end, torn=len(data) - end)


def _trailer(body: bytes, count: int) -> bytes:
    return b'%s%d,"crc32":%d}' % (_TRAILER, count, zlib.crc32(body))
