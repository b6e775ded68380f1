"""Commits: crashes between log and graph, clocks, days asked for in any order, episodes taken in again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from belief_world import Killed, MortalGraph
from scripted import BEFORE, draft, works

from memstrata.errors import Damaged, Incorrect
from memstrata.model import By, DecisionKind
from memstrata.ports import Moment, Scope, Subject
from memstrata.workflow.commit import apply_again, behind, commit_pending
from memstrata.workflow.extract import extract
from memstrata.workflow.intake import Ruling
from memstrata.workflow.rebuild import rebuild
from memstrata.workflow.work import commit_groups

if TYPE_CHECKING:
    from datetime import date

    from belief_world import World

    from memstrata.model import Json

ONE, OTHER = ({"mention_id": one, "episode_id": "e"} for one in "ab")


def _dies_in_a_pass(world: World) -> None:
    assert isinstance(world.graph, MortalGraph)
    world.graph.dies = True
    with pytest.raises(Killed):
        world.work()


def _committed(world: World, day: date) -> None:
    world.compact()
    extract(world.installation)
    _, failed = commit_groups(world.installation, day=day)
    assert failed == ()


def test_a_commit_that_a_crash_kept_from_the_graph_is_applied_by_the_next_pass(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    _dies_in_a_pass(world)
    assert world.canonical() == ()
    assert behind(world.installation) == ("g",)

    world.work()

    world.check()
    assert behind(world.installation) == ()
    assert len(world.instants()) == 1


def test_a_healed_commit_keeps_its_instant_and_comes_before_what_follows(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    _dies_in_a_pass(world)
    world.clock.instant += timedelta(days=3)
    world.accept(draft("b", works("Bob Moor", "Lab"), day=2))
    world.work()
    world.check()
    first, second = world.instants()
    assert second - first >= timedelta(days=3)
    assert {version.created_at for version in world.graph.all_versions("g")} == {first, second}


def test_an_interrupted_rebuild_goes_on_with_the_next_pass(world: World) -> None:
    for number in range(3):
        world.accept(draft(f"e{number}", works("Ann Lee", f"Lab {number}"), day=number))
        world.work()
    before = world.canonical(history=True)
    assert isinstance(world.graph, MortalGraph)
    world.graph.dies = True
    with pytest.raises(Killed):
        world.rebuild()
    assert world.canonical() == ()
    world.work()
    assert world.canonical(history=True) == before


def test_a_rebuild_leaves_what_waits_for_its_commit_searchable(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    world.accept(draft("b", works("Bob Moor", "Works"), day=2), draft("c", works("Cy Day", "Mill"), day=3))
    world.compact()

    rebuild(world.installation, "g")

    present = Scope(groups=("g",), moment=Moment(valid=world.clock.now()))
    found = world.graph.match(Subject.EPISODE, ["Bob", "Mill", "Ann"], present, limit=10)
    shown = world.graph.episodes_at([hit.handle for hit in found]).values()
    assert sorted(episode.episode_id for episode in shown) == ["a", "b", "c"]


def test_what_the_spool_has_is_acknowledged_though_the_graph_is_away(world: World) -> None:
    assert isinstance(world.graph, MortalGraph)
    world.graph.away = True
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()

    world.check()
    assert world.canonical() != ()


def test_commits_of_a_clock_that_runs_backwards_are_still_later_each(world: World) -> None:
    for number in range(4):
        world.accept(draft(f"e{number}", works("Ann Lee", f"Lab {number}"), day=number))
        world.work()
        world.clock.instant -= timedelta(hours=1)
    instants = world.instants()
    assert instants == sorted(set(instants))
    world.check()


def test_what_was_accepted_before_the_clock_was_put_back_is_committed(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.compact()
    world.clock.instant -= timedelta(days=1)
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Lab")}


def test_a_pass_leaves_to_the_next_what_is_accepted_while_it_runs(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.compact()
    extract(world.installation)

    def accept_more(_: int) -> None:
        world.accept(draft("b", works("Bob Moor", "Lab"), day=2))
        world.compact()
        extract(world.installation)

    done = commit_pending(world.installation, "g", on_progress=accept_more)
    assert (done.commits, done.episodes) == (1, 1)
    world.work()
    world.check()


def test_many_episodes_are_committed_in_several_commits_of_one_pass(world: World) -> None:
    count = 450
    world.accept(
        *(draft(f"e{n}", works(f"Ann Lee {n % 7}", f"Lab {n % 5}"), day=n % 9) for n in range(count))
    )
    (done,) = world.work().committed
    assert done.commits > 1
    assert done.episodes == count
    world.check()


def test_an_episode_that_holds_the_only_mention_of_a_name_may_be_taken_in_again(world: World) -> None:
    turns = [draft(f"t{n}", works("Ann Lee", f"Lab {n}"), day=n, saga="s", position=n) for n in (1, 3)]
    world.accept(*turns)
    world.work()
    before = world.canonical()
    late = draft("t2", day=2, saga="s", position=2)
    world.accept(late)
    (done,) = world.work().committed
    assert done.episodes == 2
    assert world.canonical() == before
    world.check()


def test_a_retraction_committed_after_a_later_revision_takes_nothing_from_it(world: World) -> None:
    first = world.clock.instant.date()
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    world.retract("a")
    world.clock.instant += timedelta(days=1)
    world.accept(draft("a", works("Ann Lee", "Mill"), day=1))
    for day in (first + timedelta(days=1), first):
        _committed(world, day)
    assert world.said() == {("Ann Lee", "works_at", "Mill")}
    world.work()
    world.check()
    world.check_log()


def test_days_may_be_committed_in_any_order(world: World) -> None:
    first = world.clock.instant.date()
    for number in range(4):
        world.accept(draft(f"e{number}", works("Ann Lee", f"Lab {number}"), day=number))
        world.clock.instant += timedelta(days=1)
    for number in (2, 0, 3, 1):
        _committed(world, first + timedelta(days=number))
    world.check()
    assert len(world.instants()) == 4


def test_episodes_of_one_key_that_say_nothing_in_two_groups_do_not_meet(world: World) -> None:
    world.accept(draft("a", day=1, group="g"), draft("a", day=1, group="h"))
    world.work()
    assert [len(world.instants(group)) for group in "gh"] == [1, 1]


def test_a_group_whose_commit_fails_keeps_no_other_from_theirs(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1, group="g"))
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1, group="h"))
    world.compact()
    extract(world.installation)
    assert isinstance(world.graph, MortalGraph)
    world.graph.broken.add("g")
    committed, failed = commit_groups(world.installation)
    assert [one.group_id for one in committed] == ["h"]
    assert failed == (("g", "this group's graph is broken"),)
    world.graph.broken.clear()
    world.work()
    world.check()


def test_a_late_turn_has_the_next_turns_committed_again_where_they_say_something_else(world: World) -> None:
    world.accept(
        draft("t1", works("Ann Lee", "Lab"), day=1, saga="s", position=1),
        draft("t3", works(BEFORE, "Mill"), day=3, saga="s", position=3),
        draft("t4", works(BEFORE, "Port"), day=4, saga="s", position=4),
        draft("t5", works("Cid Fox", "Zoo"), day=5, saga="s", position=5),
    )
    world.work()
    before = world.canonical()
    assert ("Ann Lee", "works_at", "Port") in world.said()

    world.accept(draft("t2", works("Bob Moor", "Inn"), day=2, saga="s", position=2))
    world.work()

    assert {who for who, _, where in world.said() if where in ("Mill", "Port")} == {"Bob Moor"}
    world.check()
    calls = world.extractor.calls
    world.retract("t2")
    world.work()
    assert world.canonical() == before
    assert world.extractor.calls == calls, "what was extracted in the context of before is known"


def test_an_episode_that_cannot_be_read_becomes_a_dead_letter_and_is_read_once_released(
    world: World,
) -> None:
    record = world.installation.record
    world.extractor.failing.add("Bad")
    world.accept(
        draft("bad", works("Ann Lee", "Bad"), day=1), draft("good", works("Ann Lee", "Lab"), day=2)
    )
    extracted = world.work().extracted
    assert (extracted.episodes, extracted.failed) == (1, 1)  # one attempt a pass
    assert [key for key, _ in extracted.tried_again] == [("g", "bad")]
    assert [world.work().extracted.failed for _ in range(2)] == [1, 1]
    assert [(one.episode_id, one.attempts) for one in record.letters("g")] == [("bad", 3)]
    assert world.said() == {("Ann Lee", "works_at", "Lab")}
    assert world.work().extracted.failed == 0

    world.extractor.failing.clear()
    assert record.release("g", "bad")
    world.work()

    assert world.said() == {("Ann Lee", "works_at", "Lab"), ("Ann Lee", "works_at", "Bad")}
    assert record.letters("g") == ()
    world.check()


def test_a_commit_whose_episode_the_log_has_lost_is_refused_with_the_way_out(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    (commit,) = world.installation.record.commits("g")
    lost = replace(commit, episodes=(replace(commit.episodes[0], version="scripted-2"),))
    world.graph.clear("g")
    with pytest.raises(Damaged, match="took in episode a revision 1, which the log does not hold"):
        apply_again(world.installation, lost)


def test_two_ontologies_in_one_commit_leave_the_later_in_force(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Ann Lee", "Mill"), day=2))
    for text in ("default_cardinality: one\n", ""):
        world.decide(
            Ruling(
                group_id="g", kind=DecisionKind.ONTOLOGY, target={"ontology": text}, payload={"yaml": text}
            )
        )
    world.work()
    assert len({where for _, _, where, goes_on in world.lasting() if goes_on}) == 2
    world.check_log()


@pytest.mark.parametrize(
    ("kind", "target", "payload", "by", "message"),
    [
        (DecisionKind.RETRACT, {}, {}, By.PERSON, "a retraction names no episode"),
        (DecisionKind.MERGE, {"mentions": []}, {}, By.PERSON, "a verdict names 0 different mentions"),
        (
            DecisionKind.MERGE,
            {"mentions": [ONE, ONE]},
            {},
            By.PERSON,
            "a verdict names 1 different mentions",
        ),
        (DecisionKind.KEEP_APART, {"mentions": [ONE, OTHER]}, {}, By.POLICY, "a verdict by policy"),
        (DecisionKind.ONTOLOGY, {}, {"yaml": "relations: 7"}, By.PERSON, "relations"),
    ],
)
def test_a_decision_that_no_commit_could_take_in_is_refused_at_the_door(
    world: World,
    kind: DecisionKind,
    target: dict[str, Json],
    payload: dict[str, Json],
    by: By,
    message: str,
) -> None:
    ruling = Ruling(group_id="g", kind=kind, target=target, payload=payload, by=by)
    with pytest.raises(Incorrect, match=message):
        world.decide(ruling)
    assert not world.installation.record.spooled()
