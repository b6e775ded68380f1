"""The other forms of an English word: plural, third person, past and -ing, by the regular rules. Pure.

"What has Melanie painted?" is answered by "I love painting". Texts are indexed as they were written, so it
is the question that brings the forms; one that is no word stands in no text and costs a look. Measured
beside a stemmer over both sides (docs/search.md): the same recall, and no index has to know a language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_VOWELS: Final = frozenset("aeiou")
_SOUNDED: Final = _VOWELS | {"y"}
_HISSING: Final = ("s", "x", "z", "ch", "sh", "o")
#: Final letters that are not doubled before an ending: "showed", "fixed", "played".
_SINGLE: Final = _SOUNDED | {"w", "x"}

#: Shorter words are mostly no English verb or noun with endings, and their forms are other words.
_SHORTEST: Final = 3
#: Shorter words are taken for what they are, whatever they end in: "red", "bus".
_SHORTEST_INFLECTED: Final = 4


def forms_of(word: str) -> tuple[str, ...]:
    """The word, in lower case, and what its regular forms may be; alone if it is not of a to z."""
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return (word,)
    forms = dict.fromkeys([word])
    for base in tuple(_bases(word)) or (word,):
        forms.update(dict.fromkeys(_inflected(base)))
    return tuple(forms)


def _bases(word: str) -> Iterator[str]:
    """What the word may be a form of."""
    if len(word) < _SHORTEST_INFLECTED:
        return
    if word.endswith(("ies", "ied")):
        yield f"{word[:-3]}y"
    elif word.endswith(("ing", "ed")):
        yield from _stems(word[:-3] if word.endswith("ing") else word[:-2])
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        yield word[:-1]
        if word.endswith("es") and word[:-2].endswith(_HISSING):
            yield word[:-2]


def _stems(stem: str) -> Iterator[str]:
    """What stands before "-ing" or "-ed": "paint", "hik(e)", "stop(p)"."""
    if len(stem) + 1 < _SHORTEST or _SOUNDED.isdisjoint(stem):
        return
    if len(stem) >= _SHORTEST:
        yield stem
    yield f"{stem}e"
    if len(stem) > _SHORTEST and stem[-1] == stem[-2]:
        yield stem[:-1]


def _inflected(base: str) -> Iterator[str]:
    yield base
    if base.endswith("e"):
        yield from (f"{base}s", f"{base}d", f"{base[:-1]}ing")
    elif base.endswith("y") and base[-2] not in _VOWELS:
        yield from (f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing")
    else:
        yield f"{base}es" if base.endswith(_HISSING) else f"{base}s"
        yield from (f"{base}ed", f"{base}ing")
        if _doubles(base):
            yield from (f"{base}{base[-1]}ed", f"{base}{base[-1]}ing")


def _doubles(base: str) -> bool:
    """Whether it ends in consonant, vowel, consonant: "stop", "plan"."""
    return (
        len(base) >= _SHORTEST
        and base[-1] not in _SINGLE
        and base[-2] in _VOWELS
        and base[-3] not in _VOWELS
    )
