"""A question as search sees it: its words, and the runs of words that may be somebody's name.

Nothing of a query's punctuation survives into a word, so no operator, quote or slash can reach a text
index's own query language. What is done with the words lives in `arms`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.search.inflection import forms_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

#: Characters of a query that are read; what follows is ignored.
MOST_CHARACTERS: Final = 10_000

#: Distinct words that are searched: the first ones. No question has more; a pasted document has, and
#: each further word costs a posting list.
MOST_WORDS: Final = 64

#: Words of a query that are tried as names, and of how many words a name may consist.
MOST_NAME_WORDS: Final = 40
LONGEST_NAME: Final = 5

#: Lucene's classic English list, and the words with which English asks, points at people and contracts.
STOP_WORDS: Final = frozenset(
    """
    a an and are as at be but by for if in into is it no not of on or such that the their then there
    these they this to was will with
    am been being did do does doing had has have having he her hers him his how i its me my our ours
    she so than them those us we were what when where which who whom whose why would you your yours
    about any can could from just should some
    d ll m re s t ve
    """.split()  # noqa: SIM905 (as a list it would take a line a word)
)

#: Stop words that no capitals save: whoever writes AND means an operator, and there are none here.
_OPERATORS: Final = frozenset({"and", "or", "not"})

#: What joins words into one when nothing else stands between them: e-mail, TCP/IP, WORKS_FOR, 3.11.
_JOINTS: Final = frozenset("-\N{HYPHEN}\N{NON-BREAKING HYPHEN}/_.,:@&+#")

#: Parts of a joined word that are looked for alone as well have at least this many characters.
_TELLING_PART: Final = 3

_ASCII_RUN = re.compile(r"[A-Za-z0-9]+")
_OWNED = re.compile(r"['\N{RIGHT SINGLE QUOTATION MARK}]s\b")
_QUOTED = re.compile(r'"([^"]{2,200})"|“([^”]{2,200})”|«([^»]{2,200})»')


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A run of letters, digits and marks, and where it stands in the text."""

    text: str
    start: int
    stop: int

    @property
    def word(self) -> str:
        """The token as it is searched."""
        return self.text.lower()

    @property
    def stops(self) -> bool:
        """Whether it is a stop word; an abbreviation in capitals (IT, US, WHO) is none."""
        if self.word not in STOP_WORDS:
            return False
        return len(self.text) == 1 or not self.text.isupper() or self.word in _OPERATORS


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to look for: `words` for the text index, `names` for exact names, `text` for the embedder.

    All three are in order of appearance, without repetition. A joined word ("TCP/IP") is a phrase, its
    parts with a blank between ("tcp ip"), followed by its longer parts alone. A text without any letter
    or digit has no words.
    """

    text: str
    words: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def forms(self) -> tuple[str, ...]:
        """The words, then their other forms ("paints" for "painted") as far as there is room."""
        forms = (form for word in self.words if word not in STOP_WORDS for form in forms_of(word))
        return tuple(dict.fromkeys([*self.words, *forms]))[:MOST_WORDS]

    def without(self, left_out: Collection[str]) -> str:
        """The text without those words, and without what they are inflected with ("Caroline's")."""
        kept, end = [], 0
        for token in tokenize(self.text):
            if token.word in left_out:
                kept.append(self.text[end : token.start])
                owned = _OWNED.match(self.text, token.stop)
                end = token.stop if owned is None else owned.end()
        return " ".join("".join([*kept, self.text[end:]]).split())


def parse(text: str) -> Query:
    """Reads a query. Raises `Incorrect` when it is blank; anything else is a query."""
    read = unicodedata.normalize("NFC", text[:MOST_CHARACTERS]).strip()
    if not read:
        raise Incorrect("the query is empty; give at least one word, name or question to look for")
    # In a query that is all capitals, capitals mean nothing.
    written = read.lower() if read.isupper() and " " in read else read
    tokens = tokenize(written)
    words = dict.fromkeys(_words(written, tokens)) or dict.fromkeys(token.word for token in tokens)
    return Query(
        text=read,
        words=tuple(words)[:MOST_WORDS],
        names=tuple(dict.fromkeys(_names(written, tokens))),
    )


def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a text: runs that begin with a letter or digit and go on with marks as well."""
    if text.isascii():  # which has no marks; thirty turns are read this way for one question
        return tuple(
            Token(text=run.group(), start=run.start(), stop=run.end()) for run in _ASCII_RUN.finditer(text)
        )
    tokens = []
    start: int | None = None
    for at, character in enumerate(text):
        category = unicodedata.category(character)[0]
        if category in "LN":
            start = at if start is None else start
        elif start is not None and category != "M":
            tokens.append(Token(text=text[start:at], start=start, stop=at))
            start = None
    if start is not None:
        tokens.append(Token(text=text[start:], start=start, stop=len(text)))
    return tuple(tokens)


def _words(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Words and phrases that are not made of stop words alone."""
    for joined in _joined(text, tokens):
        if all(token.stops for token in joined):
            continue
        yield " ".join(token.word for token in joined)
        if len(joined) > 1:
            for token in joined:
                if len(token.text) >= _TELLING_PART and not token.stops:
                    yield token.word


def _joined(text: str, tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens, those together that a single joint holds together."""
    run: list[Token] = []
    for token in tokens:
        if run and (token.start != run[-1].stop + 1 or text[run[-1].stop] not in _JOINTS):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


def _names(text: str, tokens: Sequence[Token]) -> Iterator[str]:
    """What may be a name: quoted passages, then runs of words as written, longest first."""
    for match in _QUOTED.finditer(text):
        quoted = next(part for part in match.groups() if part).strip()
        if tokenize(quoted):
            yield quoted
    tried = tokens[:MOST_NAME_WORDS]
    for length in range(min(LONGEST_NAME, len(tried)), 0, -1):
        for first in range(len(tried) - length + 1):
            run = tried[first : first + length]
            if all(token.stops for token in run) and len(run) < len(tokens):
                continue
            stop = run[-1].stop
            name = text[run[0].start : stop]
            yield name
            if text[stop : stop + 1] == ".":  # "Acme Inc." at the end of a sentence, or not
                yield f"{name}."
