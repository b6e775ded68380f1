"""Names of a query against the schema: labels, types and properties that are not there."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memstrata.grounding.confining import GROUP_KEY, GROUP_PARAMETER
from memstrata.grounding.problems import problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from memstrata.grounding.problems import Problem
    from memstrata.grounding.reading import Pattern, Reading
    from memstrata.grounding.tokens import Token
    from memstrata.ports import GraphSchema


@dataclass(slots=True)
class _Bound:
    """What a variable stands for: with which labels or types, as far as the query says so."""

    names: set[str] = field(default_factory=set)
    is_node: bool = True


def check(text: str, reading: Reading, schema: GraphSchema) -> tuple[Problem, ...]:
    """Everything in the query that the schema does not have, in order of place."""
    found = [
        *_reserved(text, reading),
        *_unknown_kinds(text, reading, schema),
        *_unknown_properties(text, reading, schema),
    ]
    return tuple(sorted(set(found), key=lambda one: one.offset))


def _reserved(text: str, reading: Reading) -> Iterator[Problem]:
    for token in reading.parameters:
        if token.name == GROUP_PARAMETER:
            yield _said(text, "syntax", token, "this parameter is the tool's own; give yours another name")
    for pattern in reading.patterns:
        for key in pattern.keys:
            if key.name == GROUP_KEY:
                message = "the group is set by the tool, for every node; leave it out of the pattern"
                yield _said(text, "property", key, message)


def _unknown_kinds(text: str, reading: Reading, schema: GraphSchema) -> Iterator[Problem]:
    labels = {kind.name for kind in schema.labels}
    types = {kind.name for kind in schema.types}
    relations = {relation.name for relation in schema.relations}
    for pattern in reading.patterns:
        for name in pattern.names:
            if pattern.is_node and name.name not in labels:
                yield _said(text, "label", name, f"no node is labelled {name.name}", labels)
            elif not pattern.is_node and name.name not in types:
                yield _unknown_type(text, name, types, relations)
    for _, name in reading.tested:
        if name.name not in labels | types:
            yield _said(text, "label", name, f"nothing is labelled {name.name}", labels | types)


def _unknown_type(text: str, name: Token, types: Collection[str], relations: Collection[str]) -> Problem:
    """A relation of the memory is often taken for a relationship type of the graph."""
    if name.name in relations:
        message = (
            f"{name.name} is a relation of the memory, not a relationship type; facts are "
            f"-[:RELATES_TO {{name: '{name.name}'}}]->"
        )
        return replace(_said(text, "type", name, message), nearest=("RELATES_TO",))
    return _said(text, "type", name, f"no relationship is of type {name.name}", types)


def _unknown_properties(text: str, reading: Reading, schema: GraphSchema) -> Iterator[Problem]:
    bound = _bound(reading)
    for pattern in reading.patterns:
        known = _known(schema, [name.name for name in pattern.names], is_node=pattern.is_node)
        for key in pattern.keys:
            if key.name not in known and key.name != GROUP_KEY:
                yield _said(text, "property", key, _lacking(key, pattern), known)
    for access in reading.accesses:
        stands = bound.get(access.variable)
        if stands is None:
            continue
        known = _known(schema, sorted(stands.names), is_node=stands.is_node)
        if access.key.name not in known:
            message = f"{access.variable} has no property {access.key.name}"
            yield _said(text, "property", access.key, message, known)


def _bound(reading: Reading) -> dict[str, _Bound]:
    """Variables that patterns bind; one that is bound without a label anywhere may have any."""
    bound: dict[str, _Bound] = defaultdict(_Bound)
    for pattern in reading.patterns:
        if pattern.variable is not None and not pattern.is_long:
            stands = bound[pattern.variable.name]
            stands.is_node = pattern.is_node
            stands.names |= {name.name for name in pattern.names}
    for variable, name in reading.tested:
        if variable in bound:
            bound[variable].names.add(name.name)
    for alias in reading.aliases:
        if alias.variable in bound:
            bound[alias.name] = bound[alias.variable]
    return bound


def _known(schema: GraphSchema, names: list[str], *, is_node: bool) -> frozenset[str]:
    """The properties of what has those names; of everything where the names themselves are unknown."""
    there = {kind.name for kind in (schema.labels if is_node else schema.types)}
    return schema.properties_of([name for name in names if name in there], of_nodes=is_node) | {GROUP_KEY}


def _lacking(key: Token, pattern: Pattern) -> str:
    what = " or ".join(name.name for name in pattern.names) or (
        "a node" if pattern.is_node else "a relationship"
    )
    return f"{what} has no property {key.name}"


def _said(text: str, kind: str, token: Token, message: str, known: Collection[str] = ()) -> Problem:
    return problem(text, kind, token.start, token.text, message, known)
