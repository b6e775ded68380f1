"""Random histories of a small world: few names, few days, two groups, so that everything meets."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from belief_world import Killed, MortalGraph, World
from hypothesis import strategies as st
from scripted import BEFORE, Says, draft

from memstrata.errors import Incorrect
from memstrata.instants import Precision
from memstrata.model import By, DecisionKind, Kind
from memstrata.stores.sqlite import SqliteGraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memstrata.model import Decision, Draft, Mention

PEOPLE = (
    "Ann Lee",
    "Ann",
    "A. Lee",
    "Bob Lee",
    "Bob",
    "Ann Moor",
    "Lee",
    "Dr. Ann Lee",
    "ann lee",
    "Robert Lee",
)
PLACES = ("Lab", "Lee Ltd", "Mill", "Lee", "Lab GmbH", "LAB")
ONTOLOGIES = (
    "",
    "relations:\n- {name: works_at, cardinality: one}\n",
    "relations:\n- {name: knows, symmetric: true}\n",
    "relations:\n- {name: works_at, cardinality: one}\n- {name: knows, symmetric: true}\n",
    "default_cardinality: one\nrelations:\n- {name: knows, cardinality: many, symmetric: true}\n",
)  # fmt: skip
ATTRIBUTES = (
    (),
    (),
    (),
    (("email", "a@x.org"),),
    (("email", "b@x.org"),),
    (("birth_date", "1950-01-01"),),
    (("birth_date", "1980-01-01"),),
    (("aliases", "Robert Lee"),),
    (("employer", "Lab"),),
)


@dataclass(frozen=True, slots=True)
class Accept:
    """Some episodes arrive; one that was there before comes as its next revision, or as a repeat."""

    drafts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True)
class Retract:
    """One of the live episodes goes."""

    which: int


@dataclass(frozen=True, slots=True)
class Reject:
    """One of the current facts is withdrawn."""

    group: str
    which: int


@dataclass(frozen=True, slots=True)
class Restore:
    """One of the withdrawals is taken back."""

    which: int


@dataclass(frozen=True, slots=True)
class AcceptAgain:
    """One that was retracted comes back."""

    which: int


@dataclass(frozen=True, slots=True)
class Judge:
    """A verdict on two of the mentions that there ever were, live or not."""

    kind: DecisionKind
    group: str
    left: int
    right: int
    by: By


@dataclass(frozen=True, slots=True)
class Declare:
    """Another ontology."""

    text: str


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The graph anew from the log."""


