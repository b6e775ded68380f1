from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from extraction_samples import episode
from hypothesis import given
from hypothesis import strategies as st

from memstrata.extraction.declared import extract_declared
from memstrata.instants import Precision, StatedTime
from memstrata.model import ExtractionStatus, Kind, ObjectKind, SourceType

if TYPE_CHECKING:
    from memstrata.model import Extraction


TRIPLE = {
    "subject": {"name": "Maren Holt", "type": "person"},
    "predicate": "works_at",
    "object": {"name": "Oakmere", "type": "organization"},
}


def extracted(triple: object) -> Extraction:
    return extract_declared(episode(json.dumps(triple), source_type=SourceType.FACT_TRIPLE), "v1")


def test_a_triple_becomes_two_mentions_and_an_assertion() -> None:
    found = extracted(TRIPLE)
    (assertion,) = found.assertions
    names = {mention.mention_id: (mention.name, mention.type) for mention in found.mentions}
    assert names[assertion.subject] == ("Maren Holt", "person")
    assert names[assertion.object] == ("Oakmere", "organization")
    assert (assertion.predicate, assertion.kind, assertion.fact) == (
        "works_at",
        Kind.HOLDS,
        "Maren Holt works at Oakmere",
    )
    assert found.status is ExtractionStatus.EXTRACTED


def test_ends_may_be_mere_names() -> None:
    found = extracted({"subject": "alice", "predicate": "knows", "object": "bob"})
    assert [mention.name for mention in found.mentions] == ["alice", "bob"]


@pytest.mark.parametrize(
    ("told", "text"), [(42, "42"), ({"literal": "blue"}, "blue"), ({"number": 1.5}, "1.5")]
)
def test_a_value_is_a_literal_and_no_mention(told: object, text: str) -> None:
    found = extracted(TRIPLE | {"object": told})
    (assertion,) = found.assertions
    assert (assertion.object, assertion.object_kind) == (text, ObjectKind.LITERAL)
    assert len(found.mentions) == 1


@pytest.mark.parametrize(
    ("text", "precision", "expected"),
    [
        ("2019", None, Precision.YEAR),
        ("2019-06", None, Precision.MONTH),
        ("2019-06-14", None, Precision.DAY),
        ("2019-06-14T09:00:00Z", None, Precision.INSTANT),
        ("2019-01-01T00:00:00Z", "year", Precision.YEAR),
    ],
)
def test_a_time_has_the_precision_it_shows_or_is_given(
    text: str, precision: str | None, expected: Precision
) -> None:
    (assertion,) = extracted(TRIPLE | {"valid_at": text, "valid_at_precision": precision}).assertions
    assert assertion.valid_at is not None
    assert assertion.valid_at.precision is expected


def test_kind_confidence_and_sentence_are_taken() -> None:
    told = TRIPLE | {"kind": "ended", "invalid_at": "2022-06", "confidence": 0.5, "fact": "She left."}
    (assertion,) = extracted(told).assertions
    assert (assertion.kind, assertion.confidence, assertion.fact) == (Kind.ENDED, 0.5, "She left.")
    assert assertion.invalid_at == StatedTime(datetime(2022, 6, 1, tzinfo=UTC), Precision.MONTH)


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"subject": None}, "subject"),
        ({"subject": {"type": "person"}}, "subject"),
        ({"subject": 7}, "subject"),
        ({"object": ""}, "object"),
        ({"predicate": " "}, "predicate"),
        ({"kind": "maybe"}, "kind"),
        ({"valid_at": "yesterday"}, "valid_at"),
        ({"valid_at": "2019-02-30"}, "valid_at"),
        ({"valid_at": "2019-06-14T09:00:00"}, "UTC offset"),
        ({"valid_at": 2019}, "valid_at"),
        ({"valid_at": "2019", "valid_at_precision": "aeon"}, "valid_at_precision"),
        ({"confidence": True}, "confidence"),
        ({"confidence": 2}, "confidence"),
        ({"object": "Maren Holt"}, "subject and object"),
        ({"valid_at": "2020", "invalid_at": "2018"}, "before it begins"),
    ],
)
def test_a_bad_triple_leaves_an_outcome_that_names_what_is_wrong(
    changes: dict[str, Any], names: str
) -> None:
    found = extracted(TRIPLE | changes)
    (outcome,) = found.outcomes
    assert names in outcome.reason
    assert (found.assertions, found.status) == ((), ExtractionStatus.NOTHING)


@pytest.mark.parametrize("content", ["{", "[]", "null", '"x"'])
def test_content_that_is_no_triple_leaves_an_outcome(content: str) -> None:
    found = extract_declared(episode(content, source_type=SourceType.FACT_TRIPLE), "v1")
    assert len(found.outcomes) == 1


def test_a_mapped_record_gives_the_facts_that_the_door_resolved() -> None:
    record = episode("{}", source_type=SourceType.JSON, metadata={"facts": [TRIPLE, {"subject": "x"}]})
    found = extract_declared(record, "v1")
    assert (len(found.assertions), len(found.outcomes)) == (1, 1)


def test_a_tool_trace_asserts_nothing() -> None:
    trace = episode('[{"role": "tool", "content": "ok"}]', source_type=SourceType.JSON)
    found = extract_declared(trace, "v1")
    assert (found.assertions, found.outcomes, found.status) == ((), (), ExtractionStatus.NOTHING)


def test_the_same_triple_has_the_same_ids_whatever_the_version() -> None:
    one, other = (
        extract_declared(episode(json.dumps(TRIPLE), source_type=SourceType.FACT_TRIPLE), "v2"),
        extracted(TRIPLE),
    )
    assert [a.assertion_id for a in one.assertions] == [a.assertion_id for a in other.assertions]
    assert [m.mention_id for m in one.mentions] == [m.mention_id for m in other.mentions]


values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
fields = st.sampled_from(
    ["subject", "predicate", "object", "kind", "valid_at", "invalid_at", "confidence", "fact"]
)


@given(st.dictionaries(fields, values))
def test_whatever_a_triple_holds_it_is_taken_or_refused_with_a_reason(changes: dict[str, Any]) -> None:
    found = extracted(TRIPLE | changes)
    assert len(found.assertions) + len(found.outcomes) == 1
