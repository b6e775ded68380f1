"""Small JSON files in the home that survive a crash whole: each is replaced, never written over."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

import orjson

from memstrata.errors import Fault

if TYPE_CHECKING:
    from pathlib import Path


def keep(path: Path, record: dict[str, object]) -> None:
    """Puts the record durably in the place of what the file held. Raises `Fault` when the disk will not."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(number, "wb") as file:  # noqa: PTH123 (a number is no path)
            file.write(orjson.dumps(record))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise Fault(f"cannot write {path}: {error}; make room, then try again") from error


def kept(path: Path) -> dict[str, object] | None:
    """What the file holds; None if it is not there, or is none of ours."""
    try:
        found = orjson.loads(path.read_bytes())
    except (FileNotFoundError, orjson.JSONDecodeError):
        return None
    except OSError as error:
        raise Fault(f"cannot read {path}: {error}") from error
    return found if isinstance(found, dict) else None
