from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata import intake
from memstrata.errors import Incorrect, Misplaced
from memstrata.model import Draft, Role, SourceType, Speaker, TimeSource

AT = datetime(2025, 3, 1, 9, tzinfo=UTC)
SOUND = Draft(
    group_id="acme/eng/alice",
    source="notes",
    source_type=SourceType.TEXT,
    content="Alice joined ACME.",
    reference_time=AT,
    time_source=TimeSource.OWN,
)
TRIPLE: dict[str, Any] = {
    "subject": {"name": "Alice", "type": "Person"},
    "predicate": "WORKS_AT",
    "object": {"name": "ACME"},
    "valid_at": "2019-01-01T00:00:00Z",
    "valid_at_precision": "year",
}


def fault_of(draft: Draft) -> Misplaced:
    with pytest.raises(Misplaced) as caught:
        intake.validate(draft)
    return caught.value


def triple_draft(**changes: Any) -> Draft:
    given = {key: value for key, value in {**TRIPLE, **changes}.items() if value != "absent"}
    return replace(SOUND, source_type=SourceType.FACT_TRIPLE, content=json.dumps(given))


def test_a_sound_draft_passes() -> None:
    intake.validate(SOUND)
    intake.validate(triple_draft())


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"reference_time": datetime(2025, 3, 1, 9)}, "reference_time", "no UTC offset"),  # noqa: DTZ001
        ({"reference_time": AT.astimezone(timezone(timedelta(hours=2)))}, "reference_time", "not in UTC"),
        ({"source_type": "chat"}, "source_type", "known: text, message, json, fact_triple"),
        ({"time_source": "guess"}, "time_source", "unknown time_source 'guess'"),
        ({"content": ""}, "content", "empty"),
        ({"content": " \n\t"}, "content", "empty"),
        ({"content": "a\0b"}, "content", "NUL at character 1"),
        ({"content": "a\ud800"}, "content", "lone surrogate at character 1"),
        ({"content": "x" * (intake.MAX_CONTENT + 1)}, "content", "at most 1,048,576"),
        ({"content": 7}, "content", "must be a string, is a number"),
        ({"source": ""}, "source", "non-empty"),
        ({"saga": "a\0"}, "saga", "NUL"),
        ({"native_id": "n" * 2000}, "native_id", "at most 1024"),
        ({"episode_id": " "}, "episode_id", "non-empty"),
        ({"position": -1}, "position", "from 0"),
        ({"position": True}, "position", "from 0"),
        ({"speaker": Speaker(id="")}, "speaker.id", "non-empty"),
        ({"addressee": Speaker(id="a", role=cast("Any", "robot"))}, "addressee.role", "unknown"),
        ({"metadata": {"a": {"b": float("nan")}}}, "metadata.a.b", "no JSON number"),
        ({"metadata": {"a": [object()]}}, "metadata.a[0]", "nothing that JSON can hold"),
        ({"metadata": {"a": {1: 2}}}, "metadata.a", "a key must be a string"),
        ({"metadata": {"facts": {}}}, "metadata.facts", "must be a list of triples, is an object"),
        (
            {"metadata": {"facts": [{**TRIPLE, "kind": "was"}]}},
            "metadata.facts[0].kind",
            "unknown kind 'was'",
        ),
        ({"source_type": SourceType.JSON, "content": "{"}, "content", "not JSON"),
        ({"source_type": SourceType.JSON, "content": "[NaN]"}, "content", "NaN"),
        ({"source_type": SourceType.JSON, "content": '["a\\u0000"]'}, "content[0]", "NUL"),
        ({"source_type": SourceType.FACT_TRIPLE, "content": "{"}, "content", "not JSON"),
        (
            {"source_type": SourceType.FACT_TRIPLE, "content": "[]"},
            "content",
            "must be an object, is a list",
        ),
    ],
)
def test_what_the_log_must_not_hold_is_refused_by_field(
    changes: dict[str, Any], field: str, said: str
) -> None:
    fault = fault_of(replace(SOUND, **changes))
    assert fault.field == field
    assert said in str(fault)


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"subject": "absent"}, "subject", "missing"),
        ({"subject": {"name": " "}}, "subject.name", "empty"),
        ({"subject": {"literal": "x"}}, "subject.literal", "as the object"),
        ({"subject": {"name": "A", "kind": "x"}}, "subject.kind", "expected name, type"),
        ({"predicate": ""}, "predicate", "empty"),
        ({"predicate": 3}, "predicate", "must be a string, is a number"),
        ({"object": "absent"}, "object", "missing"),
        ({"object": {"name": "Alice", "type": "Person"}}, "object", "equal to the subject"),
        ({"fact": ""}, "fact", "empty"),
        ({"kind": "began"}, "kind", "known: started, holds, ended, denied"),
        ({"kind": None}, "kind", "unknown kind None"),
        ({"valid_at": "2019-01-01T00:00:00"}, "valid_at", "no UTC offset"),
        ({"valid_at": "2019-02-30T00:00:00Z"}, "valid_at", "does not exist"),
        ({"valid_at": "0001-01-01T00:00:00+01:00"}, "valid_at", "outside the years"),
        ({"valid_at": 5}, "valid_at", "must be a time, is a number"),
        ({"valid_at_precision": "fortnight"}, "valid_at_precision", "unknown precision 'fortnight'"),
        ({"confidence": None}, "confidence", "is null"),
        ({"confidence": True}, "confidence", "is a boolean"),
        ({"confidence": 1.5}, "confidence", "not from 0 to 1"),
        ({"invalid_at": "2018-12-31T00:00:00Z"}, "invalid_at", "is before valid_at"),
        ({"kind": "ended", "valid_at": "2026-01-01T00:00:00Z"}, "valid_at", "after the reference_time"),
        ({"valid_from": "2019-01-01T00:00:00Z"}, "valid_from", "no such field (did you mean 'valid_at'?)"),
    ],
)
def test_a_fact_is_checked_as_the_fold_demands(changes: dict[str, Any], field: str, said: str) -> None:
    fault = fault_of(triple_draft(**changes))
    assert fault.field == f"content.{field}"
    assert said in str(fault)


