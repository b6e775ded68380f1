"""Texts without what does not matter to their meaning: case, Unicode form, white space."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """`text` without differences of case, Unicode form and white space."""
    if text.isascii():
        return " ".join(text.casefold().split())
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
