"""Candidate runs as a job of Dagster, and an extractor that goes away within a run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
from dated_memory import DatedMemory, day, each_day, exported, run, says, take, use

from memstrata.errors import Away
from memstrata.extraction.imported import ImportedExtractor
from memstrata.model import Held, Outcome, Verdict
from memstrata.ports import Days, Promotion
from memstrata.workflow.promotions import promote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dagster import DagsterInstance

    from memstrata.model import Episode, Extraction
    from memstrata.ports import Installation

pytestmark = pytest.mark.slow


@dataclass(slots=True)
class Reading:
    """Reads declared triples, with the places as it calls them; away before the episodes named so."""

    version: str = "first-1"
    renamed: tuple[str, str] = ("", "")
    away_before: str = "\0"
    is_cautious: bool = False
    context_turns: int = 0
    at_once: int = 1
    inner: ImportedExtractor = field(default_factory=ImportedExtractor)

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """See `ports.Extractor`."""
        for episode, context in items:
            if self.away_before in episode.content:
                raise Away("the endpoint does not answer")
            content = episode.content.replace(*self.renamed) if self.renamed[0] else episode.content
            for made in self.inner.extract_all([(replace(episode, content=content), context)]):
                read = replace(made, version=self.version)
                yield _left_to_a_person(read) if self.is_cautious else read


def _left_to_a_person(found: Extraction) -> Extraction:
    rule, reason = "is_sure_enough", "unsure"
    return replace(
        found,
        assertions=(),
        mentions=(),
        held=tuple(
            Held(assertion=one, mentions=found.mentions, rule=rule, reason=reason)
            for one in found.assertions
        ),
        outcomes=tuple(
            Outcome(item=one.assertion_id, rule=rule, verdict=Verdict.QUARANTINE, reason=reason)
            for one in found.assertions
        ),
    )


#: What the next runs extract with, by home: Dagster copies a resource for each run.
_EXTRACTORS: dict[str, Reading] = {}


class ReadingMemory(DatedMemory):
    """The dated memory with an extractor that the test sets."""

    def extracting(self, extractor: Reading) -> None:
        _EXTRACTORS[self.home] = extractor

    def _install(self) -> Installation:
        return replace(super()._install(), extractor=_EXTRACTORS.setdefault(self.home, Reading()))


@pytest.fixture
def reading(memory: DatedMemory) -> ReadingMemory:
    return ReadingMemory(home=memory.home)


def told(reading: ReadingMemory, instance: DagsterInstance) -> None:
    for number in range(3):
        take(
            reading,
            day(number),
            *(says(f"Ann {number}", "works_at", "Acme", at=day(number), group=g) for g in "gh"),
        )
        assert run("intake", reading, instance, days=(day(number),)).success


def test_a_range_of_days_is_tried_in_one_run_and_seen_once_it_is_promoted(
    reading: ReadingMemory, instance: DagsterInstance
) -> None:
    told(reading, instance)
    with use(reading) as installation:
        before = {group: exported(installation, group, history=True) for group in "gh"}
    reading.extracting(Reading(version="other-2", renamed=("Acme", "Works Ltd")))
    done = run("reextract", reading, instance, days=(day(0), day(2)))
    assert done.success
    assert each_day(done, "extractions_candidate", "episodes") == {
        day(number).isoformat(): 2 for number in range(3)
    }
    again = run("reextract", reading, instance, days=(day(0), day(2)))
    assert set(each_day(again, "extractions_candidate", "episodes").values()) == {0}
    with use(reading) as installation:
        assert {group: exported(installation, group, history=True) for group in "gh"} == before
        promote(installation, "g", Promotion(version="other-2", days=Days(until=day(2))))
    assert run("backfill", reading, instance, days=(day(0), day(2))).success
    with use(reading) as installation:
        names = [line for line in exported(installation, "g") if '"record":"entity"' in line]
        assert sum("Works Ltd" in line for line in names) == 1
        assert sum("Acme" in line for line in names) == 1
        assert exported(installation, "h", history=True) == before["h"]


def test_what_verification_leaves_to_a_person_is_counted_by_day(
    reading: ReadingMemory, instance: DagsterInstance
) -> None:
    told(reading, instance)
    reading.extracting(Reading(version="other-2", is_cautious=True))
    done = run("reextract", reading, instance, days=(day(0), day(2)))
    for name, count in (("assertions", 0), ("held", 2), ("quarantine_is_sure_enough", 2)):
        assert set(each_day(done, "extractions_candidate", name).values()) == {count}, name


def test_a_run_may_be_of_some_groups(reading: ReadingMemory, instance: DagsterInstance) -> None:
    told(reading, instance)
    reading.extracting(Reading(version="other-2"))
    config = {"ops": {"extractions_candidate": {"config": {"groups": ["h"]}}}}
    assert run("reextract", reading, instance, days=(day(0),), config=config).success
    with use(reading) as installation:
        kept = {group: [one.version for one in installation.record.versions(group)] for group in "gh"}
    assert kept == {"g": ["first-1"], "h": ["first-1", "other-2"]}


@pytest.mark.parametrize("job", ["intake", "reextract"])
def test_a_run_whose_extractor_goes_away_keeps_what_it_gave_and_fails_with_the_reason(
    reading: ReadingMemory, instance: DagsterInstance, job: str
) -> None:
    if job == "reextract":
        told(reading, instance)
    else:
        take(
            reading,
            day(0),
            *(
                says(f"Ann {number}", "works_at", "Acme", at=day(0), group=g)
                for number in range(3)
                for g in "gh"
            ),
        )
    reading.extracting(Reading(version="other-2", away_before="Ann 2"))
    done = run(job, reading, instance, days=(day(0), day(2)) if job == "reextract" else (day(0),))
    assert not done.success
    (failure,) = [event for event in done.all_events if event.is_step_failure]
    assert "the endpoint does not answer" in str(failure.step_failure_data.user_failure_data)
    with use(reading) as installation:
        if job == "intake":
            assert sum('"record":"fact"' in line for line in exported(installation, "g")) == 2
            assert len(installation.record.awaiting(limit=9)) == 2
            assert installation.record.letters() == ()
        else:
            wanted = Promotion(version="other-2", days=Days())
            assert [installation.record.coverage(group, wanted).ready for group in "gh"] == [2, 2]
    reading.extracting(Reading(version="other-2"))
    assert run(job, reading, instance, days=(day(2),) if job == "reextract" else (day(0),)).success
