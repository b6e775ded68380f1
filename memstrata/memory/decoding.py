"""The one decoder: what `rendering.as_json` wrote, as the records that it was written from.

It reads the annotations of the domain's dataclasses, so that no second list of fields can go out of date.
Fields that this version does not know are passed over: a newer server may say more.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from memstrata.errors import Fault
from memstrata.instants import NotAnInstant, parse_instant

if TYPE_CHECKING:
    from collections.abc import Hashable

T = TypeVar("T")
_Decode = Callable[[object], object]

#: Where the records of answers are defined, and what their annotations name.
_MODULES: Final = (
    "memstrata.instants",
    "memstrata.model",
    "memstrata.bitemporal.history",
    "memstrata.ports.reading",
    "memstrata.search.fusion",
    "memstrata.search.results",
    "memstrata.search.core_edits",
    "memstrata.search.core",
    "memstrata.search.citing",
    "memstrata.search.context",
    "memstrata.search.reads",
    "memstrata.search.paths",
    "memstrata.search.timeline",
    "memstrata.search.changes",
    "memstrata.workflow.edits",
    "memstrata.workflow.items",
    "memstrata.workflow.proposals",
    "memstrata.workflow.review",
    "memstrata.workflow.waiting",
    "memstrata.memory.verbs",
)


class Unreadable(Fault):
    """A server's answer that is none of those that were asked for: another version, or no Memstrata."""


def from_json(kind: type[T], value: object) -> T:
    """The record of that type (a dataclass, an enum, a tuple or mapping of them) that the JSON stands for.

    Raises `Unreadable` where it does not fit, with the field.
    """
    try:
        return cast("T", decoder_of(cast("Hashable", kind))(value))
    except _Misfit as misfit:
        raise Unreadable(
            f"the answer does not fit: {misfit}; is this a Memstrata server of the same version?"
        ) from None


class _Misfit(Exception):
    """Where a value does not fit, from the outside in."""

    def __init__(self, problem: str, *path: str) -> None:
        self.problem = problem
        self.path = path
        super().__init__(f"{'.'.join(path)}: {problem}" if path else problem)

    def within(self, step: str) -> _Misfit:
        return _Misfit(self.problem, step, *self.path)


@cache
def decoder_of(kind: Hashable) -> _Decode:
    """What decodes a value of that type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is None and isinstance(kind, type):
        return _of_class(kind)
    if origin in (typing.Union, types.UnionType):
        return _of_union(arguments)
    if origin is tuple:
        return _of_tuple(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _of_mapping(arguments[1])
    if isinstance(origin, type) and issubclass(origin, (frozenset, set)):
        each = _of_tuple((arguments[0], ...))
        return lambda value: frozenset(cast("tuple[object, ...]", each(value)))
    return _as_it_is


def hints_of(kind: type) -> dict[str, object]:
    """The types of a dataclass's fields, whatever its module imports for type checkers alone."""
    return dict(typing.get_type_hints(kind, localns=_names()))


@cache
def _names() -> dict[str, object]:
    """Everything that annotations of records name."""
    names: dict[str, object] = {
        "Mapping": Mapping,
        "Sequence": Sequence,
        "datetime": datetime,
        "date": date,
        "Json": object,
        "Handle": int | str,
    }
    for module in _MODULES:
        defined = vars(import_module(module))
        names.update(
            {
                name: one
                for name, one in defined.items()
                if isinstance(one, type) and one.__module__ == module
            }
        )
    return names


def _of_class(kind: type) -> _Decode:
    if is_dataclass(kind):
        return _Record(kind=kind)
    if issubclass(kind, Enum):
        return lambda value: _called(kind, value)
    return _SIMPLE.get(kind, _as_it_is)