@dataclass(frozen=True, slots=True)
class Crash:
    """A pass that dies between the log and the graph of its first commit."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """The clock runs backwards, over what has been compacted."""


@dataclass(frozen=True, slots=True)
class Work:
    """A pass, and a look at what is believed."""


Step = (
    Accept | Retract | Reject | Restore | AcceptAgain | Judge | Declare | Rebuild | Crash | PutBack | Work
)

_NUMBERS = st.integers(0, 999)
_days = st.integers(0, 6).map(lambda tens: tens * 10)


def _stated(*precisions: Precision) -> st.SearchStrategy[tuple[int, Precision] | None]:
    return st.none() | st.tuples(_days, st.sampled_from(precisions))


@st.composite
def statements(draw: st.DrawFn) -> Says:
    """One statement on people, places or a literal."""
    predicate = draw(st.sampled_from(("works_at", "knows", "likes")))
    among_people = predicate == "knows"
    return Says(
        subject=draw(st.sampled_from((*PEOPLE, BEFORE))),
        predicate=predicate,
        object=draw(st.sampled_from(PEOPLE if among_people else PLACES)),
        kind=draw(st.sampled_from((Kind.HOLDS, Kind.HOLDS, Kind.STARTED, Kind.ENDED, Kind.DENIED))),
        valid=draw(_stated(Precision.INSTANT, Precision.DAY, Precision.MONTH, Precision.YEAR)),
        invalid=draw(_stated(Precision.INSTANT, Precision.DAY, Precision.MONTH)),
        confidence=draw(st.sampled_from((1.0, 1.0, 0.5))),
        types=(
            draw(st.sampled_from(("person", "person", None))),
            draw(st.sampled_from(("person" if among_people else "organization", None))),
        ),
        attributes=draw(st.sampled_from(ATTRIBUTES)),
        is_literal=draw(st.integers(0, 9)) == 0,
    )


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """An episode of one of nine ids in one of two groups, alone or in a saga."""
    saga = draw(st.sampled_from((None, None, "s", "t")))
    return draft(
        f"e{draw(st.integers(0, 8))}",
        *draw(st.lists(statements(), max_size=3)),
        day=draw(_days),
        group=draw(st.sampled_from("ggh")),
        saga=saga,
        position=draw(st.none() | st.integers(0, 4)) if saga else None,
    )


_accepting = st.lists(drafts(), min_size=1, max_size=4).map(lambda made: Accept(tuple(made)))
_judging = st.builds(
    Judge,
    kind=st.sampled_from((DecisionKind.MERGE, DecisionKind.KEEP_APART)),
    group=st.sampled_from("ggh"),
    left=_NUMBERS,
    right=_NUMBERS,
    by=st.sampled_from((By.PERSON, By.PERSON, By.MODEL)),
)
_rare: st.SearchStrategy[Step] = st.one_of(
    st.builds(Declare, st.sampled_from(ONTOLOGIES)),
    st.sampled_from((Rebuild(), Crash(), PutBack())),
)
steps: st.SearchStrategy[Step] = st.one_of(
    _accepting,
    _accepting,
    st.just(Work()),
    st.just(Work()),
    st.builds(Retract, _NUMBERS),
    st.builds(Reject, st.sampled_from("ggh"), _NUMBERS),
    st.builds(Restore, _NUMBERS),
    st.builds(AcceptAgain, _NUMBERS),
    _judging,
    _rare,
)


def both_worlds() -> Iterator[World]:
    """A new world over each store, SQLite's and the one in memory, open until the next is asked for."""
    for is_file in (True, False):
        with TemporaryDirectory() as folder:
            home = Path(folder)
            graph = {"graph": SqliteGraph(home / "graph.db")} if is_file else {}
            with World(home, **graph) as world:
                yield world


def play(world: World, history: Iterable[Step]) -> None:
    """Lives through a history, looking at everything after each pass, and once more at the end."""
    player = _Player(world)
    for step in (*history, Work()):
        player.take(step)


class _Player:
    def __init__(self, world: World) -> None:
        self._world = world
        self._gone: list[Draft] = []
        self._withdrawn: list[Decision] = []
        self._met: dict[str, dict[str, Mention]] = {}

    def take(self, step: Step) -> None:  # noqa: C901 (a case for each kind of step)
        world = self._world
        match step:
            case Accept(made):
                world.accept(*made)
            case Retract(which) if world.told:
                group, episode_id = sorted(world.told)[which % len(world.told)]
                self._gone.append(world.retract(episode_id, group))
            case Reject(group, which):
                self._reject(group, which)
            case Restore(which) if self._withdrawn:
                with suppress(Incorrect):  # another has taken the same back
                    world.restore(self._withdrawn[which % len(self._withdrawn)])
            case AcceptAgain(which) if self._gone:
                world.accept(self._gone[which % len(self._gone)])
            case Judge():
                self._judge(step)
            case Declare(text):
                world.declare(text)
            case Rebuild():
                world.rebuild()
            case Crash() if isinstance(world.graph, MortalGraph):
                self._crash(world.graph)
            case PutBack():
                world.compact()
                world.clock.instant -= timedelta(hours=3)
            case Work():
                self._work()

    def _reject(self, group: str, which: int) -> None:
        world = self._world
        facts = list(world.graph.all_facts(group))
        world.compact()  # what is retracted and not committed yet cannot be rejected
        with suppress(Incorrect):
            if facts:
                self._withdrawn.append(world.reject(facts[which % len(facts)].id, group))

    def _judge(self, step: Judge) -> None:
        met = sorted(self._met.get(step.group, {}).items())
        if not met:
            return
        left, right = met[step.left % len(met)][1], met[step.right % len(met)][1]
        if left != right:
            self._world.judge(step.kind, left, right, by=step.by)

    def _crash(self, graph: MortalGraph) -> None:
        graph.dies = True
        try:
            self._world.work()
        except Killed:
            pass
        finally:
            graph.dies = False

    def _work(self) -> None:
        self._world.work()
        self._world.check()
        for group in self._world.groups():
            mentions = self._world.mentions(group)
            self._met.setdefault(group, {}).update({one.mention_id: one for one in mentions})
