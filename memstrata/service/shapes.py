"""What answers look like, as JSON Schema, read off the annotations of the records that are rendered.

For the document alone: nothing is checked while requests are answered. Every field of a record is there in
an answer, so that every one is required; clients should pass over fields that they do not know.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any, Final

from memstrata.errors import Damaged

Schema = dict[str, Any]

_ALIASES: Final[Mapping[str, object]] = {
    "Mapping": Mapping,
    "Sequence": Sequence,
    "Iterable": Iterable,
    "datetime": datetime,
    "date": date,
    "timedelta": timedelta,
    "Json": object,
    "Handle": int | str,
}
_SIMPLE: Final[Mapping[object, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    timedelta: {"type": "number", "description": "Seconds."},
}


@dataclass(frozen=True, slots=True)
class Named:
    """An answer that is no record: an object of fields, each of some type; those in `absent` may lack."""

    name: str
    fields: Mapping[str, object]
    absent: frozenset[str] = frozenset()


def items_of(kind: type | Named, *, is_paged: bool = True) -> Named:
    """A list as an answer: a page with where to go on, or all of it."""
    listed: dict[str, object] = {"items": tuple[kind, ...]}  # type: ignore[valid-type]  # a type at run time
    following: dict[str, object] = {"next_cursor": str | None} if is_paged else {}
    name = kind.name if isinstance(kind, Named) else kind.__name__
    return Named(f"{'Page' if is_paged else 'List'}Of{name}", {**listed, **following})


#: What answers of routes are, by the name with which the document points at them.
_known: dict[str, object] = {}


def reference_to(kind: object) -> Schema:
    """Where the document has the schema of that answer: a record's, or a `Named`'s."""
    name = kind.name if isinstance(kind, Named) else getattr(kind, "__name__", str(kind))
    if _known.setdefault(name, kind) != kind:
        raise Damaged(f"two answers are called {name}; give one of them another name")
    return {"$ref": f"#/components/schemas/{name}"}


def describe(components: dict[str, Any]) -> None:
    """Puts the schemas of all answers, and of what they consist of, into the document's components."""
    made = _Schemas(components)
    for kind in list(_known.values()):
        made.of(kind)


class _Schemas:
    """The schemas made so far."""

    def __init__(self, components: dict[str, Any]) -> None:
        self._components = components
        self._names: dict[object, str] = {}
        self._records = _classes()

    def of(self, kind: object) -> Schema:
        """The schema of a type: a record's is put among the components, and pointed at."""
        if isinstance(kind, Named) or (isinstance(kind, type) and is_dataclass(kind)):
            return self._component(kind)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"type": "string", "enum": [one.value for one in kind]}
        if typing.get_origin(kind) is None:
            return dict(_SIMPLE.get(kind, {}))
        return self._of_several(typing.get_origin(kind), typing.get_args(kind))

    def _of_several(self, origin: object, arguments: tuple[Any, ...]) -> Schema:
        """Of a union, a tuple, a mapping or another collection."""
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.of(one) for one in arguments]}
        if origin is tuple and arguments[-1] is not Ellipsis:
            many = len(arguments)
            each = [self.of(one) for one in arguments]
            return {"type": "array", "prefixItems": each, "minItems": many, "maxItems": many}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if isinstance(origin, type) and issubclass(origin, Iterable):
            return {"type": "array", "items": self.of(arguments[0])}
        return {}

    def _component(self, kind: Any) -> Schema:
        name = self._names.get(kind if not isinstance(kind, Named) else kind.name)
        if name is None:
            name = self._free_name(kind.name if isinstance(kind, Named) else kind.__name__, kind)
            self._components[name] = {}  # a record may hold others of its kind
            self._components[name] = self._object(name, kind)
        return {"$ref": f"#/components/schemas/{name}"}

    def _free_name(self, wanted: str, kind: Any) -> str:
        name = wanted
        while name in self._components or _known.get(name, kind) is not kind:
            name += "Record"
        self._names[kind.name if isinstance(kind, Named) else kind] = name
        return name

    def _object(self, name: str, kind: Any) -> Schema:
        held = kind.fields if isinstance(kind, Named) else self._held(kind)
        absent = kind.absent if isinstance(kind, Named) else frozenset[str]()
        said = {} if isinstance(kind, Named) else {"description": _first_line(kind)}
        return {
            "title": name,
            "type": "object",
            **said,
            "required": [one for one in held if one not in absent],
            "properties": {one: self.of(type_) for one, type_ in held.items()},
        }

    def _held(self, kind: type) -> dict[str, object]:
        own = vars(sys.modules[kind.__module__])
        others = {name: one for name, one in self._records.items() if name not in own}
        hints = typing.get_type_hints(kind, localns=others)
        return {one.name: hints[one.name] for one in fields(kind)}


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def _classes() -> dict[str, object]:
    """All that annotations name: modules import records of others for type checkers alone."""
    found: dict[str, object] = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("memstrata."):
            found |= {
                each: one
                for each, one in vars(module).items()
                if isinstance(one, type) and one.__module__ == name
            }
    return {**found, **_ALIASES}
