from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from memstrata import intake
from memstrata.errors import Misplaced, Missing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[..., Path]

AT = datetime(2025, 2, 3, 10, tzinfo=UTC)
LIVES = {"subject": "name", "predicate": "LIVES_IN", "object": "city"}


def options(mapping: dict[str, Any], **more: Any) -> intake.Options:
    return intake.Options(**{"reference_time": AT, **more}, mapping=mapping)


def facts_of(reading: intake.Reading) -> list[Any]:
    return [fact for draft in reading.drafts for fact in draft.metadata["facts"]]  # type: ignore[union-attr]


def test_a_row_states_several_facts(write: Write) -> None:
    mapping = {
        "id": "id",
        "facts": [
            {**LIVES, "subject_type": "Person", "object_type": "Place", "fact": "{name} lives in {city}."},
            {
                "subject": "name",
                "predicate": "AGE",
                "object": "age",
                "object_literal": True,
                "confidence": "sure",
            },
            {"subject": {"value": "ACME"}, "predicate": {"field": "relation"}, "object": "name"},
        ],
    }
    table = "id,name,city,age,relation,sure\n1,Ines,Porto,41,EMPLOYS,0.5\n"
    (draft,) = intake.read(write("p.csv", table), options(mapping)).drafts
    assert draft.native_id == "1"
    assert json.loads(draft.content)["age"] == "41"
    assert draft.metadata["facts"] == [
        {
            "subject": {"name": "Ines", "type": "Person"},
            "predicate": "LIVES_IN",
            "object": {"name": "Porto", "type": "Place"},
            "fact": "Ines lives in Porto.",
        },
        {"subject": {"name": "Ines"}, "predicate": "AGE", "object": {"literal": "41"}, "confidence": 0.5},
        {"subject": {"name": "ACME"}, "predicate": "EMPLOYS", "object": {"name": "Ines"}},
    ]


def test_a_sentence_with_a_hole_is_left_out(write: Write) -> None:
    mapping = {**LIVES, "fact": "{name} lived in {city} until {until}."}
    table = "name,city,until\nInes,Porto,2020\nTom,Oslo,\n"
    ended, open_end = facts_of(intake.read(write("p.csv", table), options(mapping)))
    assert ended["fact"] == "Ines lived in Porto until 2020."
    assert "fact" not in open_end


def test_a_record_may_lead_into_objects_by_dots(write: Write) -> None:
    mapping = {"subject": "user.name", "predicate": "LIVES_IN", "object": "user.city"}
    records = [{"user": {"name": "Ines", "city": "Porto"}}, {"user": {"name": "Tom"}}]
    reading = intake.read(write("p.jsonl", records), options(mapping))
    assert [fact["subject"]["name"] for fact in facts_of(reading)] == ["Ines"]
    assert reading.warnings == ()


def test_a_list_of_records_is_read_like_lines(write: Write) -> None:
    records = [{"name": "Ines", "city": "Porto"}, 7, {"name": "Tom", "city": "Oslo"}]
    reading = intake.read(write("p.json", records), options(LIVES))
    assert len(facts_of(reading)) == 2
    assert [one.place for one in reading.refused] == ["[1]"]


def test_numbers_in_json_are_literals_unless_a_type_says_otherwise(write: Write) -> None:
    path = write("p.jsonl", [{"name": 17, "city": 2.5}])
    assert facts_of(intake.read(path, options(LIVES)))[0]["object"] == {"literal": "2.5"}
    typed = intake.read(path, options({**LIVES, "object_type": "Shop"}))
    assert facts_of(typed)[0]["object"] == {"name": "2.5", "type": "Shop"}
    assert facts_of(typed)[0]["subject"] == {"name": "17"}


def test_speaker_group_saga_and_kind_come_from_the_row(write: Write) -> None:
    mapping = {**LIVES, "speaker": "agent", "group": "tenant", "saga": "case", "kind": {"field": "what"}}
    table = "name,city,agent,tenant,case,what\nInes,Porto,bob,acme/eng,c-1,ended\n"
    (draft,) = intake.read(write("p.csv", table), options(mapping)).drafts
    assert draft.speaker is not None
    assert (draft.speaker.id, draft.group_id, draft.saga) == ("bob", "acme/eng", "c-1")
    assert facts_of(intake.read(write("p.csv", table), options(mapping)))[0]["kind"] == "ended"


@pytest.mark.parametrize(
    ("mapping", "row", "place", "said"),
    [
        ({"valid_at": "from", "invalid_at": "to"}, "2025-05-02,2025-05-01", "to", "before valid_at"),
        ({"valid_at": "from"}, "2025-13-01,", "from", '"2025-13-01" is not a date'),
        (
            {"valid_at": {"field": "from", "format": "%d.%m.%Y"}},
            "2025-05-02,",
            "from",
            "in the format %d.%m.%Y",
        ),
        ({"reference_time": "from"}, "2025-05-02 09:00,", "from", "no UTC offset"),
        ({"kind": {"field": "from"}}, "joined,", "from", "unknown kind 'joined'"),
        ({"confidence": "from"}, "sure,", "from", "must be a number"),
        ({"confidence": "from"}, "1.01,", "from", "not from 0 to 1"),
        ({"group": "from"}, "a b,", "group_id", "'a b'"),
        ({"object": "name"}, "x,", "name", "equal to the subject"),
    ],
)
def test_a_faulty_row_is_refused_by_its_column(
    write: Write, mapping: dict[str, Any], row: str, place: str, said: str
) -> None:
    table = f"name,city,from,to\nInes,Porto,,\nTom,Oslo,{row}\n"
    reading = intake.read(write("p.csv", table), options({**LIVES, **mapping}))
    refused = reading.refused[-1]
    assert refused.place == f"line 3, {place}"
    assert said in refused.reason


