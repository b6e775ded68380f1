"""The end of a letter: who writes, in which office, where, and how to be reached.

A signature is lines without verbs after a closing ("Best wishes,"), so it is read by its shape, unparsed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.offline.copulas import snake
from memstrata.extraction.offline.words import is_role
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.extraction.offline.turns import Turn

_CLOSING = re.compile(
    r"^[ \t]*(?:(?:(?:many|kind|best|warm|warmest|kindest)[ ])?(?:regards|wishes|thanks)"
    r"|(?:all[ ]the[ ])?best|cheers"
    r"|(?:yours[ ])?(?:sincerely|truly|faithfully)|thank[ ]you"
    r"|with[ ](?:kind|best)[ ]\w+|--)[ \t]*[,.!]?[ \t]*\n\s*"
    r"(?P<name>[A-ZÀ-ÖØ-Þ][\w.'\u2019-]*(?:[ ][A-ZÀ-ÖØ-Þ][\w.'\u2019-]*){1,3})(?=[ \t]*(?:[,|\n]|$))",
    re.IGNORECASE | re.MULTILINE,
)
_BREAK = re.compile(r"[\n|,\u2022\u00b7]|[ ]+(?:-|\u2013|\u2014)[ ]+|[ ]+at[ ]+")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\(?\d[\d ()/-]{6,}\d")
_LONG_TITLE = 6
_LINES = 6


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    start: int


def signature_of(turn: Turn) -> int | None:
    """Where in the turn's text its signature starts, closing included; None where it has none."""
    match = _signed(turn.text)
    return match.start() if match is not None else None


def signature_facts(turn: Turn) -> Iterator[Candidate]:
    """What the signature of a letter tells of its writer."""
    match = _signed(turn.text)
    if match is None or turn.by_assistant:
        return
    writer = Name(
        text=match["name"],
        type="person",
        span=(turn.start + match.start("name"), turn.start + match.end("name")),
        sentence=match["name"],
    )
    pieces = list(_pieces(turn.text, match.end("name")))
    for piece in pieces:
        if mail := _MAIL.search(piece.text):
            yield _fact(turn, writer, "e_mail", mail.group(), piece)
        elif phone := _PHONE.search(piece.text):
            yield _fact(turn, writer, "phone_number", phone.group(), piece)
    at = next((i for i, piece in enumerate(pieces) if _is_title(piece.text)), None)
    if at is None:
        return
    title = pieces[at]
    firm = next((p for p in pieces[at + 1 : at + 2] if _is_firm(p.text)), None)
    if firm is None:
        yield _fact(turn, writer, "is_a", title.text, title)
        return
    held = Name(text=firm.text, span=(turn.start + firm.start, turn.start + firm.start + len(firm.text)))
    yield _fact(turn, writer, f"{snake(title.text)}_at", held, firm)


def _signed(text: str) -> re.Match[str] | None:
    """The last closing that is followed by a name in capitals and a few short lines at most."""
    found = [m for m in _CLOSING.finditer(text) if m["name"][:1].isupper() and _is_name(m["name"])]
    if not found or len([line for line in text[found[-1].end() :].splitlines() if line.strip()]) > _LINES:
        return None
    return found[-1]


def _is_name(words: str) -> bool:
    return all(word[:1].isupper() for word in words.split())


def _pieces(text: str, at: int) -> Iterator[_Piece]:
    for part in _BREAK.split(text[at:]):
        words = part.strip()
        if words:
            start = text.index(words, at)
            at = start + len(words)
            yield _Piece(words, start)


def _is_title(words: str) -> bool:
    """Whether a line names an office: "Quality Manager", "Head of Sales"."""
    several = words.casefold().split()
    if not several or len(several) > _LONG_TITLE or any(char.isdigit() for char in words):
        return False
    return is_role(several[-1]) or (is_role(several[0]) and bool({"of", "for"} & set(several)))


def _is_firm(words: str) -> bool:
    return words[:1].isupper() and not _MAIL.search(words) and not _PHONE.search(words)


def _fact(turn: Turn, writer: Name, predicate: str, target: Name | str, piece: _Piece) -> Candidate:
    said = target if isinstance(target, str) else target.said
    quote = turn.text[piece.start : piece.start + len(piece.text)]
    return Candidate(
        subject=writer,
        predicate=predicate,
        object=target,
        kind=Kind.HOLDS,
        fact=f"{writer.said} {predicate.replace('_', ' ')} {said}",
        confidence=0.8,
        quote=quote,
        span=(turn.start + piece.start, turn.start + piece.start + len(piece.text)),
    )
