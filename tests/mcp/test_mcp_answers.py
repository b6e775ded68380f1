"""Answers stay small whatever the memory holds, and schemas say what is taken."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.errors import Incorrect
from memstrata.memory.rendering import as_json
from memstrata.model import Fact, Version
from memstrata.ports import NamedVersion

pytest.importorskip("mcp")

from memstrata.service.mcp.answers import MOST_DATA, MOST_TEXT, Item, Page, fact_item
from memstrata.service.mcp.arguments import read_arguments, schema_of
from memstrata.service.mcp.catalogue import TOOLS, Catalogue
from memstrata.service.mcp.searching_tools import AsOfBoth, SearchNodes
from memstrata.service.mcp.tool import Effect, Profile

NOW = datetime(2024, 5, 14, tzinfo=UTC)
FACT = Fact(
    id="f1",
    group_id="g",
    subject="s1",
    predicate="lives_in",
    object="o1",
    fact="Ada lives in Lisbon",
    valid_at=NOW,
    valid_at_precision=None,
    invalid_at=None,
    invalid_at_precision=None,
    evidence=("a1",),
    contested=False,
    confidence=1.0,
)
NAMED = NamedVersion(
    version=Version(fact=FACT, created_at=NOW, expired_at=None), subject="Ada", object="Lisbon"
)


@given(st.lists(st.integers(0, 5_000), max_size=60))
def test_an_answer_is_bounded_and_counts_what_it_leaves_out(lengths: list[int]) -> None:
    page = Page(heading="h")
    page.put("items", (Item(line="x" * one, data={"text": "y" * one}) for one in lengths))
    answer = page.answer
    shown, left_out = answer.data["items"], answer.data.get("items_left_out", 0)
    assert len(answer.text) <= MOST_TEXT + len(lengths) + 200
    assert len(orjson.dumps(as_json(answer.data))) <= MOST_DATA + 2 * len(lengths) + 200
    assert isinstance(shown, list)
    assert len(shown) + int(str(left_out)) == len(lengths)
    assert ("had no room" in answer.text) is bool(left_out)


@given(st.text(max_size=3_000), st.text(max_size=3_000), st.lists(st.uuids().map(str), max_size=30))
def test_a_fact_is_one_short_line_with_its_ids_whatever_it_says(
    sentence: str, name: str, episodes: list[str]
) -> None:
    version = replace(NAMED.version, fact=replace(FACT, fact=sentence))
    item = fact_item(replace(NAMED, version=version, subject=name, object=name), episodes)
    assert "\n" not in item.line
    assert item.line.endswith("[fact f1]")
    assert len(item.line) < 1_200
    assert all(one in item.line for one in episodes[:5])


@pytest.mark.parametrize(
    ("given_as", "meant"),
    [
        ("2024", "2024-01-01T00:00:00+00:00"),
        ("2024-05", "2024-05-01T00:00:00+00:00"),
        ("2024-05-14", "2024-05-14T00:00:00+00:00"),
        ("2024-05-14T09:30:00", "2024-05-14T09:30:00+00:00"),
        ("2024-05-14T09:30:00+02:00", "2024-05-14T07:30:00+00:00"),
    ],
)
def test_times_are_read_as_people_write_them(given_as: str, meant: str) -> None:
    read = read_arguments(AsOfBoth, {"query": "x", "as_of": given_as})
    assert isinstance(read, AsOfBoth)
    assert read.as_of == datetime.fromisoformat(meant)


def test_null_is_as_good_as_nothing() -> None:
    read = read_arguments(SearchNodes, {"query": "x", "group_ids": None, "entity_types": None})
    assert read == SearchNodes(query="x")


@given(st.dictionaries(st.text(max_size=20), st.none() | st.integers() | st.text(max_size=20), max_size=5))
def test_whatever_is_given_as_arguments_is_read_or_refused_in_words(arguments: dict[str, object]) -> None:
    for tool in TOOLS:
        try:
            read_arguments(tool.arguments, arguments)
        except Incorrect as refused:
            said = str(refused)
        else:
            said = "read"
        assert said


def test_schemas_are_plain_and_have_no_null() -> None:
    for tool in TOOLS:
        text = orjson.dumps(schema_of(tool.arguments)).decode()
        assert '"null"' not in text
        assert "$ref" not in text


def test_the_list_of_core_tools_is_short_enough_for_every_conversation() -> None:
    listed = [
        tool.listed.model_dump(by_alias=True, exclude_none=True) for tool in Catalogue().tools.values()
    ]
    assert len(orjson.dumps(listed)) < 12_000


def test_nothing_that_retracts_is_listed_unless_it_is_allowed() -> None:
    for profile in Profile:
        listed = Catalogue(profile=profile).tools.values()
        allowed = Catalogue(profile=profile, allow_destructive=True).tools.values()
        assert not [one for one in listed if one.effect is Effect.RETRACTS]
        assert len([one for one in allowed if one.effect is Effect.RETRACTS]) == 3
