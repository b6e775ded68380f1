from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from dated_memory import DatedMemory, day, exported, numbers, retract, run, says, take, use

from memstrata.errors import Damaged
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.holds import hold, standing_hold
from memstrata.workflow.watch import parity_findings
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dagster import DagsterInstance

    from memstrata.model import Commit, Draft
    from memstrata.ports import RecordStore

pytestmark = pytest.mark.slow

GROUPS = ("acme/eng", "acme/sales", "globex")


def told_on(number: int, group: str) -> list[Draft]:
    """What is said in a group on a day: where Ann works changes daily, and somebody new is met."""
    on = day(number)
    return [
        says(
            "Ann Lee",
            "works_at",
            f"Company {number}",
            at=on,
            group=group,
            kind="started",
            key=f"job-{number}",
        ),
        says(f"Guest {number}", "met", "Ann Lee", at=on, group=group, types=("Person", "Person")),
    ]


def test_late_days_a_retraction_and_a_rebuild_give_what_folding_all_at_once_gives(
    memory: DatedMemory, instance: DagsterInstance, tmp_path: Path
) -> None:
    for number in range(5):
        take(memory, day(number), *(draft for group in GROUPS for draft in told_on(number, group)))
    for number in (0, 1, 3, 4, 2):  # the third day comes late
        assert run("intake", memory, instance, days=(day(number),)).success
    retract(memory, day(5), "job-3", group="globex")
    assert run("intake", memory, instance, days=(day(5),)).success
    with use(memory) as installation:
        histories = {group: exported(installation, group, history=True) for group in GROUPS}
    assert run("rebuild", memory, instance).success

    at_once = DatedMemory(home=str(tmp_path / "at-once"))
    take(at_once, day(0), *(draft for n in (4, 2, 0, 3, 1) for g in GROUPS for draft in told_on(n, g)))
    retract(at_once, day(1), "job-3", group="globex")
    with use(at_once) as other, use(memory) as installation:
        assert work(other).failed == ()
        for group in GROUPS:
            assert exported(installation, group, history=True) == histories[group]
            assert exported(installation, group) == exported(other, group)
            assert len(exported(installation, group)) > 10


def test_a_group_that_fails_keeps_none_of_the_others_from_their_commits(
    memory: DatedMemory, instance: DagsterInstance
) -> None:
    take(memory, day(0), *(draft for group in GROUPS for draft in told_on(0, group)))
    with use(memory) as installation:
        hold(installation, "acme/sales", who="a test", reason="to see what happens")
    done = run("intake", memory, instance, days=(day(0),))
    assert not done.success
    (failure,) = [event for event in done.all_events if event.is_step_failure]
    assert "failed for acme/sales" in str(failure.event_specific_data)
    with use(memory) as installation:
        committed = {counts.group_id: counts.last_seq for counts in installation.graph.counts()}
    assert committed.get("acme/sales", 0) == 0
    assert committed["acme/eng"] == committed["globex"] == 1


def tamper(memory: DatedMemory, statement: str) -> None:
    with closing(sqlite3.connect(Path(memory.home) / "graph.db")) as graph, graph:
        graph.execute(statement)


@pytest.fixture
def worked_in(memory: DatedMemory, instance: DagsterInstance) -> DatedMemory:
    take(memory, day(0), *told_on(0, "globex"), *told_on(0, "acme/eng"))
    assert run("intake", memory, instance, days=(day(0),)).success
    return memory


def test_a_graph_that_is_not_what_its_log_says_takes_no_commits_until_it_is_rebuilt(
    worked_in: DatedMemory, instance: DagsterInstance
) -> None:
    memory = worked_in
    tamper(memory, "UPDATE entities SET name = 'Someone Else' WHERE name = 'Guest 0' AND group_key = 1")
    memory.set(day(1))
    checked = run("drift", memory, instance)
    assert checked.success
    parity = next(c for c in checked.get_asset_check_evaluations() if c.check_name == "log_store_parity")
    assert not parity.passed
    assert "Someone Else" not in str(parity.metadata)

    take(memory, day(1), *told_on(1, "globex"), *told_on(1, "acme/eng"))
    assert not run("intake", memory, instance, days=(day(1),)).success
    with use(memory) as installation:
        (held,) = [g for g in ("globex", "acme/eng") if standing_hold(installation.record, g)]
        with pytest.raises(Damaged, match=f"run `memstrata rebuild --group {held}`"):
            commit_pending(installation, held)

    memory.set(day(2))
    assert run(
        "rebuild", memory, instance, config={"ops": {"rebuild_graph": {"config": {"groups": [held]}}}}
    ).success
    assert numbers(run("intake", memory, instance, days=(day(1),)))["graph"]["episodes"] == 2


def test_parity_releases_the_group_that_it_held_and_no_other(
    worked_in: DatedMemory, instance: DagsterInstance
) -> None:
    with use(worked_in) as installation:
        hold(installation, "globex", who="parity", reason="its graph is not what its log says")
        hold(installation, "acme/eng", who="Ann", reason="an audit")
    worked_in.set(day(1))
    run("drift", worked_in, instance)
    with use(worked_in) as installation:
        assert standing_hold(installation.record, "globex") is None
        assert standing_hold(installation.record, "acme/eng") is not None


def test_a_broken_invariant_is_an_error_that_says_what_to_do(
    worked_in: DatedMemory, instance: DagsterInstance
) -> None:
    tamper(worked_in, "DELETE FROM evidence")
    worked_in.set(day(1))
    checked = run("drift", worked_in, instance)
    found = {one.check_name: one for one in checked.get_asset_check_evaluations()}
    assert not found["bitemporal_invariants"].passed
    assert "memstrata rebuild --group" in str(found["bitemporal_invariants"].description)


class _OtherRules:
    """The record of a memory whose commits other resolution rules made."""

    def __init__(self, record: RecordStore) -> None:
        self._record = record

    def __getattr__(self, name: str) -> object:
        return getattr(self._record, name)

    def commits(self, group_id: str, *, after: int = 0) -> Iterator[Commit]:
        for commit in self._record.commits(group_id, after=after):
            yield replace(commit, resolver_version="resolver-of-last-year")


def test_a_difference_that_other_resolution_rules_explain_holds_nobody(worked_in: DatedMemory) -> None:
    tamper(worked_in, "UPDATE entities SET name = 'Someone Else' WHERE name = 'Guest 0'")
    with use(worked_in) as installation:
        found = parity_findings(
            replace(installation, record=_OtherRules(installation.record)), worked_in.scratch
        )
        assert [one.passed for one in found] == [False, False]
        assert "other resolution rules" in found[0].sentence
        assert standing_hold(installation.record, "globex") is None
