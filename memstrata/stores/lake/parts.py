"""The lake's parts: files under one fsspec URL, written once, each appearing complete or not at all."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from memstrata.errors import Fault, Missing
from memstrata.stores.lake.spool import sync_folder

if TYPE_CHECKING:
    from datetime import date

_FOLDERS: Final = ("log", "extractions")
#: How the names begin of parts that one compaction or call wrote, and of those that hold pages.
PART: Final = "part"
PAGES: Final = "pages"


class Lake:
    """Files by path relative to the lake's URL."""

    def __init__(self, url: str) -> None:
        self.url = url

    @cached_property
    def _place(self) -> tuple[Any, str]:
        from fsspec.core import url_to_fs

        try:
            files, root = url_to_fs(self.url)
        except (ImportError, ValueError) as error:
            raise Missing(
                f"cannot open the lake at {self.url!r}: {error}; install the fsspec package for that kind "
                "of URL, or set MEMSTRATA_LAKE to another"
            ) from error
        return files, root.rstrip("/")

    @property
    def _is_local(self) -> bool:
        return "file" in _protocols(self._place[0])

    def write(self, path: str, content: bytes) -> None:
        """Writes one file durably; it is there whole or not at all. Raises `Fault` when it cannot."""
        files, root = self._place
        try:
            if self._is_local:
                _write_local(Path(root, path), content)
            else:
                files.pipe_file(f"{root}/{path}", content)
        except OSError as error:
            raise Fault(
                f"cannot write {path} to the lake at {self.url}: {error}; see to it, then try again"
            ) from error

    def read(self, path: str) -> bytes:
        """The file's bytes. Raises `Fault` when it is not to be had."""
        files, root = self._place
        try:
            content: bytes = files.cat_file(f"{root}/{path}")
        except OSError as error:
            raise Fault(f"cannot read {path} from the lake at {self.url}: {error}") from error
        return content

    def remove(self, path: str) -> None:
        """Removes the file, and what an interrupted write may have left of it, if it is there."""
        files, root = self._place
        if self._is_local:
            _temporary(Path(root, path)).unlink(missing_ok=True)
        try:
            files.rm_file(f"{root}/{path}")
        except FileNotFoundError:
            return
        except OSError as error:
            raise Fault(f"cannot remove {path} from the lake at {self.url}: {error}") from error

    def holds(self, path: str) -> bool:
        """Whether the file is there."""
        files, root = self._place
        files.invalidate_cache()
        return bool(files.exists(f"{root}/{path}"))

    def parts(self) -> tuple[str, ...]:
        """The paths of all parts, by number."""
        files, root = self._place
        files.invalidate_cache()
        found: list[str] = []
        for folder in _FOLDERS:
            try:
                listed = files.find(f"{root}/{folder}")
            except FileNotFoundError:
                continue
            found += [
                str(PurePosixPath(path).relative_to(root)) for path in listed if path.endswith(".parquet")
            ]
        return tuple(sorted(found, key=lambda path: (number_of(path), path)))


def _protocols(files: Any) -> tuple[str, ...]:
    protocol = files.protocol
    return (protocol,) if isinstance(protocol, str) else tuple(protocol)


def _write_local(path: Path, content: bytes) -> None:
    made = [folder for folder in path.parents if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(path)
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    for folder in {path.parent, *(folder.parent for folder in made)}:
        sync_folder(folder)


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.partial")


def log_path(stream: str, day: date, name: str) -> str:
    """Where a part of a log stands."""
    return f"log/{stream}/day={day.isoformat()}/{name}"


def extraction_path(version: str, day: date, name: str) -> str:
    """Where a part of extractions stands; the version is quoted where it is no plain name."""
    return f"extractions/version={quote(version, safe='')}/day={day.isoformat()}/{name}"


def part_name(number: int, token: str, *, kind: str = PART) -> str:
    """The name of a part: its place in the order of all parts, and what tells apart two of one number."""
    return f"{kind}-{number:010d}-{token}.parquet"


def holds_pages(path: str) -> bool:
    """Whether a part was put together from pages."""
    return PurePosixPath(path).name.startswith(f"{PAGES}-")


def number_of(path: str) -> int:
    """A part's place in the order of all parts, read from its path."""
    return int(PurePosixPath(path).name.split("-")[1])
