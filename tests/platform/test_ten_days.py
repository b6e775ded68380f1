from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from dagster import AssetKey, build_schedule_context
from dated_memory import called, day, each_day, exported, numbers, run, says, take, use

from pipelines.definitions import definitions

if TYPE_CHECKING:
    from dagster import DagsterInstance
    from dated_memory import DatedMemory

pytestmark = pytest.mark.slow

TEN_DAYS = tuple(day(number) for number in range(10))


def ten_days_of_episodes(memory: DatedMemory) -> None:
    """Each day somebody joins a company, and an agent looks up and books for another task."""
    for number, on in enumerate(TEN_DAYS):
        take(
            memory,
            on,
            says(f"Person {number}", "works_at", f"Company {number % 3}", at=on),
            called("find_flight", "book_flight", task=str(number), at=on),
        )


@pytest.fixture
def filled(memory: DatedMemory) -> DatedMemory:
    ten_days_of_episodes(memory)
    return memory


def test_a_back_fill_of_ten_days_is_one_run_that_works_in_each_day(
    filled: DatedMemory, instance: DagsterInstance
) -> None:
    done = run("backfill", filled, instance, days=TEN_DAYS)
    assert done.success
    assert each_day(done, "graph", "facts_created") == {on.isoformat(): 1 for on in TEN_DAYS}
    for asset in ("episodes", "decisions", "extractions", "resolutions", "graph", "vectors"):
        days = instance.get_materialized_partitions(AssetKey(asset))
        assert days == {on.isoformat() for on in TEN_DAYS}, asset


def test_a_second_back_fill_finds_nothing_to_do(filled: DatedMemory, instance: DagsterInstance) -> None:
    run("backfill", filled, instance, days=TEN_DAYS)
    with use(filled) as installation:
        before = exported(installation, "default", history=True)
    again = numbers(run("backfill", filled, instance, days=TEN_DAYS))
    with use(filled) as installation:
        assert exported(installation, "default", history=True) == before
    assert (again["episodes"]["new"], again["extractions"]["episodes"], again["graph"]["commits"]) == (
        0,
        0,
        0,
    )


def test_one_day_s_intake_leaves_the_other_days_alone(
    filled: DatedMemory, instance: DagsterInstance
) -> None:
    done = run("intake", filled, instance, days=(day(3),))
    assert done.success
    assert numbers(done)["graph"]["episodes"] == 2


def test_the_nightly_schedules_consolidate_and_check(
    filled: DatedMemory, instance: DagsterInstance
) -> None:
    assert run("backfill", filled, instance, days=TEN_DAYS).success
    night = datetime.combine(day(10), datetime.min.time(), UTC) + timedelta(hours=2)
    filled.set(day(10), 2)
    repository, asked = definitions.get_repository_def(), {}
    for name in ("consolidation", "drift"):
        schedule = repository.get_schedule_def(name)
        tick = schedule.evaluate_tick(
            build_schedule_context(instance, scheduled_execution_time=night, repository_def=repository)
        )
        (asked[name],) = tick.run_requests
    consolidated = run("consolidation", filled, instance, days=(day(10),))
    assert asked["consolidation"].partition_key == day(10).isoformat()
    assert consolidated.success
    made = numbers(consolidated)
    assert made["summaries"]["written"] == 13  # ten people and three companies
    assert made["procedures"]["procedures"] == 1

    checked = run("drift", filled, instance, tags=asked["drift"].tags)
    assert checked.success
    found = {one.check_name: one for one in checked.get_asset_check_evaluations()}
    assert {name: one.passed for name, one in found.items()} == dict.fromkeys(found, True)
    assert len(found) == 9
    assert "10 episodes" not in str(found["episodes_suite"].description)
    assert f"2 episodes of {day(9)}" in str(found["episodes_suite"].description)


def test_consolidation_without_news_writes_nothing(filled: DatedMemory, instance: DagsterInstance) -> None:
    run("backfill", filled, instance, days=TEN_DAYS)
    run("consolidation", filled, instance, days=(day(10),))
    again = numbers(run("consolidation", filled, instance, days=(day(11),)))
    assert (again["summaries"]["written"], again["procedures"]["changed"]) == (0, 0)
