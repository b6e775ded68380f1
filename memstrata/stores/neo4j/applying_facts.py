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
    from collections.abc import Iterable, Mapping, Sequence

    import neo4j

    from memstrata.model import Fact
    from memstrata.ports import Changes
    from memstrata.stores.neo4j.batch import Batch

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
    concerned = sorted({*expired, *created, *evidence})
    found = batch.each("standing_facts", concerned, called="ids")
    standing = {record["id"]: record for record in found}
    _expect_fitting(batch, changes, standing)
    resting = _resting(batch, changes, standing)
    ended = [standing[name] for name in dict.fromkeys(expired)]
    batch.each("end_facts", [one["id"] for one in ended if not one["beside"]], called="ids")
    batch.each("end_contested_facts", [one["id"] for one in ended if one["beside"]], called="ids")
    before = {name: standing[name] for name in expired if name in created}
    _add_facts(batch, list(created.values()), before, resting)
    kept = [name for name in sorted(evidence) if name not in created and name not in expired]
    batch.each(
        "change_evidence",
        [{"id": name, "properties": resting[name].properties(batch.now)} for name in kept],
    )
    _cite(batch, resting)


def _expect_fitting(batch: Batch, changes: Changes, standing: Mapping[str, neo4j.Record]) -> None:
    expired = changes.facts_expired
    batch.expect_all(sum(name in standing for name in set(expired)), expired, "facts")
    for fact in changes.facts_created:
        if fact.id in standing and fact.id not in expired:
            raise Damaged(f"fact {fact.id!r} stands already; nothing was applied: rebuild the graph")


def _resting(
    batch: Batch, changes: Changes, standing: Mapping[str, neo4j.Record]
) -> Mapping[str, _Resting]:
    """What every fact concerned rests on, before and after the changes."""
    created = {fact.id for fact in changes.facts_created}
    resting: defaultdict[str, _Resting] = defaultdict(_Resting)
    for name, record in standing.items():
        had = dict(zip(record["evidence"], record["evidence_in"], strict=True))
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
    lacking = sorted({one for _, one in changes.evidence_added} - where.keys())
    found = batch.each("find_episodes_of", lacking, called="ids")
    return where | {record["id"]: record["episode"] for record in found}


def _add_facts(
    batch: Batch,
    facts: Sequence[Fact],
    before: Mapping[str, neo4j.Record],
    resting: Mapping[str, _Resting],
) -> None:
    ends = {fact.subject for fact in facts}
    ends |= {fact.object for fact in facts if fact.object_kind is not _LITERAL}
    names = {record["id"]: record["name"] for record in batch.each("find_ends", sorted(ends), called="ids")}
    plain = [fact for fact in facts if not fact.contested]
    lacking = {fact.subject for fact in plain}
    lacking |= {fact.object for fact in plain if fact.object_kind is not _LITERAL}
    lacking -= names.keys()
    batch.each("add_unnamed", sorted(lacking), called="ids")
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for fact in facts:
        row = _row(batch, fact, before.get(fact.id)) | resting[fact.id].properties(batch.now)
        row["words"] = indexed(batch.group_id, words_of_fact(fact, names))
        rows[_statement(fact, lacking)].append(row)
    for name in sorted(rows):
        batch.each(name, rows[name])
    keeping = [
        {"id": name, "before": record["handle"]}
        for name, record in sorted(before.items())
        if record["awaits"] is None and any(one.id == name and one.fact == record["text"] for one in facts)
    ]
    batch.each("keep_vectors", keeping)


def _statement(fact: Fact, unnamed: Iterable[str]) -> str:
    if fact.contested:
        return "add_contested_facts"
    if fact.object_kind is _LITERAL:
        return "add_literal_facts"
    return "add_unnamed_facts" if {fact.subject, fact.object} & set(unnamed) else "add_facts"


def _row(batch: Batch, fact: Fact, before: neo4j.Record | None) -> dict[str, Any]:
    handle = batch.handle()
    row = fact_properties(fact, batch.instant, batch.now) | {"handle": handle}
    if before is not None and before["text"] == fact.fact:
        return row | {"passage": before["passage"], "awaits": before["awaits"]}
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
