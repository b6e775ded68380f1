"""What checks find stays in the memory, under the day that they judged; keeping it can fail no check."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from dated_memory import DatedMemory, day, run, says, take, use

from memstrata.drift.catalogue import CHECKS
from memstrata.errors import Fault
from memstrata.ports import Severity
from pipelines.definitions import definitions

if TYPE_CHECKING:
    from dagster import DagsterInstance

    from memstrata.ports import CheckResult, Installation

ON = {"memstrata/day": day(0).isoformat()}


class _Instead:
    """A store that does one thing otherwise."""

    def __init__(self, store: object, name: str, raised: Exception) -> None:
        self._store, self._name, self._raised = store, name, raised

    def __getattr__(self, name: str) -> object:
        return self._fail if name == self._name else getattr(self._store, name)

    def _fail(self, *_: object) -> None:
        raise self._raised


class _Full(DatedMemory):
    """A memory that can keep no result."""

    def _install(self) -> Installation:
        installation = super()._install()
        record = _Instead(installation.record, "note_checks", Fault("no room on the disk"))
        return replace(installation, record=record)


class _Unreadable(DatedMemory):
    """A memory whose entities cannot be read."""

    def _install(self) -> Installation:
        installation = super()._install()
        graph = _Instead(installation.graph, "all_entities", OSError("the graph is gone"))
        return replace(installation, graph=graph)


@pytest.fixture
def told(memory: DatedMemory, instance: DagsterInstance) -> DatedMemory:
    """A memory of one fact, worked in."""
    take(memory, day(0), says("Ann", "works_at", "Acme", at=day(0)))
    assert run("intake", memory, instance, days=(day(0),)).success
    return memory


def kept(memory: DatedMemory) -> dict[tuple[str, str], CheckResult]:
    with use(memory) as installation:
        return {
            (one.check, one.group_id): one for one in installation.record.latest_checks(["default", "*"])
        }


@pytest.mark.slow
def test_every_check_leaves_its_result_under_the_day_that_it_judged(
    told: DatedMemory, instance: DagsterInstance
) -> None:
    told.set(day(1), hour=2)
    assert run("drift", told, instance, tags=ON).success
    found = kept(told)
    assert {check for check, _ in found} == {one.check for one in CHECKS}
    assert {one.day for one in found.values()} == {day(0)}
    assert {one.at.day for one in found.values()} == {day(1).day}
    assert {one.check for one in found.values() if one.severity is Severity.ERROR} == {
        "bitemporal_invariants",
        "log_store_parity",
    }
    assert all(one.passed and one.ran for one in found.values())
    assert not any("Ann" in one.sentence or "Acme" in one.sentence for one in found.values())


def test_every_check_that_runs_has_a_name_for_people() -> None:
    keys = definitions.resolve_asset_graph().asset_check_keys
    assert {one.check for one in CHECKS} == {key.name for key in keys}


def test_a_check_that_cannot_run_is_kept_as_such_until_it_runs(
    told: DatedMemory, instance: DagsterInstance
) -> None:
    assert run("drift", _Unreadable(home=told.home), instance, tags=ON).success
    failed = kept(told)["orphan_entities", "*"]
    assert (failed.ran, failed.value, failed.passed) == (False, None, False)
    assert "the graph is gone" in failed.sentence
    assert run("drift", told, instance, tags=ON).success
    assert ("orphan_entities", "*") not in kept(told)
    assert kept(told)["orphan_entities", "default"].passed


def test_results_that_cannot_be_kept_fail_no_check(told: DatedMemory, instance: DagsterInstance) -> None:
    done = run("drift", _Full(home=told.home), instance, tags=ON)
    assert done.success
    assert all(one.passed for one in done.get_asset_check_evaluations())
    assert kept(told) == {}
