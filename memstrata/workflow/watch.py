"""What the checks look at: gathers from log and graph what the pure statistics of `drift` need.

Each function answers with one `Finding` a group (and one over all where that makes sense), and writes
nothing, except that `parity_findings` holds a group whose graph is not what its log says, and releases
it once it is again.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from memstrata import bitemporal, resolution
from memstrata.drift import Finding
from memstrata.drift.distributions import BASELINE_DAYS
from memstrata.drift.labels import WINDOWS, new_label_findings, shift_findings
from memstrata.drift.orphans import orphan_finding
from memstrata.drift.staleness import Expectations, silence_limits, stale_facts, staleness_finding
from memstrata.ids import digest
from memstrata.ontology import Cardinality
from memstrata.workflow.holds import hold, release, standing_hold
from memstrata.workflow.rebuild import parity
from memstrata.workflow.rules import rules_in_force

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import date, datetime

    from memstrata.drift.distributions import Days
    from memstrata.model import Commit, Fact, Placement
    from memstrata.ports import GraphStore, Installation
    from memstrata.workflow.rebuild import Parity

#: Who holds a group whose graph is not what its log says.
PARITY: Final = "parity"
UNTYPED: Final = "(no type)"
_MOST_AWAITING: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What has been accepted and not worked in yet.

    `days` are the days of acceptance that have work after compaction, `spooled` says that there is
    something to compact (of a day still unknown). Equal `state` means that nothing has moved since.
    """

    days: tuple[date, ...]
    spooled: bool
    state: str

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return self.spooled or bool(self.days)


