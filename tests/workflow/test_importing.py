"""A Graphiti graph comes in with its own system times, and nothing of it is believed longer than it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from scripted import Says, ScriptedExtractor, draft

from memstrata.errors import Incorrect
from memstrata.extraction.imported import ImportedExtractor
from memstrata.intake.door import MAX_CONTENT
from memstrata.intake.graphiti import Edge, GraphitiGraph, Node, Turn, plan
from memstrata.model import SourceType
from memstrata.settings import load_settings, opened
from memstrata.stores.leases import FileLeases
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.importing import import_graphiti
from memstrata.workflow.intake import accept
from memstrata.workflow.rebuild import rebuild
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from memstrata.model import Episode, Extraction
    from memstrata.ports import Installation, Leases, NamedVersion

GROUP = "imported"


def month(number: int) -> datetime:
    return datetime(2024, number, 1, tzinfo=UTC)


def edge(uuid: str, source: str, name: str, target: str, *, learnt: int, **fields: datetime | None) -> Edge:
    return Edge(
        uuid=uuid,
        source=source,
        target=target,
        name=name,
        fact=f"{source} {name} {target}",
        created_at=month(learnt),
        episodes=("t1",),
        **fields,  # type: ignore[arg-type]  # times alone are given
    )


NODES = (
    Node(uuid="ada", name="Ada", labels=("Entity", "Person")),
    Node(uuid="ada-2", name="Ada", labels=("Entity", "Person")),
    Node(uuid="user", name="user", labels=("Entity",)),
    Node(uuid="acme", name="Acme", labels=("Entity",)),
    Node(uuid="globex", name="Globex", labels=("Entity",)),
    Node(uuid="lisbon", name="Lisbon", labels=("Entity",)),
)
EDGES = (
    edge(
        "x1",
        "ada",
        "WORKS_FOR",
        "acme",
        learnt=1,
        valid_at=month(1),
        invalid_at=month(6),
        expired_at=month(7),
    ),
    edge("x2", "ada", "WORKS_FOR", "globex", learnt=7, valid_at=month(6)),
    edge("x3", "ada-2", "LIVES_IN", "lisbon", learnt=2, expired_at=month(9)),
    edge("x4", "user", "LIKES", "acme", learnt=3, valid_at=month(2), invalid_at=month(3)),
)
TURNS = (
    Turn(
        uuid="t1",
        name="m1",
        content="Ada: I work for Acme.",
        source="message",
        source_description="chat",
        created_at=month(1),
        valid_at=month(1),
        mentions=("ada", "acme"),
    ),
    Turn(
        uuid="t2",
        name="m2",
        content="{not json",
        source="json",
        source_description="",
        created_at=month(2),
        valid_at=None,
        mentions=("lisbon",),
    ),
    Turn(
        uuid="t3",
        name="m3",
        content=" ",
        source="text",
        source_description="",
        created_at=month(2),
        valid_at=None,
    ),
)
GRAPH = GraphitiGraph(group_id="g", nodes=NODES, edges=EDGES, turns=TURNS, others={"Community": 2})


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with opened(load_settings(MEMSTRATA_HOME=tmp_path, MEMSTRATA_EMBEDDER="none")) as installation:
        yield installation


def believed(installation: Installation, at: datetime) -> list[tuple[str, str, str, datetime | None]]:
    """The facts believed at that system time, by name, with the end of each in the world."""
    named: list[NamedVersion] = []
    for version in installation.graph.all_versions(GROUP):
        if version.created_at <= at and (version.expired_at is None or version.expired_at > at):
            named += [
                one
                for one in installation.graph.history(GROUP, version.fact.id)
                if one.version.created_at == version.created_at
            ]
    return sorted(
        (one.subject, one.version.fact.predicate, one.object, one.version.fact.invalid_at) for one in named
    )


def test_what_was_believed_when_is_graphitis(installation: Installation) -> None:
    done = import_graphiti(installation, GRAPH, GROUP)
    assert (done.refused, dict(done.left_out)) == ((), {"Community": 2, "empty episodes": 1})
    works, lives, likes = (
        ("Ada", "WORKS_FOR"),
        ("Ada", "LIVES_IN", "Lisbon", None),
        ("user", "LIKES", "Acme"),
    )
    assert believed(installation, month(1)) == [(*works, "Acme", None)]
    assert believed(installation, month(4)) == [lives, (*works, "Acme", None), (*likes, month(3))]
    assert believed(installation, month(8)) == [
        lives,
        (*works, "Acme", month(6)),
        (*works, "Globex", None),
        (*likes, month(3)),
    ]
    assert lives not in believed(installation, month(9))


def test_a_node_is_one_entity_whatever_it_is_called(installation: Installation) -> None:
    import_graphiti(installation, GRAPH, GROUP)
    subjects = {
        version.fact.subject
        for version in installation.graph.all_versions(GROUP)
        if version.fact.predicate in ("WORKS_FOR", "LIVES_IN")
    }
    assert len(subjects) == 2
    assert {one.name for one in installation.graph.all_entities(GROUP)} >= {"user", "Lisbon", "Globex"}


def test_episodes_come_as_they_were_said(installation: Installation) -> None:
    import_graphiti(installation, GRAPH, GROUP)
    first, second = (installation.record.latest(GROUP, name) for name in ("t1", "t2"))
    assert first is not None
    assert second is not None
    assert (first.content, first.speaker and first.speaker.name) == ("I work for Acme.", "Ada")
    assert (first.reference_time, first.source) == (month(1), "chat")
    assert (second.source_type, second.content) == (SourceType.TEXT, "{not json")
    assert second.reference_time == month(2)
    assert first.ingested_at > datetime.now(UTC) - timedelta(minutes=5)


def test_an_import_goes_on_where_it_was_interrupted(installation: Installation, tmp_path: Path) -> None:
    def interrupt(done: int) -> None:
        if done and installation.graph.last_seq(GROUP) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_graphiti(installation, GRAPH, GROUP, on_progress=interrupt)
    assert import_graphiti(installation, GRAPH, GROUP).commits > 0
    interrupted = tuple(canonical_lines(installation.graph, GROUP, history=True))
    with opened(load_settings(MEMSTRATA_HOME=tmp_path / "whole", MEMSTRATA_EMBEDDER="none")) as whole:
        import_graphiti(whole, GRAPH, GROUP)
        assert tuple(canonical_lines(whole.graph, GROUP, history=True)) == interrupted
    assert import_graphiti(installation, GRAPH, GROUP).commits == 0


def learnt_together(count: int) -> GraphitiGraph:
    """More edges of one instant than a commit takes in."""
    nodes = tuple(Node(uuid=f"n{n}", name=f"Station {n}") for n in range(count))
    edges = tuple(edge(f"e{n}", f"n{n}", "FEEDS", f"n{n - 1}", learnt=1) for n in range(1, count))
    return GraphitiGraph(group_id="g", nodes=nodes, edges=edges, turns=())


class _Interrupted:
    """Leases that end the process at the given holding."""

    def __init__(self, leases: Leases, at: int) -> None:
        self._leases, self._left = leases, at

    def hold(self, name: str, *, urgent: bool = False) -> AbstractContextManager[None]:
        self._left -= 1
        if not self._left:
            raise KeyboardInterrupt
        return self._leases.hold(name, urgent=urgent)


@pytest.mark.parametrize(
    ("at", "commits"), [(2, 0), (3, 1)], ids=["before the first commit", "between two of one instant"]
)
def test_an_import_interrupted_within_an_instant_goes_on_there(
    installation: Installation, at: int, commits: int
) -> None:
    graph = learnt_together(402)
    with pytest.raises(KeyboardInterrupt):
        import_graphiti(replace(installation, leases=_Interrupted(installation.leases, at)), graph, GROUP)
    assert installation.graph.last_seq(GROUP) == commits
    import_graphiti(installation, graph, GROUP)
    versions = list(installation.graph.all_versions(GROUP))
    assert len(versions) == 401
    assert max(version.created_at for version in versions) < month(1) + timedelta(seconds=1)


def test_a_pass_beside_an_import_commits_nothing_of_it_at_its_own_time(
    installation: Installation, tmp_path: Path
) -> None:
    class Beside(FileLeases):
        """Whenever the import asks for the group, somebody else's pass comes along."""

        def hold(self, name: str, *, urgent: bool = False) -> AbstractContextManager[None]:
            passes.append(Thread(target=commit_pending, args=(installation, GROUP)))
            passes[-1].start()
            passes[-1].join(0.05)
            return super().hold(name, urgent=urgent)

    passes: list[Thread] = []
    import_graphiti(replace(installation, leases=Beside(tmp_path / "locks")), GRAPH, GROUP)
    for one in passes:
        one.join()
    assert passes
    assert [commit.instant for commit in installation.record.commits(GROUP)] == [
        month(number) for number in (1, 2, 3, 7, 9)
    ]


