"""A Neo4j server that goes away between the log and the graph: the next run heals."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from belief_world import World
from scripted import Says, draft

from memstrata.errors import Conflict, Damaged, Fault
from memstrata.stores.leases import FileLeases
from memstrata.stores.neo4j import Neo4jGraph
from memstrata.stores.sqlite import SqliteGraph
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.project import project
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from neo4j_server import OwnServer, Server

    from memstrata.errors import MemstrataError
    from memstrata.model import Commit
    from memstrata.ports import GraphStore
    from memstrata.stores.lake import Record
    from memstrata.workflow.project import Projected


def graph_on(server: OwnServer) -> Neo4jGraph:
    return Neo4jGraph(server.uri, server.user, server.password, patience=1)


def say(world: World, *days: int) -> None:
    for day in days:
        said = Says(subject="Ann Lee", predicate="works_at", object=f"Mill {day}")
        more = Says(subject=f"Bob {day} Lee", predicate="knows", object="Ann Lee")
        world.accept(draft(f"e{day}", said, more, day=day, saga="s", position=day))


def is_as_in_sqlite(world: World, folder: Path) -> bool:
    """Whether the graph in use is the one that SQLite builds from the log."""
    with SqliteGraph(folder / "replayed.db") as other:
        return project(world.installation, "g", other).identical


class EndsAfterLogging:
    """The record in use, but once a commit is in the log, something happens before it is in the graph."""

    def __init__(self, record: Record, happens: Callable[[], None]) -> None:
        self._record, self._happens = record, happens

    def append(self, commit: Commit) -> None:
        self._record.append(commit)
        self._happens()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._record, name)


def test_a_server_that_dies_between_log_and_graph_is_caught_up_by_the_next_pass(
    own_neo4j: OwnServer, tmp_path: Path
) -> None:
    with World(tmp_path, graph=graph_on(own_neo4j)) as world:
        say(world, 1)
        world.work()
        whole = world.installation
        dying = replace(whole, record=EndsAfterLogging(whole.record, own_neo4j.kill))  # type: ignore[arg-type]
        say(world, 2)
        ((group, reason),) = work(dying).failed
        assert group == "g"
        assert "no Neo4j server answers" in reason

        say(world, 3)  # the door is open all the same
        with pytest.raises(Fault, match="no Neo4j server answers"):
            work(whole)
        assert [one.seq for one in whole.record.commits("g")] == [1, 2]

        own_neo4j.start()
        assert world.graph.last_seq("g") == 1
        (done,) = world.work().committed
        assert (done.episodes, world.graph.last_seq("g")) == (1, 3)
        assert ("Ann Lee", "works_at", "Mill 3") in world.said()
        assert is_as_in_sqlite(world, tmp_path)


def test_a_projection_that_a_dying_server_cut_short_is_done_anew_by_the_next(
    own_neo4j: OwnServer, tmp_path: Path
) -> None:
    with World(tmp_path) as world, graph_on(own_neo4j) as target:
        for day in (1, 2, 3):
            say(world, day)
            world.work()
        with pytest.raises(Fault, match="try again"):
            project(world.installation, "g", target, on_progress=lambda _: own_neo4j.kill())
        own_neo4j.start()
        assert target.last_seq("g") == 1
        done = project(world.installation, "g", target)
        assert (done.identical, done.commits) == (True, 3)


# --- two projections of one group at once ---


def projected_twice(
    world: World, targets: tuple[GraphStore, GraphStore], leases: tuple[FileLeases, FileLeases]
) -> list[Projected | MemstrataError]:
    """What came of two projections of one group that began together."""
    begun, outcomes = threading.Barrier(2), list[Any]()

    def run(target: GraphStore, held: FileLeases) -> None:
        begun.wait()
        try:
            outcomes.append(project(replace(world.installation, leases=held), "g", target))
        except (Conflict, Damaged) as error:
            outcomes.append(error)

    threads = [threading.Thread(target=run, args=pair) for pair in zip(targets, leases, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.fixture
def another(neo4j_graph: Neo4jGraph, neo4j_server: Server) -> Neo4jGraph:
    """A second way to the same database."""
    return Neo4jGraph(neo4j_server.uri, neo4j_server.user, neo4j_server.password)


def told(world: World) -> None:
    for day in (1, 2, 3):
        say(world, day)
        world.work()


def test_of_two_projections_at_once_the_second_waits_and_both_are_the_log(
    neo4j_graph: Neo4jGraph, another: Neo4jGraph, tmp_path: Path
) -> None:
    with World(tmp_path) as world, another:
        told(world)
        leases = (FileLeases(tmp_path / "locks"), FileLeases(tmp_path / "locks"))
        outcomes = projected_twice(world, (neo4j_graph, another), leases)
        assert [(one.identical, one.commits) for one in outcomes] == [(True, 3)] * 2  # type: ignore[union-attr]


def test_two_projections_that_know_nothing_of_one_another_leave_nothing_wrong_unnoticed(
    neo4j_graph: Neo4jGraph, another: Neo4jGraph, tmp_path: Path
) -> None:
    """As from two machines whose locks do not reach one another."""
    with World(tmp_path) as world, another:
        told(world)
        leases = (FileLeases(tmp_path / "locks"), FileLeases(tmp_path / "elsewhere"))
        outcomes = projected_twice(world, (neo4j_graph, another), leases)
        assert len(outcomes) == 2
        refused = [one for one in outcomes if isinstance(one, Exception)]
        finished = [one for one in outcomes if not isinstance(one, Exception)]
        assert all("g" in str(one) for one in refused)
        if len(refused) == 1 and finished[0].identical:
            assert tuple(canonical_lines(neo4j_graph, "g", history=True)) == world.canonical(history=True)
        again = project(world.installation, "g", neo4j_graph)
        assert (again.identical, again.commits) == (True, 3)