def waiting(installation: Installation) -> Waiting:
    """What waits now: in the spool, for extraction, or for a commit; a held group waits for a person."""
    record = installation.record
    spooled = record.spooled()
    awaiting = record.awaiting(limit=_MOST_AWAITING)
    days = {episode.ingested_at.date() for episode in awaiting}
    seen = [f"{episode.group_id}/{episode.episode_id}/{episode.revision}" for episode in awaiting]
    for group_id in record.groups_with_work():
        if standing_hold(record, group_id) is None:
            pending = record.pending(group_id, limit=_MOST_AWAITING)
            days |= {episode.ingested_at.date() for episode, _ in pending.episodes}
            days |= {decision.at.date() for decision in pending.decisions}
            seen += [
                f"{group_id}/{one.episode_id}/{taken.context_hash}/{taken.version}"
                for one, taken in pending.episodes
            ]
            seen += [decision.decision_id for decision in pending.decisions]
    return Waiting(
        days=tuple(sorted(days)), spooled=bool(spooled), state=digest([sorted(spooled.items()), seen])
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedOn:
    """How much of what was accepted on a day a commit took in."""

    group_id: str
    seq: int
    day: date
    episodes: int
    decisions: int


def commits_by_day(installation: Installation, commit: Commit) -> tuple[CommittedOn, ...]:
    """What a commit took in, by day of acceptance; in the order of the days."""
    record, group = installation.record, commit.group_id
    wanted = [(one.episode_id, one.revision) for one in commit.episodes]
    episodes = Counter(one.ingested_at.date() for one in record.episodes(group, wanted))
    decisions = Counter(one.at.date() for one in record.decisions(group, commit.decisions))
    return tuple(
        CommittedOn(
            group_id=group, seq=commit.seq, day=day, episodes=episodes[day], decisions=decisions[day]
        )
        for day in sorted(episodes.keys() | decisions.keys())
    )


def invariant_findings(installation: Installation) -> tuple[Finding, ...]:
    """Whether the whole present belief keeps the invariants that every commit checks of what it touches."""
    return tuple(_invariants(installation, group_id) for group_id in installation.record.groups())


def _invariants(installation: Installation, group_id: str) -> Finding:
    broken = bitemporal.violations(
        installation.graph.all_facts(group_id),
        _live(installation, group_id),
        rules_in_force(installation, group_id).after,
    )
    where = broken[0].partition(" (")[0] if broken else ""  # without what the fact says
    advice = (
        f"{len(broken)} invariants are broken in group {group_id}, the first at {where}. "
        f"Run `memstrata rebuild --group {group_id}`; if it is still broken after that, report it."
    )
    return Finding(
        check="bitemporal_invariants",
        group_id=group_id,
        value=float(len(broken)),
        threshold=0.0,
        passed=not broken,
        sentence=advice if broken else f"Every fact of group {group_id} keeps the invariants.",
    )


def parity_findings(
    installation: Installation, scratch: Callable[[], AbstractContextManager[GraphStore]]
) -> tuple[Finding, ...]:
    """Whether each group's graph is what replaying its log gives; `scratch` opens an empty graph.

    A group where it is not is held: it takes no commits until it agrees again. A hold that somebody
    else has laid on a group is left alone.
    """
    found = []
    for group_id in installation.record.groups():
        with scratch() as graph:
            agreed = parity(installation, group_id, graph)
        other_rules = not agreed.equal and _has_other_rules(installation, group_id)
        finding = _parity_finding(group_id, agreed, other_rules=other_rules)
        _hold_or_release(installation, finding, other_rules=other_rules)
        found.append(finding)
    return tuple(found)


def _has_other_rules(installation: Installation, group_id: str) -> bool:
    """Whether other resolution rules made some of the commits: then replaying them may differ rightly."""
    ours = resolution.resolver_version()
    return any(commit.resolver_version != ours for commit in installation.record.commits(group_id))


def _hold_or_release(installation: Installation, finding: Finding, *, other_rules: bool) -> None:
    group_id = finding.group_id
    if finding.passed:
        held = standing_hold(installation.record, group_id)
        if held is not None and held.who == PARITY:
            release(installation, group_id, who=PARITY, reason="log and graph agree again")
    elif not other_rules:
        hold(installation, group_id, who=PARITY, reason="its graph is not what its log says")


def _parity_finding(group_id: str, agreed: Parity, *, other_rules: bool) -> Finding:
    same = f"The graph of group {group_id} is what its log says ({agreed.lines} lines compared)."
    cause = (
        "Some of its commits were made by other resolution rules than today's; that is no damage, and "
        "the group goes on."
        if other_rules
        else "The group takes no commits until that is mended; what is accepted waits."
    )
    differs = (
        f"The graph of group {group_id} is not what its log says: {_where(agreed)}. {cause} Run "
        f"`memstrata rebuild --group {group_id}`, then this check again."
    )
    return Finding(
        check="log_store_parity",
        group_id=group_id,
        value=0.0 if agreed.equal else 1.0,
        threshold=0.0,
        passed=agreed.equal,
        sentence=same if agreed.equal else differs,
        details={"lines": float(agreed.lines)},
    )


def _where(agreed: Parity) -> str:
    """The first difference without what it says: content stays in the memory."""
    said, brace, line = agreed.difference.partition("{")
    if not brace:
        return agreed.difference
    record = json.loads(brace + line)
    return f"{said}{record['record']} {record['id']}"


def orphan_findings(installation: Installation) -> tuple[Finding, ...]:
    """Whether too many entities of a group stand in no fact."""
    graph = installation.graph
    return tuple(
        orphan_finding(group_id, graph.all_entities(group_id), graph.all_facts(group_id))
        for group_id in installation.record.groups()
    )


def stale_findings(installation: Installation) -> tuple[Finding, ...]:
    """Whether too many facts of a group are believed though nothing has confirmed them for too long."""
    at = installation.clock.now()
    return tuple(_staleness(installation, group_id, at) for group_id in installation.record.groups())


def _staleness(installation: Installation, group_id: str, at: datetime) -> Finding:
    facts = tuple(installation.graph.all_facts(group_id))
    told = {one.id: one.reference_time for one in _live(installation, group_id)}
    seen = {fact.id: sorted(told[one] for one in fact.evidence if one in told) for fact in facts}
    ontology = rules_in_force(installation, group_id).after
    expected = Expectations(
        lifetimes={
            relation.name: relation.lifetime.after(at) - at
            for relation in ontology.relations
            if relation.lifetime is not None
        },
        silences=silence_limits(_gaps(facts, seen)),
        single={
            one for one in {f.predicate for f in facts} if ontology.cardinality(one) is Cardinality.ONE
        },
    )
    confirmed = {fact_id: times[-1] for fact_id, times in seen.items() if times}
    return staleness_finding(
        group_id, facts, stale_facts(facts, confirmed=confirmed, expected=expected, at=at)
    )


def _gaps(facts: Iterable[Fact], seen: Mapping[str, Sequence[datetime]]) -> dict[str, list[timedelta]]:
    """How long each relation's facts went from one confirmation to the next."""
    gaps: defaultdict[str, list[timedelta]] = defaultdict(list)
    for fact in facts:
        gaps[fact.predicate] += [later - earlier for earlier, later in pairwise(seen[fact.id])]
    return gaps


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What the assertions of each day were about, by group: entity types and relations, counted."""

    types: Mapping[str, Days]
    relations: Mapping[str, Days]


def labels_until(installation: Installation, day: date) -> Labels:
    """The labels of the days that judging `day` takes: those of its windows and of the baseline before.

    A day is one of acceptance, as everywhere; an assertion counts for its relation, and for the types
    of the entities at its ends as they are known now.
    """
    accepted = dict(_accepted(installation, day))
    types: dict[str, dict[date, dict[str, int]]] = {}
    relations: dict[str, dict[date, dict[str, int]]] = {}
    for group_id in installation.record.groups():
        type_of = {one.entity_id: one.type or UNTYPED for one in installation.graph.all_entities(group_id)}
        types[group_id], relations[group_id] = {}, {}
        for placement in _live(installation, group_id):
            on = accepted.get((group_id, placement.episode_id))
            if on is not None:
                _count(relations[group_id], on, [placement.predicate])
                ends = (type_of.get(end) for end in (placement.subject, placement.object))
                _count(types[group_id], on, [label for label in ends if label is not None])
    return Labels(types=types, relations=relations)


def label_findings(installation: Installation, day: date) -> tuple[tuple[Finding, ...], ...]:
    """Four kinds of findings on `day`: types shifted, relations shifted, new types, new relations."""
    labels = labels_until(installation, day)
    return (
        shift_findings(labels.types, day, what="label"),
        shift_findings(labels.relations, day, what="relation"),
        new_label_findings(labels.types, day, what="label"),
        new_label_findings(labels.relations, day, what="relation"),
    )


def _accepted(installation: Installation, day: date) -> Iterator[tuple[tuple[str, str], date]]:
    """The day of each episode's latest acceptance within what judging `day` looks back on."""
    for back in range(BASELINE_DAYS + max(WINDOWS) - 1, -1, -1):
        on = day - timedelta(days=back)
        for episode in installation.record.accepted_on(on):
            yield (episode.group_id, episode.episode_id), on


def _count(days: dict[date, dict[str, int]], day: date, labels: Iterable[str]) -> None:
    counts = days.setdefault(day, {})
    for label in labels:
        counts[label] = counts.get(label, 0) + 1


def _live(installation: Installation, group_id: str) -> Iterator[Placement]:
    """The live placements that say something: not those whose two ends have become one entity."""
    return (
        one
        for one in installation.graph.all_placements(group_id)
        if one.retracted_at is None and one.subject != one.object
    )
