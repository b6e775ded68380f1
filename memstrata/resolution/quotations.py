"""Quotations inside a sentence, and who is quoted."""

# ruff: noqa: RUF001 (typographic quotation marks are meant)

from __future__ import annotations

import re
from typing import Final

_SAYING: Final = (
    r"(?:said|says|say|wrote|writes|asked|asks|replied|replies|answered|answers|told \w+|added|adds"
    r"|shouted|whispered|explained|explains|announced|insisted|admitted|claimed|noted|texted|posted"
    r"|yelled|called out)"
)
_NAME: Final = r"([^\W\d_][\w'’.-]*(?: [^\W\d_a-z][\w'’.-]*)*)"
_QUOTE: Final = re.compile(
    r"[\"“„«]([^\"“”„«»]+)[\"”“»]|(?<!\w)[‘']((?:[^‘’']|(?<=\w)['’](?=\w))+)['’](?!\w)"
)
_BEFORE: Final = re.compile(rf"{_NAME} {_SAYING}(?: [\w ]{{0,30}})?[,:]?\s*$|{_NAME}\s?:\s*$")
_AFTER: Final = re.compile(rf"^\s*,?\s*(?:{_SAYING} {_NAME}|{_NAME} {_SAYING})")


def quoted_one(word: str, text: str) -> str | None:
    """The name of whom the sentence quotes with `word`.

    Empty if it is quoted but the sentence does not say whom; None if `word` stands outside quotations.
    """
    if not _QUOTE.search(text):
        return None
    whole = re.compile(rf"(?<!\w){re.escape(word.strip())}(?!\w)")
    if whole.search(_QUOTE.sub(" ", text)):
        return None
    for quote in _QUOTE.finditer(text):
        if whole.search(quote[0]):
            found = _BEFORE.search(text[: quote.start()]) or _AFTER.match(text[quote.end() :])
            return next(filter(None, found.groups()), "").rstrip(".-'’") if found is not None else ""
    return None
