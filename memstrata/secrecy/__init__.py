"""Secrets: keys, tokens, card numbers, passwords. They are not taken in, and not repeated in what is told.

`shapes` knows what looks like one, `said` what is told as one. Verification refuses by these, and whatever
others said is put through them before it is kept or shown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from memstrata.secrecy.said import NAMED, is_credential, said
from memstrata.secrecy.shapes import shaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "WITHHELD",
    "excerpt",
    "holds_secret",
    "is_credential",
    "redacted",
    "secret_in",
    "without_secrets",
]

WITHHELD: Final = "(withheld)"
#: Under which names an item tells what it says: of these pairs the second is what the first names.
_PAIRS: Final = (("predicate", "object"), ("name", "value"))


def secret_in(text: str) -> str | None:
    """The kind of the first secret in the text; None if there is none."""
    return next((kind for kind, _, _ in _secrets(text)), None)


def redacted(text: str) -> str:
    """The text with `(withheld)` for each secret."""
    spans = sorted((start, end) for _, start, end in _secrets(text))
    told, at = "", 0
    for start, end in spans:
        if start >= at:
            told += text[at:start] + WITHHELD
        at = max(at, end)
    return told + text[at:]


def excerpt(text: str, most: int) -> str:
    """The beginning of a text that a stranger wrote, on one line; `(withheld)` if it speaks of secrets.

    What only its layout tells for one, as in JSON, is not found in a text that is cut: so none is shown.
    """
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    if NAMED.search(line) is not None or secret_in(line) is not None:
        return WITHHELD
    return line[:most]


def holds_secret(value: object) -> bool:
    """Whether there is a secret anywhere in a value of JSON, or something that is named as one."""
    if isinstance(value, str):
        return secret_in(value) is not None
    if isinstance(value, Mapping):
        pairs = [(value.get(name), value.get(of)) for name, of in _PAIRS]
        return any(
            isinstance(name, str) and is_credential(name, _as_text(told))
            for name, told in (*pairs, *value.items())
        ) or any(map(holds_secret, value.values()))
    return isinstance(value, list | tuple) and any(map(holds_secret, value))


def without_secrets(attributes: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    """The attributes that are none."""
    if not attributes:
        return attributes
    return {
        name: held
        for name, values in attributes.items()
        if (held := tuple(one for one in values if not is_credential(name, one) and secret_in(one) is None))
    }


def _as_text(value: object) -> str:
    """What a value says beside its name; nothing if it says but yes or no."""
    return "" if value is None or isinstance(value, bool) else str(value)


def _secrets(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind and place of what looks like a secret, or is said to be one."""
    if text.isascii():
        yield from shaped(text)
        yield from said(text)
        return
    plain, places = _plain(text)
    for kind, start, end in (*shaped(plain), *said(plain)):
        yield kind, places[start], places[end - 1] + 1


def _plain(text: str) -> tuple[str, Sequence[int]]:
    """The text without what only hides: wide letters, soft hyphens, joiners; and where each stood."""
    told: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        form = char if char.isascii() else unicodedata.normalize("NFKC", char)
        if unicodedata.category(char) != "Cf":
            told.append(form)
            places += [at] * len(form)
    return "".join(told), places
