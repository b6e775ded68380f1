from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from dagster import DagsterRunStatus, build_sensor_context
from dated_memory import day, run, says, take, use

from memstrata.workflow.holds import hold
from memstrata.workflow.work import work
from pipelines.definitions import definitions

if TYPE_CHECKING:
    from dagster import DagsterInstance
    from dagster._core.definitions.sensor_definition import SensorExecutionData
    from dated_memory import DatedMemory


pytestmark = pytest.mark.slow


def tick(
    name: str, memory: DatedMemory, instance: DagsterInstance, cursor: str | None = None
) -> SensorExecutionData:
    repository = definitions.get_repository_def()
    context = build_sensor_context(
        instance, cursor=cursor, repository_def=repository, resources={"memory": memory}
    )
    return repository.get_sensor_def(name).evaluate_tick(context)


@pytest.fixture
def told(memory: DatedMemory) -> DatedMemory:
    take(memory, day(0), says("Ann", "works_at", "Acme", at=day(0)))
    return memory


def test_without_a_memory_nothing_is_asked_for_and_none_is_made(
    memory: DatedMemory, instance: DagsterInstance
) -> None:
    for name in ("pending", "commits"):
        assert tick(name, memory, instance).skip_message
    assert not memory.exists


def test_an_accepted_episode_asks_for_the_present_day(told: DatedMemory, instance: DagsterInstance) -> None:
    (asked,) = tick("pending", told, instance).run_requests or ()

    assert asked.partition_key == datetime.now(UTC).date().isoformat()


def test_what_awaits_extraction_asks_for_its_own_day(told: DatedMemory, instance: DagsterInstance) -> None:
    run("intake", told, instance, days=(day(7),))  # compacts everything, works in another day
    (asked,) = tick("pending", told, instance).run_requests or ()
    assert asked.partition_key == day(0).isoformat()


def test_when_all_is_worked_in_nothing_is_asked_for(told: DatedMemory, instance: DagsterInstance) -> None:
    run("intake", told, instance, days=(day(0),))
    assert tick("pending", told, instance).skip_message == "nothing waits"


def test_while_a_run_is_under_way_none_is_asked_for(told: DatedMemory, instance: DagsterInstance) -> None:
    instance.create_run_for_job(
        job_def=definitions.resolve_job_def("intake"), status=DagsterRunStatus.STARTED
    )
    assert tick("pending", told, instance).skip_message == "a run of intake is under way"


def test_what_failed_is_not_asked_for_again_until_something_moves(
    told: DatedMemory, instance: DagsterInstance
) -> None:
    first = tick("pending", told, instance)
    again = tick("pending", told, instance, first.cursor)
    take(told, day(0), says("Bob", "works_at", "Acme", at=day(0)))
    moved = tick("pending", told, instance, first.cursor)
    assert (len(first.run_requests or ()), again.run_requests, len(moved.run_requests or ())) == (1, [], 1)


def test_a_held_group_waits_for_a_person_and_not_for_runs(
    told: DatedMemory, instance: DagsterInstance
) -> None:
    with use(told) as installation:
        work(installation)
        hold(installation, "default", who="Ann", reason="an audit")
    assert tick("pending", told, instance).skip_message == "nothing waits"


def test_commits_made_beside_dagster_are_reported_once_for_each_day_they_touch(
    told: DatedMemory, instance: DagsterInstance
) -> None:
    take(told, day(1), says("Bob", "works_at", "Acme", at=day(1)))
    with use(told) as installation:
        work(installation)
    found = tick("commits", told, instance)
    assert [event.partition for event in found.asset_events] == [day(0).isoformat(), day(1).isoformat()]
    assert [event.metadata["episodes"].value for event in found.asset_events] == [1, 1]
    assert tick("commits", told, instance, found.cursor).skip_message == "no new commits"
