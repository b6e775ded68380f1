"""`extractor`: the configured extractor over what another one had extracted."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from memstrata.extraction.imported import ImportedExtractor
from memstrata.settings import opened
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from conftest import Memstrata

    from memstrata.model import Episode, Extraction


@dataclass(frozen=True, slots=True)
class FirstExtractor:
    """What was configured before: of declared triples it calls every place Works Ltd."""

    version: str = "first-1"
    context_turns: int = 0
    at_once: int = 100

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """See `ports.Extractor`."""
        changed = [
            (replace(one, content=one.content.replace("Acme", "Works Ltd")), context)
            for one, context in items
        ]
        for made in ImportedExtractor().extract_all(changed):
            yield replace(made, version=self.version)


@pytest.fixture
def told(memstrata: Memstrata) -> Memstrata:
    """Ada and Bob work at Works Ltd, as the first extractor had it."""
    for who in ("Ada", "Bob"):
        given = json.dumps({"subject": who, "predicate": "works_at", "object": "Acme"})
        done = memstrata("add", given, "--type", "fact_triple", "--time", "2024-05-02", "--id", who)
        assert done.status == 0, done.err
    with opened() as installation:
        worked = work(replace(installation, extractor=FirstExtractor()))
    assert worked.failed == ()
    return memstrata


def run(memstrata: Memstrata) -> str:
    """Runs the configured extractor, and gives its version."""
    done = memstrata("extractor", "run", "--json")
    assert done.status == 0, done.err
    answer = json.loads(done.out)
    assert (answer["episodes"], answer["failed"]) == (2, 0)
    return str(answer["version"])


def test_a_run_says_what_it_would_do_and_did_and_changes_nothing(told: Memstrata) -> None:
    assert "would extract 2 episodes" in told("extractor", "run", "--dry-run").out
    version = run(told)
    assert "Works Ltd" in told("facts", "Ada").out
    assert "would extract 0 episodes" in told("extractor", "run", "--dry-run").out
    listed = json.loads(told("extractor", "list", "--json").out)
    (group,) = listed["versions"]
    counts = {one["version"]: (one["kept"], one["in_force"]) for one in listed["versions"][group]}
    assert counts == {"first-1": (2, 2), version: (2, 0)}
    assert f"*  {group}  {version}" in told("extractor", "list").out


def test_a_dry_run_tells_what_the_run_would_cost(
    memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        memstrata("add", f"Ada Byron has met Bob{number} in Leeds.", "--group", f"g{number % 2}")
    assert memstrata("work", "--once").status == 0
    said = memstrata("extractor", "run", "--dry-run").out
    assert said.startswith("would extract 0 episodes with version offline-")
    assert "extract  " not in said
    monkeypatch.setenv("MEMSTRATA_LLM_MODEL", "gpt-5-mini")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    said = memstrata("extractor", "run", "--dry-run").out
    assert "would extract 3 episodes with version model-" in said
    assert "extract   3 episodes by gpt-5-mini: 3 calls and about 0.3 more for repairs" in said
    assert "USD" in said
    only = json.loads(memstrata("extractor", "run", "--group", "g1", "--dry-run", "--json").out)
    assert (only["episodes"], only["extraction"]["calls"]) == (1, 1)
    none = json.loads(memstrata("extractor", "run", "--until", "2001", "--dry-run", "--json").out)
    assert (none["episodes"], none["extraction"]["episodes"]) == (0, 0)


def test_a_version_is_compared_promoted_and_taken_back(told: Memstrata) -> None:
    version = run(told)
    compared = told("extractor", "diff", version[:6])
    assert compared.status == 0, compared.err
    assert "Acme" in compared.out
    assert "Works Ltd" in compared.out
    would = told("extractor", "promote", version, "--dry-run")
    assert "would promote" in would.out
    promoted = told("extractor", "promote", version, "--who", "ada", "--reason", "names places")
    assert "for 2 episodes of all days; `memstrata work` takes them in" in promoted.out
    assert promoted.err == "", "the configured extractor goes on with the promoted version"
    assert told("work", "--once").status == 0
    assert "Acme" in told("facts", "Ada").out
    assert "by ada (names places): in force for 2 episodes" in told("extractor", "list").out
    taken_back = told("extractor", "rollback", "--who", "ada")
    assert "took back the promotion" in taken_back.out
    assert told("work", "--once").status == 0
    assert "Works Ltd" in told("facts", "Ada").out
    assert "taken back" in told("extractor", "list").out
    assert "has no promotion to take back" in told("extractor", "rollback").err


def test_promoting_what_is_not_configured_says_what_new_episodes_go_on_with(told: Memstrata) -> None:
    version = run(told)
    told("extractor", "promote", version)
    told("work", "--once")
    back = told("extractor", "promote", "first-1")
    assert back.status == 0
    assert f"what is new goes on with version {version}" in back.err
    assert "MEMSTRATA_LLM_MODEL" in back.err


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_comparison_is_written_as_files(told: Memstrata, folder: Path, form: str) -> None:
    version = run(told)
    done = told("extractor", "diff", version, "--output", "compared", "--format", form, "--json")
    assert done.status == 0, done.err
    answer = json.loads(done.out)
    assert answer["relations"] == {"works_at": {"gained": 2, "lost": 2, "changed": 0}}
    lines = (folder / "compared" / f"gained.{form}").read_text().splitlines()
    if form == "csv":
        rows = list(csv.DictReader(lines))
        assert {(one["after_subject"], one["after_object"]) for one in rows} == {
            ("Ada", "Acme"),
            ("Bob", "Acme"),
        }
    else:
        assert {json.loads(line)["after"]["object"] for line in lines} == {"Acme"}
    assert (folder / "compared" / f"entities.{form}").exists()


def test_days_that_hold_nothing_and_unknown_versions_are_refused(told: Memstrata) -> None:
    refused = told("extractor", "run", "--since", "2024-05-02", "--until", "2024-05-02")
    assert (refused.status, "no day from 2024-05-02" in refused.err) == (2, True)
    refused = told("extractor", "diff", "nothing")
    assert refused.status == 2
    assert "there are: first-1" in refused.err
    refused = told("extractor", "promote", "first-1")
    assert refused.status == 2
    assert "in force for 2 of 2 episodes" in refused.err
