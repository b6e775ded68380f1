"""Long texts in pieces that a model can take: cut at turns, paragraphs, else sentences, with overlap."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

Span = tuple[int, int]

#: What a text may be cut before, best first: a paragraph or a turn, a line, a sentence, a word.
_BORDERS: Final = (
    re.compile(r"\n[ \t]*\n\s*(?=\S)|\n(?=[ \t]*[^\W\d_][^\n:]{0,40}:[ \t])"),
    re.compile(r"\n\s*(?=\S)"),
    re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019)\]]*\s+(?=\S)|[\u3002\uff01\uff1f](?=\S)"),
    re.compile(r"\s+(?=\S)"),
)
_SENTENCES: Final = 3  # of these borders an overlap may begin at one
_BYTES_A_TOKEN: Final = 4


def tokens_in(text: str) -> int:
    """About how many tokens a text is: a quarter of its bytes in UTF-8, which holds for most scripts."""
    return len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN + 1


def split(text: str, most: int, overlap: int) -> tuple[Span, ...]:
    """Spans of at most about `most` tokens that cover `text`, each sharing up to `overlap` with the last.

    One span if it fits. Ends and beginnings stand at borders where there are any.
    """
    if tokens_in(text) <= most:
        return ((0, len(text)),)
    spans: list[Span] = []
    start = 0
    while True:
        reach = _reach(text, start, most)
        end = len(text) if reach == len(text) else _cut(text, start + (reach - start) // 2, reach)
        spans.append((start, end))
        if end == len(text):
            return tuple(spans)
        start = _overlapping(text, (start, end), min(overlap, most // 4))


def halves(text: str, overlap: int) -> tuple[Span, ...]:
    """The text in two, at a border near its middle; one span if nothing is left to cut."""
    if len(text) < 2:  # noqa: PLR2004 (one character has no halves)
        return ((0, len(text)),)
    end = _cut(text, len(text) // 4, max(1, len(text) * 3 // 4), near=len(text) // 2)
    start = _overlapping(text, (0, end), min(overlap, tokens_in(text) // 8))
    return ((0, end), (start, len(text)))


def _reach(text: str, start: int, most: int) -> int:
    """As far as `most` tokens from `start` carry."""
    room = most * _BYTES_A_TOKEN
    window = text[start : start + room]
    while len(window) > 1 and len(window.encode("utf-8", "surrogatepass")) > room:
        share = room / len(window.encode("utf-8", "surrogatepass"))
        window = window[: max(1, min(len(window) - 1, int(len(window) * share)))]
    return start + len(window)


def _cut(text: str, low: int, high: int, *, near: int | None = None) -> int:
    """The best border in (low, high], the last of its kind or the nearest to `near`; else `high`."""
    for border in _BORDERS:
        found = [at for at in _ends(border, text, low, high) if low < at <= high]
        if found:
            return found[-1] if near is None else min(found, key=lambda at: abs(at - near))
    return high


def _overlapping(text: str, span: Span, overlap: int) -> int:
    """Where the piece after `span` begins: at the first sentence in its last `overlap` tokens."""
    start, end = span
    low = max(start + (end - start) // 2, end - overlap * _BYTES_A_TOKEN)
    for border in _BORDERS[:_SENTENCES]:
        found = [at for at in _ends(border, text, low, end) if low <= at < end]
        if found:
            return found[0]
    return end


def _ends(border: re.Pattern[str], text: str, low: int, high: int) -> Sequence[int]:
    """Where what follows each border begins, looking a little before `low`."""
    return [match.end() for match in border.finditer(text, max(0, low - 8), min(len(text), high + 1))]
