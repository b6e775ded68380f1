"""Writes that are waited for: found by the next search, beside bulk runs, safe when something is away."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from belief_world import Killed, MortalGraph, World
from committing import installation_in
from scripted import BEFORE, draft, works

from memstrata import intake
from memstrata.errors import Incorrect
from memstrata.ports import Moment, Scope, Subject
from memstrata.stores.sqlite import SqliteGraph
from memstrata.workflow.commit import commit_among, commit_pending
from memstrata.workflow.extract import extract
from memstrata.workflow.holds import hold, release
from memstrata.workflow.intake import accept
from memstrata.workflow.rebuild import parity
from memstrata.workflow.waiting import remember

if TYPE_CHECKING:
    from memstrata.model import Draft
    from memstrata.ports import GraphStore
    from memstrata.workflow.waiting import Remembered

HERE = Path(__file__).parent


def told(world: World, *drafts: Draft) -> Remembered:
    """The answer to a waiting write to one group."""
    world.told.update({(one.group_id, intake.episode_id(one)): one for one in drafts})
    (answer,) = remember(world.installation, drafts)
    return answer


def found(graph: GraphStore, word: str, group: str = "g") -> list[str]:
    """The sentences of the facts that a word finds now."""
    scope = Scope(groups=(group,), moment=Moment())
    hits = graph.match(Subject.FACT, [word], scope, limit=10)
    return [one.version.fact.fact for one in graph.versions([hit.handle for hit in hits]).values()]


def passages_finding(world: World, word: str) -> set[str]:
    """The episodes that a word finds now."""
    hits = world.graph.match(Subject.EPISODE, [word], Scope(groups=("g",), moment=Moment()), limit=10)
    return {one.episode_id for one in world.graph.episodes_at([hit.handle for hit in hits]).values()}


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_waiting_write_is_found_by_the_next_search(tmp_path: Path, kind: str) -> None:
    graph = MortalGraph() if kind == "memory" else SqliteGraph(tmp_path / "graph.db")
    with World(tmp_path, graph=graph) as world:
        answer = told(world, draft("a", works("Ann Lee", "Lab"), day=1))
        assert answer.waiting == ""
        assert answer.commit is not None
        assert (answer.commit.seq, answer.commit.instant) == (1, world.instants()[0])
        assert [fact.fact for fact in answer.created] == found(graph, "lab") != []
        world.check()
        world.check_log()


def test_another_process_finds_what_a_waiting_write_has_returned_from(tmp_path: Path) -> None:
    installation = installation_in(tmp_path)
    list(remember(installation, [draft("a", works("Ann Lee", "Lab"), day=1)]))
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "from test_waiting import found; from committing import installation_in\n"
        "print(found(installation_in(Path(sys.argv[2])).graph, 'lab'))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, str(HERE), str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "Ann Lee" in said.stdout


def test_a_waiting_write_goes_before_what_waits_already(world: World) -> None:
    world.accept(
        *(draft(f"e{number}", works(f"Person {number}", "Lab"), day=number) for number in range(9))
    )
    world.compact()
    extract(world.installation)
    answer = told(world, draft("mine", works("Ann Lee", "Mill"), day=20))
    assert answer.commit is not None
    assert [one.episode_id for one in answer.commit.episodes] == ["mine"]
    assert world.said() == {("Ann Lee", "works_at", "Mill")}
    world.work()
    world.check()


def test_the_same_content_again_changes_nothing_and_answers_the_same(world: World) -> None:
    one = draft("a", works("Ann Lee", "Lab"), works("Ann Lee", "Mill"), day=1)
    first = told(world, one)
    told(world, draft("b", works("Bob Moor", "Lab"), day=2))
    before = world.canonical(history=True)
    assert told(world, one) == first
    assert world.canonical(history=True) == before
    assert len(world.instants()) == 2


def test_what_a_bulk_run_has_committed_meanwhile_is_answered_from_the_log(world: World) -> None:
    one = draft("a", works("Ann Lee", "Lab"), day=1)
    world.accept(one, draft("b", works("Bob Moor", "Mill"), day=2))
    world.work()
    answer = told(world, one)
    assert answer.waiting == ""
    assert [fact.fact for fact in answer.created] == ["Ann Lee works_at Lab (holds)"]


def test_superseded_and_ended_facts_are_told(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    (before,) = world.graph.all_facts("g")
    answer = told(world, draft("a", works("Ann Lee", "Mill"), day=1))
    assert answer.ended == (before.id,)
    assert [fact.fact for fact in answer.created] == ["Ann Lee works_at Mill (holds)"]
    world.check()


def test_a_bad_draft_is_refused_before_anything_is_accepted(world: World) -> None:
    good, bad = draft("a", works("Ann Lee", "Lab"), day=1), draft("b", day=1, group="not//allowed")
    with pytest.raises(Incorrect):
        list(remember(world.installation, [good, bad]))
    assert world.installation.record.spooled() == {}


def test_a_held_group_keeps_the_write_and_says_so(world: World) -> None:
    told(world, draft("a", works("Ann Lee", "Lab"), day=1))
    hold(world.installation, "g", who="ann", reason="an audit")
    answer = told(world, draft("b", works("Bob Moor", "Mill"), day=2))
    assert "an audit" in answer.waiting
    assert answer.commit is None
    assert passages_finding(world, "mill") == {"b"}
    assert found(world.graph, "mill") == []
    release(world.installation, "g", who="ann", reason="done")
    world.work()
    assert found(world.graph, "mill") != []
    world.check()


def test_a_graph_that_refuses_keeps_the_write_and_the_next_pass_takes_it_in(world: World) -> None:
    assert isinstance(world.graph, MortalGraph)
    world.graph.away = True
    world.graph.broken.add("g")
    answer = told(world, draft("a", works("Ann Lee", "Lab"), day=1))
    assert "broken" in answer.waiting
    world.graph.broken.clear()
    world.graph.away = False
    world.work()
    world.check()
    assert told(world, draft("a", works("Ann Lee", "Lab"), day=1)).waiting == ""
    assert len(world.instants()) == 1


def test_an_episode_that_cannot_be_extracted_stays_and_the_others_are_committed(world: World) -> None:
    world.extractor.failing = {"Bob"}
    answer = told(
        world, draft("a", works("Ann Lee", "Lab"), day=1), draft("b", works("Bob Moor", "Lab"), day=2)
    )
    assert "cannot be read" in answer.waiting
    assert world.said() == {("Ann Lee", "works_at", "Lab")}
    world.extractor.failing = set()
    world.work()
    world.check()


def test_a_waiting_write_that_dies_between_log_and_graph_is_healed_by_the_next(world: World) -> None:
    assert isinstance(world.graph, MortalGraph)
    world.graph.dies = True
    with pytest.raises(Killed):
        told(world, draft("a", works("Ann Lee", "Lab"), day=1))
    world.clock.instant += timedelta(hours=1)
    answer = told(world, draft("b", works("Bob Moor", "Lab"), day=2))
    assert answer.commit is not None
    assert answer.commit.seq == 2
    world.check()
    world.check_log()


def test_a_waiting_write_that_dies_before_its_commit_is_taken_in_by_the_next_pass(world: World) -> None:
    one = draft("a", works("Ann Lee", "Lab"), day=1)
    list(accept(world.installation, [one]))
    world.installation.record.compact(context_turns=2, lightly=True)
    world.told["g", "a"] = one
    world.installation.record.rebuild_index()  # as after the loss of the file
    world.work()
    world.check()
    world.check_log()


def test_a_waiting_write_among_many_groups_answers_for_each(world: World) -> None:
    drafts = [draft(name, works("Ann Lee", "Lab"), day=1, group=name) for name in ("g", "h")]
    answers = list(remember(world.installation, drafts))
    assert [(one.group_id, one.episode_ids) for one in answers] == [("g", ("g",)), ("h", ("h",))]


def test_nothing_is_committed_of_episodes_that_do_not_wait(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    assert commit_among(world.installation, "g", ["a", "b"]) is None
    assert commit_pending(world.installation, "g").commits == 0


# --- turns beside one another -------------------------------------------------------------------------


def _turn(position: int, where: str) -> Draft:
    return draft(f"t{position}", works("Ann Lee", where), day=1, saga="s", position=position)


def test_a_late_turn_and_its_revision_change_the_passages_of_its_neighbours(world: World) -> None:
    for position, where in ((1, "Lab"), (3, "Mill"), (5, "Farm")):
        told(world, _turn(position, where))
    assert passages_finding(world, "lab") == {"t1", "t3"}
    told(world, _turn(2, "Quay"))
    assert passages_finding(world, "lab") == {"t1", "t2"}
    assert passages_finding(world, "quay") == {"t1", "t2", "t3"}
    told(world, _turn(2, "Dock"))
    assert passages_finding(world, "quay") == set()
    assert passages_finding(world, "dock") == {"t1", "t2", "t3"}


def test_the_words_of_a_retracted_turn_vanish_from_its_neighbours(world: World) -> None:
    for position, where in ((1, "Lab"), (2, "Quay"), (3, "Mill")):
        told(world, _turn(position, where))
    world.retract("t2")
    world.work()
    assert passages_finding(world, "quay") == set()
    assert passages_finding(world, "lab") == {"t1", "t3"}
    world.check()


def test_replaying_the_log_gives_the_same_passages(world: World) -> None:
    words = ("lab", "quay", "mill", "farm", "dock")
    for position, where in ((3, "Mill"), (1, "Lab"), (2, "Quay"), (5, "Farm")):
        told(world, _turn(position, where))
    told(world, _turn(2, "Dock"))
    world.retract("t3")
    world.work()
    before = {word: passages_finding(world, word) for word in words}
    world.rebuild()
    assert {word: passages_finding(world, word) for word in words} == before


def test_the_turns_after_a_late_one_are_extracted_again_by_the_next_pass(world: World) -> None:
    told(world, draft("t1", works("Ann Lee", "Lab"), day=1, saga="s", position=1))
    told(world, draft("t3", works(BEFORE, "Mill"), day=1, saga="s", position=3))
    assert ("Ann Lee", "works_at", "Mill") in world.said()
    told(world, draft("t2", works("Bob Moor", "Quay"), day=1, saga="s", position=2))
    world.work()
    assert ("Bob Moor", "works_at", "Mill") in world.said()
    world.check()


@pytest.mark.slow
def test_waiting_writes_beside_processes_that_work_are_all_there_once(tmp_path: Path) -> None:
    command = [sys.executable, str(HERE / "committing.py"), str(tmp_path)]
    busy = [subprocess.Popen([*command, who, "15"]) for who in ("one", "other")]
    installation = installation_in(tmp_path)
    for number in range(15):
        said = works(f"Person {number}", f"Lab {number}")
        (answer,) = remember(installation, [draft(f"mine-{number}", said, day=number)])
        assert answer.waiting == ""
        assert len(found(installation.graph, f"lab {number}".split()[1])) >= 1
    assert [process.wait(timeout=120) for process in busy] == [0, 0]
    taken = [one.episode_id for commit in installation.record.commits("g") for one in commit.episodes]
    assert sorted(taken) == sorted(f"{who}-{n}" for who in ("mine", "one", "other") for n in range(15))
    with MortalGraph() as scratch:
        assert parity(installation, "g", scratch).difference == ""
