"""The marks by which what the memory gave is known again when it comes back, and how they are read.

`search` writes them at the ends of its lines, `extraction` looks for them. They are made for people and
models to read: `[fact ..]`, `[summary ..]`, `[episode ..]`, `[core memory ..]`.
"""

from __future__ import annotations

import re
from typing import Final

#: How a context begins.
HEADING: Final = "From memory"
FACTS: Final = "Facts:"
SUMMARIES: Final = "Summaries:"
TURNS: Final = "What was said:"
NOTHING: Final = "Nothing is known on this."
LEFT_OUT: Final = "Left out for want of room:"

#: What may come between two words of a line that somebody wrapped again, quoted or put into a table.
_GAP: Final = r"[\s>|]{1,12}"
_BREAK: Final = r"[\s>|]{0,12}"
_HEX: Final = "[0-9a-f]"


def _digits(count: int) -> str:
    return rf"{_HEX}(?:{_BREAK}{_HEX}){{{count - 1}}}"


_UUID: Final = _digits(8) + rf"(?:{_BREAK}-{_BREAK}{_digits(4)}){{3}}{_BREAK}-{_BREAK}{_digits(12)}"

#: A mark. The ids of facts and summaries are Memstrata's own and known without brackets; those of episodes
#: may be anybody's (`other`), and count only where the line begins as a turn does.
MARK: Final = re.compile(
    rf"""
    \\?[\[(]? (?:facts?|summary|summaries) {_GAP} {_UUID}
        (?: {_BREAK} (?:,|;|and) {_GAP} (?:(?:fact|summary) {_GAP})? {_UUID} )* \\?[\])]?
    | \\?[\[(] episodes? {_GAP} {_UUID} (?: , {_GAP} {_UUID} )* \\?[\])]
    | \\?\[ core {_GAP} memory {_GAP} [^\[\]\s]{{1,100}} \\?\]
    | \\?\[ episode {_GAP} (?P<other> [^\[\]\n]{{1,256}} ) \]
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: How a turn's line begins: when it was said, and by whom.
TURN: Final = re.compile(rf"\d{{4}}-\d\d-\d\d(?:T[\d:.]{{5,15}}Z)?(?:{_GAP}[^\n:]{{1,100}})?:(?=\s|\Z)")
#: How a fact's line begins, up to its period.
FACT: Final = re.compile(
    rf"(?:\A|(?<=[\s>|]))-[^\s<>]{{1,100}}-(?:>|&gt;)(?=\s)[^\n]{{0,300}}?(?:\n[^\n]{{0,300}}?){{0,3}}?"
    rf"\(valid{_GAP}(?:from|since|until|unknown)\b"
)


def _loosely(words: str) -> str:
    return _GAP.join(map(re.escape, words.split()))


#: What tells no fact: headings and last lines.
FURNITURE: Final = re.compile(
    rf"{_loosely(HEADING)}\b[^\n]{{0,120}}?:(?=\s|\Z)"
    rf"|(?:^|(?<=[\])]\s)|(?<=:\s))[ \t>|]{{0,40}}"
    rf"(?:{FACTS}|{SUMMARIES}|{_loosely(TURNS)}"
    rf"|Core[ ][\w.-]{{1,100}}(?:[ ]of[ ][^\n]{{1,200}}?)?:)(?=\s|\Z)"
    rf"|{_loosely(LEFT_OUT)}[^.]{{1,80}}\.|{_loosely(NOTHING)}",
    re.MULTILINE,
)


def mark(kind: str, named: str) -> str:
    """The mark of a line: its `kind` is fact, summary, episode or core memory."""
    return f"[{kind} {named}]"
