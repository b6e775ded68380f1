"""Cyrillic and Greek letters in Latin ones: spellings that a name in those scripts is likely to have."""

# ruff: noqa: RUF001 (letters of two scripts side by side are what the table is)

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final

_TABLE: Final = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "й": "y|i",
    "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u",
    "ф": "f", "х": "kh|h", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "",
    "э": "e",
    "ю": "yu|iu", "я": "ya|ia", "і": "i", "ї": "i", "є": "ye|ie", "ґ": "g",
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k",
    "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "τ": "t", "υ": "y",
    "φ": "f|ph", "χ": "ch|h", "ψ": "ps", "ω": "o",
}  # fmt: skip
_MOST_SPELLINGS: Final = 8


@lru_cache(maxsize=65536)
def latin(folded: str) -> tuple[str, ...]:
    """The Latin spellings of a folded token, at most eight; none if it is no Cyrillic or Greek word."""
    if folded.isascii() or not all(char in _TABLE for char in folded):
        return ()
    choices = [_TABLE[char].split("|") for char in folded]
    out = []
    for letters in product(*choices):
        out.append("".join(letters))
        if len(out) == _MOST_SPELLINGS:
            break
    return tuple(out)
