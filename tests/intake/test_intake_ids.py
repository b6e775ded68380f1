from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata import intake
from memstrata.model import Draft, Role, SourceType, Speaker, TimeSource

AT = datetime(2025, 3, 1, 9, tzinfo=UTC)
names = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20).filter(str.strip)
drafts = st.builds(
    Draft,
    group_id=st.sampled_from(["default", "acme/eng"]),
    source=names,
    source_type=st.sampled_from([SourceType.TEXT, SourceType.MESSAGE]),
    content=names,
    reference_time=st.datetimes(timezones=st.just(UTC)),
    time_source=st.sampled_from(list(TimeSource)),
    saga=st.none() | names,
    position=st.none() | st.integers(0, 9),
    native_id=st.none() | names,
    speaker=st.none()
    | st.builds(Speaker, id=names, name=st.none() | names, role=st.sampled_from(list(Role))),
    metadata=st.dictionaries(names, names | st.integers() | st.booleans() | st.none(), max_size=3),
)
BASE = Draft(
    group_id="default",
    source="notes",
    source_type=SourceType.TEXT,
    content="Alice joined ACME.",
    reference_time=AT,
    time_source=TimeSource.OWN,
    saga="s",
    position=0,
)


@given(drafts)
def test_the_same_draft_has_the_same_id_and_hash_and_passes_the_door(draft: Draft) -> None:
    again = replace(draft)
    assert intake.episode_id(draft) == intake.episode_id(again)
    assert intake.content_hash(draft) == intake.content_hash(again)
    UUID(intake.episode_id(draft))
    intake.validate(draft)


@given(drafts, drafts)
def test_ids_are_equal_exactly_if_what_they_rest_on_is_equal(one: Draft, two: Draft) -> None:
    def rests_on(draft: Draft) -> tuple[object, ...]:
        def nfc(text: str | None) -> str | None:
            return None if text is None else unicodedata.normalize("NFC", text)

        if draft.native_id is not None:
            return (draft.group_id, nfc(draft.source), nfc(draft.native_id))
        known = (draft.group_id, nfc(draft.source), nfc(draft.saga), draft.position)
        return (*known, draft.reference_time, draft.content)

    assert (intake.episode_id(one) == intake.episode_id(two)) == (rests_on(one) == rests_on(two))


def test_the_key_of_the_caller_is_the_id() -> None:
    assert intake.episode_id(replace(BASE, episode_id="mine", native_id="n")) == "mine"


def test_a_path_in_another_unicode_form_is_the_same_path() -> None:
    composed, decomposed = (unicodedata.normalize(form, "caf\u00e9.md") for form in ("NFC", "NFD"))
    assert composed != decomposed
    assert intake.episode_id(replace(BASE, native_id=composed)) == intake.episode_id(
        replace(BASE, native_id=decomposed)
    )


def test_equal_turns_at_equal_times_are_two() -> None:
    assert intake.episode_id(BASE) != intake.episode_id(replace(BASE, position=1))


@pytest.mark.parametrize(
    "changes",
    [
        {"content": "Alice left ACME."},
        {"reference_time": AT + timedelta(microseconds=1)},
        {"speaker": Speaker(id="alice")},
        {"addressee": Speaker(id="bob")},
        {"metadata": {"success": True}},
        {"source_type": SourceType.MESSAGE},
        {"saga": "t"},
        {"position": 3},
    ],
)
def test_what_an_episode_says_makes_a_revision(changes: dict[str, Any]) -> None:
    assert intake.content_hash(replace(BASE, **changes)) != intake.content_hash(BASE)


@pytest.mark.parametrize("changes", [{"metadata": {"file": "b.md"}}, {"time_source": TimeSource.OPTION}])
def test_where_it_was_read_makes_none(changes: dict[str, Any]) -> None:
    first = replace(BASE, metadata={"file": "a.md"})
    assert intake.content_hash(replace(first, **changes)) == intake.content_hash(first)
