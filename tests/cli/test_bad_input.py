"""What the door refuses, told from outside: the exit status, the message, and that nothing was written."""

from __future__ import annotations

import json
import resource
import sqlite3
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Memstrata

    Started = Callable[..., subprocess.Popen[str]]

WHEN = "2024-05-14T09:30:00Z"
TRIPLE = {"subject": "Ada", "predicate": "works_at", "object": "Acme", "reference_time": WHEN}
MAPPING = """\
id: id
reference_time: {field: since, format: "%Y-%m-%d", precision: day}
facts:
  - {subject: who, predicate: member_of, object: club}
"""


def accepted_episodes(memstrata: Memstrata) -> int:
    """How many episodes the memory holds, worked in or not."""
    status = json.loads(memstrata("status", "--json").out)
    return sum(one["episodes"] + one["pending_episodes"] for one in status["groups"])


def triple_file(folder: Path, **changed: object) -> str:
    file = folder / "triples.jsonl"
    given = {name: value for name, value in {**TRIPLE, **changed}.items() if value is not None}
    file.write_text(json.dumps(given) + "\n", encoding="utf-8")
    return file.name


@pytest.mark.parametrize(
    ("changed", "place", "said"),
    [
        ({"reference_time": "2024-05-14T09:30:00"}, "reference_time", "offset"),
        ({"reference_time": "the other day"}, "reference_time", "the other day"),
        ({"valid_at": "2024-05-14T09:30:00"}, "valid_at", "offset"),
        ({"valid_at": "2024-02-30T00:00:00Z"}, "valid_at", "2024-02-30"),
        (
            {"valid_at": "2024-05-01T00:00:00Z", "invalid_at": "2024-04-01T00:00:00Z"},
            "invalid_at",
            "is before valid_at 2024-05-01T00:00:00Z (swap the two times)",
        ),
        (
            {"kind": "ended", "valid_at": "2025-01-01T00:00:00Z"},
            "valid_at",
            "what has ended began before (give invalid_at)",
        ),
        ({"kind": "begun"}, "kind", "unknown kind 'begun'; known: started, holds, ended, denied"),
        ({"confidence": 1.5}, "confidence", "1.5 is not from 0 to 1"),
        ({"object": "Ada"}, "object", "equal to the subject"),
        ({"predicate": ""}, "predicate", "empty"),
        (
            {"valid_at": WHEN, "valid_at_precision": "hours"},
            "valid_at_precision",
            "unknown precision 'hours'",
        ),
        ({"group": "a b"}, "group_id", "'a b' is no path of letters, digits"),
    ],
)
def test_a_wrong_triple_is_refused_with_line_field_and_reason(
    memstrata: Memstrata, folder: Path, changed: dict[str, object], place: str, said: str
) -> None:
    done = memstrata("ingest", triple_file(folder, **changed))
    assert done.status == 2
    assert f"refused: triples.jsonl, line 1, {place}: " in done.err
    assert said in done.err
    assert accepted_episodes(memstrata) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hello", "--time", "2024-05-14T09:30:00"), "offset"),
        (("hello", "--time", "2024-13"), "'2024-13'"),
        (("hello", "--type", "letter"), "'letter' is not one of 'text', 'message', 'json', 'fact_triple'"),
        (("hello", "--type", "json"), "a json episode's content is not JSON"),
        (('{"a": 1', "--type", "json"), "a json episode's content is not JSON"),
        (('{"subject": "Ada"}', "--type", "fact_triple"), "content.predicate: missing"),
        (("hello", "--type", "message"), "give --speaker NAME"),
        (("   ",), "content: empty (leave such an item out)"),
        (("x" * 1_048_577,), "has 1,048,577 characters, at most 1,048,576 are taken (split it"),
        (("hello", "--group", "a b"), "'a b' is no path of letters, digits and . _ @ : + -"),
        (("hello", "--group", "a/../b"), "has a segment . or .. (name every segment)"),
        (("hello", "--group", "a//b"), "with single slashes between"),
        (("hello", "--group", ""), "must be a non-empty string (for instance acme/eng/alice)"),
        (("hello", "--group", "g" * 257), "has 257 characters, at most 256 are allowed"),
    ],
)
def test_a_wrong_episode_is_refused_with_its_field_and_how_to_mend_it(
    memstrata: Memstrata, words: tuple[str, ...], said: str
) -> None:
    done = memstrata("add", *words)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""
    assert accepted_episodes(memstrata) == 0


