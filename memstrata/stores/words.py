"""How text becomes words in the stores: one rule for what is indexed and what is asked for."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import combining, normalize

_WORD: Final = re.compile(r"[^\W_]+")


def _plain(text: str) -> str:
    """Without case and accents."""
    if text.isascii():
        return text.lower()
    apart = normalize("NFKD", text.casefold())
    return normalize("NFC", "".join(letter for letter in apart if not combining(letter))).casefold()


def words(text: str) -> list[str]:
    """The words of a text in order: runs of letters and digits, case and accents aside."""
    return _WORD.findall(_plain(text))


def same_name(name: str) -> str:
    """What two names have in common that differ in case, accents or white space only."""
    return " ".join(_plain(name).split())