def test_another_graph_is_refused_by_a_group_that_holds_one(installation: Installation) -> None:
    import_graphiti(installation, GRAPH, GROUP)
    with pytest.raises(Incorrect, match="empty group"):
        import_graphiti(installation, learnt_together(3), GROUP)


def test_what_waits_uncompacted_in_the_group_is_not_mixed_with_the_import(
    installation: Installation,
) -> None:
    said = draft("other", Says(subject="Ada", predicate="knows", object="Tom"), day=1, group=GROUP)
    list(accept(installation, [said]))
    with pytest.raises(Incorrect, match="await their commit"):
        import_graphiti(installation, GRAPH, GROUP)


def test_nodes_that_nothing_is_said_of_are_counted_as_left_out() -> None:
    alone = replace(GRAPH, nodes=(*NODES, Node(uuid="alone", name="Alone")))
    assert plan(alone, GROUP).left_out["entities without facts and mentions"] == 1


def test_a_rebuild_gives_the_same_history(installation: Installation) -> None:
    import_graphiti(installation, GRAPH, GROUP)
    before = tuple(canonical_lines(installation.graph, GROUP, history=True))
    rebuild(installation, GROUP)
    assert tuple(canonical_lines(installation.graph, GROUP, history=True)) == before
    assert len(before) > 8


