"""Likeness of spellings: one letter more, less or other, two swapped; consonants across scripts.

Likeness alone joins nobody: it says which names evidence may join, and which known names are neighbours.
"""

# ruff: noqa: RUF001 (letters of three scripts are what the tables are)

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_SHEMITIC: Final = re.compile("[\u0590-\u06ff]")
_CONSONANTS: Final = str.maketrans(
    {
        "ا": "", "ب": "b", "ت": "t", "ث": "t", "ج": "j", "ح": "", "خ": "k", "د": "d", "ذ": "d", "ر": "r",
        "ز": "z", "س": "s", "ش": "s", "ص": "s", "ض": "d", "ط": "t", "ظ": "z", "ع": "", "غ": "g", "ف": "f",
        "ق": "k", "ك": "k", "ل": "l", "م": "m", "ن": "n", "ه": "",
        "و": "", "ي": "", "ة": "", "ء": "", "پ": "p", "چ": "j",
        "ژ": "z", "گ": "g",
        "א": "", "ב": "b", "ג": "g", "ד": "d", "ה": "", "ו": "", "ז": "z", "ח": "", "ט": "t", "י": "",
        "כ": "k", "ך": "k", "ל": "l", "מ": "m", "ם": "m",
        "נ": "n", "ן": "n", "ס": "s", "ע": "", "פ": "f", "ף": "f",
        "צ": "s", "ץ": "s", "ק": "k", "ר": "r", "ש": "s", "ת": "t",
    }
)  # fmt: skip
_LATIN: Final = str.maketrans(
    {"q": "k", "c": "k", "v": "", "w": "", "h": "", "y": "", "x": "ks"} | dict.fromkeys("aeiou", "")
)
_LEAST_CONSONANTS: Final = 4


def one_letter_apart(left: str, right: str) -> bool:
    """Whether one letter more, less or other makes one of the other."""
    if left == right or abs(len(left) - len(right)) > 1:
        return False
    start = next((place for place, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if start is None:
        return True
    a, b = left[start:], right[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:]


def swapped(left: str, right: str) -> bool:
    """Whether the two differ in two neighbouring letters that changed places."""
    apart = [place for place, (a, b) in enumerate(zip(left, right, strict=False)) if a != b]
    if len(left) != len(right) or len(apart) != 2 or apart[1] - apart[0] != 1:  # noqa: PLR2004
        return False
    first, second = apart
    return left[first] == right[second] and left[second] == right[first]


def is_vowelless(text: str) -> bool:
    """Whether the text is in Arabic or Hebrew letters."""
    return _SHEMITIC.search(text) is not None


@lru_cache(maxsize=16384)
def consonants(folded: str) -> str | None:
    """The consonants that Arabic, Hebrew and Latin spellings of a name share; None if they are too few."""
    text = folded.translate(_CONSONANTS).translate(_LATIN)
    text = re.sub(r"[^a-z]", "", text)
    text = re.sub(r"(.)\1+", r"\1", text)
    return text if len(text) >= _LEAST_CONSONANTS else None
