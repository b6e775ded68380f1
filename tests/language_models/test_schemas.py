"""Schemas as strict modes want them, and their replies brought back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.language_models.schemas import keeps_to, loose_schema, restored, strict_schema

TEXT = {"type": "string"}


def an_object(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required or []}


def test_every_property_is_required_and_no_other_is_allowed() -> None:
    strict = strict_schema(an_object(["a"], a=an_object(["b"], b=TEXT), c={"type": "array", "items": TEXT}))
    assert strict is not None
    assert (strict["required"], strict["additionalProperties"]) == (["a", "c"], False)
    inner = strict["properties"]["a"]
    assert (inner["required"], inner["additionalProperties"]) == (["b"], False)
    assert strict["properties"]["c"] == {"type": "array", "items": TEXT}


def test_an_optional_property_may_be_null() -> None:
    strict = strict_schema(
        an_object(a=TEXT, b={"anyOf": [TEXT, {"type": "null"}]}, c={"type": ["string", "null"]})
    )
    assert strict is not None
    assert strict["properties"] == {
        "a": {"anyOf": [TEXT, {"type": "null"}]},
        "b": {"anyOf": [TEXT, {"type": "null"}]},
        "c": {"type": ["string", "null"]},
    }


def test_bounds_patterns_titles_and_defaults_are_left_out() -> None:
    bounded = {
        "type": "string",
        "minLength": 1,
        "maxLength": 9,
        "pattern": "x",
        "title": "A",
        "default": "",
        "format": "date",
    }
    number = {"type": "number", "minimum": 0, "maximum": 1, "description": "how sure"}
    assert loose_schema(an_object(["a", "n"], a=bounded, n=number))["properties"] == {
        "a": TEXT,
        "n": {"type": "number", "description": "how sure"},
    }


def test_a_property_may_be_called_like_a_keyword() -> None:
    named = an_object(["title", "format", "default"], title=TEXT, format=TEXT, default=TEXT)
    strict = strict_schema(named)
    assert strict is not None
    assert list(strict["properties"]) == ["title", "format", "default"]


def test_constants_and_alternatives_are_written_as_all_know_them() -> None:
    plain = loose_schema({"oneOf": [{"const": "a"}, {"allOf": [{"type": "integer"}]}]})
    assert plain == {"anyOf": [{"enum": ["a"]}, {"type": "integer"}]}


def test_definitions_are_made_strict_too_and_references_stand_alone() -> None:
    schema = {
        **an_object(["a"], a={"$ref": "#/$defs/One", "description": "beside a reference"}),
        "$defs": {"One": an_object(x=TEXT)},
    }
    strict = strict_schema(schema)
    assert strict is not None
    assert strict["properties"]["a"] == {"$ref": "#/$defs/One"}
    assert strict["$defs"]["One"]["required"] == ["x"]


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "array", "items": TEXT},
        an_object(a={"type": "object", "additionalProperties": TEXT}),
        an_object(a={"type": "object"}),
        an_object(a={}),
        an_object(a={"allOf": [TEXT, {"enum": ["x"]}]}),
        an_object(a={"type": "array", "prefixItems": [TEXT]}),
        {**an_object(a=TEXT), "patternProperties": {"^x": TEXT}},
    ],
)
def test_what_strict_modes_cannot_say_is_not_strict(schema: dict[str, Any]) -> None:
    assert strict_schema(schema) is None


def test_a_strict_schema_is_left_as_it_is() -> None:
    strict = {**an_object(["a"], a=TEXT), "additionalProperties": False}
    assert strict_schema(strict) == strict


def test_nulls_for_what_was_left_out_are_taken_out_again_and_no_others() -> None:
    item = an_object(
        ["a", "n"], a=TEXT, b=TEXT, n={"type": ["string", "null"]}, o={"anyOf": [TEXT, {"type": "null"}]}
    )
    schema = {
        **an_object(["items"], items={"type": "array", "items": {"$ref": "#/$defs/Item"}}),
        "$defs": {"Item": item},
    }
    said = {"items": [{"a": "x", "b": None, "n": None, "o": None, "other": None}]}
    assert json.loads(restored(json.dumps(said), schema)) == {
        "items": [{"a": "x", "n": None, "o": None, "other": None}]
    }


@pytest.mark.parametrize("text", ["", "{", '{"a": nul', "words"])
def test_what_is_no_json_stays_as_it_is(text: str) -> None:
    assert restored(text, an_object(a=TEXT)) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"a": 1}', True),
        ('{"a": null, "b": 2}', True),
        ('{"b": 2}', False),
        ("[]", False),
        ("a", False),
        ("", False),
    ],
)
def test_of_a_reply_that_was_not_sent_strictly_the_root_is_looked_at(text: str, *, kept: bool) -> None:
    assert keeps_to(text, an_object(["a"], a=TEXT), is_strict=False) is kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"items": [], "n": 1, "o": null}', True),
        ('{"items": [{"x": "a"}, {"x": "b"}], "n": 1.0, "o": "z"}', True),
        ('{"items": [{"x": "c"}], "n": 1, "o": null}', False),
        ('{"items": [{}], "n": 1, "o": null}', False),
        ('{"items": {}, "n": 1, "o": null}', False),
        ('{"items": [], "n": 1.5, "o": null}', False),
        ('{"items": [], "n": true, "o": null}', False),
        ('{"items": [], "n": 1, "o": 3}', False),
        ('{"items": [], "n": 1}', False),
    ],
)
def test_a_reply_to_a_strict_schema_keeps_to_all_of_it(text: str, *, kept: bool) -> None:
    item = an_object(["x"], x={"type": "string", "enum": ["a", "b"]})
    whole = an_object(
        ["items", "n"],
        items={"type": "array", "items": {"$ref": "#/$defs/Item"}},
        n={"type": "integer"},
        o=TEXT,
    )
    assert keeps_to(text, {**whole, "$defs": {"Item": item}}, is_strict=True) is kept


LEAVES = st.sampled_from([TEXT, {"type": "integer"}, {"type": "boolean"}, {"enum": ["a", "b"]}])


def _objects(children: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    def built(properties: dict[str, Any], chosen: set[int]) -> dict[str, Any]:
        names = list(properties)
        return an_object([name for at, name in enumerate(names) if at in chosen], **properties)

    named = st.dictionaries(st.sampled_from(["a", "b", "title", "items"]), children, min_size=1, max_size=3)
    return st.builds(built, named, st.sets(st.integers(0, 2)))


SCHEMAS = _objects(
    st.recursive(
        LEAVES,
        lambda inner: _objects(inner) | st.builds(lambda one: {"type": "array", "items": one}, inner),
        max_leaves=8,
    )
)


@given(SCHEMAS)
def test_whatever_is_strict_has_strict_objects_throughout_and_stays_so(schema: dict[str, Any]) -> None:
    strict = strict_schema(schema)
    assert strict is not None
    nodes: list[Any] = [strict]
    while nodes:
        node = nodes.pop()
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
            nodes += node["properties"].values()
        nodes += [*node.get("anyOf", ()), *([node["items"]] if "items" in node else ())]
    assert strict_schema(strict) == strict
