"""The JSON schema of a reply, and the words that tell a model what is declared; both from the ontology.

Only what is shown here enters the extractor's version: names, descriptions, aliases, fields, domain and
range. Cardinality, symmetry and lifetime are the fold's and the checks' and are not shown. The order of the
file does not matter. The schema keeps to what strict structured output admits: every property is required,
none other is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.instants import Precision
from memstrata.model import Kind
from memstrata.ontology import FieldType, Undeclared

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.model import Json
    from memstrata.ontology import EntityType, Field, Ontology, Relation

Schema = dict[str, "Json"]

_TEXT: Final[Schema] = {"type": "string"}
_TIME: Final = "2019, 2019-06, 2019-06-14 or 2019-06-14T09:30:00Z"
_VALUES: Final[Mapping[FieldType, Schema]] = {
    FieldType.TEXT: _TEXT,
    FieldType.INTEGER: {"type": "integer"},
    FieldType.NUMBER: {"type": "number"},
    FieldType.BOOLEAN: {"type": "boolean"},
    FieldType.DATE: {"type": "string", "description": _TIME},
    FieldType.INSTANT: {"type": "string", "description": _TIME},
}


def reply_schema(ontology: Ontology, *, episodes: int = 1, repaired: int = 0) -> Mapping[str, Json]:
    """The schema of the reply to a call.

    Where `episodes` share it each item names its own by number; in a reply to a repair call each names
    which of the `repaired` items it stands for. Where the ontology closes types or relations, only declared
    ones can be given.
    """
    leading: Schema = {}
    if repaired:
        leading["item"] = {"type": "integer", "enum": list(range(1, repaired + 1))}
    if episodes > 1:
        leading["episode"] = {"type": "integer", "enum": list(range(1, episodes + 1))}
    return _object(
        {
            "entities": _list(_object(leading | _entity(ontology))),
            "assertions": _list(_object(leading | _assertion(ontology))),
        }
    )


def verdicts_schema(count: int) -> Mapping[str, Json]:
    """The schema of the reply to a second pass over `count` assertions."""
    verdict: Schema = {
        "item": {"type": "integer", "enum": list(range(1, count + 1))},
        "reason": _TEXT,
        "verdict": {"type": "string", "enum": ["said", "not_said", "unsure"]},
    }
    return _object({"verdicts": _list(_object(verdict))})


def vocabulary(ontology: Ontology) -> str:
    """What is declared, as lines for the prompt."""
    lines: list[str] = []
    if ontology.types:
        lines.append(f"Types of entities ({_others(ontology.undeclared_types)}):")
        lines += [_type_line(one) for one in sorted(ontology.types, key=_name)]
    if ontology.relations:
        lines.append(f"Predicates ({_others(ontology.undeclared_relations)}):")
        lines += [_relation_line(one) for one in sorted(ontology.relations, key=_name)]
    return "\n".join(lines) or "None are declared: use plain words, such as person and works_at."


def _others(undeclared: Undeclared) -> str:
    return "no other" if undeclared is Undeclared.CLOSED else "another only where none fits"


def _entity(ontology: Ontology) -> Schema:
    is_closed = ontology.undeclared_types is Undeclared.CLOSED
    fields = [field for one in ontology.types for field in one.fields]
    shape: Schema = {
        "name": {"type": "string", "description": "as the text writes it"},
        "type": _named([one.name for one in ontology.types], is_closed=is_closed, may_be_null=True),
        "aliases": _list({"type": "string", "description": "another name that the text gives it"}),
    }
    if fields or not is_closed:
        shape["attributes"] = _list(_attribute(fields, is_closed=is_closed))
    return shape


def _assertion(ontology: Ontology) -> Schema:
    is_closed = ontology.undeclared_relations is Undeclared.CLOSED
    shape: Schema = {
        "subject": {"type": "string", "description": "the name of an entity of this reply"},
        "predicate": _named([one.name for one in ontology.relations], is_closed=is_closed),
        "object": {"type": "string", "description": "the name of an entity of this reply, or a value"},
        "object_is_literal": {"type": "boolean", "description": "true for a number, a date, a phrase"},
        "fact": {"type": "string", "description": "the assertion as one sentence that stands alone"},
        "kind": {"type": "string", "enum": [one.value for one in Kind]},
        "valid_at": _time("when it began, only if stated"),
        "valid_at_precision": _precision(),
        "invalid_at": _time("when it ended, only if stated"),
        "invalid_at_precision": _precision(),
        "evidence": {"type": "string", "description": "a quote of the text, letter by letter"},
        "confidence": {"type": "number", "description": "from 0 to 1"},
    }
    fields = [field for one in ontology.relations for field in one.fields]
    if fields:
        shape["attributes"] = _list(_attribute(fields, is_closed=True))
    return shape


def _attribute(fields: Sequence[Field], *, is_closed: bool) -> Schema:
    """A name with a value: of the declared type, or in the open any text."""
    evidence: Schema = {"type": "string", "description": "a quote of the text, letter by letter"}
    shapes: list[Json] = []
    for kind in FieldType:
        names = sorted({field.name for field in fields if field.type is kind and not _is_chosen(field)})
        if names:
            named: Schema = {"type": "string", "enum": list(names)}
            shapes.append(_object({"name": named, "value": _VALUES[kind], "evidence": evidence}))
    for name, choices in sorted({(field.name, field.choices) for field in fields if _is_chosen(field)}):
        chosen: Schema = {"type": "string", "enum": list(choices)}
        named = {"type": "string", "enum": [name]}
        shapes.append(_object({"name": named, "value": chosen, "evidence": evidence}))
    if not is_closed:
        shapes.append(_object({"name": _TEXT, "value": _TEXT, "evidence": evidence}))
    return {"anyOf": shapes} if len(shapes) > 1 else dict(_as_schema(shapes[0]))


def _is_chosen(field: Field) -> bool:
    """Whether its values are given as texts to choose from."""
    return bool(field.choices) and field.type is FieldType.TEXT


def _as_schema(shape: Json) -> Schema:
    return dict(shape) if isinstance(shape, dict) else {}


def _named(names: Sequence[str], *, is_closed: bool, may_be_null: bool = False) -> Schema:
    """A declared name, or in the open any text."""
    shapes: list[Json] = []
    if names:
        shapes.append({"type": "string", "enum": sorted(names)})
    if not names or not is_closed:
        shapes.append({"type": "string"})
    if may_be_null:
        shapes.append({"type": "null"})
    return {"anyOf": shapes} if len(shapes) > 1 else _as_schema(shapes[0])


def _time(description: str) -> Schema:
    return {"type": ["string", "null"], "description": f"{description}: {_TIME}"}


def _precision() -> Schema:
    return {"anyOf": [{"type": "string", "enum": [one.value for one in Precision]}, {"type": "null"}]}


def _object(properties: Mapping[str, Json]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _name(one: EntityType | Relation) -> str:
    return one.name


def _type_line(one: EntityType) -> str:
    parent = one.parent
    return _line(one, [f"a kind of {parent}"] if parent else [])


def _relation_line(one: Relation) -> str:
    joins = _joins(one)
    return _line(one, [joins] if joins else [])


def _joins(relation: Relation) -> str:
    """Between what it stands, as `Person -> Company`; empty if between anything."""
    if relation.pairs:
        pairs = sorted((subject or "any", target or "any") for subject, target in relation.pairs)
        return ", ".join(f"{subject} -> {target}" for subject, target in pairs)
    if not relation.domain and not relation.range:
        return ""
    sides = (relation.domain, relation.range)
    return " -> ".join(" or ".join(sorted(side)) or "any" for side in sides)


def _line(one: EntityType | Relation, notes: list[str]) -> str:
    if one.aliases:
        notes.append(f"also {', '.join(sorted(one.aliases))}")
    said = f"- {one.name}" + (f" ({'; '.join(notes)})" if notes else "")
    if one.description:
        said += f": {' '.join(one.description.split())}"
    if one.fields:
        fields = ", ".join(_field(field) for field in sorted(one.fields, key=lambda field: field.name))
        said += f" [attributes: {fields}]"
    return said


def _field(field: Field) -> str:
    described = f": {' '.join(field.description.split())}" if field.description else ""
    kind = f"one of {', '.join(field.choices)}" if field.choices else field.type.value
    return f"{field.name} ({kind}{described})"
