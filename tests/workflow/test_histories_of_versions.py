"""Whatever versions are tried, promoted and taken back: what is believed is what those in force say."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from belief_world import Killed, MortalGraph, World
from expectations import SOMETIME, believed
from histories import Accept, Crash, Retract, Work, both_worlds, drafts
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from other_version import OtherExtractor

from memstrata import intake
from memstrata.errors import Incorrect
from memstrata.ontology import Ontology
from memstrata.ports import Days, Promotion
from memstrata.stores.lake import Record
from memstrata.workflow.promotions import promote, promotions, rollback
from memstrata.workflow.reextract import run_candidate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from memstrata.model import Draft, Extraction

Key = tuple[str, str]
FIRST = "scripted-1"
OTHERS = {
    "v2": OtherExtractor(version="v2", renamed={"Lab": "Mill", "likes": "loves"}),
    "v3": OtherExtractor(version="v3", renamed={"Ann Lee": "Bob Lee", "Lee": "Lab"}, refusing={"Mill"}),
}


@dataclass(frozen=True, slots=True)
class NextDay:
    pass


@dataclass(frozen=True, slots=True)
class Try:
    version: str
    group: str


@dataclass(frozen=True, slots=True)
class Promote:
    version: str
    group: str
    days: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class RollBack:
    """Of the last promotion that stands, or of another of those that do."""

    group: str
    which: int = 0


@dataclass(frozen=True, slots=True)
class BuildAgain:
    """The index of the record is lost, and built again from the lake."""


Step = Accept | Retract | NextDay | Try | Promote | RollBack | BuildAgain | Crash | Work
_groups = st.sampled_from("gggh")
_offsets = st.sampled_from(((None, None), (None, None), (0, 1), (1, None), (None, 1), (1, 2)))


def _steps(*, alone: bool) -> st.SearchStrategy[Step]:
    """Steps; with `alone` no episode is a turn of a saga."""
    made = drafts().map(lambda one: replace(one, saga=None, position=None)) if alone else drafts()
    accepting = st.lists(made, min_size=1, max_size=4).map(lambda some: Accept(tuple(some)))
    trying = st.builds(Try, st.sampled_from(sorted(OTHERS)), _groups)
    promoting = st.builds(Promote, st.sampled_from([*sorted(OTHERS), FIRST]), _groups, _offsets)
    return st.one_of(
        accepting,
        accepting,
        trying,
        trying,
        trying,
        promoting,
        promoting,
        promoting,
        st.builds(RollBack, _groups, st.sampled_from((0, 0, 1, 2))),
        st.just(Work()),
        st.just(Work()),
        st.builds(Retract, st.integers(0, 999)),
        st.sampled_from((NextDay(), BuildAgain(), Crash())),
    )


@dataclass(slots=True)
class Revision:
    """What should be known of a live episode: its day, what is kept of it, and what is in force."""

    day: date
    kept: set[str] = field(default_factory=set)
    in_force: str | None = None


@dataclass(slots=True)
class Model:
    """What should be in force, from the steps alone; for episodes that are no turns."""

    revisions: dict[Key, Revision] = field(default_factory=dict)
    promoted: list[tuple[str, dict[Key, tuple[Revision, str | None, str]]]] = field(default_factory=list)

    def keep(self, group: str, version: str, refused: set[Key]) -> None:
        for key, one in self.revisions.items():
            if key[0] == group and key not in refused:
                one.kept.add(version)

    def promote(self, group: str, version: str, days: Days) -> None:
        done: dict[Key, tuple[Revision, str | None, str]] = {}
        for key, one in self.revisions.items():
            inside = (days.since or one.day) <= one.day and (days.until is None or one.day < days.until)
            if key[0] == group and inside and version in one.kept and one.in_force != version:
                done[key] = (one, one.in_force, version)
                one.in_force = version
        self.promoted.append((group, done))

    def roll_back(self, group: str, place: int) -> None:
        """Takes the promotion back; the one that came next over it gives way to what was before both."""
        _, undone = self.promoted.pop(place)
        later = [done for of, done in self.promoted[place:] if of == group]
        for key, (one, before, after) in undone.items():
            if self.revisions.get(key) is one and one.in_force == after:
                one.in_force = before
            for done in later:
                if key in done and done[key][0] is one:
                    if done[key][1] == after:
                        done[key] = (one, before, done[key][2])
                    break

    def extract(self) -> None:
        for one in self.revisions.values():
            if one.in_force is None:
                one.in_force = FIRST
                one.kept.add(FIRST)


class Player:
    def __init__(self, world: World, *, alone: bool) -> None:
        self.world = world
        self._alone = alone
        self._model = Model()
        self._first = world.clock.now().date()

    def take(self, step: Step) -> None:  # noqa: C901 (a case for each kind of step)
        world, model = self.world, self._model
        match step:
            case Accept(made):
                self._accept(made)
            case Retract(which) if world.told:
                key = sorted(world.told)[which % len(world.told)]
                world.retract(key[1], key[0])
                model.revisions.pop(key, None)
            case NextDay():
                world.clock.instant += timedelta(days=1)
            case Try(version, group):
                world.compact()
                tried = run_candidate(
                    world.installation, days=Days(), groups=[group], extractor=OTHERS[version]
                )
                if self._alone:
                    refused = {
                        key
                        for key, draft in world.told.items()
                        if any(word in draft.content for word in OTHERS[version].refusing)
                    }
                    model.keep(group, version, refused)
                assert not tried.stopped
            case Promote():
                self._promote(step)
            case RollBack(group, which):
                self._roll_back(group, which)
            case BuildAgain():
                world.compact()
                before = _standing(world.installation.record)
                world.installation.record.rebuild_index()
                assert _standing(world.installation.record) == before
            case Crash() if isinstance(world.graph, MortalGraph):
                self._crash(world.graph)
            case Work():
                self.work()

    def _accept(self, made: Sequence[Draft]) -> None:
        for one in made:
            key = (one.group_id, intake.episode_id(one))
            told = self.world.told.get(key)
            self.world.accept(one)
            if told is None or intake.content_hash(told) != intake.content_hash(one):
                self._model.revisions[key] = Revision(day=self.world.clock.instant.date())

    def _promote(self, step: Promote) -> None:
        since, until = (None if one is None else self._first + timedelta(days=one) for one in step.days)
        days = Days(since=since, until=until)
        with suppress(Incorrect):
            promote(self.world.installation, step.group, Promotion(version=step.version, days=days))
            self._model.promote(step.group, step.version, days)

    def _roll_back(self, group: str, which: int) -> None:
        standing = [place for place, (of, _) in enumerate(self._model.promoted) if of == group]
        known = [one for one in promotions(self.world.installation, group) if one.rolled_back is None]
        assert len(standing) == len(known)
        if not known:
            with pytest.raises(Incorrect, match="no promotion to take back"):
                rollback(self.world.installation, group)
            return
        chosen = -1 - which % len(known)
        decision = known[chosen].decision
        assert decision is not None
        rollback(self.world.installation, group, decision.decision_id if which else None)
        self._model.roll_back(group, standing[chosen])

    def _crash(self, graph: MortalGraph) -> None:
        graph.dies = True
        with suppress(Killed):
            self.world.work()
        graph.dies = False
        self._model.extract()
        home = self.world.home
        self.world.installation.record.close()
        self.world.installation = replace(self.world.installation, record=Record(home))

    def work(self) -> None:
        self.world.work()
        self._model.extract()
        for group in self.world.groups():
            if self._alone:
                self._check_present(group)
            self.world.check_history(group)

    def _check_present(self, group: str) -> None:
        """That the present is what the versions in force say, resolved and folded from scratch."""
        graph = self.world.graph
        expected = believed(
            [self._said(one.episode_id, group) for one in self.world.live(group)], (), Ontology()
        )
        assert tuple(graph.all_entities(group)) == expected.entities
        live = [one for one in graph.all_placements(group) if one.retracted_at is None]
        assert tuple(replace(one, recorded_at=SOMETIME) for one in live) == expected.placements
        assert tuple(graph.all_facts(group)) == expected.facts

    def _said(self, episode_id: str, group: str) -> Extraction:
        episode = self.world.installation.record.latest(group, episode_id)
        assert episode is not None
        version = self._model.revisions[group, episode_id].in_force
        assert version is not None
        return OTHERS.get(version, self.world.extractor).extract(episode)

    def finish(self) -> None:
        """A last pass; then the log alone gives the same graph, and the lake the same index."""
        self.work()
        self.world.check_log()
        record = self.world.installation.record
        self.world.compact()
        before = _standing(record)
        record.rebuild_index()
        assert _standing(record) == before
        assert not any(one.commits for one in self.world.work().committed)


def _standing(record: Record) -> list[tuple[object, ...]]:
    """Of each episode what is in force, committed and awaited, and every version's counts."""
    rows = record._index._connections.here().execute(
        """SELECT g, episode_id, revision, retracted, awaiting, dead,
          (SELECT revision || ' ' || context_hash || ' ' || version FROM extractions WHERE x = t.extracted),
          (SELECT revision || ' ' || context_hash || ' ' || version FROM extractions WHERE x = t.committed)
        FROM heads AS t ORDER BY g, episode_id"""
    )
    counts = [(group, *(record.versions(group))) for group in record.groups()]
    return [*rows, *counts]


