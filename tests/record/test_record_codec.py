from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata.errors import Damaged, Incorrect
from memstrata.instants import Precision, StatedTime
from memstrata.model import (
    Assertion,
    By,
    Commit,
    CommittedEpisode,
    Decision,
    DecisionKind,
    Episode,
    Extraction,
    ExtractionStatus,
    Kind,
    Mention,
    ObjectKind,
    Outcome,
    Role,
    SourceType,
    Speaker,
    TimeSource,
    Verdict,
)
from memstrata.stores.lake.codec import (
    dump,
    load_commit,
    load_decision,
    load_episode,
    load_extraction,
)
from memstrata.stores.lake.columns import (
    COMMIT_COLUMNS,
    DECISION_COLUMNS,
    EPISODE_COLUMNS,
    Origin,
    decode_commits,
    decode_decisions,
    decode_episodes,
    decode_extractions,
    encode,
    encode_extractions,
    origin_of,
)

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
whole = st.integers(-(2**63), 2**63 - 1)
instants = st.datetimes(datetime.min, datetime.max).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ901 (made aware)
json = st.recursive(
    st.none() | st.booleans() | whole | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=5,
)
objects = st.dictionaries(text, json, max_size=3)
speakers = st.none() | st.builds(Speaker, id=text, name=st.none() | text, role=st.sampled_from(Role))
spans = st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99))
stated = st.none() | st.builds(StatedTime, instants, st.sampled_from(Precision))

episodes = st.builds(
    Episode,
    episode_id=text,
    revision=st.integers(1, 9),
    group_id=text,
    source=text,
    source_type=st.sampled_from(SourceType),
    content=text,
    reference_time=instants,
    time_source=st.sampled_from(TimeSource),
    ingested_at=instants,
    content_hash=text,
    saga=st.none() | text,
    position=st.none() | whole,
    native_id=st.none() | text,
    speaker=speakers,
    addressee=speakers,
    metadata=objects,
)
decisions = st.builds(
    Decision,
    decision_id=text,
    group_id=text,
    kind=st.sampled_from(DecisionKind),
    at=instants,
    by=st.sampled_from(By),
    who=text,
    target=objects,
    payload=objects,
    reason=text,
    evidence=st.lists(text, max_size=3).map(tuple),
)
committed = st.builds(
    CommittedEpisode, episode_id=text, revision=st.integers(1, 9), context_hash=text, version=text
)
commits = st.builds(
    Commit,
    seq=st.integers(1, 2**62),
    group_id=text,
    instant=instants,
    episodes=st.lists(committed, max_size=3).map(tuple),
    decisions=st.lists(text, max_size=3).map(tuple),
    extractor_version=text,
    ontology_hash=text,
    resolver_version=text,
)
mentions = st.builds(
    Mention,
    mention_id=text,
    group_id=text,
    episode_id=text,
    name=text,
    reference_time=instants,
    type=st.none() | text,
    text=text,
    span=spans,
    saga=st.none() | text,
    speaker=speakers,
    addressee=speakers,
    attributes=st.dictionaries(text, st.lists(text, max_size=2).map(tuple), max_size=2),
)
assertions = st.builds(
    Assertion,
    assertion_id=text,
    group_id=text,
    episode_id=text,
    subject=text,
    predicate=text,
    object=text,
    object_kind=st.sampled_from(ObjectKind),
    fact=text,
    kind=st.sampled_from(Kind),
    reference_time=instants,
    valid_at=stated,
    invalid_at=stated,
    confidence=st.floats(0, 1),
    quote=text,
    span=spans,
)
outcomes = st.builds(Outcome, item=text, rule=text, verdict=st.sampled_from(Verdict), reason=text)
extractions = st.builds(
    Extraction,
    episode_id=text,
    revision=st.integers(1, 9),
    context_hash=text,
    version=text,
    status=st.sampled_from(ExtractionStatus),
    mentions=st.lists(mentions, max_size=2).map(tuple),
    assertions=st.lists(assertions, max_size=2).map(tuple),
    outcomes=st.lists(outcomes, max_size=2).map(tuple),
    usage=st.dictionaries(text, st.floats(0, 1e9), max_size=2),
    group_id=st.none() | text,
)


@given(episodes)
def test_an_episode_comes_back_from_its_line(one: Episode) -> None:
    line = dump(one)
    assert b"\n" not in line
    assert load_episode(line) == one
    assert dump(load_episode(line)) == line


@given(decisions)
def test_a_decision_comes_back_from_its_line(one: Decision) -> None:
    assert load_decision(dump(one)) == one


@given(commits)
def test_a_commit_comes_back_from_its_line(one: Commit) -> None:
    assert load_commit(dump(one)) == one


@settings(max_examples=40)
@given(extractions)
def test_an_extraction_comes_back_from_its_line(one: Extraction) -> None:
    assert load_extraction(dump(one)) == one


@settings(max_examples=25)
@given(st.lists(episodes, max_size=3), st.lists(decisions, max_size=3), st.lists(commits, max_size=3))
def test_records_come_back_from_a_part_to_the_byte(
    some: list[Episode], decided: list[Decision], made: list[Commit]
) -> None:
    back = decode_episodes(encode(EPISODE_COLUMNS, some), "part")
    assert [dump(one) for one in back] == [dump(one) for one in some]
    assert decode_decisions(encode(DECISION_COLUMNS, decided), "part") == decided
    assert decode_commits(encode(COMMIT_COLUMNS, made), "part") == made


@settings(max_examples=25)
@given(st.lists(st.tuples(extractions, st.integers(0, 9)), max_size=3))
def test_extractions_come_back_from_a_part_with_their_numbers(kept: list[tuple[Extraction, int]]) -> None:
    part = encode_extractions([one for one, _ in kept], [number for _, number in kept])
    assert decode_extractions(part, "part") == kept


def test_a_part_says_where_it_came_from() -> None:
    origin = Origin(parts=("log/a.parquet", "log/b.parquet"), sources=("episodes/1-2-3",), context_turns=4)
    assert origin_of(encode(EPISODE_COLUMNS, [], origin), "part") == origin


@pytest.mark.parametrize("part", [b"", b"no parquet", encode(EPISODE_COLUMNS, [])])
def test_a_file_that_is_no_part_is_damage(part: bytes) -> None:
    with pytest.raises(Damaged, match=r"the-part.*backup"):
        origin_of(part, "the-part")


@pytest.mark.parametrize("line", [b"", b"[]", b"{}", b'{"episode_id":1}', b"\xff"])
def test_a_line_that_is_no_record_is_damage(line: bytes) -> None:
    for load in (load_episode, load_decision, load_commit, load_extraction):
        with pytest.raises(Damaged, match="restore the file"):
            load(line)


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, "\ud800"])
def test_what_json_cannot_carry_unchanged_is_refused(value: int | str) -> None:
    one = Decision(
        decision_id="d",
        group_id="g",
        kind=DecisionKind.MERGE,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        by=By.PERSON,
        who="ann",
        target={"value": value},
    )
    with pytest.raises(Incorrect, match="64 bits"):
        dump(one)
