"""The graph built from the log in another store is the graph in use, history and all."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from belief_world import World
from histories import play, steps
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scripted import Says, draft

from memstrata.model import Summary
from memstrata.stores.sqlite import SqliteGraph
from memstrata.workflow.commit import heal
from memstrata.workflow.project import project
from memstrata.workflow.rebuild import parity

if TYPE_CHECKING:
    from histories import Step

    from memstrata.stores.neo4j import Neo4jGraph

#: A real server in each example: few of them, always the same, and no shrinking.
_few = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


@given(st.lists(steps, min_size=6, max_size=14))
@_few
def test_sqlite_and_the_store_in_use_export_the_same(history: list[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        play(world, history)
        with SqliteGraph(Path(home) / "other.db") as other:
            for group in world.groups():
                done = project(world.installation, group, other)
                assert done.identical, done.difference


@given(history=st.lists(steps, min_size=6, max_size=14))
@_few
def test_neo4j_and_the_store_in_use_export_the_same(neo4j_graph: Neo4jGraph, history: list[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        play(world, history)
        for group in world.groups():
            done = project(world.installation, group, neo4j_graph)
            assert done.identical, done.difference


def _told(world: World) -> None:
    world.accept(
        draft(
            "e1", Says(subject="Ann Lee", predicate="works_at", object="Lab"), day=0, saga="s", position=0
        )
    )
    world.work()
    world.accept(
        draft(
            "e2", Says(subject="Ann Lee", predicate="works_at", object="Mill"), day=10, saga="s", position=1
        ),
        draft("e3", Says(subject="Bob Lee", predicate="knows", object="Ann Lee"), day=20),
    )
    world.work()
    world.retract("e1")
    world.work()


def test_a_memory_that_lives_in_neo4j_moves_to_sqlite(neo4j_graph: Neo4jGraph, tmp_path: Path) -> None:
    with World(tmp_path, graph=neo4j_graph) as world, SqliteGraph(tmp_path / "g.db") as other:
        _told(world)
        done = project(world.installation, "g", other)
        assert (done.identical, done.commits) == (True, 3)


def test_a_database_emptied_behind_our_back_is_filled_from_the_log(
    neo4j_graph: Neo4jGraph, tmp_path: Path
) -> None:
    with World(tmp_path, graph=neo4j_graph) as world, SqliteGraph(tmp_path / "g.db") as scratch:
        _told(world)
        before = world.canonical(history=True)
        neo4j_graph._connection.execute("MATCH (n) WHERE NOT n:Memstrata DETACH DELETE n")
        assert neo4j_graph.last_seq("g") == 0
        assert heal(world.installation, "g") == 3
        assert world.canonical(history=True) == before
        assert parity(world.installation, "g", scratch).equal


def test_what_consolidation_made_goes_along(tmp_path: Path) -> None:
    with World(tmp_path) as world, SqliteGraph(tmp_path / "g.db") as other:
        _told(world)
        (entity, *_) = world.graph.all_entities("g")
        summary = Summary(
            entity_id=entity.entity_id,
            group_id="g",
            blocks=(),
            input_hash="h",
            created_at=world.clock.now(),
        )
        world.graph.put_summaries([summary])
        project(world.installation, "g", other)
        assert other.summary("g", entity.entity_id) == summary


def test_what_waits_is_shown_there_too(tmp_path: Path) -> None:
    with World(tmp_path) as world, SqliteGraph(tmp_path / "g.db") as other:
        _told(world)
        world.accept(draft("e4", Says(subject="Bob Lee", predicate="works_at", object="Mill"), day=30))
        world.compact()
        project(world.installation, "g", other)
        assert [one.pending_episodes for one in other.counts()] == [1]
