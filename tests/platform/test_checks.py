from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from dagster import AssetCheckSeverity, AssetKey
from dated_memory import day, run, says, take

from checks.episodes import suite_finding
from checks.outcome import result_of, unable
from memstrata.drift import EVERY_GROUP, Finding
from memstrata.model import Episode, SourceType, TimeSource

if TYPE_CHECKING:
    from dagster import DagsterInstance
    from dated_memory import DatedMemory

ON = date(2025, 3, 1)
NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)


def finding(group_id: str, value: float, *, passed: bool) -> Finding:
    return Finding(
        check="a_check",
        group_id=group_id,
        value=value,
        threshold=0.5,
        passed=passed,
        sentence=f"Look at {group_id}.",
        details={"count": value * 10},
    )


def test_a_result_says_what_to_do_about_the_findings_that_failed() -> None:
    result = result_of([finding("a", 0.1, passed=True), finding("b", 0.9, passed=False)])
    assert (result.passed, result.description) == (False, "Look at b.")


def test_a_result_plots_a_number_for_each_group_and_its_details() -> None:
    result = result_of([finding("a", 0.1, passed=True), finding(EVERY_GROUP, 0.3, passed=True)])
    plotted = {
        name: value.value for name, value in result.metadata.items() if isinstance(value.value, float)
    }
    assert plotted == {
        "value": 0.3,
        "value [all groups]": 0.3,
        "count [all groups]": 3.0,
        "value [a]": 0.1,
        "count [a]": 1.0,
    }


def test_a_check_without_groups_passes() -> None:
    assert result_of([]).passed


def test_a_check_that_could_not_run_says_why_and_warns() -> None:
    result = unable(OSError("the disk is gone"))
    assert (result.passed, result.severity) == (False, AssetCheckSeverity.WARN)
    assert "could not run: OSError: the disk is gone" in str(result.description)


EPISODE = Episode(
    episode_id="e1",
    revision=1,
    group_id="acme/eng",
    source="test",
    source_type=SourceType.TEXT,
    content="Ann works at Acme.",
    reference_time=NOON - timedelta(days=300),
    time_source=TimeSource.OWN,
    ingested_at=NOON,
    content_hash="0" * 64,
)


@pytest.mark.slow
def test_the_suite_passes_what_the_door_lets_in() -> None:
    found = suite_finding([EPISODE, replace(EPISODE, revision=2)], ON)
    assert (found.passed, found.value) == (True, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (
            replace(EPISODE, episode_id="e2", group_id="a b"),
            "expect_column_values_to_match_regex of group_id",
        ),
        (replace(EPISODE, episode_id="e2", content=""), "between of content_length (1 rows)"),
        (replace(EPISODE, episode_id="e2", content_hash="?"), "match_regex of content_hash"),
        (replace(EPISODE, episode_id="e2", revision=0), "between of revision"),
        (EPISODE, "unique of group_id, episode_id, revision"),
        (replace(EPISODE, episode_id="e2", ingested_at=NOON + timedelta(days=1)), "in_set of accepted_on"),
        (
            replace(EPISODE, episode_id="e2", reference_time=NOON + timedelta(days=2)),
            "between of hours_ahead",
        ),
    ],
)
def test_the_suite_names_the_expectations_that_failed(bad: Episode, named: str) -> None:
    found = suite_finding([EPISODE, bad], ON)
    assert not found.passed
    assert named in found.sentence
    assert "Ann" not in found.sentence


def test_a_day_without_episodes_has_nothing_to_be_expected_of() -> None:
    assert suite_finding([], ON).passed


@pytest.mark.slow
def test_a_shift_of_the_relations_warns_on_its_day_and_fails_no_run(
    memory: DatedMemory, instance: DagsterInstance
) -> None:
    """Twelve days of one habit, then a day of another."""
    for number in range(13):
        verb = "works_at" if number < 12 else "sued"
        drafts = [
            says(f"Person {number}-{one}", verb if one % 4 else "visited", f"Firm {one}", at=day(number))
            for one in range(40)
        ]
        take(memory, day(number), *drafts)
    assert run("backfill", memory, instance, days=tuple(day(number) for number in range(13))).success
    shifted = {}
    for number in (11, 12):
        done = run("drift", memory, instance, tags={"memstrata/day": day(number).isoformat()})
        assert done.success
        found = {one.check_name: one for one in done.get_asset_check_evaluations()}
        shifted[number] = [found["relation_shift"].passed, found["new_relations"].passed]
        assert found["relation_shift"].severity is AssetCheckSeverity.WARN
        assert "jensen_shannon_1d [default]" in found["relation_shift"].metadata
        assert found["label_shift"].passed
    assert shifted == {11: [True, True], 12: [False, False]}


def test_what_is_plotted_of_a_check_stands_with_its_asset(
    memory: DatedMemory, instance: DagsterInstance
) -> None:
    take(memory, day(0), says("Ann", "works_at", "Acme", at=day(0)))
    run("intake", memory, instance, days=(day(0),))
    run("drift", memory, instance, tags={"memstrata/day": day(0).isoformat()})
    seen = instance.fetch_observations(AssetKey("graph"), limit=20).records
    names = {name for record in seen for name in record.asset_observation.metadata}
    assert {"orphan_entities [default]", "stale_facts [default]", "log_store_parity [default]"} <= names