@pytest.mark.parametrize(
    ("mapping", "field", "said"),
    [
        ({**LIVES, "subjet_type": "x"}, "mapping.subjet_type", "did you mean 'subject_type'?"),
        ({"subject": "name", "predicate": "P"}, "mapping.object", "missing"),
        ({**LIVES, "valid_at": {"feld": "x"}}, "mapping.valid_at.feld", "did you mean 'field'?"),
        ({**LIVES, "valid_at": {"field": "a", "value": "b"}}, "mapping.valid_at", "either field or value"),
        (
            {**LIVES, "valid_at": {"field": "a", "precision": "fort"}},
            "mapping.valid_at.precision",
            "known: instant",
        ),
        ({**LIVES, "valid_at": {"field": "a", "format": "d.m"}}, "mapping.valid_at.format", "strptime"),
        ({**LIVES, "facts": []}, "mapping.facts", "beside subject"),
        ({"facts": {}}, "mapping.facts", "must be a list"),
        ({"facts": [7]}, "mapping.facts[0]", "must be a mapping"),
        ({**LIVES, "fact": "{name"}, "mapping.fact", "not a template"),
        ({**LIVES, "object_literal": "yes"}, "mapping.object_literal", "true or false"),
        (
            {**LIVES, "object_literal": True, "object_type": "x"},
            "mapping.object_type",
            "a literal has no type",
        ),
        ({**LIVES, "id": 7}, "mapping.id", "must be a field's name"),
        ({**LIVES, "fact": "{name} in {town}"}, "mapping.fact", '"town" is not a column'),
    ],
)
def test_a_mapping_that_cannot_be_meant_refuses_the_file(
    write: Write, mapping: dict[str, Any], field: str, said: str
) -> None:
    with pytest.raises(Misplaced) as caught:
        intake.read(write("p.csv", "name,city\nInes,Porto\n"), options(mapping))
    assert caught.value.field == field
    assert said in str(caught.value)


def test_a_field_that_some_record_has_may_be_missing_in_others(write: Write) -> None:
    records = [{"name": "Ines"}, {"name": "Tom", "city": "Oslo"}]
    assert len(facts_of(intake.read(write("p.jsonl", records), options(LIVES)))) == 1


@pytest.mark.parametrize(
    ("content", "place", "said"),
    [
        ('name,city\nInes,"Porto\nTom,Oslo\n', "line 2", "file ends inside a quoted value"),
        ('name,city\nInes,"Por"to\n', "line 2", "not a table"),
        ("name,name\nInes,Porto\n", "line 1, column 2", "given twice"),
        ("name,\nInes,Porto\n", "line 1, column 2", "has no name"),
        (b"name,city\nIn\xe9s,Porto\n", "line 2, byte 2 (0xE9)", "--encoding"),
        ("name,city\n" + "x" * 1_100_000 + ",y\na\0,b\n", "line 3", "NUL"),
    ],
)
def test_a_table_that_is_none_is_refused_whole(
    write: Write, content: str | bytes, place: str, said: str
) -> None:
    path = write("p.csv", content)
    with pytest.raises(Misplaced) as caught:
        intake.read(path, options(LIVES))
    assert caught.value.place == f"{path}, {place}"
    assert said in str(caught.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_usual_delimiters_are_seen_in_the_header(write: Write, delimiter: str) -> None:
    table = "name,city\nInes,Porto\n".replace(",", delimiter)
    assert len(facts_of(intake.read(write("p.csv", table), options(LIVES)))) == 1


def test_a_table_without_a_mapping_is_refused_with_the_way_to_give_one(write: Write) -> None:
    with pytest.raises(Misplaced, match="--mapping"):
        intake.read(write("p.csv", "name,city\nInes,Porto\n"))


def test_a_mapping_alone_names_no_time(write: Write) -> None:
    with pytest.raises(Misplaced, match=r"mapping\.reference_time: neither.*--reference-time"):
        intake.read(write("p.csv", "name,city\nInes,Porto\n"), intake.Options(mapping=LIVES))


def test_equal_rows_without_an_id_are_one_episode_wherever_they_stand(write: Write) -> None:
    once = intake.read(write("p.csv", "name,city\nTom,Oslo\nInes,Porto\n"), options(LIVES))
    more = intake.read(write("p.csv", "name,city\nInes,Porto\nTom,Oslo\nInes,Porto\n"), options(LIVES))
    ids = [{intake.episode_id(draft) for draft in reading.drafts} for reading in (once, more)]
    assert ids[0] == ids[1]


def test_a_mapping_file_is_yaml(write: Write) -> None:
    path = write("m.yaml", "subject: name\npredicate: LIVES_IN\nobject: {field: city}\n")
    mapping = intake.load_mapping(path)
    reading = intake.read(write("p.csv", "name,city\nInes,Porto\n"), options(dict(mapping)))
    assert len(facts_of(reading)) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [("a: [1\n", "line 2: not YAML"), ("- a\n", "must have keys, is a list"), (b"\xff", "not YAML")],
)
def test_a_mapping_file_that_is_none_is_refused(write: Write, content: str | bytes, said: str) -> None:
    with pytest.raises(Misplaced) as caught:
        intake.load_mapping(write("m.yaml", content))
    assert said in str(caught.value)


def test_a_mapping_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(Missing):
        intake.load_mapping(tmp_path / "m.yaml")