@pytest.mark.parametrize(
    "words",
    [
        ("search", "Ada"),
        ("facts", "Ada"),
        ("history", "Ada"),
        ("get", "x"),
        ("context", "Ada"),
        ("retract", "x"),
        ("entities", "merge", "a", "b"),
        ("entities", "keep-apart", "a", "b"),
        ("rebuild",),
        ("export", "--canonical"),
        ("dead-letters",),
    ],
)
def test_every_command_refuses_an_odd_group_id_and_makes_no_memory(
    memstrata: Memstrata, folder: Path, words: tuple[str, ...]
) -> None:
    done = memstrata(*words, "--group", "../else where")
    assert done.status == 2
    assert "group_id: '../else where' is no path" in done.err
    assert not (folder / ".memstrata").exists()


def test_a_text_that_is_no_utf8_is_refused_with_its_place(memstrata: Memstrata, folder: Path) -> None:
    (folder / "note.md").write_bytes(b"# Caf\xe9\n")
    done = memstrata("ingest", "note.md")
    assert done.status == 2
    assert "note.md" in done.err
    assert "UTF-8" in done.err
    assert "encoding" in done.err
    assert accepted_episodes(memstrata) == 0


def test_json_that_ends_early_is_refused_whole(memstrata: Memstrata, folder: Path) -> None:
    (folder / "chat.json").write_text('[{"role": "user", "content": "I live in Oslo."}, {"role": ')
    done = memstrata("ingest", "chat.json", "--reference-time", WHEN)
    assert done.status == 2
    assert "chat.json" in done.err
    assert accepted_episodes(memstrata) == 0


def test_an_empty_file_is_refused(memstrata: Memstrata, folder: Path) -> None:
    (folder / "nothing.jsonl").write_text("\n")
    done = memstrata("ingest", "nothing.jsonl")
    assert done.status == 2
    assert "nothing.jsonl: empty (leave it out)" in done.err


def test_a_file_that_is_not_there_is_missing(memstrata: Memstrata) -> None:
    done = memstrata("ingest", "nowhere.jsonl")
    assert done.status == 4
    assert "nowhere.jsonl" in done.err


