"""Which ontology was in force when: a YAML stream of documents, each replacing the one before whole.

This is the wire form of docs/fold.md, section 7: it looks at names, cardinality and symmetry only, and
ignores every other key. A user's own file is read strictly, by `memstrata.ontology.document`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

from memstrata.errors import Misplaced
from memstrata.instants import NotAnInstant, parse_instant
from memstrata.ontology.declared import Cardinality, Ontology, Relation
from memstrata.yaml_nodes import LOADER

if TYPE_CHECKING:
    from datetime import datetime

_TRUE_OR_FALSE = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class OntologyStream:
    """An ontology in force from the beginning, and those that replaced it: (in force from, ontology)."""

    first: Ontology
    later: tuple[tuple[datetime, Ontology], ...] = ()

    def in_force(self, system: datetime | None) -> Ontology:
        """The ontology in force at that system time; the last one at None."""
        if system is None:
            return self.later[-1][1] if self.later else self.first
        reached = bisect_right(self.later, system, key=lambda entry: entry[0])
        return self.later[reached - 1][1] if reached else self.first

    @property
    def changes(self) -> tuple[datetime, ...]:
        """The instants at which another ontology came into force, in order."""
        return tuple(since for since, _ in self.later)


def load_stream(text: str) -> OntologyStream:
    """Reads the fold's stream of ontology documents; an empty text is the empty ontology.

    Raises `Misplaced` (field `ontology`) naming the relation, or `in_force_from`, that is wrong.
    """
    try:
        nodes = list(yaml.compose_all(text, Loader=LOADER))
    except yaml.YAMLError as error:
        raise _wrong(f"not YAML: {' '.join(str(error).split())}") from None
    read = [_document(node, number) for number, node in enumerate(nodes, 1)]
    if not read:
        return OntologyStream(first=Ontology())
    if read[0][0] is not None:
        raise _wrong(
            "in_force_from is given in document 1; the first document always was in force: remove it"
        )
    later: list[tuple[datetime, Ontology]] = []
    for number, (since, ontology) in enumerate(read[1:], 2):
        if since is None:
            raise _wrong(
                f"in_force_from is missing in document {number}; every document but the first has one"
            )
        if later and since <= later[-1][0]:
            raise _wrong(f"in_force_from of document {number} is not after that of the document before")
        later.append((since, ontology))
    return OntologyStream(first=read[0][1], later=tuple(later))


def _document(node: yaml.Node | None, number: int) -> tuple[datetime | None, Ontology]:
    entries = _entries(node, f"document {number}")
    since = _since(entries["in_force_from"], number) if "in_force_from" in entries else None
    default = Cardinality.MANY
    if "default_cardinality" in entries:
        default = _cardinality(entries["default_cardinality"], "default_cardinality")
    listed = entries.get("relations")
    if listed is None or _is_null(listed):
        return since, Ontology(default_cardinality=default)
    if not isinstance(listed, yaml.SequenceNode):
        raise _wrong(f"relations in document {number} is not a list")
    relations: dict[str, Relation] = {}
    for place, item in enumerate(listed.value, 1):
        relation = _relation(item, f"relation {place} of document {number}", default)
        if relation.name in relations:
            raise _wrong(f"relation {relation.name!r} is declared twice in document {number}")
        relations[relation.name] = relation
    return since, Ontology(relations=tuple(relations.values()), default_cardinality=default)


def _relation(node: yaml.Node, place: str, default: Cardinality) -> Relation:
    entries = _entries(node, place)
    name = entries.get("name")
    if name is None or not isinstance(name, yaml.ScalarNode) or _is_null(name) or not name.value:
        raise _wrong(f"{place} has no name")
    what = f"relation {name.value!r}"
    given = entries.get("cardinality")
    cardinality = None if given is None else _cardinality(given, f"{what}: cardinality")
    symmetric = "symmetric" in entries and _truth(entries["symmetric"], f"{what}: symmetric")
    if symmetric and (cardinality or default) is Cardinality.ONE:
        raise _wrong(f"{what}: symmetric with cardinality one; declare it many, or not symmetric")
    return Relation(name=name.value, cardinality=cardinality, symmetric=symmetric)


def _entries(node: yaml.Node | None, place: str) -> dict[str, yaml.Node]:
    if node is None or _is_null(node):
        return {}
    if not isinstance(node, yaml.MappingNode):
        raise _wrong(f"{place} is not a mapping of keys to values")
    return {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


def _since(node: yaml.Node, number: int) -> datetime | None:
    if _is_null(node):
        return None
    if not isinstance(node, yaml.ScalarNode):
        raise _wrong(f"in_force_from in document {number} is not a time")
    try:
        return parse_instant(node.value)
    except NotAnInstant as error:
        raise _wrong(f"in_force_from in document {number}: {error}") from None


def _cardinality(node: yaml.Node, what: str) -> Cardinality:
    if isinstance(node, yaml.ScalarNode) and node.value in set(Cardinality):
        return Cardinality(node.value)
    raise _wrong(f"{what} is {_shown(node)}; expected one or many")


def _truth(node: yaml.Node, what: str) -> bool:
    truth = _TRUE_OR_FALSE.get(node.value.lower()) if isinstance(node, yaml.ScalarNode) else None
    if truth is None or node.tag != "tag:yaml.org,2002:bool":
        raise _wrong(f"{what} is {_shown(node)}; expected true or false")
    return truth


def _is_null(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")


def _shown(node: yaml.Node) -> str:
    return repr(node.value) if isinstance(node, yaml.ScalarNode) else "a list or mapping"


def _wrong(problem: str) -> Misplaced:
    return Misplaced(problem, field="ontology")
