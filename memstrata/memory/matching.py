"""Which values and namespaces LangGraph's filters and conditions mean. Pure."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from memstrata.errors import Incorrect, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_COMPARED: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_OPERATORS: Final = ("$eq", "$ne", *_COMPARED)


def has_values(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Whether an item's value passes a filter: every field equal to, or in the relation, that it names.

    Numbers are compared as numbers, texts as texts; anything else is in no order. Raises `Incorrect` for an
    operator that there is not.
    """
    return all(_passes(value.get(name), one) for name, one in (wanted or {}).items())


def _passes(value: object, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_relates(value, name, other) for name, other in wanted.items())
        return isinstance(value, Mapping) and has_values(value, wanted)
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(wanted)
            and all(map(_passes, value, wanted))
        )
    return value == wanted


def _relates(value: object, name: str, other: object) -> bool:
    if name in ("$eq", "$ne"):
        return (value == other) is (name == "$eq")
    if name not in _COMPARED:
        near = nearest(name, _OPERATORS)
        hint = f"did you mean {near}?" if near else f"there are: {', '.join(_OPERATORS)}"
        raise Incorrect(f"there is no operator {name!r} in a filter; {hint}")
    if isinstance(value, str) and isinstance(other, str):
        return _COMPARED[name](value, other)
    is_ordered = isinstance(value, int | float) and isinstance(other, int | float)
    return is_ordered and _COMPARED[name](value, other)


def does_match(match_type: str, path: Sequence[str], namespace: Sequence[str]) -> bool:
    """Whether a namespace begins (`prefix`) or ends (`suffix`) with a path, in which `*` is any label."""
    if match_type not in ("prefix", "suffix"):
        raise Incorrect(f"there is no match type {match_type!r}; there are: prefix, suffix")
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(label in ("*", there) for label, there in zip(path, part, strict=True))
