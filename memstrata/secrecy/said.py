"""Secrets that are told as such: "my password is ...", "PIN: ...", `api_key = ...`, in several languages.

What follows may as well speak of the secret ("the password is too weak"): the freer the words that join the
two, the more it must look like one. A number is needed of codes, letters with digits of keys.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD: Final = (
    r"pass[-_]?\s?(?:word|code|phrase)s?|passwd|(?<![A-Za-z0-9])(?:pwd|pw)|seed\s+phrase|passwor[dt]e?[ns]?"
    r"|kennwort|losungswort|mots?\s+de\s+passe|contrase(?:\u00f1|n)as?|parola\s+d['\u2019]ordine"
    r"|senhas?|palavra-passe|wachtwoord(?:en)?|l\u00f6senord|adgangskode|salasana|has\u0142o|heslo"
    r"|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638"
)
_KEY: Final = (
    r"(?:secret|api|access|private|auth|encryption|signing|license)[\s_-]?(?:key|token|secret)"
    r"|client[\s_-]?secret|bearer[\s_-]token"
)
_CODE: Final = (
    r"(?:security|access|recovery|entry|unlock|verification|backup)[\s_-]?code|recovery[\s_-]?key"
)
_PIN: Final = r"(?<![A-Za-z0-9])(?:pin(?:[\s_-]?(?:code|number))?|cvv2?|cvc2?)|card\s+security\s+code"
#: What names a secret, wherever it stands.
CREDENTIAL: Final = rf"(?:{_WORD}|{_KEY}|{_CODE}|{_PIN})"
_WHAT: Final = (
    rf"(?:(?P<password>{_WORD})|(?P<key>{_KEY})|(?P<pin>{_PIN})|(?P<code>{_CODE}))(?![A-Za-z0-9_])"
)
_MARK: Final = r"(?P<mark>:=|=>|->|[:=|>\u2192])"
_VERB: Final = (
    r"(?P<verb>(?:is|was|are|equals|will\s+be|should\s+be|reads|ist|war|lautet|est|era|es|\u00e9|\u00e8|\u00e4r|er|jest"
    r"|\u044d\u0442\u043e|to|auf)\b(?:\s*:)?|['\u2019]s\b|[-\u2013\u2014](?=\s)|\u662f|\u306f|\u4e3a|\u70ba)"
)
_LINKED: Final = r"(?:[:=]|(?:is|was|equals|ist|war|lautet|est|es|\u00e9|\u00e8|\u00e4r|er|jest)\b)"
_SAID: Final = re.compile(
    rf"{_WHAT}"
    rf"(?:\s+(?:for|to|of|on|f\u00fcr|de|del|pour|para|per)\s+(?:[\w.'\u2019-]+\s+){{0,3}}?[\w.'\u2019-]+(?=\s*{_LINKED}))?"
    rf"[\"'`\u201d\u2019*_]{{0,3}}(?:\s*(?:{_MARK}|{_VERB})[*_]{{0,2}})?\s*"
    r"(?:(?:now|still|just|simply|going\s+to\s+be)\s+)?"
    r"(?P<value>\"[^\"\n]{2,}\"|'[^'\n]{2,}'|`[^`\n]{2,}`|\u201c[^\u201d\n]{2,}\u201d|\u2018[^\u2019\n]{2,}\u2019"
    r"|\u00ab[^\u00bb\n]{2,}\u00bb|\*\*[^*\n]{2,}\*\*|[^\s\"'`\u201c\u201d\u2018\u2019,;<|\u3001\u3002\uff0c]{3,})",
    re.IGNORECASE,
)
_AFTERWARDS: Final = re.compile(
    r"(?<![^\s\"'`\u201c\u2018])\(?(?P<value>[^\s\"'`\u201c\u201d\u2018\u2019,;]{3,})[\"'`\u201d\u2019]?"
    r"\s+(?:is|as|for|was)\s+(?:the|my|our|his|her|their|your|its|a)\s+(?:[\w-]+\s+){0,2}?"
    rf"{_WHAT}(?=\s*(?:[.,;!?)\"]|$|(?:for|to|on|of|and|now|at)\b))",
    re.IGNORECASE | re.MULTILINE,
)
_PHRASE: Final = re.compile(
    r"(?:pass[- ]?phrase|(?:seed|recovery|mnemonic)\s+(?:phrase|words))\W*+(?:(?:is|was|are)\b\W*+)?"
    r"(?P<value>[a-z]{3,30}(?:\s+[a-z]{3,30}){3,23})",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"[\"'`\u201d\u2019*]*\s*(?:$|[.,;!?)\]}<|\n]|(?:and|but|or|so|then|please|thanks|for|on|und|et|y|e|en)\b"
    r"|\w+\s*[:=])"
)
_FLAWED: Final = re.compile(r"\w\(|\w\[|[$]\{|\{\{|%\(|<|^[xX*.\u2022_#-]+$|^\$[A-Z_]+$|://")
_MEASURE: Final = re.compile(
    r"\d{1,2}[-+]\w*|\d+(?:st|nd|rd|th|x|%|am|pm|h|s|ms|min|bits?|chars?)|(?:19|20)\d\d-\d\d(?:-\d\d)?",
    re.IGNORECASE,
)
_ALGORITHMS: Final = _words(
    "oauth2 oauth1 oauth2.0 wpa2 wpa3 sha1 sha256 sha512 sha-1 sha-256 sha-512 md5 argon2 argon2id argon2i"
    " pbkdf2 base64 aes128 aes256 aes-256 ed25519 rs256 hs256 es256 2fa mfa"
    " 1password u2f fido2 http2 utf8 utf-8"
)
_SAYS_NOTHING: Final = _words(
    "a an the not no only very too so my your his her our their this that what how when where required "
    "needed necessary optional wrong incorrect invalid correct right expired expiring weak strong "
    "secure insecure safe unsafe compromised leaked stolen lost missing forgotten saved stored kept "
    "hidden encrypted hashed reset changed updated rotated shared reused old new empty blank unknown "
    "unset disabled enabled broken short long easy hard simple complex temporary permanent case being "
    "been going written sent available working used set about due under in on at with from managed "
    "handled protected known confidential private secret mandatory default unique different same still "
    "now always never hers mine yours theirs fine good bad great ok okay gone back here there done "
    "public obvious terrible ridiculous awful awkward tricky better worse similar identical like text "
    "string str none null nil undefined true false todo tbd input field prompt something anything "
    "everything nothing it them these those which who whose because since if both per "
    "see click enter type use choose pick ask contact check please and or to of for by as than "
    "also again already just almost quite pretty really totally nowhere everywhere gone online offline "
    "nicht kein zu sehr falsch richtig abgelaufen vergessen sicher unsicher neu alt pas trop oubli\u00e9 "
    "perdu mauvais bon faux no muy mal bien olvidada perdida"
)
_FUNCTION: Final = _SAYS_NOTHING | _words(
    "is are was were be has have had does did will would can could should may might must its with "
    "into over after before between through during without within along across until while "
    "only more most less least some any every each all one two three twelve word words phrase "
)
_COMPOUND: Final = _words("factor digit free proof use time wide level character word")  # as in two-factor
_ABOUT_IT: Final = ("ed", "ing", "able", "ible", "ly", "ous", "ful", "less", "ive")
_CODE_VALUE: Final = re.compile(r"(?=[^\s]*\d)[A-Za-z\d-]{3,}#?")
_PIN_VALUE: Final = re.compile(r"\d[\d-]{2,11}#?")
_LOOSE: Final = ("to", "auf", "-", "\u2013", "\u2014")  # after these a plain word is most likely none
_QUOTED: Final = "\"'`\u201c\u2018\u00ab*"
_SHORTEST_KEY = 8
_MOST_PROSE = 3  # of so many words of a phrase at most one may be one that joins words
_PREDICATE: Final = re.compile(
    rf"(?P<verb>(?:forgot|forgets|changed?s?|lost|loses|resets?|updated?s?|needs|requires|shared?s?|stores?d?"
    rf"|saved?s?|protects|remembers|dislikes|manages)_)?(?:\w+_)?"
    rf"(?:(?P<strong>{_WORD}|{_KEY}|{_CODE})|(?P<weak>pin|cvv2?|cvc2?|pin_code|pin_number|secret))"
    r"(?:_(?:is|value|for_\w+|of_\w+|to_\w+))?",
    re.IGNORECASE,
)
#: Whether a text speaks of secrets at all.
NAMED: Final = re.compile(rf"(?<![^\W_]){CREDENTIAL}(?![^\W_])", re.IGNORECASE)


def is_credential(name: str, value: str) -> bool:
    """Whether a relation or attribute of that name has a secret for its value."""
    bare = value.strip()
    found = _PREDICATE.fullmatch(re.sub(r"[\s-]+", "_", name.strip()))
    if found is None or not bare:
        return False
    if found["weak"] == "secret" or found["verb"]:
        return _is_strange(bare)
    if found["weak"]:
        return _PIN_VALUE.fullmatch(bare) is not None
    return _says_something(bare)


def said(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind and place of what is said to be a secret."""
    for found in _SAID.finditer(text):
        start, end = _trimmed(found)
        if _is_meant(found, text[start:end], is_end=_END.match(text, end) is not None):
            yield "password", start, end
    for found in _AFTERWARDS.finditer(text):
        start, end = _trimmed(found)
        if _is_named_afterwards(found, text[start:end]):
            yield "password", start, end
    for found in _PHRASE.finditer(text):
        words = found["value"].casefold().split()
        prose = [word for word in words if word in _FUNCTION or word.endswith(_ABOUT_IT)]
        if len(prose) * _MOST_PROSE <= len(words):
            yield "password", *found.span("value")


