"""Numerals inside names: digits of any script, Roman, spelled; compared as strings, never as likeness."""

# ruff: noqa: RUF001 (Chinese numerals are meant)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memstrata.resolution.vocabulary import SPELLED, TENS

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROMAN: Final = re.compile(r"(M{0,3})(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_VALUE: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN_WORD: Final = re.compile(r"[IVX]{2,}|[IVXL]{3,}|M(?:M|CM)[MDCLXVI]{1,}")
_GROUPED: Final = re.compile(r"\d{1,3}(?:[,'\u202f]\d{3})+")
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")
_CJK_ORDINAL: Final = re.compile("第([〇零一二三四五六七八九十百]+)")
_CJK_DIGITS: Final = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"〇": 0}
#: Types of which one letter at the end can count: World War I, Henry V, Chapter X.
_COUNTED: Final = frozenset({"event", "time", "document", "work"})


def ungrouped(text: str) -> str:
    """`text` without the separators of thousands, and with Chinese ordinals in digits."""
    if "第" in text:
        text = _CJK_ORDINAL.sub(lambda match: "第" + str(_cjk_value(match[1])), text)
    if "," not in text and "'" not in text:
        return text
    return _GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), text)


def _cjk_value(text: str) -> int:
    total = digit = 0
    for char in text:
        if char in "十百":
            total += (digit or 1) * (10 if char == "十" else 100)
            digit = 0
        else:
            digit = _CJK_DIGITS[char]
    return total + digit


def roman(word: str) -> int | None:
    """The value of a well-formed Roman numeral in capitals, else None."""
    match = _ROMAN.fullmatch(word)
    if not word or match is None:
        return None
    total = 0
    for char, following in zip(word, word[1:] + " ", strict=True):
        value = _ROMAN_VALUE[char]
        total += -value if _ROMAN_VALUE.get(following, 0) > value else value
    return total


def counted(words: Sequence[str], tokens: Sequence[str], family: str) -> tuple[str, ...]:
    """`tokens` (the folded `words`) with every numeral in digits.

    A name that is one word is left as it is (Seven, XI), so is the first word if it is Roman, and a
    single letter unless it ends the name of something that is counted by letters.
    """
    if len(tokens) < 2:  # noqa: PLR2004 (a single word)
        return tuple(tokens)
    out: list[str] = []
    for place, (word, token) in enumerate(zip(words, tokens, strict=True)):
        number = _number(word, token, last=place == len(tokens) - 1, first=place == 0, family=family)
        if number is None:
            out.append(token)
        elif out and place and tokens[place - 1] in TENS and token in SPELLED and number < 10:  # noqa: PLR2004
            out[-1] = str(int(out[-1]) + number)  # twenty four
        else:
            out.append(str(number))
    return tuple(out)


def _number(word: str, token: str, *, first: bool, last: bool, family: str) -> int | None:
    if token in SPELLED:
        return SPELLED[token]
    ordinal = _ORDINAL.fullmatch(token)
    if ordinal is not None:
        return int(ordinal[1])
    if first:
        return None
    if _ROMAN_WORD.fullmatch(word.upper()) and word in (word.upper(), word.lower()):
        return roman(word.upper())
    if last and len(word) == 1 and word in "IVX" and family in _COUNTED:
        return roman(word)
    return None


def numerals_of(tokens: Sequence[str]) -> tuple[str, ...]:
    """What counts or numbers in the tokens: every run of digits, in order."""
    return tuple(run for token in tokens for run in re.findall(r"\d+", token))
