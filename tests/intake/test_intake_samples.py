from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from memstrata import intake
from memstrata.errors import Misplaced
from memstrata.instants import parse_instant
from memstrata.model import SourceType

if TYPE_CHECKING:
    from memstrata.model import Draft

SAMPLES = Path(__file__).parent.parent / "samples"
EXPECTED: dict[str, dict[str, Any]] = yaml.safe_load((SAMPLES / "EXPECTED.yaml").read_text("utf-8"))
VALID = [name for name, wanted in EXPECTED.items() if "error" not in wanted]
INVALID = [name for name, wanted in EXPECTED.items() if "error" in wanted]


def options_of(name: str, *, strict: bool = False) -> intake.Options:
    given = dict(EXPECTED[name].get("options", {}))
    if "reference_time" in given:
        given["reference_time"] = parse_instant(given["reference_time"])
    if "null_values" in given:
        given["null_values"] = tuple(given["null_values"])
    return intake.Options(**given, strict=strict)


def read(name: str) -> intake.Reading:
    return intake.read(SAMPLES / name, options_of(name))


def words(text: str) -> list[str]:
    return re.findall(r"[\w\[\].]+", text)


@pytest.mark.parametrize("name", VALID)
def test_a_sample_gives_its_episodes_types_sagas_and_times(name: str) -> None:
    wanted, summary = EXPECTED[name], read(name).summary
    assert summary.count == wanted["episodes"]
    assert {kind.value: count for kind, count in summary.by_type.items()} == wanted["by_type"]
    assert summary.sagas == wanted["sagas"]
    assert (summary.first, summary.last) == (parse_instant(wanted["first"]), parse_instant(wanted["last"]))


@pytest.mark.parametrize("name", VALID)
def test_a_sample_gives_its_speakers_skips_and_warnings(name: str) -> None:
    wanted, reading = EXPECTED[name], read(name)
    spoken = {
        draft.speaker.name or draft.speaker.id
        for draft in reading.drafts
        if draft.speaker is not None and draft.source_type is SourceType.MESSAGE
    }
    assert spoken == set(wanted["speakers"])
    hidden = {"hidden_folder": 2} if name.endswith("valid_vault/") else {}
    assert reading.skipped == wanted.get("skipped", hidden)
    assert list(reading.warnings) == wanted.get("warnings", [])
    assert reading.refused == ()


@pytest.mark.parametrize("name", VALID)
def test_a_sample_holds_what_was_said_and_nothing_that_was_not(name: str) -> None:
    wanted = EXPECTED[name]
    contents = [draft.content for draft in read(name).drafts]
    for text in wanted.get("contains", []):
        assert any(text in content for content in contents), text
    for text in wanted.get("absent", []):
        assert not any(text in content for content in contents), text


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_sample_is_refused_at_its_place_with_its_reason(name: str) -> None:
    wanted = EXPECTED[name]["error"]
    with pytest.raises(Misplaced) as caught:
        intake.read(SAMPLES / name, options_of(name, strict=True))
    place = caught.value.place.removeprefix(str(SAMPLES / name)).lstrip(", ")
    assert words(place) == words(wanted["at"])
    said = iter(words(str(caught.value)))
    assert all(word in said for word in words(wanted["reason"])), f"{caught.value} lacks {wanted['reason']}"


@pytest.mark.parametrize("name", INVALID)
def test_only_the_faulty_item_of_an_invalid_sample_is_left_out(name: str) -> None:
    try:
        reading = read(name)
    except Misplaced:
        assert EXPECTED[name]["lenient_episodes"] == 0
        return
    assert reading.summary.count == EXPECTED[name]["lenient_episodes"]
    assert reading.refused


@pytest.mark.parametrize("name", VALID)
def test_reading_a_sample_again_gives_the_same_ids_and_hashes(name: str) -> None:
    def said(drafts: list[Draft]) -> list[tuple[str, str]]:
        return [(intake.episode_id(draft), intake.content_hash(draft)) for draft in drafts]

    first, second = list(read(name).drafts), list(read(name).drafts)
    assert said(first) == said(second)
    assert len({position for position, _ in said(first)}) == len(
        {(draft.source, draft.native_id, draft.saga, draft.position) for draft in first}
    )


@pytest.mark.parametrize("name", VALID)
def test_every_draft_of_a_sample_passes_the_whole_door(name: str) -> None:
    for draft in read(name).drafts:
        intake.validate(draft)


def test_an_integer_beyond_doubles_survives() -> None:
    assert any("12345678901234567890" in draft.content for draft in read("records/valid_crm.jsonl").drafts)


def test_the_same_record_id_with_other_content_is_a_revision_of_one_episode() -> None:
    first, second, _ = read("records/valid_crm.jsonl").drafts
    assert intake.episode_id(first) == intake.episode_id(second)
    assert intake.content_hash(first) != intake.content_hash(second)


def test_dates_of_a_table_are_local_days_and_stay_days() -> None:
    fact = next(iter(read("records/valid_orders.csv").drafts)).metadata["facts"][0]  # type: ignore[index]
    assert fact == {
        "subject": {"name": "Ines Duarte"},
        "predicate": "LIVES_IN",
        "object": {"name": "Porto"},
        "valid_at": "2024-01-31T23:00:00Z",
        "valid_at_precision": "day",
    }


def test_results_are_paired_with_their_calls_in_whatever_order_they_come() -> None:
    trace = next(
        d for d in read("openai_chat/valid_tool_calls.json").drafts if d.source_type is SourceType.JSON
    )
    assert trace.content.index('"tool_call_id":"call_a1"') < trace.content.index('"tool_call_id":"call_a2"')
    assert "07:12 IC 4411\\n\\n07:41 IC 4413" in trace.content
