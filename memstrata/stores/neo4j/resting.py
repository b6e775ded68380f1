"""What the facts of a commit rest on, before and after it, and which facts each episode is told of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memstrata.errors import Damaged

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memstrata.ports import Changes
    from memstrata.stores.neo4j.batch import Batch
    from memstrata.stores.neo4j.standing import StandingFact


@dataclass(slots=True, kw_only=True)
class Resting:
    """What a fact rests on, before and after: assertion id -> the episode that says so."""

    before: Mapping[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)

    def properties(self, now: int) -> dict[str, Any]:
        """The lists that a fact holds."""
        evidence = sorted(self.after)
        return {
            "evidence": evidence,
            "evidence_in": [self.after[one] for one in evidence],
            "episodes": self.episodes(self.after),
            "evidence_changed": now,
        }

    @staticmethod
    def episodes(resting: Mapping[str, str]) -> list[str]:
        """The episodes, each once."""
        return sorted({one for one in resting.values() if one})


def resting_of(batch: Batch, changes: Changes) -> Mapping[str, Resting]:
    """What every fact concerned rests on, before and after the changes.

    Raises `Damaged` if they do not fit what stands.
    """
    standing = batch.standing.facts
    _expect_fitting(batch, changes, standing)
    created = {fact.id for fact in changes.facts_created}
    resting: defaultdict[str, Resting] = defaultdict(Resting)
    for name, fact in standing.items():
        had = dict(zip(fact.evidence, fact.evidence_in, strict=True))
        goes = name in changes.facts_expired and name not in created
        resting[name] = Resting(before=had, after={} if goes else dict(had))
    removed = [(name, one) for name, one in changes.evidence_removed if one in resting[name].before]
    batch.expect_all(len(removed), changes.evidence_removed, "pieces of evidence")
    for name, one in removed:
        resting[name].after.pop(one, None)
    where = _episodes_of(batch, changes)
    for name, one in changes.evidence_added:
        if one in resting[name].after:
            raise Damaged(f"evidence {one!r} of fact {name!r} stands already; nothing was applied")
        if name not in standing and name not in created:
            raise Damaged(
                f"evidence {one!r} is of fact {name!r}, which does not stand; nothing was applied"
            )
        resting[name].after[one] = where.get(one, "")
    for name in created:
        resting[name]  # a fact may begin with no evidence
    return resting


def _episodes_of(batch: Batch, changes: Changes) -> Mapping[str, str]:
    """In which episodes the assertions stand that become evidence."""
    where = {one.id: one.episode_id for one in changes.placements_recorded}
    return {**batch.standing.said, **where}


def _expect_fitting(batch: Batch, changes: Changes, standing: Mapping[str, StandingFact]) -> None:
    expired = changes.facts_expired
    batch.expect_all(sum(name in standing for name in set(expired)), expired, "facts")
    for fact in changes.facts_created:
        if fact.id in standing and fact.id not in expired:
            raise Damaged(f"fact {fact.id!r} stands already; nothing was applied: rebuild the graph")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citing:
    """By episode: the facts that begin to rest on it, and those that cease to."""

    new: Mapping[str, Sequence[str]]
    gone: Mapping[str, Sequence[str]]

    def by(self, episode: str, before: Sequence[str]) -> list[str]:
        """The facts that rest on an episode on which those rested before."""
        gone = self.gone.get(episode, ())
        return [one for one in before if one not in gone] + list(self.new.get(episode, ()))


def citing_of(resting: Mapping[str, Resting]) -> Citing:
    """What the episodes are to be told."""
    new: defaultdict[str, list[str]] = defaultdict(list)
    gone: defaultdict[str, list[str]] = defaultdict(list)
    for name, one in sorted(resting.items()):
        had, has = set(one.episodes(one.before)), set(one.episodes(one.after))
        for episode in has - had:
            new[episode].append(name)
        for episode in had - has:
            gone[episode].append(name)
    return Citing(new=new, gone=gone)


def cite(batch: Batch, citing: Citing, told: Collection[str]) -> None:
    """Tells the episodes which facts rest on them; `told` are those that know."""
    rows = [
        {
            "episode": episode,
            "new": list(citing.new.get(episode, ())),
            "gone": list(citing.gone.get(episode, ())),
        }
        for episode in sorted((citing.new.keys() | citing.gone.keys()) - set(told))
    ]
    batch.each("cite_facts", rows)
