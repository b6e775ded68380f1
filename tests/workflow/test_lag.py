"""How far readers are behind the door, stage by stage."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from scripted import draft, works

from memstrata.model import DecisionKind
from memstrata.workflow.extract import extract
from memstrata.workflow.intake import Ruling, accept
from memstrata.workflow.lag import lag_of
from memstrata.workflow.waiting import remember

if TYPE_CHECKING:
    from belief_world import World


def waiting(world: World) -> dict[str, int]:
    """How many wait for each stage."""
    return {one.name: one.waiting for one in lag_of(world.installation).stages}


def test_nothing_waits_in_an_empty_memory(world: World) -> None:
    lag = lag_of(world.installation)
    assert set(waiting(world).values()) == {0}
    assert (lag.episodes, lag.p50, lag.p95) == (0, None, None)


def test_what_waits_is_counted_at_the_stage_that_it_waits_for(world: World) -> None:
    world.accept(*(draft(name, works("Ann Lee", "Lab"), day=1) for name in "abc"))
    assert waiting(world) == {"compaction": 3, "extraction": 0, "commit": 0}
    world.compact()
    assert waiting(world) == {"compaction": 0, "extraction": 3, "commit": 0}
    extract(world.installation)
    world.accept(draft("d", works("Bob Moor", "Lab"), day=2))
    assert waiting(world) == {"compaction": 1, "extraction": 0, "commit": 3}
    world.work()
    assert waiting(world) == {"compaction": 0, "extraction": 0, "commit": 0}


def test_a_decision_waits_for_its_commit(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    target = {"episode_id": "a"}
    world.decide(Ruling(group_id="g", kind=DecisionKind.RETRACT, target=target, payload={}))
    assert waiting(world)["compaction"] == 1
    world.compact()
    assert waiting(world) == {"compaction": 0, "extraction": 0, "commit": 1}


def test_the_oldest_is_told_since_its_acceptance(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.clock.instant += timedelta(hours=2)
    world.accept(draft("b", works("Bob Moor", "Lab"), day=2))
    (oldest,) = (one.oldest for one in lag_of(world.installation).stages if one.waiting)
    assert oldest is not None
    assert timedelta(hours=2) < oldest < timedelta(hours=2, minutes=1)


def test_the_lag_of_commits_is_from_acceptance_to_the_commit_that_took_the_episode_in_first(
    world: World,
) -> None:
    list(remember(world.installation, [draft("a", works("Ann Lee", "Lab"), day=1)]))
    list(accept(world.installation, [draft("b", works("Bob Moor", "Lab"), day=2)]))
    world.clock.instant += timedelta(hours=1)
    world.work()
    lag = lag_of(world.installation)
    assert lag.episodes == 2
    assert lag.p50 is not None
    assert lag.p95 is not None
    assert lag.p50 < timedelta(minutes=1)
    assert timedelta(hours=1) < lag.p95 < timedelta(hours=1, minutes=1)


def test_what_was_committed_at_an_instant_before_its_acceptance_has_no_lag(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.clock.instant -= timedelta(days=900)
    world.work()
    lag = lag_of(world.installation)
    assert (lag.episodes, lag.p50) == (0, None)


def test_what_a_waiting_write_has_taken_in_does_not_wait_for_compaction(world: World) -> None:
    list(remember(world.installation, [draft("a", works("Ann Lee", "Lab"), day=1)]))
    assert set(waiting(world).values()) == {0}
    assert world.installation.record.spooled() == {}
