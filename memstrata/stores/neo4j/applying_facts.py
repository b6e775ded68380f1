"""The third part of a commit in the graph: placements, versions of facts, and what they rest on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memstrata.errors import Damaged
from memstrata.model import ObjectKind
from memstrata.stores.neo4j.lucene import indexed
from memstrata.stores.neo4j.rows import fact_properties, placement_properties
from memstrata.stores.searched import words_of_fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memstrata.model import Fact
    from memstrata.ports import Changes
    from memstrata.stores.neo4j.batch import Batch
    from memstrata.stores.neo4j.standing import StandingFact

_LITERAL = ObjectKind.LITERAL


def apply_placements(batch: Batch, changes: Changes) -> None:
    """Retracts placements, then records the new ones (a moved assertion is in both)."""
    retracted = changes.placements_retracted
    found = batch.each("retract_placements", retracted, called="ids")
    batch.expect_all(sum(record["retracted"] for record in found), retracted, "placements")
    batch.each("add_placements", [placement_properties(one) for one in changes.placements_recorded])


@dataclass(slots=True, kw_only=True)
class _Resting:
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


def apply_facts(batch: Batch, changes: Changes) -> None:
    """Ends versions and evidence, then adds the new ones; a fact that is gone keeps no evidence."""
    expired, created = changes.facts_expired, {fact.id: fact for fact in changes.facts_created}
    evidence = {name for name, _ in (*changes.evidence_added, *changes.evidence_removed)}
    standing = batch.standing.facts
    _expect_fitting(batch, changes, standing)
    resting = _resting(batch, changes, standing)
    ended = list(dict.fromkeys(expired))
    batch.each("end_facts", [one for one in ended if not standing[one].beside], called="ids")
    batch.each("end_contested_facts", [one for one in ended if standing[one].beside], called="ids")
    before = {name: standing[name] for name in expired if name in created}
    names = {id_: entity.name for id_, entity in batch.standing.entities.items()}
    names |= {entity.entity_id: entity.name for entity in changes.entities}
    lacking = _lacking(created.values(), names)
    batch.each("add_unnamed", sorted(lacking), called="ids")
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for fact in created.values():
        row = _row(batch, fact, before.get(fact.id)) | resting[fact.id].properties(batch.now)
        row["words"] = indexed(batch.group_id, words_of_fact(fact, names))
        rows[_statement(fact, lacking)].append(row)
    for name in sorted(rows):
        batch.each(name, rows[name])
    _keep_vectors(batch, before, created)
    kept = [name for name in sorted(evidence) if name not in created and name not in expired]
    batch.each(
        "change_evidence",
        [{"id": name, "properties": resting[name].properties(batch.now)} for name in kept],
    )
    _cite(batch, resting)


def _expect_fitting(batch: Batch, changes: Changes, standing: Mapping[str, StandingFact]) -> None:
    expired = changes.facts_expired
    batch.expect_all(sum(name in standing for name in set(expired)), expired, "facts")
    for fact in changes.facts_created:
        if fact.id in standing and fact.id not in expired:
            raise Damaged(f"fact {fact.id!r} stands already; nothing was applied: rebuild the graph")


def _resting(
    batch: Batch, changes: Changes, standing: Mapping[str, StandingFact]
) -> Mapping[str, _Resting]:
    """What every fact concerned rests on, before and after the changes."""
    created = {fact.id for fact in changes.facts_created}
    resting: defaultdict[str, _Resting] = defaultdict(_Resting)
    for name, fact in standing.items():
        had = dict(zip(fact.evidence, fact.evidence_in, strict=True))
        goes = name in changes.facts_expired and name not in created
        resting[name] = _Resting(before=had, after={} if goes else dict(had))
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


def _lacking(facts: Iterable[Fact], names: Mapping[str, str]) -> set[str]:
    """The ends of relationships for which no entity stands."""
    plain = [fact for fact in facts if not fact.contested]
    ends = {fact.subject for fact in plain}
    ends |= {fact.object for fact in plain if fact.object_kind is not _LITERAL}
    return ends - names.keys()


def _keep_vectors(batch: Batch, before: Mapping[str, StandingFact], created: Mapping[str, Fact]) -> None:
    """Hands the vector of a version on to the next, if that reads alike."""
    keeping = [
        {"id": name, "before": one.handle}
        for name, one in sorted(before.items())
        if one.awaits is None and created[name].fact == one.text
    ]
    batch.each("keep_vectors", keeping)


def _statement(fact: Fact, unnamed: Iterable[str]) -> str:
    if fact.contested:
        return "add_contested_facts"
    if fact.object_kind is _LITERAL:
        return "add_literal_facts"
    return "add_unnamed_facts" if {fact.subject, fact.object} & set(unnamed) else "add_facts"


def _row(batch: Batch, fact: Fact, before: StandingFact | None) -> dict[str, Any]:
    handle = batch.handle()
    row = fact_properties(fact, batch.instant, batch.now) | {"handle": handle}
    if before is not None and before.text == fact.fact:
        return row | {"passage": before.passage, "awaits": before.awaits}
    return row | {"passage": handle, "awaits": batch.now}


def _cite(batch: Batch, resting: Mapping[str, _Resting]) -> None:
    """Tells the episodes which facts rest on them."""
    new: defaultdict[str, list[str]] = defaultdict(list)
    gone: defaultdict[str, list[str]] = defaultdict(list)
    for name, one in sorted(resting.items()):
        had, has = set(one.episodes(one.before)), set(one.episodes(one.after))
        for episode in has - had:
            new[episode].append(name)
        for episode in had - has:
            gone[episode].append(name)
    rows = [
        {"episode": episode, "new": new.get(episode, []), "gone": gone.get(episode, [])}
        for episode in sorted(new.keys() | gone.keys())
    ]
    batch.each("cite_facts", rows)
