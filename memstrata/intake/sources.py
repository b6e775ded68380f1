"""Files as text: encodings, lines, whole JSON values, and the sample by which a format is recognised."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

from memstrata.errors import Misplaced, Missing
from memstrata.intake.json_text import object_keys, parse
from memstrata.intake.notes import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memstrata.intake.json_text import Value
    from memstrata.intake.notes import Notes

#: The longest line of a file of lines, in bytes: 64 MiB. It bounds the memory that a reading takes.
MAX_LINE: Final = 64 * 1_048_576
_HEAD: Final = 1_048_576
_LOOKED_AT: Final = 50  # objects or lines
_LINES: Final = frozenset({".jsonl", ".ndjson", ".jsonlines"})
_JSON_START = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{]?\s*[\"{}])")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BINARY: Final = (
    (b"\x89PNG", "PNG image"), (b"\xff\xd8\xff", "JPEG image"), (b"GIF8", "GIF image"),
    (b"%PDF-", "PDF document"), (b"PK\x03\x04", "ZIP archive or office document"),
    (b"\x1f\x8b", "gzip archive"), (b"\x7fELF", "program"), (b"SQLite format 3\0", "SQLite database"),
    (b"PAR1", "Parquet table"),
)  # fmt: skip

#: One JSON value of a file and where it stands.
Located: TypeAlias = "tuple[Place, Value]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What can be seen of an input at once: its name, its first mebibyte, its first objects' keys.

    `shapes` are the different key sets of the first objects: the very first one may be the faulty one.
    """

    name: str
    is_folder: bool
    head: str = ""
    shapes: tuple[frozenset[str], ...] = ()
    is_json: bool = False
    is_lines: bool = False

    def has(self, *keys: str) -> bool:
        """Whether one of the first objects has all of these keys."""
        return any(shape.issuperset(keys) for shape in self.shapes)

    @property
    def suffix(self) -> str:
        """The end of the name, in lower case, with its dot."""
        return Path(self.name).suffix.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file or folder to read, and the encoding that the caller declares for it, if any."""

    path: Path
    encoding: str | None = None

    @property
    def place(self) -> Place:
        """The whole file, as a place."""
        return Place(file=str(self.path))

    def sample(self) -> Sample:
        """The beginning of the file. Raises `Missing` if there is none, `Misplaced` if it is no text."""
        if self.path.is_dir():
            return Sample(name=self.path.name, is_folder=True)
        if self.path.exists() and not self.path.is_file():
            mend = "save it to a file first: it is read twice"
            raise self.place.fault("neither a file nor a folder", mend=mend)
        try:
            with self.path.open("rb") as file:
                start = file.read(_HEAD)
        except OSError as error:
            raise Missing(f"{self.path}: cannot be read: {error.strerror}") from None
        self._refuse_binary(start)
        head = start.decode(self.codec(start), errors="replace")
        suffix = self.path.suffix.lower()
        is_json = suffix in _LINES or suffix == ".json" or _JSON_START.match(head) is not None
        is_lines = is_json and _is_lines(head, suffix)
        return Sample(
            name=self.path.name,
            is_folder=False,
            head=head,
            shapes=_shapes(head, is_lines=is_lines) if is_json else (),
            is_json=is_json,
            is_lines=is_lines,
        )

    def text(self) -> str:
        """The whole file as text, its line ends as LF. Raises `Misplaced` where it is none."""
        data = self.path.read_bytes()
        self._refuse_binary(data)
        return self.decode(data).replace("\r\n", "\n").replace("\r", "\n")

    def lines(self, refuse: Callable[[Misplaced], None]) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, one at a time; `refuse` is told of a line that is no text."""
        with self.path.open("rb") as file:
            start = file.read(4)
            file.seek(0)
            codec = self.codec(start)
            if codec not in {"utf-8", "utf-8-sig"}:
                yield from enumerate(self.text().split("\n"), start=1)
                return
            number = 0
            while raw := file.readline(MAX_LINE + 1):
                number += 1
                if len(raw) > MAX_LINE:
                    _pass_line(file)
                    at = Place(file=str(self.path), line=number)
                    refuse(at.fault(f"longer than {MAX_LINE:,} bytes", mend="split the record"))
                    continue
                if number == 1:
                    raw = raw.removeprefix(codecs.BOM_UTF8)
                try:
                    yield number, raw.decode().rstrip("\r\n")
                except UnicodeDecodeError as error:
                    refuse(self._not_text(raw, error, "utf-8", line=number))

    def decode(self, data: bytes) -> str:
        """`data` in the file's encoding. Raises `Misplaced` with line and byte where it is not in it."""
        codec = self.codec(data)
        try:
            return data.decode(codec)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise self._not_text(data, error, codec, line=line) from None

    def codec(self, start: bytes) -> str:
        """The encoding of a file that begins like this: by its byte order mark, as declared, else UTF-8."""
        for mark, name in _MARKS:
            if start.startswith(mark):
                return name
        return self.encoding or "utf-8"

    def _not_text(self, data: bytes, error: UnicodeDecodeError, codec: str, *, line: int) -> Misplaced:
        byte = f"byte {error.start} (0x{data[error.start]:02X})"
        name = "UTF-8" if codec.startswith("utf-8") else codec
        mend = (
            "pass --encoding, for instance cp1252" if self.encoding is None else "pass another --encoding"
        )
        return Misplaced(f"not {name}", file=str(self.path), line=line, field=byte, mend=mend)

    def _refuse_binary(self, data: bytes) -> None:
        for magic, what in _BINARY:
            if data.startswith(magic):
                mend = "unpack it first" if "archive" in what else "convert it to text first"
                raise self.place.within("byte 0").fault(f"not text: {what}", mend=mend)
        if self.codec(data) != "utf-16" and (self.encoding or "").lower()[:6] not in {
            "utf-16",
            "utf-32",
            "utf_16",
        }:
            at = data.find(b"\0")
            if at >= 0:
                raise self.place.within(f"byte {at}").fault(
                    "not text: holds a NUL", mend="convert it to text first"
                )


def values(source: Source, sample: Sample, notes: Notes) -> Iterator[Located]:
    """The JSON values of a file: one a line, or the one that the whole file is.

    A line that is not JSON is refused by itself. Raises `Misplaced` where a whole file is not JSON.
    """
    if not sample.is_lines:
        yield source.place, parse(source.text(), at=source.place, notes=notes)
        return
    file = str(source.path)
    for number, line in source.lines(notes.refuse):
        if not line or line.isspace():
            continue
        at = Place(file=file, line=number)
        try:
            value = parse(line, at=at, notes=notes)
        except Misplaced as fault:
            notes.refuse(fault)
        else:
            yield at, value


def _shapes(head: str, *, is_lines: bool) -> tuple[frozenset[str], ...]:
    """The different key sets of the first objects, in their order."""
    texts = (
        [line for line in head.split("\n", _LOOKED_AT)[:_LOOKED_AT] if line.strip()] if is_lines else [head]
    )
    found = (frozenset(keys) for text in texts for keys in object_keys(text, most=_LOOKED_AT))
    return tuple(dict.fromkeys(found))


def _is_lines(head: str, suffix: str) -> bool:
    first, _, rest = head.lstrip("\ufeff").lstrip().partition("\n")
    first = first.strip()
    if suffix in _LINES:
        return first not in {"[", "{"}
    return first.startswith("{") and first.endswith("}") and rest.lstrip().startswith("{")


def _pass_line(file: BinaryIO) -> None:
    """Reads on to the end of an overlong line, a piece at a time."""
    while (piece := file.readline(_HEAD)) and not piece.endswith(b"\n"):
        pass
