"""Two small files in the home: which version of the record it is, and how far its index has come."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import Damaged, Fault, Unsupported

if TYPE_CHECKING:
    from pathlib import Path

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Marks:
    """What stands in a home folder."""

    home: Path

    def note_number(self, number: int) -> None:
        """Notes how far the index has come: one that is put back from a backup is seen to be behind."""
        if number > self.noted_number():
            with suppress(OSError):  # what was compacted is safe without it
                self._write("record-number", number)

    def noted_number(self) -> int:
        """How far the index had come; 0 where that is not known."""
        try:
            return int((self.home / "record-number").read_text("ascii"))
        except (FileNotFoundError, ValueError):
            return 0

    def check_version(self) -> None:
        """Marks a new home. Raises `Unsupported` for a newer one, `Fault` where none can be made."""
        path = self.home / "record-version"
        try:
            found = int(path.read_text("ascii"))
        except (FileNotFoundError, NotADirectoryError):
            self._mark_version()
            return
        except ValueError:
            raise Damaged(f"{path} holds no version number; restore it from a backup") from None
        if found > VERSION:
            raise Unsupported(
                f"{self.home} was written by a newer Memstrata (record version {found}, this one knows "
                f"{VERSION}); install that version, or give another MEMSTRATA_HOME"
            )

    def _mark_version(self) -> None:
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            self._write("record-version", VERSION)
        except OSError as error:
            raise Fault(
                f"cannot make the home folder {self.home}: {error}; make room, or set MEMSTRATA_HOME to a "
                "folder that can be written"
            ) from error

    def _write(self, name: str, number: int) -> None:
        temporary = self.home / f".{name}.{os.getpid()}"
        temporary.write_text(f"{number}\n", "ascii")
        temporary.rename(self.home / name)