@dataclass(slots=True, kw_only=True)
class _Record:
    """Decodes objects into one dataclass; its fields are looked up with the first of them."""

    kind: type
    _fields: dict[str, _Decode] | None = None

    def __call__(self, value: object) -> object:
        if not isinstance(value, Mapping):
            raise _Misfit(f"expected a {self.kind.__name__}, is {type(value).__name__}")
        decoders = self.decoders
        given = {
            name: _within(decode, name, value[name]) for name, decode in decoders.items() if name in value
        }
        lacking = self._required - given.keys()
        if lacking:
            raise _Misfit(f"a {self.kind.__name__} without {', '.join(sorted(lacking))}")
        return self.kind(**given)

    @property
    def decoders(self) -> dict[str, _Decode]:
        if self._fields is None:
            hints = hints_of(self.kind)
            self._fields = {one.name: decoder_of(hints[one.name]) for one in fields(self.kind) if one.init}
        return self._fields

    @property
    def _required(self) -> set[str]:
        return {
            one.name
            for one in fields(self.kind)
            if one.init and one.default is MISSING and one.default_factory is MISSING
        }

    def likeness(self, value: Mapping[str, object]) -> tuple[bool, int]:
        """Whether an object has all that this record needs, and how many of its fields."""
        return self._required <= value.keys(), len(self.decoders.keys() & value.keys())


def _of_union(kinds: Sequence[object]) -> _Decode:
    """By its keys for records; None for null; else the first that fits."""
    has_none = type(None) in kinds
    others = [decoder_of(kind) for kind in kinds if kind is not type(None)]
    records = [one for one in others if isinstance(one, _Record)]

    def decode(value: object) -> object:
        if value is None and has_none:
            return None
        if isinstance(value, Mapping) and records:
            return max(records, key=lambda one: one.likeness(value))(value)
        misfit = _Misfit(f"unexpected {type(value).__name__}")
        for each in others:
            try:
                return each(value)
            except _Misfit as error:
                misfit = error
        raise misfit

    return decode


def _of_tuple(kinds: tuple[object, ...]) -> _Decode:
    if len(kinds) > 1 and kinds[-1] is not Ellipsis:
        each = [decoder_of(kind) for kind in kinds]
        return lambda value: tuple(
            decode(item) for decode, item in zip(each, _list(value, len(each)), strict=True)
        )
    decode = decoder_of(kinds[0])
    return lambda value: tuple(_within(decode, str(at), item) for at, item in enumerate(_list(value)))


def _within(decode: _Decode, step: str, item: object) -> object:
    try:
        return decode(item)
    except _Misfit as misfit:
        raise misfit.within(step) from None


def _of_mapping(kind: object) -> _Decode:
    decode = decoder_of(kind)
    return lambda value: {str(key): decode(item) for key, item in _of(Mapping, value).items()}


def _list(value: object, length: int | None = None) -> list[object]:
    items = _of(list, value)
    if length is not None and len(items) != length:
        raise _Misfit(f"expected {length} items, has {len(items)}")
    return items


def _of(kind: type[T] | tuple[type[T], ...], value: object) -> T:
    is_number = not isinstance(value, bool) or kind is bool
    if isinstance(value, kind) and is_number:
        return value
    named = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
    raise _Misfit(f"expected {named}, is {type(value).__name__}")


def _instant(value: object) -> datetime:
    try:
        return parse_instant(_of(str, value))
    except NotAnInstant as error:
        raise _Misfit(str(error)) from None


def _called(make: Callable[[Any], object], value: object) -> object:
    try:
        return make(value)
    except ValueError as error:
        raise _Misfit(str(error)) from None


def _as_it_is(value: object) -> object:
    return value


_SIMPLE: Final[Mapping[type, _Decode]] = {
    datetime: _instant,
    date: lambda value: _called(date.fromisoformat, _of(str, value)),
    float: lambda value: float(_of((int, float), value)),
    str: lambda value: _of(str, value),
    int: lambda value: _of(int, value),
    bool: lambda value: _of(bool, value),
    type(None): lambda value: _of(type(None), value),
}
