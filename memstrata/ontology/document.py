"""A user's ontology file, read strictly: every mistake is named with its line and how to mend it.

default_cardinality: many            # or one
undeclared: review                   # open (the default), review or closed; or {types: open, ...}
least_confidence: 0.3                # from 0 to 1: what is less sure waits for a person
types:
  - name: Company
    parent: Organization             # the type that it is a kind of
    description: A firm.
    aliases: [Firm]
    fields: {founded: date, staff: {type: integer, description: Head count.}}
    review: false                    # true: what is extracted of it waits for a person
relations:
  - name: works_at
    domain: Person                   # one type, or a list of them; left out: any
    range: [Organization]            # types, or field types for literal objects
    cardinality: one
    lifetime: P2Y                    # how long it is expected to stay true, unless confirmed
    aliases: [employed_by]
    review: false
    least_confidence: 0.6
  - {name: knows, symmetric: true}
  - {name: part_of, acyclic: true}
"""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn, TypeVar

import yaml

from memstrata.errors import Misplaced, nearest
from memstrata.ontology.declared import (
    Cardinality,
    EntityType,
    Field,
    FieldType,
    Ontology,
    Relation,
    Undeclared,
)
from memstrata.ontology.duration import parse_duration
from memstrata.yaml_nodes import root_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.ontology.duration import Duration

_TOP = ("default_cardinality", "undeclared", "least_confidence", "types", "relations")
_UNDECLARED = ("types", "relations")
_TYPE = ("name", "parent", "description", "aliases", "fields", "review")
_RELATION = (
    "name",
    "domain",
    "range",
    "cardinality",
    "symmetric",
    "acyclic",
    "lifetime",
    "aliases",
    "description",
    "fields",
    "review",
    "least_confidence",
)
_FIELD = ("type", "description", "choices")
_USUAL_NAMES = {
    "string": FieldType.TEXT,
    "str": FieldType.TEXT,
    "int": FieldType.INTEGER,
    "float": FieldType.NUMBER,
    "bool": FieldType.BOOLEAN,
    "datetime": FieldType.INSTANT,
    "timestamp": FieldType.INSTANT,
}
_Choice = TypeVar("_Choice", bound=StrEnum)


def load_ontology(text: str, file: str | None = None) -> Ontology:
    """Reads one ontology document; an empty text is the empty ontology.

    Raises `Misplaced` with `file`, line and key for YAML that cannot be read, unknown or repeated keys
    and names, undeclared types, and declarations that contradict themselves.
    """
    root = root_of(text, file)
    if root is None or _is_null(root):
        return Ontology()
    return _Document(file).ontology(root)


