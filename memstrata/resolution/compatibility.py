"""Whether two names can be one bearer's, once something other than the name (an identifier) says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.resolution.lattice import OPEN, ORGANIZATION, PERSON, family
from memstrata.resolution.names import Shape
from memstrata.resolution.nicknames import given_names

if TYPE_CHECKING:
    from memstrata.resolution.names import Form
    from memstrata.resolution.signatures import Signature

_SINGLE: Final = frozenset({Shape.GIVEN, Shape.TITLED})
_SHORTEST_CLIP: Final = 3


def names_agree(left: Signature, right: Signature) -> bool:
    """Whether an equal identifier may join them: equal, shortened, clipped or extended names."""
    stated = left.exact & (right.exact | right.claims) or left.claims & right.exact
    if left.unnamed or right.unnamed or stated:
        return True
    one, other = left.form, right.form
    if Shape.HANDLE in (one.shape, other.shape):
        return one.shape is not other.shape
    if one.numerals != other.numerals:
        return False
    kinds = {family(left.type), family(right.type)}
    if PERSON in kinds:
        return kinds <= {PERSON, OPEN} and persons_agree(one, other)
    if kinds <= {ORGANIZATION, OPEN}:
        return _extends(one.tokens, other.tokens) or _extends(other.tokens, one.tokens)
    return False


def _extends(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    return len(short) > 1 and long[: len(short)] == short


def persons_agree(one: Form, other: Form) -> bool:
    """Whether two persons' names can be one person's: "R. Quist", "Bob Fletcher", "Dana Ortiz-Klein"."""
    if one.shape in _SINGLE or other.shape in _SINGLE:
        short, long = (one, other) if one.shape in _SINGLE else (other, one)
        return bool(short.asks & long.offers)
    if len(one.tokens) < 2 or len(other.tokens) < 2:  # noqa: PLR2004
        return False
    return _surnames_agree(one.tokens, other.tokens) and _given_agree(one.tokens[0], other.tokens[0])


def _surnames_agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if one[-1] == other[-1]:
        return True
    short, long = sorted((one[1:], other[1:]), key=len)
    return len(short) == 1 and short[0] in long and len(short[0]) > 1


def _given_agree(one: str, other: str) -> bool:
    if one == other or (1 in (len(one), len(other)) and one[0] == other[0]):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) >= _SHORTEST_CLIP and long.startswith(short):
        return True
    return not given_names(one).isdisjoint(given_names(other))
