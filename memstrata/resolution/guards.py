"""What keeps two signatures apart, and what speaks for them beyond a name; holds between whole clusters.

A hard bar says that they are two; a soft one that a person should look.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.resolution.lattice import exclude
from memstrata.resolution.names import Shape
from memstrata.resolution.signatures import DISTINGUISHING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memstrata.resolution.names import Form
    from memstrata.resolution.signatures import Signature

_SHORT: Final = frozenset({Shape.GIVEN, Shape.TITLED, Shape.CLIPPED, Shape.INITIALED})
#: What may differ once in a life: two of these at once are no longer one person's change.
_CIRCUMSTANCES: Final = ("employer", "role", "city", "address", "email", "phone")
_PERSONAL: Final = ("email", "phone", "github", "orcid", "tax_id", "url")
_WHOLE_HASH: Final = (40, 64)
_MOST_DIFFERENCES: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """Why two signatures stay apart; `soft` if a person should look."""

    reason: str
    soft: bool = False


def bar(left: Signature, right: Signature) -> Bar | None:
    """What keeps the two apart, whatever joins their names; None if nothing does. Symmetric."""
    return next(bars(left, right), None)


def bars(left: Signature, right: Signature) -> Iterator[Bar]:
    """Everything that keeps the two apart."""
    for guard in _GUARDS:
        found = guard(left, right)
        if found is not None:
            yield found


def agreements(left: Signature, right: Signature) -> int:
    """How many circumstances and identifiers they share."""
    keys = {*_CIRCUMSTANCES, *_PERSONAL, "maker", "capital"}
    return sum(
        bool(left.values[key] & right.values[key])
        for key in keys & left.values.keys() & right.values.keys()
    )


def differences(left: Signature, right: Signature) -> int:
    """In how many circumstances they differ."""
    return sum(
        left.values[key].isdisjoint(right.values[key])
        for key in _CIRCUMSTANCES
        if key in left.values and key in right.values
    )


def share_identifier(left: Signature, right: Signature) -> bool:
    """Whether an identifier that is one person's own is equal."""
    return not left.identity_keys.isdisjoint(right.identity_keys)


def _types(left: Signature, right: Signature) -> Bar | None:
    return Bar(reason="their types exclude one another") if exclude(left.reading, right.reading) else None


def _accounts(left: Signature, right: Signature) -> Bar | None:
    if left.account is not None and right.account is not None and left.account != right.account:
        return Bar(reason="two accounts")
    if left.echoes != right.echoes:
        return Bar(reason="a speaker used a name that is also the speaker's own", soft=True)
    return None


def _contrasts(left: Signature, right: Signature) -> Bar | None:
    return Bar(reason="a sentence sets them apart") if left.contrasted != right.contrasted else None


def _attributes(left: Signature, right: Signature) -> Bar | None:
    for key in DISTINGUISHING:
        if (
            key in left.values
            and key in right.values
            and _conflict(key, left.values[key], right.values[key])
        ):
            return Bar(reason=f"different values of {key}")
    return None


def _conflict(key: str, left: frozenset[str], right: frozenset[str]) -> bool:
    if key in ("birth_date", "founded"):  # a year agrees with a day in it
        return not any(a.startswith(b) or b.startswith(a) for a in left for b in right)
    return left.isdisjoint(right)


def _names(left: Signature, right: Signature) -> Bar | None:
    one, other = left.form, right.form
    for what, a, b in (
        ("generations", one.generation, other.generation),
        ("titles", one.gender, other.gender),
        ("qualifiers", one.qualifier, other.qualifier),
    ):
        if a is not None and b is not None and a != b:
            return Bar(reason=f"different {what}: {a}, {b}")
    if one.middle and other.middle and not _middles_agree(one.middle, other.middle):
        return Bar(reason="different middle names")
    if one.identifier and other.identifier and not _same_identifier(one.identifier, other.identifier):
        return Bar(reason="different identifiers")
    if one.days and other.days and len(one.days) == len(other.days) and one.days != other.days:
        return Bar(reason="different days")
    return _doubtful_names(one, other)


def _doubtful_names(one: Form, other: Form) -> Bar | None:
    if one.legal is not None and other.legal is not None and one.legal != other.legal:
        return Bar(reason=f"different legal forms: {one.legal}, {other.legal}", soft=True)
    if one.days and other.days and len(one.days) != len(other.days):
        return Bar(reason="day and month may be swapped", soft=True)
    return None


def _middles_agree(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    return len(left) == len(right) and all(
        a == b or (1 in (len(a), len(b)) and a[0] == b[0]) for a, b in zip(left, right, strict=True)
    )


def _same_identifier(left: tuple[str, str], right: tuple[str, str]) -> bool:
    short, long = sorted((left[1], right[1]), key=len)
    if left[0] == right[0] == "hash" and len(long) in _WHOLE_HASH:
        return long.startswith(short)
    return left == right


def _circumstances(left: Signature, right: Signature) -> Bar | None:
    if not left.values or not right.values:
        return None
    differ = differences(left, right)
    if not differ or share_identifier(left, right):
        return None
    one, other = left.form, right.form
    if one.anchor == other.anchor and one.marked != other.marked and len(one.marked) == len(other.marked):
        return Bar(reason="two spellings with different circumstances")
    if left.shape in _SHORT or right.shape in _SHORT:
        return Bar(reason="a short name with different circumstances", soft=True)
    if differ > _MOST_DIFFERENCES:
        return Bar(reason="one name with different circumstances", soft=True)
    return None


def _roles(left: Signature, right: Signature) -> Bar | None:
    if left.role is not None and right.role is not None and left.role != right.role:
        return Bar(reason="roles of different people or different roles", soft=True)
    return None


_GUARDS: Final[tuple[Callable[[Signature, Signature], Bar | None], ...]] = (
    _types, _accounts, _contrasts, _attributes, _names, _circumstances, _roles,
)  # fmt: skip
