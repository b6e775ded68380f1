"""What the commands do and say, on declared triples, which need no parser."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Memstrata

    Started = Callable[..., subprocess.Popen[str]]


def says(memstrata: Memstrata, episode_id: str, when: str, **triple: object) -> None:
    given = json.dumps({"subject": "Ada", "predicate": "works_at", "object": "Acme", **triple})
    done = memstrata("add", given, "--type", "fact_triple", "--time", when, "--id", episode_id)
    assert done.status == 0, done.err


@pytest.fixture
def told(memstrata: Memstrata) -> Memstrata:
    """Ada works at Acme from 2021 on, as was said first; until 2024, as was said a commit later."""
    says(memstrata, "first", "2023-05-02", valid_at="2021-03-01T00:00:00Z", valid_at_precision="month")
    assert memstrata("work", "--once").status == 0
    says(
        memstrata,
        "second",
        "2024-07-05",
        kind="ended",
        invalid_at="2024-06-01T00:00:00Z",
        invalid_at_precision="month",
    )
    assert memstrata("work", "--once").status == 0
    return memstrata


def test_facts_answer_as_of_a_moment(told: Memstrata) -> None:
    assert told("facts", "Ada", "--as-of", "2022").out.split("  ")[0] == "2021-03 .. 2024-06"
    assert "no fact at that moment (try --history)" in told("facts", "Ada", "--as-of", "2025").out


def test_a_history_tells_both_beliefs_and_what_each_rests_on(told: Memstrata) -> None:
    lines = [line.strip() for line in told("history", "Ada works_at Acme").out.splitlines()]
    assert lines[0] == "Ada works_at Acme"
    assert lines[1].startswith("fact ")
    assert lines[2].startswith("true 2021-03 .. now  ")
    assert lines[3].startswith("true 2021-03 .. 2024-06  ")
    assert lines[3].endswith(".. now")
    assert [line for line in lines if line.startswith("episode")] == ["episode first", "episode second"]


def test_a_retraction_opens_again_what_it_had_closed(told: Memstrata) -> None:
    tried = told("retract", "second", "--dry-run")
    assert tried.out == "would retract second and its 1 assertion\n"
    assert told("work", "--once").out == "nothing to do\n"
    assert told("retract", "second", "--reason", "said in jest").status == 0
    again = told("retract", "second")
    assert (again.status, again.err) == (2, "memstrata: episode 'second' has been retracted already\n")
    assert told("work", "--once").status == 0
    assert told("facts", "Ada").out.startswith("2021-03 .. now  Ada works_at Acme")


def test_a_rebuild_gives_the_same_memory(told: Memstrata) -> None:
    before = told("export", "--canonical", "--history").out
    assert before.count("\n") == 4  # two entities, two versions
    assert told("rebuild", "--dry-run").out == "default: would replay 2 commits\n"
    assert told("rebuild").out == "default: replayed 2 commits\n"
    assert told("export", "--canonical", "--history").out == before


@pytest.mark.parametrize(
    "words",
    [
        ("search", "Ada", "--json"),
        ("facts", "Ada", "--json"),
        ("history", "Ada", "--json"),
        ("get", "first", "--json"),
        ("context", "Ada", "--json"),
        ("status", "--json"),
        ("work", "--once", "--json"),
        ("work", "--dry-run", "--json"),
        ("rebuild", "--dry-run", "--json"),
        ("dead-letters", "--json"),
        ("retract", "first", "--dry-run", "--json"),
        ("entities", "merge", "Ada", "Acme", "--dry-run", "--json"),
        ("init", "--dry-run", "--json"),
        ("add", "hello", "--dry-run", "--json"),
    ],
)
def test_json_is_one_document_on_standard_output(told: Memstrata, words: tuple[str, ...]) -> None:
    done = told(*words)
    assert done.status == 0, done.err
    json.loads(done.out)


def test_a_dry_run_accepts_nothing(memstrata: Memstrata, folder: Path) -> None:
    done = memstrata("add", "Ada lives in Paris.", "--id", "one", "--dry-run")
    assert done.out == "would be accepted as one\n"
    assert "the memory is empty" in memstrata("status").out
    memstrata("init", "--dry-run")
    assert not (folder / "memstrata.yaml").exists()


def test_a_dry_run_of_files_tells_what_is_in_them(memstrata: Memstrata, folder: Path) -> None:
    turns = [
        {"role": "user", "content": "I live in Oslo.", "name": "Ada"},
        {"role": "assistant", "content": "Good to know."},
    ]
    chat = {"messages": turns, "created_at": "2024-03-01T09:00:00Z"}
    (folder / "chat.json").write_text(json.dumps(chat))
    done = memstrata("ingest", "chat.json", "--dry-run")
    told = dict(line.split(None, 1) for line in done.out.splitlines()[1:])
    assert done.out.startswith("would accept 2 episodes from chat.json\n")
    assert told["format"].strip() == "openai_chat"
    assert told["kinds"].strip() == "2 message"
    assert told["sagas"].strip() == "1"
    assert told["time"].strip().startswith("2024-03-01 09:00")
    assert "Ada" in told["speakers"]
    assert "the memory is empty" in memstrata("status").out


def test_long_content_comes_from_standard_input(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = "Ada lives in Paris.\n" * 20_000
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    assert memstrata("add", "-", "--id", "long").out == "accepted long\n"
    memstrata("work", "--dry-run")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9")))
    refused = memstrata("add", "-")
    assert refused.status == 2
    assert "standard input: not UTF-8: byte 3 is 0xe9 (convert it to UTF-8" in refused.err


def test_the_same_key_with_other_content_is_the_next_revision(told: Memstrata) -> None:
    says(told, "first", "2023-05-02", object="Globex")
    assert "1 revised" in told("work", "--once").out
    assert "Ada works_at Globex" in told("facts", "Ada", "--as-of", "2023-05-02").out


def test_merging_and_keeping_apart_undo_one_another(told: Memstrata) -> None:
    says(told, "third", "2024-08-01", subject="Ada L.", predicate="plays", object={"literal": "chess"})
    told("work", "--once")
    assert told("entities", "merge", "Ada", "Ada L.").status == 0
    told("work", "--once")
    assert "plays chess" in told("facts", "Ada", "--as-of", "2024-08-02").out
    assert told("entities", "keep-apart", "Ada", "Ada L.").status == 0
    told("work", "--once")
    assert "plays chess" not in told("facts", "Ada", "--as-of", "2024-08-02").out
    assert "plays chess" in told("facts", "Ada L.", "--as-of", "2024-08-02").out


def test_groups_do_not_see_one_another(told: Memstrata) -> None:
    assert told("search", "Ada", "--group", "other").out == "nothing found\n"
    nobody = told("facts", "Ada", "--group", "other")
    assert nobody.status == 2
    assert "nobody and nothing in group other is called 'Ada'" in nobody.err
    gone = told("rebuild", "--group", "other")
    assert gone.err == "memstrata: there is no group 'other'; there are: default\n"


def test_settings_are_written_once(memstrata: Memstrata, folder: Path) -> None:
    assert memstrata("init").out == "wrote memstrata.yaml\n"
    assert memstrata("status").status == 0  # every setting at its default is a valid file
    again = memstrata("init")
    assert (again.status, again.err) == (
        2,
        "memstrata: memstrata.yaml is here already; edit it, or remove it first\n",
    )


def test_an_unknown_command_is_refused(memstrata: Memstrata) -> None:
    done = memstrata("serch")
    assert done.status == 2
    assert "No such command 'serch'; did you mean 'search'?" in done.err


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error_to_report(started: Started, memstrata: Memstrata) -> None:
    says(memstrata, "first", "2023-05-02")
    memstrata("work", "--once")
    process = started("export", "--canonical")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    process.wait(timeout=60)