@pytest.mark.parametrize(
    "changes",
    [
        {
            "valid_at": "2019-03-15T00:00:00Z",
            "invalid_at": "2019-01-01T00:00:00Z",
            "invalid_at_precision": "year",
        },
        {"valid_at_precision": "fortnight", "valid_at": None},
        {"object": {"literal": "Alice"}},
        {"object": {"name": "Alice", "type": "Company"}},
        {"subject": {"name": "Alice", "attributes": {"aliases": ["Al", "Ali"], "email": "a@acme.org"}}},
        {"kind": "ended", "valid_at": "2026-01-01T00:00:00Z", "invalid_at": "2027-01-01T00:00:00Z"},
    ],
)
def test_what_the_fold_allows_passes(changes: dict[str, Any]) -> None:
    intake.validate(triple_draft(**changes))


@pytest.mark.parametrize(
    "group", ["a", "acme/eng/alice", "user:7@acme.org", "A-b_c.d+e/1", "x" * 256, "...", "a/..b"]
)
def test_a_group_is_a_path_of_plain_segments(group: str) -> None:
    intake.check_group(group)


@pytest.mark.parametrize(
    "group",
    [
        "",
        "/a",
        "a/",
        "a//b",
        "..",
        "a/../b",
        "./a",
        "a b",
        "a\n",
        "ä",
        "a\\b",
        "a*",
        "a%2f",
        "x" * 257,
        "a\0",
        None,
    ],
)
def test_an_odd_group_is_refused_with_an_example(group: object) -> None:
    with pytest.raises(Misplaced) as caught:
        intake.check_group(group)
    assert caught.value.field == "group_id"


segments = st.from_regex(r"\A[A-Za-z0-9._@:+-]{1,20}\Z").filter(lambda text: text not in (".", ".."))


@given(st.lists(segments, min_size=1, max_size=8))
def test_every_path_of_allowed_segments_is_a_group(path: list[str]) -> None:
    intake.check_group("/".join(path))


@given(st.text(max_size=40))
def test_any_text_is_either_content_or_refused_as_incorrect(text: str) -> None:
    try:
        intake.validate(replace(SOUND, content=text))
    except Incorrect:
        assert not text.strip() or "\0" in text
    else:
        text.encode("utf-8")


def test_a_live_text_without_a_time_says_that_its_time_is_that_of_receipt() -> None:
    draft = intake.read_text("Alice left.", now=AT)
    assert (draft.reference_time, draft.time_source) == (AT, TimeSource.RECEIVED)


def test_a_live_text_with_a_time_keeps_it() -> None:
    draft = intake.read_text("Alice left.", intake.Options(reference_time=AT), now=AT + timedelta(days=9))
    assert (draft.reference_time, draft.time_source) == (AT, TimeSource.OPTION)


def test_a_live_text_with_a_speaker_is_a_message() -> None:
    draft = intake.read_text("I left.", speaker=Speaker(id="alice", role=Role.USER), now=AT)
    assert draft.source_type is SourceType.MESSAGE


def test_a_live_text_loses_its_lone_surrogates_and_says_so() -> None:
    draft = intake.read_text("a\ud800b\r\nc", now=AT)
    assert draft.content == "a\N{REPLACEMENT CHARACTER}b\nc"
    assert "mended" in draft.metadata


@pytest.mark.parametrize("content", ["", "  ", "a\0"])
def test_a_live_text_that_is_none_is_refused(content: str) -> None:
    with pytest.raises(Misplaced, match="content"):
        intake.read_text(content, now=AT)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (intake.Options(timezone="Europe/Berln"), "timezone"),
        (intake.Options(reference_time=datetime(2025, 1, 1)), "reference_time"),  # noqa: DTZ001
        (intake.Options(encoding="utf-88"), "encoding"),
        (intake.Options(delimiter=";;"), "delimiter"),
        (intake.Options(group_id="a b"), "group_id"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(options: intake.Options, field: str) -> None:
    with pytest.raises(Misplaced) as caught:
        intake.read_text("Alice left.", options, now=AT)
    assert caught.value.field == field


def test_a_misspelt_time_zone_gets_the_nearest_one_suggested() -> None:
    with pytest.raises(Misplaced, match="did you mean 'Europe/Berlin'"):
        intake.read_text("Alice left.", intake.Options(timezone="Europe/Berln"), now=AT)
