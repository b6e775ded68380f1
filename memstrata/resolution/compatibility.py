"""Whether two names can be one bearer's, once something other than the name (an identifier) says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.resolution.lattice import OPEN, ORGANIZATION, PERSON, family
from memstrata.resolution.likeness import consonants, is_vowelless, one_letter_apart, swapped
from memstrata.resolution.names import Shape
from memstrata.resolution.nicknames import is_known

if TYPE_CHECKING:
    from memstrata.resolution.names import Form
    from memstrata.resolution.signatures import Signature

_SINGLE: Final = frozenset({Shape.GIVEN, Shape.TITLED})
_SHORTEST_CLIP: Final = 3


def names_agree(left: Signature, right: Signature, *, household: bool = False) -> bool:
    """Whether an equal identifier may join them: equal, shortened, clipped or extended names.

    `household`: the identifier may be several people's (a phone), so that nicknames do not suffice.
    """
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
        return kinds <= {PERSON, OPEN} and persons_agree(one, other, household=household)
    extended = _extends(one.tokens, other.tokens) or _extends(other.tokens, one.tokens)
    return extended and kinds <= {ORGANIZATION, OPEN}


def _extends(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    return len(short) > 1 and long[: len(short)] == short


def persons_agree(one: Form, other: Form, *, household: bool) -> bool:
    """Whether two persons' names can be one person's: "R. Quist", "Bob Fletcher", "Dana Ortiz-Klein"."""
    if one.shape in _SINGLE or other.shape in _SINGLE:
        short, long = (one, other) if one.shape in _SINGLE else (other, one)
        return bool(short.asks & long.offers)
    if is_vowelless(one.anchor) != is_vowelless(other.anchor):
        return not household and _sound_alike(one, other)
    if len(one.tokens) < 2 or len(other.tokens) < 2:  # noqa: PLR2004
        return False
    if not household and one.kin & other.kin:
        return not are_neighbouring_names(one, other)
    return _surnames_agree(one.tokens, other.tokens) and _given_agree(one.tokens[0], other.tokens[0])


def _sound_alike(one: Form, other: Form) -> bool:
    heard = consonants(one.anchor)
    return heard is not None and heard == consonants(other.anchor)


def are_alike(left: Signature, right: Signature) -> bool:
    """Whether names that share a key of likeness are alike: those with equal letters if two are swapped."""
    shared = left.kin & right.kin
    if any(not key.startswith("y:") for key in shared):
        return True
    return bool(shared) and swapped(left.form.anchor, right.form.anchor)


def are_neighbouring_names(one: Form, other: Form) -> bool:
    """Whether their first names are two known ones, one letter apart (Jon, Joan): two people."""
    left, right = one.tokens[0], other.tokens[0]
    return is_known(left) and is_known(right) and one_letter_apart(left, right)


def _surnames_agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if one[-1] == other[-1]:
        return True
    short, long = sorted((one[1:], other[1:]), key=len)
    return len(short) == 1 and short[0] in long and len(short[0]) > 1


def _given_agree(one: str, other: str) -> bool:
    """Equal, or an initial, or a clipped form of a name that no table knows."""
    if one == other or (1 in (len(one), len(other)) and one[0] == other[0]):
        return True
    short, long = sorted((one, other), key=len)
    unknown = not (is_known(one) and is_known(other))
    return unknown and len(short) >= _SHORTEST_CLIP and long.startswith(short)
