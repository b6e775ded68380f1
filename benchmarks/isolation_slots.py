"""Every place of a JSON schema in which a caller may write a text, and a value that is valid around it.

REST's document and MCP's list of tools are both read by this: a route or tool that comes is crossed too.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Place = tuple[str | int, ...]

#: What a text must look like to be let past the first check, by the name of its place.
_LIKELY: Final[Mapping[str, str]] = {
    "after": "2020",
    "as_of": "2030",
    "system_as_of": "2100",
    "until": "2100",
    "valid_at": "2020",
    "during": "2024",
    "reference_time": "2024-05-14",
    "name": "notes.md",
    "label": "human",
    "query": "who works where",
    "start": "Ada Byron",
    "end": "Acme",
    "target_node_name": "Acme",
    "edge_name": "works_at",
}
_ANYBODY: Final = "Ada Byron"
_DEEPEST: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """A schema with the definitions that it refers to, by their addresses."""

    schema: Mapping[str, Any]
    definitions: Mapping[str, Any] = field(default_factory=dict)

    def sample(self) -> Any:
        """A value with all that is required, and nothing else."""
        return self._sample(self.schema, "")

    def places(self, kind: str = "string") -> Iterator[Place]:
        """Every place of a text (or of another kind of value) that is free, required or not."""
        return self._places(self.schema, (), kind)

    def _meant(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        if "$ref" in schema:
            return self._meant(self.definitions[schema["$ref"]])
        for several in ("anyOf", "oneOf", "allOf"):
            if several in schema:
                options = [self._meant(one) for one in schema[several]]
                return next((one for one in options if one.get("type") != "null"), options[0])
        return schema

    def _sample(self, schema: Mapping[str, Any], name: str) -> Any:
        found = self._meant(schema)
        kind = found.get("type")
        value: Any = _LIKELY.get(name, _ANYBODY)
        if "const" in found or "enum" in found:
            value = found["const"] if "const" in found else found["enum"][0]
        elif kind == "object" and found.get("examples"):
            value = copy.deepcopy(found["examples"][0])
        elif kind == "object":
            inside = found.get("properties", {})
            value = {key: self._sample(inside[key], key) for key in found.get("required", ())}
        elif kind == "array":
            items = found.get("prefixItems") or [found.get("items", {})]
            value = [self._sample(one, name) for one in items]
        elif kind in ("integer", "number"):
            value = found.get("minimum", found.get("default", 1)) or 1
        elif kind == "boolean":
            value = False
        return value

    def _places(self, schema: Mapping[str, Any], at: Place, kind: str) -> Iterator[Place]:
        if len(at) > _DEEPEST:
            return
        options = [schema]
        if "$ref" not in schema:
            options = next((schema[one] for one in ("anyOf", "oneOf") if one in schema), options)
        for option in options:
            found = self._meant(option)
            if "enum" in found or "const" in found:
                continue
            if found.get("type") == "object":
                for key, inside in found.get("properties", {}).items():
                    yield from self._places(inside, (*at, key), kind)
            elif found.get("type") == "array":
                for number, inside in enumerate(found.get("prefixItems") or [found.get("items", {})]):
                    yield from self._places(inside, (*at, number), kind)
            elif found.get("type") == kind:
                yield at


def put(value: Any, at: Place, text: object) -> Any:
    """A copy of the value with the text in that place, and whatever is needed on the way there."""
    if not at:
        return text
    step, rest = at[0], at[1:]
    if isinstance(step, int):
        items = list(value) if isinstance(value, list) else []
        items += [_ANYBODY] * (step + 1 - len(items))
        items[step] = put(items[step], rest, text)
        return items
    fields = dict(value) if isinstance(value, dict) else {}
    fields[step] = put(fields.get(step), rest, text)
    return fields
