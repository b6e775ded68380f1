from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from memstrata import intake
from memstrata.errors import Fault, Misplaced, Missing
from memstrata.intake import reading as reading_module
from memstrata.model import Draft, SourceType, TimeSource

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[..., Path]

AT = datetime(2025, 2, 3, 10, tzinfo=UTC)
OPTIONS = intake.Options(reference_time=AT)


def triple(number: int = 0, **more: Any) -> dict[str, Any]:
    return {"subject": f"Person {number}", "predicate": "WORKS_AT", "object": "ACME", **more}


def facts_of(reading: intake.Reading) -> list[dict[str, Any]]:
    assert reading.format == "fact_triples"
    return [json.loads(draft.content) for draft in reading.drafts]


def test_strings_stand_for_names(write: Write) -> None:
    (fact,) = facts_of(intake.read(write("t.json", triple(subject_type="Person")), OPTIONS))
    assert fact == {
        "subject": {"name": "Person 0", "type": "Person"},
        "predicate": "WORKS_AT",
        "object": {"name": "ACME"},
    }


@pytest.mark.parametrize(
    ("given", "literal"), [(42, "42"), (True, "true"), (10**25, str(10**25)), ({"literal": "blue"}, "blue")]
)
def test_numbers_and_truth_values_are_literals(write: Write, given: object, literal: str) -> None:
    (fact,) = facts_of(intake.read(write("t.jsonl", [triple(object=given)]), OPTIONS))
    assert fact["object"] == {"literal": literal}


def test_a_bare_date_starts_its_day_in_the_zone_and_stays_a_day(write: Write) -> None:
    options = intake.Options(reference_time=AT, timezone="Europe/Berlin")
    (fact,) = facts_of(
        intake.read(write("t.jsonl", [triple(valid_at="2024-07-01", invalid_at="2025")]), options)
    )
    assert (fact["valid_at"], fact["valid_at_precision"]) == ("2024-06-30T22:00:00Z", "day")
    assert (fact["invalid_at"], fact["invalid_at_precision"]) == ("2024-12-31T23:00:00Z", "year")


def test_a_triple_brings_its_own_time_group_key_and_id(write: Write) -> None:
    given = triple(
        reference_time="2024-05-01T09:00:00+02:00", group="acme/eng", episode_id="mine", id="n1", saga="s"
    )
    (draft,) = intake.read(write("t.jsonl", [given])).drafts
    assert draft.source_type is SourceType.FACT_TRIPLE
    assert (draft.group_id, draft.episode_id, draft.native_id, draft.saga) == (
        "acme/eng",
        "mine",
        "n1",
        "s",
    )
    assert (draft.reference_time, draft.time_source) == (
        datetime(2024, 5, 1, 7, tzinfo=UTC),
        TimeSource.OWN,
    )


@pytest.mark.parametrize(
    ("given", "place", "said"),
    [
        (triple(subject=""), "subject", "empty"),
        (triple(object=None), "object", "missing"),
        (triple(object="Person 0"), "object", "equal to the subject"),
        (triple(kind="joined"), "kind", "known: started, holds, ended, denied"),
        (triple(valid_at="2024-02-30"), "valid_at", "is not a date"),
        (triple(valid_at="2024-02-03T10:00:00"), "valid_at", "no UTC offset"),
        (triple(valid_at="2024-01-01", invalid_at="2023-01-01"), "invalid_at", "before valid_at"),
        (triple(confidence="high"), "confidence", "must be a number"),
        (triple(group="a b"), "group_id", "'a b'"),
        (triple(group=""), "group", "non-empty"),
        (triple(reference_time="soon"), "reference_time", "is not a time"),
        (triple(fact="x" * 2_000_000), "content", "at most"),
    ],
)
def test_a_faulty_triple_is_refused_by_itself(
    write: Write, given: dict[str, Any], place: str, said: str
) -> None:
    reading = intake.read(write("t.jsonl", [triple(1), given, triple(2)]), OPTIONS)
    assert reading.summary.count == 2
    (refused,) = reading.refused
    assert refused.place == f"line 2, {place}"
    assert said in refused.reason


def test_without_any_time_a_triple_is_refused(write: Write) -> None:
    reading = intake.read(write("t.json", [triple()]))
    assert reading.summary.count == 0
    assert reading.refused[0].place == "[0].reference_time"
    assert "--reference-time" in reading.refused[0].reason


def test_an_unknown_field_is_kept_and_reported_once(write: Write) -> None:
    reading = intake.read(
        write("t.jsonl", [triple(valid_form="2024"), triple(1, valid_form="2025")]), OPTIONS
    )
    assert reading.warnings == ("unknown field 'valid_form' is kept as metadata; did you mean 'valid_at'?",)
    assert [draft.metadata["record"] for draft in reading.drafts] == [
        {"valid_form": "2024"},
        {"valid_form": "2025"},
    ]


@pytest.mark.slow
def test_one_bad_line_of_a_hundred_thousand_costs_itself_alone(write: Write) -> None:
    lines = [json.dumps(triple(number)) for number in range(100_000)]
    lines[77_776] = lines[77_776][:-9]
    started = time.process_time()
    reading = intake.read(write("t.jsonl", "\n".join(lines)), OPTIONS)
    count = sum(1 for _ in reading.drafts)
    took = time.process_time() - started
    assert count == reading.summary.count == 99_999
    assert [one.place for one in reading.refused] == ["line 77777, column 62"]
    assert took < 15  # measured: 2.5 to 4 s; the bound leaves room for a slow or busy machine


