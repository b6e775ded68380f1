"""CSV and TSV as rows of named values, each with the line on which it begins."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Final, NoReturn

from memstrata.errors import Misplaced
from memstrata.intake.notes import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.intake.notes import Notes
    from memstrata.intake.sources import Source

_LONGEST: Final = 16 * 1_048_576  # characters in one value
_DELIMITERS: Final = ",;\t|"


def rows(source: Source, *, delimiter: str | None, notes: Notes) -> Iterator[tuple[Place, dict[str, str]]]:
    """The rows below the header; one with too many or too few values is refused by itself.

    Raises `Misplaced` where a quote is never closed, where a line is no text (it may be the middle of a
    value), where the header repeats a name, and where there is none.
    """
    csv.field_size_limit(_LONGEST)
    file = str(source.path)
    header: list[str] | None = None
    for line, row in _split(source, delimiter or _delimiter(source)):
        if not row:
            continue
        at = Place(file=file, line=line)
        if header is None:
            header = _header(row, at)
        elif len(row) != len(header):
            mend = "quote a value that holds the delimiter, or pass another --delimiter"
            notes.refuse(at.fault(f"{len(row)} values for {len(header)} columns", mend=mend))
        else:
            yield at, dict(zip(header, row, strict=True))
    if header is None:
        raise source.place.fault("empty: a table begins with a line of column names")


def _split(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows with the line on which each begins."""
    numbered = source.lines(_raise)
    last = 0

    def lines() -> Iterator[str]:
        nonlocal last
        for number, line in numbered:
            last = number
            if "\0" in line:
                at = Place(file=str(source.path), line=number)
                raise at.fault(f"holds a NUL at character {line.index(chr(0)) + 1}", mend="remove it")
            yield f"{line}\n"

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    while True:
        start = last + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _broken(error, str(source.path), start) from None
        yield start, row


def _broken(error: csv.Error, file: str, line: int) -> Misplaced:
    problem = str(error)
    if "unexpected end" in problem:
        problem = "file ends inside a quoted value that begins in this row"
    return Misplaced(
        f"not a table: {problem}", file=file, line=line, mend="double a quote inside a quoted value"
    )


def _header(row: list[str], at: Place) -> list[str]:
    names = [name.strip() for name in row]
    for number, name in enumerate(names, start=1):
        if not name:
            raise at.within(f"column {number}").fault("has no name")
        if names.index(name) < number - 1:
            raise at.within(f"column {number}").fault(
                f'"{name}" is given twice', mend="name every column once"
            )
    return names


def _delimiter(source: Source) -> str:
    """The usual separator that the header holds most of."""
    _, header = next(source.lines(_raise), (1, ""))
    return max(_DELIMITERS, key=header.count)


def _raise(fault: Misplaced) -> NoReturn:
    raise fault