def test_a_group_with_anything_else_in_it_is_refused(installation: Installation) -> None:
    import_graphiti(installation, GRAPH, GROUP)
    list(
        accept(
            installation,
            [draft("other", Says(subject="Ada", predicate="knows", object="Tom"), day=1, group=GROUP)],
        )
    )
    work(replace(installation, extractor=ScriptedExtractor()))
    with pytest.raises(Incorrect, match="empty group"):
        import_graphiti(installation, GRAPH, GROUP)


class Failing(ImportedExtractor):
    """Fails on one episode, as a mistake of ours would."""

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        for item in items:
            if item[0].episode_id == "x4":
                raise ValueError("x4 is too much")
            yield from super().extract_all([item])


def test_what_the_door_refuses_keeps_nothing_else_out(installation: Installation) -> None:
    unlucky = replace(EDGES[2], uuid="x9", fact="long" * MAX_CONTENT)
    torn = replace(TURNS[0], uuid="t9", content="Ada: \0")
    graph = replace(GRAPH, edges=(*EDGES, unlucky), turns=(*TURNS, torn))
    done = import_graphiti(installation, graph, GROUP)
    assert [reason.partition(":")[0] for reason in done.refused] == ["episode t9", "edge x9"]
    assert "NUL" in done.refused[0]
    assert "at most" in done.refused[1]
    assert {one[1] for one in believed(installation, month(8))} == {"LIKES", "LIVES_IN", "WORKS_FOR"}


def test_failures_of_extraction_are_counted_and_tried_again(installation: Installation) -> None:
    done = import_graphiti(installation, GRAPH, GROUP, extractor=Failing())
    assert (done.failed, done.failure) == (1, "ValueError: x4 is too much")
    assert not any(one[1] == "LIKES" for one in believed(installation, month(8)))
    again = import_graphiti(installation, GRAPH, GROUP)
    assert (again.failed, again.facts) == (0, 1)
    late = believed(installation, month(12))
    assert ("user", "LIKES", "Acme", month(3)) in late


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (edge("x9", "ada", "KNOWS", "nobody", learnt=1), "target 'nobody' is not among the nodes"),
        (edge("x9", "ada", " ", "acme", learnt=1), "no relation name"),
        (edge("x9", "ada", "KNOWS", "blank", learnt=1), "target 'blank' has no name"),
        (
            edge("x9", "ada", "KNOWS", "acme", learnt=1, valid_at=month(5), invalid_at=month(4)),
            "not after valid at",
        ),
    ],
)
def test_an_edge_that_contradicts_itself_stays_out_with_its_reason(wrong: Edge, says: str) -> None:
    planned = plan(
        GraphitiGraph(group_id="g", nodes=(*NODES, Node(uuid="blank", name=" ")), edges=(wrong,), turns=()),
        GROUP,
    )
    assert planned.steps == ()
    assert len(planned.refused) == 1
    assert "x9" in planned.refused[0]
    assert says in planned.refused[0]
