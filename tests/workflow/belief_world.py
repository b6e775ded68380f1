"""A memory that does what a test tells it, and checks of all that must hold of it afterwards.

`World` drives the real workflow on a real record. Beside it stands what has been told: the live drafts, the
verdicts and the ontology, from which `expectations` works out what must be believed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self

from expectations import SOMETIME, believed, extracted
from scripted import ScriptedExtractor

from memstrata import bitemporal, intake
from memstrata.bitemporal import Moment
from memstrata.errors import Damaged, Fault
from memstrata.model import By, DecisionKind
from memstrata.ontology import Ontology, OntologyStream, load_ontology
from memstrata.ports import Installation, Scope
from memstrata.stores.lake import Record
from memstrata.stores.leases import FileLeases
from memstrata.stores.memory import MemoryGraph
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.intake import Ruling, accept, decide
from memstrata.workflow.rebuild import parity, rebuild
from memstrata.workflow.rejections import acceptance, withdrawal
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from expectations import Belief, Rejected

    from memstrata.model import Decision, Draft, Episode, Fact, Mention, Placement
    from memstrata.ports import Changes, GraphStore
    from memstrata.workflow.work import Worked


class TickingClock:
    """A clock that goes on by a second with every look; a test may put it."""

    def __init__(self) -> None:
        self.instant = datetime(2025, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """See `ports.Clock`."""
        self.instant += timedelta(seconds=1)
        return self.instant


class Killed(BaseException):
    """The process is gone, and nothing in it handles that."""


class MortalGraph(MemoryGraph):
    """A graph that dies before it applies the next commit, once `dies` is set; `broken` groups refuse.

    While it is `away`, it cannot show what waits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.dies = False
        self.away = False
        self.broken: set[str] = set()

    def show_pending(self, episodes: Sequence[tuple[Episode, tuple[str, ...]]]) -> None:
        """See `ports.Projector`."""
        if self.away:
            raise Fault("the graph is away")
        super().show_pending(episodes)

    def apply(self, changes: Changes) -> None:
        """See `ports.Projector`."""
        if self.dies:
            self.dies = False
            raise Killed
        if changes.commit.group_id in self.broken:
            raise Damaged("this group's graph is broken")
        super().apply(changes)


