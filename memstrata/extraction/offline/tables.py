"""Tables set with bars: each row's first cell is what the row is about, the head names the relations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.offline.copulas import snake
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.extraction.offline.turns import Turn

_RULE = re.compile(r"[\s|:+=-]+")
_CELL = re.compile(r"[^|\t]+")
_HEAD_WORDS, _CELL_WORDS = 3, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The words of a cell, and where they stand in the turn's text."""

    text: str
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A head and rows of as many cells; `[start, end)` of the turn's text."""

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    start: int
    end: int


def tables_of(turn: Turn) -> tuple[Table, ...]:
    """The tables of a turn: a head of names and at least one row of as many cells."""
    found: list[Table] = []
    run: list[tuple[tuple[Cell, ...], int]] = []
    at = 0
    for line in [*turn.text.splitlines(keepends=True), ""]:
        cells = _cells(line, at)
        if run and len(cells) != len(run[0][0]) and not (line.strip() and _RULE.fullmatch(line)):
            found += _table(run)
            run = []
        if len(cells) > 1 and not _RULE.fullmatch(line):
            run.append((cells, at + len(line)))
        at += len(line)
    return tuple(found)


def _cells(line: str, at: int) -> tuple[Cell, ...]:
    parts = [(m.group(), m.start()) for m in _CELL.finditer(line)] if "|" in line or "\t" in line else []
    return tuple(
        Cell(text=part.strip(), start=at + start + len(part) - len(part.lstrip()))
        for part, start in parts
        if part.strip()
    )


def _table(run: list[tuple[tuple[Cell, ...], int]]) -> list[Table]:
    head, *rows = [cells for cells, _ in run]
    names = {cell.text.casefold() for cell in head}
    fits = len(names) == len(head) and all(
        len(cell.text.split()) <= _HEAD_WORDS and not any(char.isdigit() for char in cell.text)
        for cell in head
    )
    short = all(len(cell.text.split()) <= _CELL_WORDS for row in rows for cell in row)
    if not rows or not fits or not short:
        return []
    return [Table(head=head, rows=tuple(rows), start=head[0].start, end=run[-1][1])]


def table_facts(turn: Turn) -> Iterator[Candidate]:
    """What the rows of the turn's tables tell of what stands in their first cells."""
    for table in tables_of(turn):
        for first, *cells in table.rows:
            subject = _name(turn, first)
            for title, cell in zip(table.head[1:], cells, strict=True):
                named = cell.text[:1].isupper() and not any(char.isdigit() for char in cell.text)
                span = (turn.start + first.start, turn.start + cell.start + len(cell.text))
                yield Candidate(
                    subject=subject,
                    predicate=snake(title.text),
                    object=_name(turn, cell) if named else cell.text,
                    kind=Kind.HOLDS,
                    fact=f"The {title.text.casefold()} of {subject.text} is {cell.text}",
                    confidence=0.8,
                    quote=turn.text[first.start : cell.start + len(cell.text)],
                    span=span,
                )


def _name(turn: Turn, cell: Cell) -> Name:
    start = turn.start + cell.start
    return Name(text=cell.text, span=(start, start + len(cell.text)), sentence=cell.text)
