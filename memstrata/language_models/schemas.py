"""JSON schemas as endpoints take them, and their replies brought back to what was asked for.

Strict modes want every property required, no others allowed, and few keywords (OpenAI's guide "Structured
Outputs", Anthropic's, Gemini's; their common part is what is sent). An optional property becomes one that
may be null, and the null is taken out of the reply again. Bounds and patterns are left out: replies are
checked where they are read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.model import Json

#: What says how a value may look; no endpoint takes all of it, and llama.cpp makes huge grammars of bounds.
_DROPPED: Final = frozenset(
    (
        *("$id", "$schema", "default", "examples", "exclusiveMaximum", "exclusiveMinimum", "format"),
        *("maxItems", "maxLength", "maximum", "minItems", "minLength", "minimum", "multipleOf"),
        *("pattern", "title", "uniqueItems"),
    )
)
_UNKNOWN_TO_STRICT: Final = frozenset(
    (
        *("allOf", "contains", "dependentRequired", "dependentSchemas", "if", "not", "patternProperties"),
        *("prefixItems", "propertyNames", "unevaluatedProperties"),
    )
)
#: Types with a value that says nothing, so that the property can be required as it is.
_WITH_NOTHING: Final = frozenset({"array", "boolean", "null"})

_KINDS: Final[Mapping[str, type | tuple[type, ...]]] = {
    "array": list,
    "boolean": (),
    "null": (),
    "number": (int, float),
    "object": dict,
    "string": str,
}


class _NotStrictError(Exception):
    """Something that strict modes do not have."""


def loose_schema(schema: Mapping[str, Json]) -> dict[str, Any]:
    """The schema without the keywords that say how a value may look."""
    loose: dict[str, Any] = _plain(dict(schema))
    return loose


def strict_schema(schema: Mapping[str, Json]) -> dict[str, Any] | None:
    """The schema as strict modes want it; None where it says what they cannot, such as an open object."""
    plain = loose_schema(schema)
    if plain.get("type") != "object":
        return None
    try:
        strict: dict[str, Any] = _strict(plain, plain.get("$defs", {}))
    except _NotStrictError:
        return None
    return strict


def restored(text: str, schema: Mapping[str, Json]) -> str:
    """The reply without the nulls that stand for properties left out; as it is if it is no whole JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    defs = schema.get("$defs")
    without = _without_nulls(value, dict(schema), defs if isinstance(defs, dict) else {})
    return text if without == value else json.dumps(without, ensure_ascii=False)


def keeps_to(text: str, schema: Mapping[str, Json], *, is_strict: bool) -> bool:
    """Whether a whole reply is JSON of the schema; where it was not sent strictly, of its root alone.

    It tells an endpoint that ignores schemas from one that has them.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    strict = strict_schema(schema) if is_strict else None
    if strict is not None:
        return _fits(value, strict, strict.get("$defs", {}))
    return _fits(value, {name: schema[name] for name in ("type", "required") if name in schema}, {})


def _plain(node: Any) -> Any:
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:  # a reference with anything beside it is refused
        return {"$ref": node["$ref"]}
    plain: dict[str, Any] = {}
    for name, value in node.items():
        if name in ("properties", "$defs"):
            plain[name] = {key: _plain(inner) for key, inner in value.items()}
        elif name == "const":
            plain["enum"] = [value]
        elif name == "oneOf":
            plain["anyOf"] = _plain(value)
        elif name == "allOf" and len(value) == 1:
            plain |= _plain(value[0])
        elif name == "discriminator" or name in _DROPPED:
            continue
        else:
            plain[name] = value if name in ("enum", "required") else _plain(value)
    return plain


def _strict(node: Any, defs: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_strict(item, defs) for item in node]
    if not isinstance(node, dict):
        return node
    if _UNKNOWN_TO_STRICT & node.keys():
        raise _NotStrictError
    strict = {
        name: {key: _strict(inner, defs) for key, inner in value.items()}
        if name == "$defs"
        else _strict(value, defs)
        for name, value in node.items()
        if name != "properties"
    }
    if node.get("type") == "object":
        properties = node.get("properties")
        if not properties or node.get("additionalProperties", False) not in (False, True):
            raise _NotStrictError
        required = node.get("required", [])
        strict["properties"] = {
            name: _strict(inner if name in required else _or_null(inner, defs), defs)
            for name, inner in properties.items()
        }
        strict |= {"required": list(properties), "additionalProperties": False}
    elif not node.keys() & {"type", "enum", "anyOf", "$ref"}:
        raise _NotStrictError
    return strict


def _or_null(node: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    if _takes_null(node, defs) or node.get("type") in _WITH_NOTHING:
        return node
    return {"anyOf": [node, {"type": "null"}]}


def _takes_null(node: Any, defs: Mapping[str, Any]) -> bool:
    node = _followed(node, defs)
    kinds = node.get("type", ())
    if kinds == "null" or (isinstance(kinds, list) and "null" in kinds) or None in node.get("enum", ()):
        return True
    if not node.keys() & {"type", "enum", "const", "anyOf", "oneOf", "allOf"}:
        return True
    return any(_takes_null(one, defs) for one in (*node.get("anyOf", ()), *node.get("oneOf", ())))


def _followed(node: Any, defs: Mapping[str, Any]) -> Mapping[str, Any]:
    """The node that a reference names; an empty one for a reference to anywhere else."""
    for _ in range(8):
        if not isinstance(node, dict):
            return {}
        if "$ref" not in node:
            return node
        node = defs.get(str(node["$ref"]).removeprefix("#/$defs/"))
    return {}


def _without_nulls(value: Any, node: Any, defs: Mapping[str, Any]) -> Any:
    node = _followed(node, defs)
    if isinstance(value, list):
        return [_without_nulls(item, node.get("items"), defs) for item in value]
    if not isinstance(value, dict):
        return value
    branches = (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ()))
    if "properties" not in node and branches:
        objects = [one for one in (_followed(one, defs) for one in branches) if "properties" in one]
        return _without_nulls(value, objects[0], defs) if len(objects) == 1 else value
    properties, required = node.get("properties", {}), node.get("required", ())
    return {
        name: _without_nulls(held, properties.get(name), defs)
        for name, held in value.items()
        if held is not None
        or name in required
        or name not in properties
        or _takes_null(properties[name], defs)
    }


def _fits(value: Any, node: Any, defs: Mapping[str, Any]) -> bool:
    node = _followed(node, defs)
    if "anyOf" in node:
        return any(_fits(value, one, defs) for one in node["anyOf"])
    kinds = node.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if kinds and not any(_is_of(kind, value) for kind in kinds):
        return False
    if "enum" in node and value not in node["enum"]:
        return False
    if isinstance(value, list):
        return all(_fits(item, node.get("items"), defs) for item in value)
    if isinstance(value, dict):
        held = node.get("properties", {})
        return all(name in value for name in node.get("required", ())) and all(
            _fits(value[name], inner, defs) for name, inner in held.items() if name in value
        )
    return True


def _is_of(kind: str, value: Any) -> bool:
    if isinstance(value, bool) or value is None:
        return kind == ("null" if value is None else "boolean")
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _KINDS.get(kind, object))