def _trimmed(found: re.Match[str]) -> tuple[int, int]:
    """Where the value stands, without the quotes around it and the full stop of the sentence."""
    value, (start, end) = found["value"], found.span("value")
    around = len(value) - len(value.lstrip(_QUOTED))
    if around:
        return start + around, max(start + around, end - around)
    return start, start + len(value.rstrip(".!?)]}>*"))


def _is_meant(found: re.Match[str], value: str, *, is_end: bool) -> bool:
    """Whether the value is the secret; `is_end` if nothing follows that makes a sentence of it."""
    if not value or _FLAWED.search(value):
        return False
    is_joined = found["mark"] is not None or found["verb"] is not None
    if found["pin"]:
        return is_end and _PIN_VALUE.fullmatch(value) is not None
    if found["code"]:
        return is_end and is_joined and _CODE_VALUE.fullmatch(value) is not None
    if found["value"][0] in _QUOTED and (is_joined or found["password"]):
        return _says_something(value)
    if found["key"]:
        is_long = found["verb"] is not None and len(value) >= _SHORTEST_KEY
        return _is_strange(value) and (found["mark"] is not None or is_long)
    return _is_strange(value) or (is_end and is_joined and _is_word(value, found))


def _is_named_afterwards(found: re.Match[str], value: str) -> bool:
    if not value or _FLAWED.search(value):
        return False
    if found["pin"] or found["code"]:
        return _PIN_VALUE.fullmatch(value) is not None
    return _is_strange(value)


def _is_strange(value: str) -> bool:
    """Whether it is no word: letters with digits or signs in it, as only secrets have."""
    if value.casefold() in _ALGORITHMS or _MEASURE.fullmatch(value) or len(value.split()) > 1:
        return False
    has_digit = any(char.isdigit() for char in value)
    has_letter = any(char.isalpha() for char in value)
    has_sign = any(char in "!@#$%^&*+=~?" for char in value)
    return (has_letter and (has_digit or has_sign)) or (has_digit and has_sign)


def _is_word(value: str, found: re.Match[str]) -> bool:
    """Whether a plain word is the password, not something about it."""
    word, verb = value.casefold(), (found["verb"] or "").casefold()
    if verb.startswith(_LOOSE) or word.endswith(_ABOUT_IT) or word in _SAYS_NOTHING:
        return False
    pieces = word.split("-")
    if len(pieces) > 1 and (pieces[-1] in _COMPOUND or not _SAYS_NOTHING.isdisjoint(pieces)):
        return False
    return found["mark"] is not None or all(piece.isalnum() for piece in pieces)


def _says_something(value: str) -> bool:
    return any(word not in _SAYS_NOTHING for word in value.casefold().split())
