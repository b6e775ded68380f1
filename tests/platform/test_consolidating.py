from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from dated_memory import called, day, retract, says, take, use

from memstrata.workflow.consolidate import mine_procedures, summarise_changed
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from dated_memory import DatedMemory

GROUP = "default"


@pytest.fixture
def told(memory: DatedMemory) -> DatedMemory:
    """Ann and Bob work somewhere; two runs of an agent succeeded on two tasks."""
    take(
        memory,
        day(0),
        says("Ann Lee", "works_at", "Acme", at=day(0), key="ann"),
        says("Bob Ray", "works_at", "Globex", at=day(0)),
        called("find_flight", "book_flight", task="1", at=day(0)),
        called("find_flight", "book_flight", task="2", at=day(0)),
    )
    with use(memory) as installation:
        work(installation)
    return memory


def test_a_group_without_commits_has_nothing_to_tell(memory: DatedMemory) -> None:
    take(memory, day(0), says("Ann Lee", "works_at", "Acme", at=day(0)))
    with use(memory) as installation:
        assert (
            summarise_changed(installation, GROUP).written,
            mine_procedures(installation, GROUP).traces,
        ) == (0, 0)


def test_a_summary_stands_as_of_the_last_commit_and_not_as_of_the_clock(told: DatedMemory) -> None:
    with use(told) as installation:
        (commit,) = installation.record.commits(GROUP)
        told.set(day(9))
        assert summarise_changed(installation, GROUP).written == 4
        ann = next(e for e in installation.graph.all_entities(GROUP) if e.name == "Ann Lee")
        summary = installation.graph.summary(GROUP, ann.entity_id)
        assert summary is not None
        assert (summary.created_at, len(summary.blocks)) == (commit.instant, 1)
        assert "Acme" in summary.text


def test_only_entities_whose_facts_changed_are_told_anew(told: DatedMemory) -> None:
    with use(told) as installation:
        summarise_changed(installation, GROUP)
    take(told, day(1), says("Ann Lee", "lives_in", "Oslo", at=day(1), types=("Person", "Place")))
    with use(told) as installation:
        work(installation)
        assert summarise_changed(installation, GROUP).written == 2  # Ann and Oslo
        assert summarise_changed(installation, GROUP).written == 0


def test_the_summary_of_an_entity_that_is_gone_is_emptied_once(told: DatedMemory) -> None:
    with use(told) as installation:
        summarise_changed(installation, GROUP)
        ann = next(e for e in installation.graph.all_entities(GROUP) if e.name == "Ann Lee")
    retract(told, day(1), "ann", group=GROUP)
    with use(told) as installation:
        work(installation)
        assert summarise_changed(installation, GROUP).emptied == 2  # Ann and Acme
        assert summarise_changed(installation, GROUP).written == 0
        latest = installation.graph.summary(GROUP, ann.entity_id)
        assert latest is not None
        assert latest.blocks == ()


def test_runs_of_a_retracted_episode_support_no_procedure(told: DatedMemory) -> None:
    with use(told) as installation:
        assert mine_procedures(installation, GROUP).procedures == 1
        (procedure,) = installation.graph.procedures(GROUP)
        withdrawn = procedure.evidence[0]
    retract(told, day(1), withdrawn, group=GROUP)
    with use(told) as installation:
        work(installation)
        mined = mine_procedures(installation, GROUP)
        assert (mined.traces, mined.procedures, mined.changed) == (1, 0, True)
        assert installation.graph.procedures(GROUP) == ()
