"""`timeline`, `diff`, `path` and the filters, on declared triples, which need no parser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Memstrata

ONTOLOGY = "relations: [{name: works_at, cardinality: one}]\n"


def says(memstrata: Memstrata, episode_id: str, day: str, *triple: str, **more: str) -> None:
    given = dict(zip(("subject", "predicate", "object"), triple, strict=True)) | more
    done = memstrata("add", json.dumps(given), "--type", "fact_triple", "--time", day, "--id", episode_id)
    assert done.status == 0, done.err


@pytest.fixture
def told(memstrata: Memstrata, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Memstrata, str]:
    """Ada at Acme, Bob at Globex, was said first; that Ada is at Globex later. And the time between."""
    (folder / "ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")
    monkeypatch.setenv("MEMSTRATA_ONTOLOGY", "ontology.yaml")
    says(memstrata, "a1", "2023-05-02", "Ada", "works_at", "Acme")
    says(memstrata, "b1", "2023-06-01", "Bob", "works_at", "Globex")
    says(memstrata, "b2", "2023-06-02", "Bob", "knows", "Eve")
    memstrata("work", "--once")
    facts = json.loads(memstrata("facts", "Ada", "--json").out)["facts"]
    between = facts[0]["version"]["created_at"]
    says(memstrata, "a2", "2024-07-05", "Ada", "works_at", "Globex")
    memstrata("retract", "b2")
    memstrata("work", "--once")
    return memstrata, between


def test_a_timeline_tells_what_closed_what(told: tuple[Memstrata, str]) -> None:
    memstrata, _ = told
    lines = [line.strip() for line in memstrata("timeline", "Ada").out.splitlines()]
    assert lines[:2] == [
        "Ada",
        "named in 2 episodes; what is known of it was said from 2023-05-02 to 2024-07-05",
    ]
    assert lines[2].split("  ")[0] == "2023-05-02 .. 2024-07-05"
    assert lines[3:5] == ["closed by works_at Globex", "episode a1"]
    assert lines[5].startswith("2024-07-05 .. now")


def test_a_diff_tells_the_world_from_our_mistakes(told: tuple[Memstrata, str]) -> None:
    memstrata, between = told
    out = memstrata("diff", between).out
    told_lines = [" ".join(line.split()[2:]) for line in out.splitlines()]
    assert told_lines == [
        "learned Ada works_at Globex 2024-07-05 .. now",
        "ended Ada works_at Acme true until 2024-07-05; then works_at Globex (2024-07-05 .. now)",
        "withdrawn Bob knows Eve believed no longer",
    ]
    about = json.loads(memstrata("diff", between, "--about", "Acme", "--json").out)
    assert [one["turn"] for one in about["changes"]] == ["ended"]
    assert memstrata("diff", "2001", "2002").out == "nothing changed\n"


def test_a_path_leads_through_what_is_true_then(told: tuple[Memstrata, str]) -> None:
    memstrata, _ = told
    out = memstrata("path", "Ada", "Bob").out.splitlines()
    assert [" ".join(line.split()) for line in out] == [
        "Ada - Globex Ada works_at Globex 2024-07-05 .. now",
        "Globex - Bob Bob works_at Globex 2023-06-01 .. now",
    ]
    assert "are one entity" in memstrata("path", "Ada", "Ada").err
    before = memstrata("path", "Ada", "Bob", "--as-of", "2024")
    assert (before.status, before.out) == (0, "no way from Ada to Bob of at most 3 hops\n")


def test_filters_groups_and_periods_narrow_what_is_found(told: tuple[Memstrata, str]) -> None:
    memstrata, _ = told
    during = memstrata("facts", "Ada", "--during", "2023-06", "2023-07").out
    assert during.startswith("2023-05-02 .. 2024-07-05  Ada works_at Acme")
    only = memstrata("facts", "Bob", "--history", "--relation", "works at").out
    assert "knows" not in only
    assert "works_at" in only
    found = memstrata("search", "Ada", "-g", "*", "--for", "fact", "--preset", "facts_rrf").out
    assert "Ada works_at Globex" in found
    assert memstrata("search", "Ada", "-g", "acme/*").out == "nothing found\n"
    assert "did you mean 'works_at'?" in memstrata("facts", "Ada", "--relation", "workz_at").err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("diff", "2024", "2023"), "earlier time first"),
        (("diff", "2999"), "give a past time"),
        (("facts", "Ada", "--during", "2024", "2023"), "earlier time first"),
        (("facts", "Ada", "--during", "2023", "2024", "--as-of", "2024"), "give one of them"),
        (("search", "Ada", "--preset", "fact"), "did you mean 'facts'?"),
        (("search", "Ada", "--property", "role"), "no NAME=VALUE"),
        (("search", "Ada", "--group", "acme*"), "expected acme/*"),
        (("timeline", "Nobody"), "is called 'Nobody'"),
        (("path", "Ada", "Bob", "--most-hops", "9"), "from 1 to 6"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_way_out(
    memstrata: Memstrata, words: tuple[str, ...], said: str
) -> None:
    done = memstrata(*words)
    assert done.status == 2
    assert said in " ".join(done.err.split())


def test_a_merge_is_told_as_a_correction_and_the_name_still_means_one(memstrata: Memstrata) -> None:
    says(memstrata, "a", "2024-01-01", "Bob Smith", "plays", "chess")
    says(memstrata, "b", "2024-01-02", "Robert Jones", "plays", "go")
    memstrata("work", "--once")
    facts = json.loads(memstrata("facts", "Bob Smith", "--json").out)["facts"]
    before = facts[0]["version"]["created_at"]
    assert memstrata("entities", "merge", "Bob Smith", "Robert Jones").status == 0
    memstrata("work", "--once")
    for name in ("Bob Smith", "Robert Jones"):
        life = memstrata("timeline", name)
        assert (life.status, life.out.count("2024-01-0")) == (0, 4), life.err
        changed = json.loads(memstrata("diff", before, "--about", name, "--json").out)
        assert [one["turn"] for one in changed["changes"]] == ["corrected"]