class _Document:
    """Reads the nodes of one document; keeps what is needed to say where a mistake stands."""

    def __init__(self, file: str | None) -> None:
        self._file = file

    def ontology(self, root: yaml.Node) -> Ontology:
        entries = self._mapping(root, _TOP, "the ontology")
        default = Cardinality.MANY
        if "default_cardinality" in entries:
            default = self._choice(entries["default_cardinality"], Cardinality, "default_cardinality")
        type_nodes = self._list(entries, "types")
        relation_nodes = self._list(entries, "relations")
        types = [self._type(node) for node in type_nodes]
        self._check_names(zip(type_nodes, types, strict=True), "type")
        for node, declared in zip(type_nodes, types, strict=True):
            self._check_parents(node, declared, types)
        relations = [self._relation(node, types, default) for node in relation_nodes]
        self._check_names(zip(relation_nodes, relations, strict=True), "relation")
        undeclared_types, undeclared_relations = self._undeclared(entries)
        return Ontology(
            types=tuple(types),
            relations=tuple(relations),
            default_cardinality=default,
            undeclared_types=undeclared_types,
            undeclared_relations=undeclared_relations,
            least_confidence=self._share(entries, "least_confidence"),
        )

    def _undeclared(self, entries: dict[str, yaml.Node]) -> tuple[Undeclared, Undeclared]:
        """What becomes of undeclared types and of undeclared relations: one word for both, or one each."""
        node = entries.get("undeclared")
        if node is None:
            return Undeclared.OPEN, Undeclared.OPEN
        if isinstance(node, yaml.ScalarNode):
            both = self._choice(node, Undeclared, "undeclared")
            return both, both
        given = self._mapping(node, _UNDECLARED, "undeclared")
        types, relations = (
            self._choice(given[key], Undeclared, f"undeclared.{key}") if key in given else Undeclared.OPEN
            for key in _UNDECLARED
        )
        return types, relations

    def _type(self, node: yaml.Node) -> EntityType:
        entries = self._mapping(node, _TYPE, "a type")
        return EntityType(
            name=self._name(node, entries, "type"),
            parent=self._text(entries["parent"], "parent") if "parent" in entries else None,
            description=self._description(entries),
            aliases=self._texts(entries, "aliases"),
            fields=self._fields(entries),
            review=self._truth(entries, "review"),
        )

    def _relation(self, node: yaml.Node, types: Sequence[EntityType], default: Cardinality) -> Relation:
        entries = self._mapping(node, _RELATION, "a relation")
        name = self._name(node, entries, "relation")
        cardinality = None
        if "cardinality" in entries:
            cardinality = self._choice(entries["cardinality"], Cardinality, "cardinality")
        symmetric = self._truth(entries, "symmetric")
        if symmetric and (cardinality or default) is Cardinality.ONE:
            self._wrong(
                entries["symmetric"],
                f"relation {name!r} is symmetric with cardinality one",
                field="symmetric",
                mend="declare its cardinality many, or leave symmetric out",
            )
        acyclic = self._truth(entries, "acyclic")
        if symmetric and acyclic:
            problem = f"relation {name!r} is symmetric and acyclic; every fact of it would be a cycle"
            self._wrong(entries["acyclic"], problem, field="acyclic", mend="leave one of them out")
        return Relation(
            name=name,
            cardinality=cardinality,
            symmetric=symmetric,
            acyclic=acyclic,
            domain=self._ends(entries, "domain", types, literals=()),
            range=self._ends(entries, "range", types, literals=tuple(FieldType)),
            lifetime=self._lifetime(entries),
            aliases=self._texts(entries, "aliases"),
            description=self._description(entries),
            fields=self._fields(entries),
            review=self._truth(entries, "review"),
            least_confidence=self._share(entries, "least_confidence"),
        )

    def _fields(self, entries: dict[str, yaml.Node]) -> tuple[Field, ...]:
        node = entries.get("fields")
        if node is None:
            return ()
        return tuple(
            self._field(name, value) for name, value in self._mapping(node, None, "fields").items()
        )

    def _field(self, name: str, node: yaml.Node) -> Field:
        if isinstance(node, yaml.ScalarNode):
            return Field(name=name, type=self._choice(node, FieldType, name))
        entries = self._mapping(node, _FIELD, f"field {name!r}")
        if "type" not in entries:
            self._wrong(
                node, f"field {name!r} has no type", field=name, mend=f"one of {_listed(FieldType)}"
            )
        kind = self._choice(entries["type"], FieldType, name)
        choices = tuple(dict.fromkeys(self._texts(entries, "choices")))
        return Field(name=name, type=kind, description=self._description(entries), choices=choices)

    def _ends(
        self,
        entries: dict[str, yaml.Node],
        key: str,
        types: Sequence[EntityType],
        *,
        literals: Sequence[str],
    ) -> tuple[str, ...]:
        node = entries.get(key)
        if node is None:
            return ()
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        known = {name.casefold(): one.name for one in types for name in (*one.aliases, one.name)}
        return tuple(self._end(one, key, {**{name: name for name in literals}, **known}) for one in nodes)

    def _end(self, node: yaml.Node, key: str, known: dict[str, str]) -> str:
        name = self._text(node, key)
        if name.casefold() not in known:
            declared = sorted(set(known.values()))
            self._wrong(
                node,
                f"type {name!r} is not declared",
                field=key,
                mend=_nearest(name, declared, "declare it"),
            )
        return known[name.casefold()]

    def _lifetime(self, entries: dict[str, yaml.Node]) -> Duration | None:
        node = entries.get("lifetime")
        if node is None:
            return None
        try:
            return parse_duration(self._text(node, "lifetime"))
        except (ValueError, OverflowError) as error:
            self._wrong(node, str(error), field="lifetime")

    def _name(self, node: yaml.Node, entries: dict[str, yaml.Node], what: str) -> str:
        if "name" not in entries:
            self._wrong(node, f"a {what} has no name", field="name", mend=f"- name: the_{what}")
        return self._text(entries["name"], "name")

    def _description(self, entries: dict[str, yaml.Node]) -> str:
        node = entries.get("description")
        return "" if node is None else self._text(node, "description")

    def _check_names(self, declared: Iterable[tuple[yaml.Node, EntityType | Relation]], what: str) -> None:
        taken: dict[str, str] = {}
        for node, one in declared:
            for name in (one.name, *one.aliases):
                owner = taken.setdefault(name.casefold(), one.name)
                if owner != one.name or (name == one.name and list(taken.values()).count(owner) > 1):
                    self._wrong(
                        node,
                        f"{what} {one.name!r}: the name {name!r} is taken by {what} {owner!r}",
                        field="name",
                        mend="names and aliases are told apart without regard to case",
                    )

    def _check_parents(self, node: yaml.Node, declared: EntityType, types: Sequence[EntityType]) -> None:
        parents = {one.name: one.parent for one in types}
        passed = [declared.name]
        parent = declared.parent
        while parent is not None:
            if parent not in parents:
                mend = _nearest(parent, list(parents), "declare it")
                self._wrong(
                    node,
                    f"type {passed[-1]!r}: its parent {parent!r} is not declared",
                    field="parent",
                    mend=mend,
                )
            if parent in passed:
                cycle = " > ".join([*passed, parent])
                self._wrong(node, f"types are kinds of one another in a circle: {cycle}", field="parent")
            passed.append(parent)
            parent = parents[parent]

    def _mapping(self, node: yaml.Node, allowed: Sequence[str] | None, what: str) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            self._wrong(node, f"{what} is {_shown(node)}; expected a mapping of keys to values")
        entries: dict[str, yaml.Node] = {}
        for key_node, value in node.value:
            key = self._text(key_node, "key")
            if allowed is not None and key not in allowed:
                self._wrong(
                    key_node, f"{key!r} is no key of {what}", field=key, mend=_nearest(key, allowed)
                )
            if key in entries:
                self._wrong(key_node, f"{key!r} is given twice in {what}", field=key)
            entries[key] = value
        return {key: value for key, value in entries.items() if not _is_null(value)}

    def _list(self, entries: dict[str, yaml.Node], key: str) -> list[yaml.Node]:
        node = entries.get(key)
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self._wrong(node, f"{key} is {_shown(node)}; expected a list", field=key, mend="- name: ...")
        return list(node.value)

    def _text(self, node: yaml.Node, field: str) -> str:
        if not isinstance(node, yaml.ScalarNode) or _is_null(node) or not node.value.strip():
            self._wrong(node, f"{field} is {_shown(node)}; expected text", field=field)
        return str(node.value)

    def _texts(self, entries: dict[str, yaml.Node], key: str) -> tuple[str, ...]:
        return tuple(self._text(node, key) for node in self._list(entries, key))

    def _truth(self, entries: dict[str, yaml.Node], key: str) -> bool:
        node = entries.get(key)
        if node is None:
            return False
        if not isinstance(node, yaml.ScalarNode) or node.tag != "tag:yaml.org,2002:bool":
            self._wrong(node, f"{key} is {_shown(node)}; expected true or false", field=key)
        return node.value.lower() in ("true", "yes", "on")

    def _share(self, entries: dict[str, yaml.Node], key: str) -> float | None:
        """A number from 0 to 1."""
        node = entries.get(key)
        if node is None:
            return None
        try:
            share = float(node.value) if isinstance(node, yaml.ScalarNode) else math.nan
        except ValueError:
            share = math.nan
        if not 0 <= share <= 1:
            self._wrong(node, f"{key} is {_shown(node)}; expected a number from 0 to 1", field=key)
        return share

    def _choice(self, node: yaml.Node, choices: type[_Choice], field: str) -> _Choice:
        given = self._text(node, field)
        if given not in set(choices):
            usual = _USUAL_NAMES.get(given.lower()) if choices is FieldType else None
            close = usual or nearest(given, [one.value for one in choices], at_least=0.6)
            problem = f"{given!r} is unknown; expected one of {_listed(choices)}"
            self._wrong(node, problem, field=field, mend=f"did you mean '{close}'?" if close else None)
        return choices(given)

    def _wrong(
        self, node: yaml.Node, problem: str, *, field: str | None = None, mend: str | None = None
    ) -> NoReturn:
        line = node.start_mark.line + 1
        raise Misplaced(problem, file=self._file, line=line, field=field, mend=mend)


def _nearest(given: str, known: Sequence[str], otherwise: str | None = None) -> str | None:
    close = nearest(given, known, at_least=0.6)
    if close:
        return f"did you mean {close!r}?"
    return otherwise or f"known are {', '.join(known)}"


def _listed(choices: Iterable[StrEnum]) -> str:
    return ", ".join(choice.value for choice in choices)


def _is_null(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")


def _shown(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return repr(node.value)
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
