from __future__ import annotations

import string
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from importlib import import_module

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memstrata.memory.decoding import _MODULES, Unreadable, from_json, hints_of
from memstrata.memory.rendering import as_json
from memstrata.memory.verbs import Done
from memstrata.model import Block, Decision, Entity, Episode, Fact, Procedure, Summary
from memstrata.ports import Counts, NamedVersion
from memstrata.search.changes import Changed
from memstrata.search.context import Context
from memstrata.search.core import CoreBlock, CoreChange
from memstrata.search.paths import Paths
from memstrata.search.reads import EntityFacts, EntityRecord, EpisodeRecord, FactHistory
from memstrata.search.results import Results
from memstrata.search.timeline import Timeline
from memstrata.workflow.waiting import Remembered

#: Everything that a verb answers with.
ANSWERS = (
    Remembered, Decision, Done, Results, Context, FactHistory, EntityRecord, EpisodeRecord, EntityFacts,
    NamedVersion, Timeline, Changed, Paths, CoreBlock, CoreChange, Counts, Procedure, Summary,
)  # fmt: skip

texts = st.text(alphabet=string.printable + "äß漢", max_size=8)
instants = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)


SIMPLE: dict[object, st.SearchStrategy[object]] = {
    str: texts,
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    datetime: instants,
    type(None): st.none(),
    object: json_values,
}


@cache
def values(kind: object) -> st.SearchStrategy[object]:
    """Any value of an annotation, made without the decoder."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return st.one_of([values(one) for one in arguments])
    if origin is tuple:
        each = list(map(values, arguments[:1] if arguments[-1] is Ellipsis else arguments))
        return st.lists(each[0], max_size=2).map(tuple) if arguments[-1] is Ellipsis else st.tuples(*each)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(texts, values(arguments[1]), max_size=2)
    assert isinstance(kind, type), kind
    if is_dataclass(kind):
        hints = hints_of(kind)
        made = {one.name: st.deferred(lambda hint=hints[one.name]: values(hint)) for one in fields(kind)}
        return st.builds(kind, **made)
    return st.sampled_from(list(kind)) if issubclass(kind, Enum) else SIMPLE[kind]


@pytest.mark.parametrize("kind", ANSWERS)
@given(data=st.data())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_was_written_is_read_again_as_it_was(kind: type, data: st.DataObject) -> None:
    value = data.draw(values(kind))
    assert from_json(kind, orjson.loads(orjson.dumps(as_json(value)))) == value


def entity(**more: object) -> dict[str, object]:
    return {"entity_id": "e", "group_id": "g", "name": "Ada", "type": None, "aliases": []} | more


def test_what_is_left_out_has_its_default_and_what_is_new_is_passed_over() -> None:
    given_json = entity(aliases=["A"], colour="blue")
    assert from_json(Entity, given_json) == Entity(
        entity_id="e", group_id="g", name="Ada", type=None, aliases=("A",)
    )
    del given_json["aliases"]
    assert from_json(Entity, given_json).aliases == ()


@pytest.mark.parametrize(
    ("given_json", "said"),
    [
        (entity(name=3), "name: expected str, is int"),
        (entity(aliases="A"), "aliases: expected list, is str"),
        (entity(aliases=["A", None]), "aliases.1: expected str, is NoneType"),
        ({"name": "Ada"}, "a Entity without entity_id, group_id, type"),
        ([], "expected a Entity, is list"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(given_json: object, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        from_json(Entity, given_json)


def test_a_time_that_is_none_is_named() -> None:
    with pytest.raises(Unreadable, match=r"0\.at: 'soon' is not a time"):
        from_json(tuple[Decision, ...], [{"at": "soon"}])


def test_no_two_records_have_one_name() -> None:
    modules = [import_module(name) for name in _MODULES]
    defined = [
        name
        for module in modules
        for name, one in vars(module).items()
        if isinstance(one, type) and one.__module__ == module.__name__ and is_dataclass(one)
    ]
    assert sorted(set(defined)) == sorted(defined)


def test_every_field_of_every_answer_has_a_type_that_can_be_resolved() -> None:
    seen: set[type] = set()

    def visit(kind: object) -> None:
        for argument in typing.get_args(kind):
            visit(argument)
        if isinstance(kind, type) and is_dataclass(kind) and kind not in seen:
            seen.add(kind)
            for hint in hints_of(kind).values():
                visit(hint)

    for kind in ANSWERS:
        visit(kind)
    assert {Episode, Fact, Block} <= seen
