"""Where a text says what is quoted of it: letters count, not how they are set.

White space, case and Unicode form may differ, which marks stand for quotes, apostrophes and dashes, and
what is not seen (soft hyphens, directions, joiners); so may the marks around a quote.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int]

_QUOTES: Final = (
    "\u0022`\u00b4\u02bc\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f"  # straight, single, double
    "\u2032\u2033\u00ab\u00bb\u2039\u203a"  # primes, angles
)
_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_ALIKE: Final = str.maketrans(dict.fromkeys(_QUOTES, "'") | dict.fromkeys(_DASHES, "-"))
_UNSEEN: Final = frozenset({"Cf", "Cc"})
_SELECTORS: Final = range(0xFE00, 0xFE10)
_AROUND: Final = " '.,;:!?*-"
_OF_WORDS: Final = frozenset({"Ll", "Mn", "Nd"})  # of letters that have a case, as they are compared


class Quotable:
    """A text as quotes are sought in it."""

    def __init__(self, text: str) -> None:
        told: list[str] = []
        self._spans: list[Span] = []
        for form, span in _units(text):
            if form == " " and told and told[-1] == " ":
                continue
            told += form
            self._spans += [span] * len(form)
        self._told = "".join(told)

    def places(self, quote: str, stretch: Span | None = None) -> Iterator[Span]:
        """Where the quote stands, in order, within the stretch if one is given; as spans of the text."""
        spelled = "".join(form for form, _ in _units(quote))
        whole = " ".join(spelled.split())
        is_found = False
        for span in self._found(whole, stretch):
            is_found = True
            yield span
        bare = whole.strip(_AROUND)
        if not is_found and bare != whole:
            yield from self._found(bare, stretch, of_whole_words=True)

    def _found(self, said: str, stretch: Span | None, *, of_whole_words: bool = False) -> Iterator[Span]:
        at = self._told.find(said) if said else -1
        while at >= 0:
            end = at + len(said)
            start, stop = self._spans[at][0], self._spans[end - 1][1]
            is_within = stretch is None or (stretch[0] <= start and stop <= stretch[1])
            if is_within and not (of_whole_words and (self._is_in_a_word(at) or self._is_in_a_word(end))):
                yield start, stop
            at = self._told.find(said, at + 1)

    def _is_in_a_word(self, at: int) -> bool:
        """Whether a word goes on there; never in scripts that put no blanks between words."""
        around = self._told[max(at - 1, 0) : at + 1]
        return len(around) > 1 and all(unicodedata.category(char) in _OF_WORDS for char in around)


def _units(text: str) -> Iterator[tuple[str, Span]]:
    """Each letter with its marks, or stretch of white space, as it is compared; nothing for the unseen."""
    at, length = 0, len(text)
    while at < length:
        end = at + 1
        if text[at].isspace():
            while end < length and text[end].isspace():
                end += 1
            yield " ", (at, end)
        else:
            while end < length and unicodedata.combining(text[end]):
                end += 1
            form = _form(text[at:end])
            if form:
                yield form, (at, end)
        at = end


def _form(letter: str) -> str:
    plain = letter.translate(_ALIKE)
    if plain.isascii():
        return plain.lower() if plain.isprintable() else ""
    if unicodedata.category(plain[0]) in _UNSEEN or ord(plain[0]) in _SELECTORS:
        return ""
    folded = unicodedata.normalize("NFKD", plain).casefold()
    return unicodedata.normalize("NFKD", folded).replace(" ", "")