@dataclass(slots=True)
class World:
    """An installation in `home`, and what it has been told. To be closed, or used in a `with`."""

    home: Path
    graph: GraphStore = field(default_factory=MortalGraph)
    clock: TickingClock = field(default_factory=TickingClock)
    extractor: ScriptedExtractor = field(default_factory=ScriptedExtractor)
    told: dict[tuple[str, str], Draft] = field(default_factory=dict)
    verdicts: dict[str, list[Decision]] = field(default_factory=dict)
    rejected: dict[str, set[Rejected]] = field(default_factory=dict)
    installation: Installation = field(init=False)

    def __post_init__(self) -> None:
        """Opens the record."""
        self.installation = Installation(
            record=Record(self.home),
            graph=self.graph,
            leases=FileLeases(self.home / "locks"),
            extractor=self.extractor,
            embedder=None,
            clock=self.clock,
        )

    def close(self) -> None:
        self.installation.graph.close()
        self.installation.record.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what is done to it ---

    def accept(self, *drafts: Draft) -> None:
        list(accept(self.installation, drafts))
        self.told.update({(one.group_id, intake.episode_id(one)): one for one in drafts})

    def retract(self, episode_id: str, group: str = "g") -> Draft:
        """Withdraws the episode and gives what it said."""
        target = {"episode_id": episode_id}
        self.decide(Ruling(group_id=group, kind=DecisionKind.RETRACT, target=target, payload={}))
        return self.told.pop((group, episode_id))

    def reject(self, fact_id: str, group: str = "g") -> Decision:
        """Withdraws what a current fact rests on."""
        decision = self.decide(withdrawal(self.installation, group, fact_id))
        self.rejected.setdefault(group, set()).update(_rejected(decision))
        return decision

    def restore(self, decision: Decision) -> None:
        """Takes a withdrawal back."""
        self.compact()
        self.decide(acceptance(self.installation, decision.group_id, decision.decision_id))
        self.rejected.setdefault(decision.group_id, set()).difference_update(_rejected(decision))

    def judge(self, kind: DecisionKind, left: Mention, right: Mention, *, by: By = By.PERSON) -> Decision:
        """A verdict on two mentions."""
        named = [{"mention_id": one.mention_id, "episode_id": one.episode_id} for one in (left, right)]
        target = {"mentions": named}
        return self.decide(Ruling(group_id=left.group_id, kind=kind, target=target, payload={}, by=by))

    def decide(self, ruling: Ruling) -> Decision:
        decision = decide(self.installation, ruling)
        if ruling.kind in (DecisionKind.MERGE, DecisionKind.KEEP_APART):
            self.verdicts.setdefault(ruling.group_id, []).append(decision)
        return decision

    def declare(self, ontology: str) -> None:
        """Another ontology in the settings."""
        self.installation = replace(self.installation, ontology=ontology)

    def work(self) -> Worked:
        """One pass, in which no group may fail."""
        worked = work(self.installation)
        assert worked.failed == ()
        return worked

    def compact(self) -> None:
        self.installation.record.compact(context_turns=self.extractor.context_turns)

    def rebuild(self) -> None:
        for group in self.groups():
            rebuild(self.installation, group)

    # --- what is there ---

    def groups(self) -> tuple[str, ...]:
        return self.installation.record.groups()

    def canonical(self, group: str = "g", *, history: bool = False) -> tuple[str, ...]:
        return tuple(canonical_lines(self.graph, group, history=history))

    def names(self, group: str = "g") -> set[str]:
        """What the entities are called."""
        return {one.name for one in self.graph.all_entities(group)}

    def said(self, group: str = "g") -> set[tuple[str, str, str]]:
        """The current facts, in names."""
        return {(subject, predicate, target) for subject, predicate, target, _ in self.lasting(group)}

    def lasting(self, group: str = "g") -> set[tuple[str, str, str, bool]]:
        """The current facts, in names, and whether they go on."""
        names = {one.entity_id: one.name for one in self.graph.all_entities(group)}
        return {
            (names[one.subject], one.predicate, names.get(one.object, one.object), one.invalid_at is None)
            for one in self.graph.all_facts(group)
        }

    def live(self, group: str = "g") -> list[Episode]:
        """The episodes that are told and not retracted, in their latest revisions."""
        latest = (self.installation.record.latest(*key) for key in self.told if key[0] == group)
        return [episode for episode in latest if episode is not None]

    def mentions(self, group: str = "g") -> list[Mention]:
        """All mentions of the live episodes, by id."""
        said = extracted(self.live(group), self.extractor)
        return sorted((one for each in said for one in each.mentions), key=lambda one: one.mention_id)

    def mention(self, name: str, episode_id: str, group: str = "g") -> Mention:
        """The mention of a name in a live episode."""
        here = [one for one in self.mentions(group) if one.episode_id == episode_id]
        return next(one for one in here if one.name == name)

    # --- what must be there ---

    def expected(self, group: str) -> Belief:
        text = self.installation.ontology
        ontology = load_ontology(text) if text else Ontology()
        said = extracted(self.live(group), self.extractor)
        return believed(said, self.verdicts.get(group, ()), ontology, self.rejected.get(group, ()))

    def check(self) -> None:
        """That every group believes now what its episodes say, and has believed what its placements say."""
        for group in self.groups():
            self.check_present(group)
            self.check_history(group)

    def check_present(self, group: str = "g") -> None:
        """That the present is what resolving and folding everything from scratch gives."""
        assert not self.installation.record.pending(group, limit=1)
        expected = self.expected(group)
        assert tuple(self.graph.all_entities(group)) == expected.entities
        live = [one for one in self.graph.all_placements(group) if one.retracted_at is None]
        assert tuple(replace(one, recorded_at=SOMETIME) for one in live) == expected.placements
        assert tuple(self.graph.all_facts(group)) == expected.facts

    def check_history(self, group: str = "g") -> None:
        """That the versions are those of all placements, recorded and retracted at instants of commits."""
        told = self._told(group)
        assert tuple(self.graph.all_versions(group)) == bitemporal.versions(told, self.stream(group))
        instants = self.instants(group)
        assert instants == sorted(set(instants))
        recorded = {one.recorded_at for one in told}
        assert recorded | {one.retracted_at for one in told} - {None} <= set(instants)

    def check_as_of(self, group: str, valid: Iterable[datetime]) -> None:
        """That reads through the store, at each commit and each of these valid times, are the fold's."""
        told, stream = self._told(group), self.stream(group)
        ends = tuple({end for one in told for end in (one.subject, one.object)})
        for system in self.instants(group):
            belief = bitemporal.believe(told, stream, system)
            for then in valid:
                scope = Scope(groups=(group,), moment=Moment(valid=then, system=system))
                edges = self.graph.edges_about(ends, scope, limit=10_000)
                versions = self.graph.versions([one.handle for one in edges]).values()
                found = {_unproven(one.version.fact) for one in versions}
                assert found == {_unproven(one) for one in bitemporal.as_of(belief, then)}

    def check_log(self) -> None:
        """That the log alone gives the same graph, with the same history."""
        for group in self.groups():
            before = self.canonical(group, history=True)
            with MemoryGraph() as scratch:
                assert parity(self.installation, group, scratch).difference == ""
            rebuild(self.installation, group)
            assert self.canonical(group, history=True) == before
        assert not any(one.commits for one in self.work().committed)

    def instants(self, group: str = "g") -> list[datetime]:
        """When the group's commits were made."""
        return [commit.instant for commit in self.installation.record.commits(group)]

    def stream(self, group: str) -> OntologyStream:
        """The ontologies that the group's commits went by, from their instants on."""
        record = self.installation.record
        made = {one.seq: one.instant for one in record.commits(group)}
        decided = record.committed_decisions(group, (DecisionKind.ONTOLOGY,))
        texts = {made[seq]: str(one.payload["yaml"]) for seq, one in decided}
        later = ((since, load_ontology(text) if text else Ontology()) for since, text in texts.items())
        return OntologyStream(first=Ontology(), later=tuple(later))

    def _told(self, group: str) -> list[Placement]:
        """All placements that the fold is told of: none whose ends are one entity."""
        return [one for one in self.graph.all_placements(group) if one.subject != one.object]


def _rejected(decision: Decision) -> set[Rejected]:
    items = decision.target["items"]
    assert isinstance(items, list)
    fields = ("episode_id", "subject", "predicate", "object", "kind", "times")
    return {
        tuple(str(item.get(field, "")) for field in fields) for item in items if isinstance(item, Mapping)
    }


def _unproven(fact: Fact) -> Fact:
    return replace(fact, evidence=())
