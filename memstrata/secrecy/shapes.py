"""Secrets that are known by their looks: keys and tokens of known issuers, card numbers, long random words.

Sources of the shapes: the issuers' own documentation, as collected by secret scanners; of the numbers
ISO/IEC 7812-1.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHAPES: Final = re.compile(
    r"(?P<private_key>-----BEGIN[A-Z ]*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----)[\s\S])*-----END[A-Z ]*PRIVATE KEY(?: BLOCK)?-----|(?:\s+[\w+/=]{16,})*)"
    r"|\bAGE-SECRET-KEY-1[0-9A-Z]{6,})"
    r"|(?P<token>\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)"
    r"|(?P<api_key>\b(?:sk|pk|rk)[-_][\w-]{16,}|\bwhsec_[\w+/=]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bxox[abeprs]-[\w-]{10,}|\bxapp-[\w-]{20,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdop_v1_[a-f0-9]{40,}"
    r"|\bSK[0-9a-f]{32}\b|\b\d{8,10}:AA[\w-]{33}\b|\b(?:Shared)?A(?:ccess|ccount)Key=[\w+/=]{20,}"
    r"|\bhooks\.slack\.com/services/T\w+/B\w+/\w+|\bdiscord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}"
    r"|\bBearer\s+[\w.~+/-]{20,}=*|\bAuthorization:\s*Basic\s+[\w+/]{8,}=*)"
    r"|(?P<password>\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@]+:[^\s/@]+@)"
)
_OF_FEW_LETTERS: Final = re.compile(r"[spr]k[-_]")  # a beginning that names in programs have too
_CARD: Final = re.compile(
    r"(?<![\w.+-])(?<!\b[A-Z]{2}\d\d )(?:\d{14,19}|\d{4}(?P<four>[ .-])\d{4}(?P=four)\d{4}(?P=four)\d{4}"
    r"|\d{4}(?P<six>[ .-])\d{6}(?P=six)\d{4,5})(?![\w-]|\.\d)"
)
_ISSUED: Final = re.compile(
    r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|62\d{14,17}"
)
_LONG: Final = re.compile(r"(?<![\w/.@-])[\w+=-]{20,}(?![\w/@-])")
_NEAR: Final = re.compile(
    r"\b(?:keys?|tokens?|secrets?|credentials?|bearer|auth|pass(?:word|code|phrase)s?|pwd)\b|key\b|_token\b",
    re.IGNORECASE,
)
_DIGEST: Final = re.compile(
    r"\b(?:commit|revision|rev|sha-?\d*|md5|hash|checksum|digest|fingerprint|build|etag|uuid|guid)(?:\s+key)?\b\W*$",
    re.IGNORECASE,
)
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_BEFORE, _AFTER = 48, 24  # characters around a long word in which one must say what it is
_PIECE, _PIECE_OF_KEY = 16, 12  # letters and digits on end that no name in a program has
_ALONE, _BITS_ALONE, _BITS_NEAR = 32, 4.3, 3.0


def shaped(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind and place of what looks like a secret, whatever is said of it."""
    for found in _SHAPES.finditer(text):
        if _is_shaped(found):
            yield (found.lastgroup or "secret").replace("_", " "), *found.span()
    for found in _CARD.finditer(text):
        if _is_card(re.sub(r"\D", "", found.group())):
            yield "card number", *found.span()
    for found in _LONG.finditer(text):
        if _is_random(found.group(), text, found.start()):
            yield "key", *found.span()


def _is_shaped(found: re.Match[str]) -> bool:
    word = found.group()
    if found.lastgroup != "api_key":
        return True
    if _OF_FEW_LETTERS.match(word):
        return _longest_mixed(word) >= _PIECE_OF_KEY
    return any(char.isdigit() for char in word)


def _is_card(digits: str) -> bool:
    """An issuer's prefix and length, and Luhn's check digit."""
    if _ISSUED.fullmatch(digits) is None:
        return False
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0  # noqa: PLR2004 (digits)


def _is_random(word: str, text: str, at: int) -> bool:
    if _longest_mixed(word) < _PIECE or _UUID.fullmatch(word):
        return False
    before, end = text[max(0, at - _BEFORE) : at], at + len(word)
    if _DIGEST.search(before):
        return False
    bits = _entropy(word)
    if bits >= _BITS_NEAR and (_NEAR.search(before) or _NEAR.search(text, end, end + _AFTER)):
        return True
    mixed = any(char.isupper() for char in word) and any(char.islower() for char in word)
    return mixed and len(word) >= _ALONE and bits >= _BITS_ALONE


def _longest_mixed(word: str) -> int:
    """The length of its longest stretch of letters and digits that has both."""
    pieces = re.split(r"[^A-Za-z0-9]+", word)
    mixed = [piece for piece in pieces if not piece.isalpha() and not piece.isdigit()]
    return max(map(len, mixed), default=0)


def _entropy(word: str) -> float:
    """Shannon's, in bits a character."""
    counts = Counter(word).values()
    return -sum(count / len(word) * math.log2(count / len(word)) for count in counts)
