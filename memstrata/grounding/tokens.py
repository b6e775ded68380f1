"""The tokens of a Cypher query, each with its place.

Unicode escapes, which Neo4j replaces before it reads, are refused: one could end a string that seems to go
on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.grounding.problems import UngroundedQuery, problem

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A query longer than this is no question any more.
MOST_CHARACTERS: Final = 10_000


class Sort(StrEnum):
    """What a token is."""

    WORD = "word"
    QUOTED = "quoted"
    STRING = "string"
    NUMBER = "number"
    PARAMETER = "parameter"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token, as it stands in the query from `start` to `stop`; `name` without quotes or `$`."""

    sort: Sort
    text: str
    name: str
    start: int
    stop: int

    def is_word(self, *words: str) -> bool:
        """Whether it is one of those keywords (given in capitals), in any case and without quotes."""
        return self.sort is Sort.WORD and self.text.upper() in words

    def is_sign(self, *signs: str) -> bool:
        """Whether it is one of those signs."""
        return self.sort is Sort.SIGN and self.text in signs

    @property
    def is_name(self) -> bool:
        """Whether it can name a variable, label, type or property."""
        return self.sort in (Sort.WORD, Sort.QUOTED)


_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | //[^\n\r]* | /\*.*?\*/)
  | (?P<string>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*")
  | (?P<quoted>`(?:[^`]|``)+`)
  | (?P<parameter>\$(?:\w+|`(?:[^`]|``)+`))
  | (?P<number>0[xo][0-9a-fA-F_]+ | (?:\d[\d_]*\.\d+|\.\d+|\d[\d_]*)(?:[eE][+-]?\d+)?(?!\w))
  | (?P<word>[^\W\d]\w*)
  | (?P<sign><>|<=|>=|=~|\+=|\|\||::|\.\.|[()\[\]{}<>=+\-*/%^,.:;|&!])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\[uU]")


def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a query, an end among them at last. Raises `UngroundedQuery` where none can be read."""
    if len(text) > MOST_CHARACTERS:
        raise UngroundedQuery(
            [
                problem(
                    text,
                    "syntax",
                    MOST_CHARACTERS,
                    text[MOST_CHARACTERS : MOST_CHARACTERS + 20],
                    f"the query has {len(text)} characters; expected at most {MOST_CHARACTERS}",
                )
            ]
        )
    if escaped := _ESCAPED.search(text):
        raise UngroundedQuery(
            [
                problem(
                    text,
                    "syntax",
                    escaped.start(),
                    text[escaped.start() : escaped.start() + 6],
                    "Unicode escapes are not taken; write the character itself, or pass it as a parameter",
                )
            ]
        )
    return tuple(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            shown = text[at : at + 20].split("\n", maxsplit=1)[0]
            what = "a quote that does not end" if text[at] in "'\"`" else f"{text[at]!r}"
            raise UngroundedQuery(
                [problem(text, "syntax", at, shown, f"{what} cannot be read here as part of a query")]
            )
        kind = str(match.lastgroup)
        if kind != "space":
            found = match.group()
            yield Token(sort=Sort(kind), text=found, name=_name(kind, found), start=at, stop=match.end())
        at = match.end()
    yield Token(sort=Sort.END, text="", name="", start=len(text), stop=len(text))


def _name(kind: str, text: str) -> str:
    bare = text.removeprefix("$") if kind == "parameter" else text
    if kind in ("quoted", "parameter") and bare.startswith("`"):
        return bare[1:-1].replace("``", "`")
    return bare
