"""Types declared as pydantic models, as Graphiti's users do: name -> model, and which pairs an edge joins.

A model's docstring is the description, its fields are the fields. A relation's cardinality, symmetry,
lifetime, review and least confidence, for which Graphiti has no place, may stand in the model as class
variables:

    class WorksAt(BaseModel):
        "A person is employed by a company."
        cardinality: ClassVar[str] = "one"
        lifetime: ClassVar[str] = "P2Y"
        title: str | None = None

Pydantic itself is not imported here: the models bring it along.
"""

from __future__ import annotations

import inspect
from datetime import date, datetime
from enum import Enum
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Literal, Union, get_args, get_origin

from memstrata.errors import Incorrect
from memstrata.ontology.declared import Cardinality, EntityType, Field, FieldType, Relation
from memstrata.ontology.duration import parse_duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic import BaseModel

#: Graphiti's name for an entity of any type.
_ANY = "Entity"
_FIELD_TYPES = (
    (bool, FieldType.BOOLEAN),  # before int, whose subclass it is
    (int, FieldType.INTEGER),
    (float, FieldType.NUMBER),
    (datetime, FieldType.INSTANT),  # before date, whose subclass it is
    (date, FieldType.DATE),
    (str, FieldType.TEXT),
    (Enum, FieldType.TEXT),
)


def types_from(models: Mapping[str, type[BaseModel]]) -> tuple[EntityType, ...]:
    """An entity type for each model; a model that subclasses another of them is a kind of it."""
    return tuple(
        EntityType(
            name=name,
            parent=_parent(model, models),
            description=_description(model),
            fields=_fields(model),
            review=getattr(model, "review", None) is True,
        )
        for name, model in models.items()
    )


def relations_from(
    models: Mapping[str, type[BaseModel]],
    joined: Mapping[tuple[str, str], Iterable[str]],
    *,
    types: Sequence[EntityType],
) -> tuple[Relation, ...]:
    """A relation for each edge model, and for each name that `joined` gives without a model.

    Raises `Incorrect` for pairs of undeclared types, and for class variables that make no sense.
    """
    pairs: dict[str, list[tuple[str, str]]] = {name: [] for name in models}
    declared = {one.name for one in types} | {_ANY}
    for pair, names in joined.items():
        for unknown in (one for one in pair if one not in declared):
            known = ", ".join(sorted(declared))
            raise Incorrect(
                f"edge_type_map {pair}: entity type {unknown!r} is not declared; known are {known}"
            )
        for name in names:
            pairs.setdefault(name, []).append(pair)
    return tuple(_relation(name, models.get(name), among) for name, among in pairs.items())


def _relation(name: str, model: type[BaseModel] | None, pairs: Sequence[tuple[str, str]]) -> Relation:
    domain = tuple(dict.fromkeys(subject for subject, _ in pairs))
    range_ = tuple(dict.fromkeys(object_ for _, object_ in pairs))
    given = getattr(model, "cardinality", None)
    try:
        cardinality = None if given is None else Cardinality(given)
        lifetime = getattr(model, "lifetime", None)
        duration = None if lifetime is None else parse_duration(lifetime)
    except ValueError as error:
        raise Incorrect(f"edge type {name!r}: {error}") from None
    bar = getattr(model, "least_confidence", None)
    if bar is not None and not (isinstance(bar, int | float) and 0 <= bar <= 1):
        raise Incorrect(f"edge type {name!r}: least_confidence is {bar!r}; expected a number from 0 to 1")
    symmetric = bool(getattr(model, "symmetric", False))
    if symmetric and cardinality is Cardinality.ONE:
        raise Incorrect(
            f"edge type {name!r} is symmetric with cardinality one; declare it many, or not symmetric"
        )
    return Relation(
        name=name,
        cardinality=cardinality,
        symmetric=symmetric,
        acyclic=bool(getattr(model, "acyclic", False)),
        domain=() if _ANY in domain else domain,
        range=() if _ANY in range_ else range_,
        pairs=tuple((_unless_any(subject), _unless_any(object_)) for subject, object_ in pairs),
        lifetime=duration,
        description="" if model is None else _description(model),
        fields=() if model is None else _fields(model),
        review=getattr(model, "review", None) is True,
        least_confidence=bar,
    )


def _unless_any(name: str) -> str | None:
    return None if name == _ANY else name


def _parent(model: type[BaseModel], models: Mapping[str, type[BaseModel]]) -> str | None:
    names = {other: name for name, other in models.items()}
    return next((names[above] for above in model.__mro__[1:] if above in names), None)


def _description(model: type[BaseModel]) -> str:
    own = model.__dict__.get("__doc__")
    return inspect.cleandoc(own) if own else ""


def _fields(model: type[BaseModel]) -> tuple[Field, ...]:
    return tuple(
        Field(
            name=name,
            type=_field_type(info.annotation),
            description=info.description or "",
            choices=_choices(info.annotation),
        )
        for name, info in model.model_fields.items()
    )


def _field_type(annotation: object) -> FieldType:
    """The literal type of an annotation; optional ones are looked into, unknown and several are text."""
    found = {
        next((field_type for python_type, field_type in _FIELD_TYPES if issubclass(one, python_type)), None)
        for one in _alternatives(annotation)
        if isinstance(one, type)
    }
    return (found.pop() or FieldType.TEXT) if len(found) == 1 else FieldType.TEXT


def _choices(annotation: object) -> tuple[str, ...]:
    """The values of a `Literal` or an enumeration; none if anything else is allowed beside them."""
    found: list[str] = []
    for one in _alternatives(annotation):
        if get_origin(one) is Literal:
            found += [str(value) for value in get_args(one) if value is not None]
        elif isinstance(one, type) and issubclass(one, Enum):
            found += [str(member.value) for member in one]
        else:
            return ()
    return tuple(dict.fromkeys(found))


def _alternatives(annotation: object) -> Sequence[object]:
    """What an annotation allows, one by one, but for `None`."""
    if get_origin(annotation) not in {Union, UnionType}:
        return [annotation]
    return [one for one in get_args(annotation) if one is not NoneType]
