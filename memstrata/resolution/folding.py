"""Folding of characters: what two ways to write one name may differ in.

Unicode form, case (dotless i, sharp s, final sigma), typography, invisible characters, marks of the
scripts that drop them, stroked letters, Arabic and Persian letter forms. Words are `keys`' affair.
"""

# ruff: noqa: RUF001 (the look-alikes of typography are what is folded here)

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_TATWEEL: Final = "\u0640"
_TRADE_MARKS: Final = str.maketrans(dict.fromkeys("™®©℠", " "))
_TYPOGRAPHY: Final = str.maketrans(
    dict.fromkeys("’‘ʼʻ‛`´′ˈ＇\u05f3", "'")
    | dict.fromkeys("“”„‟«»″＂\u05f4", '"')
    | dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
    | dict.fromkeys("・·•", " ")
)
_STROKED: Final = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ƀ": "b", "ɨ": "i", "ı": "i",
        "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ŋ": "n", "ĸ": "k",
        "ی": "ي", "ى": "ي", "ک": "ك", "ٱ": "ا", "ە": "ه", "ھ": "ه",
    }
)  # fmt: skip
_DIGRAPHS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_UMLAUT: Final = re.compile("[äöüøå]")
# Marks of Latin, Greek and Cyrillic, Hebrew points, Arabic vowels; other scripts' marks are letters.
_MARKS: Final = re.compile(r"[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]")
_SHORT_I: Final = re.compile("и\u0306")
_RAISED_AFTER_DIGIT: Final = re.compile(r"(?<=\d)([\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]+)")
_FRACTION: Final = re.compile(r"[\u00bc-\u00be\u2150-\u215e\u2189]")


def cleaned(text: str) -> str:
    """The text in NFC without invisible characters, trade marks and superfluous blanks: a name to show."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = []
    for char in unicodedata.normalize("NFC", text).translate(_TRADE_MARKS):
        category = unicodedata.category(char)
        if category in ("Cc", "Zs", "Zl", "Zp"):
            kept.append(" ")
        elif category not in ("Cf", "Cs") and char != _TATWEEL and not "\ufe00" <= char <= "\ufe0f":
            kept.append(char)
    return " ".join("".join(kept).split())


def compatible(text: str) -> str:
    """`text` with compatibility characters folded, and plain quotes, hyphens and digits.

    A raised digit after a digit and a fraction are set apart first, so that NFKC cannot make another
    number of them (10² is not 102, 1½ not 11/2).
    """
    if text.isascii():
        return text
    text = _RAISED_AFTER_DIGIT.sub(lambda match: "^" + match[1], text)
    text = _FRACTION.sub(lambda match: f" {_spelled_fraction(match[0])} ", text)
    text = unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHY)
    return "".join(_ascii_digit(char) for char in text)


def _spelled_fraction(char: str) -> str:
    return unicodedata.normalize("NFKC", char).replace("\u2044", "//")


def _ascii_digit(char: str) -> str:
    return char if char.isascii() or not char.isdecimal() else str(unicodedata.decimal(char))


@lru_cache(maxsize=65536)
def marked(text: str) -> str:
    """Case folded, marks kept: two spellings that differ here differ in accents at least."""
    if text.isascii():
        return text.lower()
    lowered = text.replace("İ", "i").replace("ı", "i").casefold()
    return unicodedata.normalize("NFC", lowered)


@lru_cache(maxsize=65536)
def folded(text: str) -> str:
    """Case and marks folded, strokes dropped."""
    low = marked(text)
    return low if low.isascii() else _bare(low)


@lru_cache(maxsize=65536)
def with_digraphs(text: str) -> str | None:
    """`folded`, but with umlauts as digraphs (ü as ue); None if there is none."""
    low = marked(text)
    if low.isascii() or _UMLAUT.search(low) is None:
        return None
    return _bare(low.translate(_DIGRAPHS))


def _bare(low: str) -> str:
    apart = _SHORT_I.sub("й", unicodedata.normalize("NFD", low))
    return unicodedata.normalize("NFC", _MARKS.sub("", apart).translate(_STROKED))
