"""What `extractor` says of empty memories, days, several promotions and kinds of entities."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from memstrata.extraction.imported import ImportedExtractor
from memstrata.ports import Days
from memstrata.settings import opened
from memstrata.workflow.reextract import run_candidate
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conftest import Memstrata

    from memstrata.model import Episode, Extraction


@dataclass(frozen=True, slots=True)
class Renaming:
    """Of declared triples it calls every place otherwise."""

    place: str
    version: str
    context_turns: int = 0
    at_once: int = 100

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """See `ports.Extractor`."""
        changed = [
            (replace(one, content=one.content.replace("Acme", self.place)), context)
            for one, context in items
        ]
        for made in ImportedExtractor().extract_all(changed):
            yield replace(made, version=self.version)


@dataclass(frozen=True, slots=True)
class Retyping(Renaming):
    """And calls it a company."""

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """See `ports.Extractor`."""
        for made in Renaming.extract_all(self, items):
            mentions = tuple(
                replace(one, type="company") if one.name == self.place else one for one in made.mentions
            )
            yield replace(made, mentions=mentions)


@pytest.fixture
def told(memstrata: Memstrata) -> Memstrata:
    given = json.dumps({"subject": "Ada", "predicate": "works_at", "object": "Acme"})
    assert memstrata("add", given, "--type", "fact_triple", "--time", "2024-05-02", "--id", "a").status == 0
    with opened() as installation:
        assert work(replace(installation, extractor=Renaming("Works Ltd", "first-1"))).failed == ()
    return memstrata


def versions(memstrata: Memstrata) -> tuple[str, str]:
    """The configured version, run, and the day of acceptance."""
    answer = json.loads(memstrata("extractor", "run", "--json").out)
    (group,) = json.loads(memstrata("extractor", "list", "--json").out)["versions"].values()
    return str(answer["version"]), str(group[0]["first_day"])


def test_a_memory_without_extractions_says_so(memstrata: Memstrata) -> None:
    assert memstrata("init").status == 0
    listed = memstrata("extractor", "list")
    assert listed.out.startswith("nothing is extracted yet; `memstrata work` does that")
    assert "first day" not in listed.out
    assert "nothing is left to extract of all days" in memstrata("extractor", "run").out


def test_what_was_accepted_just_now_is_run_too(told: Memstrata) -> None:
    given = json.dumps({"subject": "Bob", "predicate": "works_at", "object": "Acme"})
    assert told("add", given, "--type", "fact_triple", "--time", "2024-05-03", "--id", "b").status == 0
    assert "would extract 2 episodes" in told("extractor", "run", "--dry-run").out


def test_days_are_said_as_days(told: Memstrata) -> None:
    version, day = versions(told)
    done = told("extractor", "promote", version, "--since", day, "--dry-run")
    assert f"for 1 episode of the days since {day}" in done.out
    done = told("extractor", "diff", version, "--until", "2099-01-01")
    assert "1 episode of the days before 2099-01-01" in done.out
    done = told("extractor", "promote", version, "--since", "2099-01-01", "--until", "2099-02-01")
    assert done.status == 2
    assert (
        "no episode, or none that stands, on the days from 2099-01-01 until before 2099-02-01" in done.err
    )
    done = told("extractor", "run", "--until", "2099-01-01T12:00:00Z")
    assert (done.status, "--until 2099-01-01T12:00:00Z is within a day" in done.err) == (2, True)


def test_a_comparison_tells_entities_with_their_types_and_counts_one_as_one(told: Memstrata) -> None:
    version, _ = versions(told)
    compared = told("extractor", "diff", version)
    assert "1 entity would come: Acme\n" in compared.out
    assert "1 entity would go: Works Ltd\n" in compared.out
    assert "1 entity would come\n" in told("extractor", "diff", version, "--samples", "0").out
    assert told("extractor", "diff", version, "--samples", "-1").status == 2
    assert told("extractor", "promote", version).status == 0
    waits = told("extractor", "diff", version)
    assert "no fact would change" in waits.out
    assert "it is in force for 1 episode already" in waits.err
    assert "2 records will be committed anyway" in waits.err


def test_a_promotion_under_a_newer_one_is_taken_back_in_words(told: Memstrata) -> None:
    version, _ = versions(told)
    told("extractor", "promote", version)
    told("work", "--once")
    told("extractor", "promote", "first-1")
    told("work", "--once")
    (promoted,) = json.loads(told("extractor", "list", "--json").out)["promotions"].values()
    first = promoted[0]["decision"]["decision_id"]
    done = told("extractor", "rollback", first, "--who", "ada", "--reason", "loses dates")
    assert "something newer is in force for all of them, and stays" in done.out
    listed = told("extractor", "list")
    assert " by ada (loses dates); decision " in listed.out


def test_a_sample_shows_what_a_reader_sees_differ(told: Memstrata) -> None:
    with opened() as installation:
        other = Retyping(place="Works Ltd", version="other-1")
        assert run_candidate(installation, days=Days(), extractor=other).episodes == 1
    compared = told("extractor", "diff", "other-1")
    assert "-  Ada works_at Works Ltd (no type)" in compared.out
    assert "+  Ada works_at Works Ltd (company)" in compared.out
    assert "differs in object_type" in compared.out
