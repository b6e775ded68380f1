"""What an ontology declares, as values: entity types with typed fields, and relations.

Names are compared without regard to case where a person or a model wrote them (`relation`,
`type_named`); the fold asks by the exact predicate (`cardinality`, `symmetric`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from memstrata import ids
from memstrata.ontology.duration import Duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import BaseModel


class Cardinality(StrEnum):
    """How many values a relation may have for one subject at one instant."""

    ONE = "one"
    MANY = "many"


class Undeclared(StrEnum):
    """What becomes of facts whose type or relation is not declared."""

    OPEN = "open"  # they count, as new ones
    REVIEW = "review"  # they wait for a person
    CLOSED = "closed"  # they are refused


class FieldType(StrEnum):
    """What kind of literal a field of an entity, or the range of a relation, holds."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """An attribute of an entity type or of a relation: a literal of a known type, of `choices` if given."""

    name: str
    type: FieldType
    description: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityType:
    """A kind of entity; `parent` is the type that it is a kind of.

    With `review`, what is extracted of its entities waits for a person.
    """

    name: str
    parent: str | None = None
    description: str = ""
    aliases: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    review: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A declared predicate.

    `domain` and `range` name entity types (a range also field types, for literals); empty admits any.
    `pairs`, if there are any, narrow them to those combinations
    (None: any type). `cardinality` None rests on the
    ontology's default. `lifetime` is how long a fact is expected to stay true without new evidence.
    With `review`, what is extracted of it waits for a person, as does what is less sure than
    `least_confidence` (None: the ontology's).
    """

    name: str
    cardinality: Cardinality | None = None
    symmetric: bool = False
    acyclic: bool = False
    domain: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    pairs: tuple[tuple[str | None, str | None], ...] = ()
    lifetime: Duration | None = None
    aliases: tuple[str, ...] = ()
    description: str = ""
    fields: tuple[Field, ...] = ()
    review: bool = False
    least_confidence: float | None = None


_Named = TypeVar("_Named", "EntityType", "Relation")


@dataclass(frozen=True, kw_only=True)  # no slots: the look-up tables are made once, when first asked for
class Ontology:
    """Everything declared at one time; the empty one lets every relation have many values.

    `least_confidence` None leaves the bar to verification.
    """

    types: tuple[EntityType, ...] = ()
    relations: tuple[Relation, ...] = ()
    default_cardinality: Cardinality = Cardinality.MANY
    undeclared_types: Undeclared = Undeclared.OPEN
    undeclared_relations: Undeclared = Undeclared.OPEN
    least_confidence: float | None = None

    def cardinality(self, predicate: str) -> Cardinality:
        """How many values `predicate` may have at once; the default if it is not declared."""
        relation = self._relations.get(predicate)
        return (relation and relation.cardinality) or self.default_cardinality

    def symmetric(self, predicate: str) -> bool:
        """Whether `predicate` reads the same both ways; an undeclared relation does not."""
        relation = self._relations.get(predicate)
        return relation is not None and relation.symmetric

    def relation(self, name: str) -> Relation | None:
        """The relation of that name or alias, in any case; None if it is not declared."""
        return self._relations.get(name) or self._relations_by_any_name.get(name.casefold())

    def type_named(self, name: str) -> EntityType | None:
        """The entity type of that name or alias, in any case; None if it is not declared."""
        return self._types_by_any_name.get(name.casefold())

    def lineage(self, name: str) -> tuple[str, ...]:
        """The type's name, its parent's, and so on up; empty if it is not declared."""
        found: list[str] = []
        current = self.type_named(name)
        while current is not None and current.name not in found:
            found.append(current.name)
            current = self.type_named(current.parent) if current.parent else None
        return tuple(found)

    def admits(self, relation: Relation, subject_type: str | None, object_type: str | None) -> bool:
        """Whether entities of these types may be related so; an unknown type (None) may be anything."""
        subject = None if subject_type is None else (*self.lineage(subject_type), subject_type)
        object_ = None if object_type is None else (*self.lineage(object_type), object_type)
        if relation.pairs:
            return any(_is_a(subject, one) and _is_a(object_, other) for one, other in relation.pairs)
        return _among(subject, relation.domain) and _among(object_, relation.range)

    @cached_property
    def hash(self) -> str:
        """A digest of what is declared, the same in whatever order it was written."""
        types = sorted((_content(one) for one in self.types), key=ids.canonical_json)
        relations = sorted((_content(one) for one in self.relations), key=ids.canonical_json)
        default = self.default_cardinality.value
        declared: dict[str, object] = {
            "types": types,
            "relations": relations,
            "default_cardinality": default,
        }
        return ids.digest(declared | self.admission)

    @property
    def admission(self) -> dict[str, object]:
        """What it says of what it does not declare and of doubtful facts; empty if nothing."""
        said: dict[str, object] = {}
        if self.undeclared_types is not Undeclared.OPEN:
            said["undeclared_types"] = self.undeclared_types.value
        if self.undeclared_relations is not Undeclared.OPEN:
            said["undeclared_relations"] = self.undeclared_relations.value
        if self.least_confidence is not None:
            said["least_confidence"] = self.least_confidence
        return said

    @classmethod
    def with_models(
        cls,
        *,
        entity_types: Mapping[str, type[BaseModel]] | None = None,
        edge_types: Mapping[str, type[BaseModel]] | None = None,
        edge_type_map: Mapping[tuple[str, str], Iterable[str]] | None = None,
        undeclared: Undeclared = Undeclared.OPEN,
    ) -> Ontology:
        """An ontology from pydantic models, declared as for Graphiti (see `memstrata.ontology.models`)."""
        from memstrata.ontology.models import relations_from, types_from

        types = types_from(entity_types or {})
        relations = relations_from(edge_types or {}, edge_type_map or {}, types=types)
        return cls(
            types=types, relations=relations, undeclared_types=undeclared, undeclared_relations=undeclared
        )

    @cached_property
    def _relations(self) -> dict[str, Relation]:
        return {relation.name: relation for relation in self.relations}

    @cached_property
    def _relations_by_any_name(self) -> dict[str, Relation]:
        return _by_any_name(self.relations)

    @cached_property
    def _types_by_any_name(self) -> dict[str, EntityType]:
        return _by_any_name(self.types)


def _by_any_name(declared: Iterable[_Named]) -> dict[str, _Named]:
    """By folded name and alias; a name wins over another's alias."""
    declared = tuple(declared)
    found = {alias.casefold(): one for one in reversed(declared) for alias in one.aliases}
    found.update((one.name.casefold(), one) for one in reversed(declared))
    return found


def _among(lineage: tuple[str, ...] | None, wanted: tuple[str, ...]) -> bool:
    return lineage is None or not wanted or any(name in wanted for name in lineage)


def _is_a(lineage: tuple[str, ...] | None, wanted: str | None) -> bool:
    return lineage is None or wanted is None or wanted in lineage


#: Keys that came later are in the digest only where they are given, so that those of old stand.
_LATER = {"review": False, "least_confidence": None}


def _content(value: object) -> object:
    """A declared value as plain JSON, for the digest."""
    if is_dataclass(value) and not isinstance(value, Duration):
        held = {one.name: getattr(value, one.name) for one in fields(value)}
        return {
            name: _content(one) for name, one in held.items() if name not in _LATER or one != _LATER[name]
        }
    if isinstance(value, tuple):
        return [_content(one) for one in value]
    if value is None or isinstance(value, bool):
        return value
    return str(value)
