"""Names of persons taken apart: titles, post-nominals, generations, initials, given name and surname."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memstrata.resolution import folding
from memstrata.resolution.numerals import roman
from memstrata.resolution.vocabulary import (
    FEMININE_TITLES,
    GENERATIONS,
    LOOSE_TITLES,
    MASCULINE_TITLES,
    PARTICLES,
    PLAIN_GENERATIONS,
    POST_NOMINALS,
    TITLES,
)
from memstrata.resolution.words import words_of

_VOWELS: Final = frozenset("AEIOUY")
_DOTTED_INITIALS: Final = re.compile(r"(?:\w\.-?)+", re.UNICODE)
_REGNAL: Final = re.compile("[IVX]+")
_MOST_INITIALS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person's name without its trimmings; `words` and `tokens` run in parallel, given name first.

    `is_numbered`: a token is a number (Henry V, Agent 17 Smith), so that no word of it stands alone.
    """

    words: tuple[str, ...]
    tokens: tuple[str, ...]
    titles: tuple[str, ...] = ()
    generation: str | None = None
    is_numbered: bool = False

    @property
    def gender(self) -> str | None:
        """What a title such as Mrs. says; None if no title does, or two disagree."""
        said = {"f" if title in FEMININE_TITLES else "m" for title in self.titles if title in _GENDERED}
        return said.pop() if len(said) == 1 else None


_GENDERED: Final = MASCULINE_TITLES | FEMININE_TITLES


def read_person(core: str) -> Person:
    """Reads `core` (a cut name) as a person's: "Hale, Edmund", "Prof. Dr. J.R. Calloway Jr., PhD"."""
    parts = [part for part in (piece.strip() for piece in core.split(",")) if part]
    generation = None
    while len(parts) > 1:
        last = folding.folded(parts[-1].replace(".", "").replace(" ", ""))
        if last in GENERATIONS and (len(last) > 1 or " " in parts[-2]):  # "Lee, V." has an initial
            generation = GENERATIONS[last]
        elif not all(map(_is_post_nominal, parts[-1].split())):
            break
        parts.pop()
    given_last = len(parts) == 2  # noqa: PLR2004 ("Surname, Given")
    raw = (parts[1] + " " + parts[0]) if given_last else " ".join(parts)
    titles, words = _without_titles(raw.split())
    words, found = _without_trimmings(words)
    number = _regnal_number(words)
    if number is not None:
        own = (words[0], number)
        return Person(words=own, tokens=(folding.folded(words[0]), number), titles=titles, is_numbered=True)
    expanded = _expanded(words)
    if not expanded:
        return Person(words=(core,), tokens=(folding.folded(core),), generation=generation or found)
    tokens = tuple(map(folding.folded, expanded))
    return Person(
        words=expanded,
        tokens=tokens,
        titles=titles,
        generation=generation or found,
        is_numbered=len(tokens) > 1 and any(token.isdecimal() for token in tokens),
    )


def _regnal_number(words: list[str]) -> str | None:
    """The number in "Henry V" or "Louis 14", in digits; X alone stays a letter (Malcolm X)."""
    if len(words) != 2 or words[0].isupper():  # noqa: PLR2004
        return None
    if words[1].isdecimal() or words[1] == "X":
        return words[1].casefold()
    if _REGNAL.fullmatch(words[1]) is None:
        return None
    value = roman(words[1])
    return None if value is None else str(value)


def _is_post_nominal(word: str) -> bool:
    """Whether a word behind a comma is one; short ones (Ma, Ba) are names too, unless in capitals."""
    bare = word.replace(".", "")
    return folding.folded(bare) in POST_NOMINALS and (len(bare) > 2 or bare.isupper())  # noqa: PLR2004


def _without_titles(raw: list[str]) -> tuple[tuple[str, ...], list[str]]:
    titles: list[str] = []
    while len(raw) > 1:
        word = folding.folded(raw[0].strip(".,")).replace(".", "")
        if word not in TITLES or (word in LOOSE_TITLES and not _is_title(raw)):
            break
        titles.append(word)
        raw = raw[1:]
    return tuple(titles), raw


def _is_title(raw: list[str]) -> bool:
    """A word that is a title or a name is a title before a dot or before two more names."""
    return raw[0].endswith(".") or len(raw) > 2  # noqa: PLR2004


def _without_trimmings(words: list[str]) -> tuple[list[str], str | None]:
    generation = None
    while len(words) > 2:  # noqa: PLR2004 (a given name and a surname stay)
        bare = words[-1].replace(".", "")
        low = folding.folded(bare)
        if low in PLAIN_GENERATIONS and generation is None:
            generation = GENERATIONS[low]
        elif low not in POST_NOMINALS or bare == low or all(word.isupper() for word in words):
            break
        words = words[:-1]
    return words, generation


def _expanded(words: list[str]) -> tuple[str, ...]:
    """The words, with runs of initials (J.R., JR beside words in small letters) as one letter each."""
    shouted = all(word.isupper() for word in words if len(word) > 1)
    out: list[str] = []
    for place, word in enumerate(words):
        bare = word.replace(".", "").replace("-", "")
        if _DOTTED_INITIALS.fullmatch(word):
            out.extend(bare)
        elif place < len(words) - 1 and _are_initials(word, shouted=shouted):
            out.extend(word)
        else:
            out.extend(words_of(word))
    return tuple(out)


def _are_initials(word: str, *, shouted: bool) -> bool:
    if not (1 < len(word) <= _MOST_INITIALS and word.isascii() and word.isalpha() and word.isupper()):
        return False
    return not shouted or not _VOWELS & set(word)


def surname(tokens: tuple[str, ...]) -> str:
    """The last token, without the particles before it (de Groot and Groot meet under one key)."""
    return tokens[-1]


def is_surname_only(tokens: tuple[str, ...]) -> bool:
    """One token, or particles and one token: what stands after "Mr."."""
    return all(token in PARTICLES for token in tokens[:-1])
