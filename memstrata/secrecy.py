"""Secrets: keys, tokens, card numbers, passwords. They are not taken in, and not repeated in what is told.

Known shapes first; long random words only beside a word such as "key" or "token", or where they could be
nothing else. Sources of the shapes: the issuers' own documentation, as collected by secret scanners.
Verification refuses by these, and whatever others said is put through them before it is kept or shown.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

WITHHELD: Final = "(withheld)"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SHAPES: Final = re.compile(
    r"(?P<private_key>-----BEGIN[A-Z ]*PRIVATE KEY-----)"
    r"|(?P<token>\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)"
    r"|(?P<api_key>\b(?:sk|pk|rk)[-_](?:(?:live|test|proj|ant|or|svcacct)[-_])?[\w-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bxox[abeprs]-[\w-]{10,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdop_v1_[a-f0-9]{40,}"
    r"|\bAccountKey=[\w+/=]{20,}|\bBearer\s+[\w.~+/-]{20,}=*)"
    r"|(?P<password>\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]+@)"
)
_CARD: Final = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-]|\.\d)")
_ISSUERS: Final = re.compile(
    r"4|5[1-5]|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)|3[47]|3(?:0[0-5]|[68])|6(?:011|4[4-9]|5)|35"
)
_CREDENTIAL: Final = (
    r"(?:pass-?\s?(?:word|code|phrase)|passwd|pwd|pin(?:\s?(?:code|number))?|cvv|cvc|security\s+code"
    r"|(?:secret|api|access|private|auth|encryption|recovery)[\s_-]?(?:key|token|code|secret)"
    r"|client[\s_-]secret|bearer\s+token|seed\s+phrase)"
)
_SAID: Final = re.compile(
    rf"\b{_CREDENTIAL}\b(?:\s+(?:for|to|of|on)\s+(?:[\w.'\u2019-]+\s+){{0,3}}?[\w.'\u2019-]+)?"
    r"[\"'`\u201d]?\s*(?:is|was|=|:|->|equals)\s*(?:now\s+|still\s+)?"
    r"(?P<open>[\"'`\u201c\u2018]?)(?P<value>[^\s\"'`\u201d\u2019,;]{3,})",
    re.IGNORECASE,
)
_PREDICATE: Final = re.compile(
    r"(?:\w+_)?(?:password|passcode|passphrase|passwd|pwd|pin|pin_code|pin_number|cvv|cvc|security_code"
    r"|secret|secret_key|api_key|access_key|access_token|private_key|auth_token|api_token|client_secret"
    r"|recovery_code|seed_phrase)(?:_(?:is|value))?",
    re.IGNORECASE,
)
_SAYS_NOTHING: Final = _words(
    "a an the not no only very too so my your his her our their this that what how when where required "
    "needed necessary optional wrong incorrect invalid correct right expired expiring weak strong "
    "secure insecure safe unsafe compromised leaked stolen lost missing forgotten saved stored kept "
    "hidden encrypted hashed reset changed updated rotated shared reused old new empty blank unknown "
    "unset disabled enabled broken short long easy hard simple complex temporary permanent case being "
    "been going written sent available working used set about due under in on at with from managed "
    "handled protected known confidential private secret mandatory default unique different same still "
    "now always never hers mine yours theirs his"
)
_LONG: Final = re.compile(r"(?<![\w/.@-])[\w+=-]{20,}(?![\w/@-])")
_NEAR: Final = re.compile(
    rf"\b(?:{_CREDENTIAL}|keys?|tokens?|secrets?|credentials?|bearer|auth)\b", re.IGNORECASE
)
_NAMED: Final = re.compile(rf"(?<![^\W_]){_CREDENTIAL}(?![^\W_])", re.IGNORECASE)
#: Under which names an item tells what it says: of these pairs the second is what the first names.
_PAIRS: Final = (("predicate", "object"), ("name", "value"))
_CARD_LENGTHS: Final = range(13, 20)
_ALONE, _BITS_ALONE, _BITS_NEAR = 32, 4.3, 3.0


def is_credential(name: str) -> bool:
    """Whether a relation or attribute of that name has a secret for its value."""
    return _PREDICATE.fullmatch(re.sub(r"[\s-]+", "_", name.strip())) is not None


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
    if _NAMED.search(line) is not None or secret_in(line) is not None:
        return WITHHELD
    return line[:most]


def holds_secret(value: object) -> bool:
    """Whether there is a secret anywhere in a value of JSON, or something that is named as one."""
    if isinstance(value, str):
        return secret_in(value) is not None
    if isinstance(value, Mapping):
        pairs = [(value.get(name), value.get(said)) for name, said in _PAIRS]
        return any(
            isinstance(name, str) and is_credential(name) and bool(said) and said is not True
            for name, said in (*pairs, *value.items())
        ) or any(map(holds_secret, value.values()))
    return isinstance(value, list | tuple) and any(map(holds_secret, value))


def without_secrets(attributes: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    """The attributes that are none."""
    if not attributes:
        return attributes
    return {
        name: held
        for name, values in attributes.items()
        if not is_credential(name) and (held := tuple(one for one in values if secret_in(one) is None))
    }


def _secrets(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind and place of what looks like a secret."""
    for found in _SHAPES.finditer(text):
        kind = (found.lastgroup or "secret").replace("_", " ")
        if kind != "api key" or any(char.isdigit() for char in found.group()):
            yield kind, *found.span()
    for found in _CARD.finditer(text):
        if _is_card(re.sub(r"\D", "", found.group())):
            yield "card number", *found.span()
    for found in _SAID.finditer(text):
        if _is_value(found["value"].rstrip(".!?)"), quoted=bool(found["open"])):
            yield "password", *found.span("value")
    near = _NEAR.search(text) is not None
    for found in _LONG.finditer(text):
        if _is_random(found.group(), near=near):
            yield "key", *found.span()


def _is_card(digits: str) -> bool:
    """An issuer's prefix and Luhn's check digit (ISO/IEC 7812-1)."""
    if len(digits) not in _CARD_LENGTHS or len(set(digits)) == 1 or _ISSUERS.match(digits) is None:
        return False
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0  # noqa: PLR2004 (digits)


def _is_value(said: str, *, quoted: bool) -> bool:
    """Whether what follows "the password is" is one, not something about it."""
    word = said.casefold()
    if not word or word in _SAYS_NOTHING:
        return False
    return quoted or not (word.isalpha() and word.endswith(("ed", "ing", "able", "ible", "ly")))


def _is_random(word: str, *, near: bool) -> bool:
    has_both = any(char.isdigit() for char in word) and any(char.isalpha() for char in word)
    if not has_both:
        return False
    bits = _entropy(word)
    if near and bits >= _BITS_NEAR:
        return True
    mixed = any(char.isupper() for char in word) and any(char.islower() for char in word)
    return mixed and len(word) >= _ALONE and bits >= _BITS_ALONE


def _entropy(word: str) -> float:
    """Shannon's, in bits a character."""
    counts = Counter(word).values()
    return -sum(count / len(word) * math.log2(count / len(word)) for count in counts)