def test_an_ontology_that_is_not_there_is_missing(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMSTRATA_ONTOLOGY", "nowhere.yaml")
    done = memstrata("status")
    assert done.status == 4
    assert "MEMSTRATA_ONTOLOGY = 'nowhere.yaml': no such file" in done.err


def test_a_setting_that_there_is_not_is_refused_with_the_nearest(
    memstrata: Memstrata, folder: Path
) -> None:
    (folder / "memstrata.yaml").write_text("MEMSTRATA_STORES: x\n")
    done = memstrata("status")
    assert done.status == 2
    assert "MEMSTRATA_STORES is no setting; did you mean MEMSTRATA_STORE?" in done.err


def test_one_bad_row_is_listed_and_the_rest_goes_in(memstrata: Memstrata, folder: Path) -> None:
    (folder / "mapping.yaml").write_text(MAPPING)
    (folder / "rows.csv").write_text("id,who,club,since\n1,Ada,Chess,2022-05-01\n2,Alan,Chess,someday\n")
    done = memstrata("ingest", "rows.csv", "--mapping", "mapping.yaml")
    assert done.status == 3
    assert "accepted 1 episode from rows.csv" in done.out
    assert "refused: rows.csv, line 3, since: " in done.err
    assert accepted_episodes(memstrata) == 1


def test_strict_refuses_all_for_one_bad_row(memstrata: Memstrata, folder: Path) -> None:
    (folder / "mapping.yaml").write_text(MAPPING)
    (folder / "rows.csv").write_text("id,who,club,since\n1,Ada,Chess,2022-05-01\n2,Alan,Chess,someday\n")
    done = memstrata("ingest", "rows.csv", "--mapping", "mapping.yaml", "--strict")
    assert done.status == 2
    assert "rows.csv, line 3, since: " in done.err
    assert accepted_episodes(memstrata) == 0


def test_a_mapping_that_does_not_fit_names_the_file(memstrata: Memstrata, folder: Path) -> None:
    (folder / "mapping.yaml").write_text(MAPPING)
    (folder / "good.csv").write_text("id,who,club,since\n1,Ada,Chess,2022-05-01\n")
    (folder / "other.csv").write_text("number,who,club,since\n1,Ada,Chess,2022-05-01\n")
    done = memstrata("ingest", "good.csv", "other.csv", "--mapping", "mapping.yaml")
    assert done.status == 2
    assert done.err.startswith("memstrata: other.csv, mapping.id: ")
    assert accepted_episodes(memstrata) == 0


def test_an_unknown_zone_is_refused_with_the_nearest(memstrata: Memstrata, folder: Path) -> None:
    done = memstrata("ingest", triple_file(folder), "--timezone", "Europe/Berlni")
    assert done.status == 2
    assert done.err.startswith("memstrata: timezone: ")
    assert "Europe/Berlin" in done.err


def test_an_unknown_format_is_refused_with_the_nearest(memstrata: Memstrata, folder: Path) -> None:
    done = memstrata("ingest", triple_file(folder), "--format", "fact_tripels")
    assert done.status == 2
    assert "did you mean 'fact_triples'?" in done.err


@pytest.mark.slow
def test_of_100000_lines_the_one_bad_one_is_listed_and_the_rest_goes_in(
    memstrata: Memstrata, folder: Path
) -> None:
    bad = 70_001
    with (folder / "many.jsonl").open("w", encoding="utf-8") as file:
        for number in range(1, 100_001):
            line = json.dumps({**TRIPLE, "subject": f"Person {number}", "id": str(number)})
            file.write((line[:-20] if number == bad else line) + "\n")
    strict = memstrata("ingest", "many.jsonl", "--strict")
    assert strict.status == 2
    assert f"many.jsonl, line {bad}" in strict.err
    assert accepted_episodes(memstrata) == 0
    done = memstrata("ingest", "many.jsonl", "--json")
    answer = json.loads(done.out)
    assert done.status == 3
    assert answer["accepted"] == {"many.jsonl": 99_999}
    assert [one["place"].partition(",")[0] for one in answer["refused"]] == [f"line {bad}"]


def test_a_memory_of_a_newer_version_is_left_alone(memstrata: Memstrata, folder: Path) -> None:
    memstrata("add", "Ada lives in Paris.")
    graph = folder / ".memstrata" / "graph.db"
    with sqlite3.connect(graph) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert memstrata("add", "Ada lives in Oslo.").status == 0  # the log takes it all the same
    done = memstrata("facts", "Ada")
    assert done.status == 2
    assert "graph.db has version 99 of the graph's tables" in done.err
    assert "upgrade memstrata" in done.err


def test_a_record_of_a_newer_version_is_left_alone(memstrata: Memstrata, folder: Path) -> None:
    memstrata("add", "Ada lives in Paris.")
    (folder / ".memstrata" / "record-version").write_text("99\n")
    done = memstrata("add", "Ada lives in Oslo.")
    assert done.status == 2
    assert "was written by a newer Memstrata (record version 99" in done.err


@pytest.mark.slow
def test_vectors_of_another_model_are_not_mixed(
    memstrata: Memstrata, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMSTRATA_EMBEDDER")
    chess = json.dumps({"subject": "Ada", "predicate": "plays", "object": "chess"})
    memstrata("add", chess, "--type", "fact_triple")
    assert memstrata("work", "--once").status == 0
    other = {"name": "another-model", "dimension": 384, "engine": "elsewhere"}
    with sqlite3.connect(folder / ".memstrata" / "graph.db") as connection:
        connection.execute("UPDATE settings SET value = ? WHERE name = 'vector_model'", [json.dumps(other)])
    connection.close()
    memstrata("add", chess.replace("Ada", "Grace"), "--type", "fact_triple")
    done = memstrata("work", "--once")
    assert done.status == 1  # the pass did the rest of its work, and says what it could not do
    assert "another-model" in done.err
    assert "memstrata embed --switch" in done.err
    assert "multilingual-e5-small" in done.err
    found = memstrata("search", "Grace", "--for", "fact")
    assert found.status == 0
    assert "Grace plays chess" in found.out


def little_room() -> None:
    """No file of this process may grow above 4 MB: to it the disk is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, 4_000_000))


@pytest.mark.slow
def test_a_full_disk_is_a_fault_and_nothing_is_half_written(
    memstrata: Memstrata, started: Started, folder: Path
) -> None:
    assert memstrata("add", "Ada lives in Paris.", "--id", "first").status == 0
    (folder / "big.jsonl").write_text(
        "".join(json.dumps({**TRIPLE, "fact": "x" * 900, "id": str(n)}) + "\n" for n in range(20_000)),
        encoding="utf-8",
    )
    process = started("ingest", "big.jsonl", before=little_room)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 1, err
    assert err.startswith("memstrata: ")
    assert "Traceback" not in err
    # what came through whole counts, what did not is gone, and the memory goes on
    assert memstrata("work", "--once").status == 0
    assert memstrata("add", "Ada lives in Oslo.", "--id", "last").status == 0
    assert memstrata("get", "first").status == 0
    assert accepted_episodes(memstrata) % 500 == 2


@pytest.mark.slow
def test_what_a_full_disk_stopped_the_next_pass_makes_good(
    memstrata: Memstrata, started: Started, folder: Path
) -> None:
    lines = [
        json.dumps({**TRIPLE, "subject": f"P{n}", "object": f"Q{n}", "id": str(n)}) for n in range(3_000)
    ]
    (folder / "many.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert memstrata("ingest", "many.jsonl").status == 0
    process = started("work", "--once", before=little_room)
    _, err = process.communicate(timeout=240)
    assert process.returncode == 1, err
    assert "cannot write to" in err
    assert "Traceback" not in err
    assert memstrata("work", "--once").status == 0
    (counts,) = json.loads(memstrata("status", "--json").out)["groups"]
    assert (counts["episodes"], counts["pending_episodes"], counts["facts"]) == (3_000, 0, 3_000)


@pytest.mark.slow
def test_two_writers_at_once_both_succeed(memstrata: Memstrata, started: Started, folder: Path) -> None:
    for number in range(2):
        lines = [
            json.dumps({**TRIPLE, "subject": f"P{number}-{n}", "id": f"{number}-{n}"}) for n in range(1_500)
        ]
        (folder / f"{number}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    both = [started("ingest", f"{number}.jsonl") for number in range(2)]
    for process in both:
        _, err = process.communicate(timeout=240)
        assert process.returncode == 0, err
    working = [started("work", "--once") for _ in range(2)]
    for process in working:
        _, err = process.communicate(timeout=240)
        assert process.returncode == 0, err
    assert memstrata("work", "--once").status == 0
    (counts,) = json.loads(memstrata("status", "--json").out)["groups"]
    assert (counts["episodes"], counts["pending_episodes"], counts["facts"]) == (3_000, 0, 3_000)