def live_through(world: World, history: Sequence[Step], *, alone: bool) -> None:
    player = Player(world, alone=alone)
    for step in history:
        player.take(step)
    player.finish()


_few = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
_many = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@given(st.lists(_steps(alone=True), min_size=8, max_size=18))
@_few
def test_the_graph_says_what_the_versions_in_force_say(history: list[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        live_through(world, history, alone=True)


@given(st.lists(_steps(alone=False), min_size=8, max_size=18))
@_few
def test_with_turns_too_an_index_built_again_and_a_replayed_log_say_the_same(history: list[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        live_through(world, history, alone=False)


@pytest.mark.slow
@given(st.lists(_steps(alone=True), min_size=15, max_size=50))
@_many
def test_through_a_long_history_the_graph_says_what_the_versions_in_force_say(history: list[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        live_through(world, history, alone=True)


@pytest.mark.slow
@given(st.lists(_steps(alone=False), min_size=15, max_size=50))
@_many
def test_through_a_long_history_of_turns_index_and_log_say_the_same(history: list[Step]) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        live_through(world, history, alone=False)


@pytest.mark.slow
@given(
    st.lists(_steps(alone=True).filter(lambda one: not isinstance(one, Crash)), min_size=10, max_size=30)
)
@settings(_many, max_examples=15)
def test_both_stores_hold_the_same_history_of_versions(history: list[Step]) -> None:
    held = []
    for world in both_worlds():
        live_through(world, history, alone=True)
        held.append({group: world.canonical(group, history=True) for group in world.groups()})
    assert held[0] == held[1]