def test_strict_refuses_all_for_one_bad_line(write: Write) -> None:
    path = write("t.jsonl", f"{json.dumps(triple())}\nnot json\n{{}}\n")
    with pytest.raises(Misplaced) as caught:
        intake.read(path, intake.Options(reference_time=AT, strict=True))
    assert (caught.value.file, caught.value.line) == (str(path), 2)
    assert "also line 3, subject: missing" in str(caught.value)


def test_a_line_that_is_not_utf8_is_refused_alone(write: Write) -> None:
    bad = json.dumps(triple(1), ensure_ascii=False).replace("Person", "P\u00e9rson").encode("latin-1")
    reading = intake.read(write("t.jsonl", json.dumps(triple()).encode() + b"\n" + bad + b"\n"), OPTIONS)
    assert reading.summary.count == 1
    assert reading.refused[0].place == "line 2, byte 14 (0xE9)"
    assert "--encoding" in reading.refused[0].reason


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_by_its_byte_order_mark(write: Write, codec: str) -> None:
    content = "".join(json.dumps(triple(n, fact="Žižek €"), ensure_ascii=False) + "\r\n" for n in range(3))
    facts = facts_of(intake.read(write("t.jsonl", content.encode(codec)), OPTIONS))
    assert [fact["fact"] for fact in facts] == ["Žižek €"] * 3


def test_another_encoding_is_read_if_it_is_declared(write: Write) -> None:
    content = json.dumps(triple(fact="12 €"), ensure_ascii=False).encode("cp1252")
    options = intake.Options(reference_time=AT, encoding="cp1252")
    assert [fact["fact"] for fact in facts_of(intake.read(write("t.json", content), options))] == ["12 €"]


def test_a_cut_file_is_refused_whole(write: Write) -> None:
    text = json.dumps([triple(n) for n in range(5)], indent=1)
    for end in (len(text) - 2, len(text) // 2, 60):
        with pytest.raises(Misplaced, match=r"line \d+, column \d+: .*truncated JSON"):
            intake.read(write("t.json", text[:end]), OPTIONS)


@pytest.mark.parametrize("content", ["", " \n ", "\ufeff\n"])
def test_an_empty_file_is_refused(write: Write, content: str) -> None:
    with pytest.raises(Misplaced, match="empty"):
        intake.read(write("t.jsonl", content), OPTIONS)


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(Missing, match=r"nothing\.jsonl"):
        intake.read(tmp_path / "nothing.jsonl")


def test_a_misspelt_format_gets_the_nearest_one_suggested(write: Write) -> None:
    with pytest.raises(Misplaced, match="did you mean 'fact_triples'"):
        intake.read(write("t.jsonl", [triple()]), intake.Options(format="fact_triple"))


class TestOfALargeFile:
    """One that is too large to keep: it is read again for its drafts."""

    @pytest.fixture(autouse=True)
    def _keep_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reading_module, "KEPT", 0)

    def test_the_drafts_are_those_of_a_small_one(
        self, write: Write, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = write("t.jsonl", [triple(n) if n % 3 else {"subject": 1} for n in range(20)])
        large = intake.read(path, OPTIONS)
        monkeypatch.setattr(reading_module, "KEPT", 10**9)
        small = intake.read(path, OPTIONS)
        assert list(large.drafts) == list(large.drafts) == list(small.drafts)
        assert not isinstance(large.drafts, tuple)
        assert large.refused == small.refused

    def test_a_change_between_the_passes_is_a_fault(self, write: Write) -> None:
        reading = intake.read(write("t.jsonl", [triple()]), OPTIONS)
        write("t.jsonl", [triple(), triple(1)])
        with pytest.raises(Fault, match="changed while it was read"):
            list(reading.drafts)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    import tracemalloc

    def peak(count: int) -> int:
        path = tmp_path / f"{count}.jsonl"
        with path.open("w") as file:
            for number in range(count):
                file.write(json.dumps(triple(number, fact="x" * 16_000)) + "\n")
        tracemalloc.start()
        reading = intake.read(path, OPTIONS)
        assert sum(1 for _ in reading.drafts) == count
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    small, large = peak(2_500), peak(7_500)  # 40 and 120 MB: both beyond what is kept
    assert large < small * 1.5
    assert large < 30_000_000


def test_drafts_are_equal_to_what_was_written(write: Write) -> None:
    (draft,) = intake.read(write("t.jsonl", [triple(kind="started", confidence=0.5)]), OPTIONS).drafts
    assert draft == Draft(
        group_id="default",
        source="t.jsonl",
        source_type=SourceType.FACT_TRIPLE,
        content='{"subject":{"name":"Person 0"},"predicate":"WORKS_AT","object":{"name":"ACME"},'
        '"kind":"started","confidence":0.5}',
        reference_time=AT,
        time_source=TimeSource.OPTION,
        metadata={"format": "fact_triples", "file": "t.jsonl"},
    )
