"""The third part of a commit in the graph: placements, versions of facts, and what they rest on."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memstrata.model import ObjectKind
from memstrata.stores.neo4j.lucene import indexed
from memstrata.stores.neo4j.rows import fact_properties, placement_properties
from memstrata.stores.searched import words_of_fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memstrata.model import Fact
    from memstrata.ports import Changes
    from memstrata.stores.neo4j.batch import Batch
    from memstrata.stores.neo4j.resting import Resting
    from memstrata.stores.neo4j.standing import StandingFact

_LITERAL = ObjectKind.LITERAL


def retract_placements(batch: Batch, changes: Changes) -> None:
    """Retracts placements; a moved assertion is recorded again by `finish`."""
    retracted = changes.placements_retracted
    found = batch.each("retract_placements", retracted, called="ids")
    batch.expect_all(sum(record["retracted"] for record in found), retracted, "placements")


def finish(batch: Batch, changes: Changes, write: str) -> None:
    """Records placements, and moves the group on: the last statement of a commit."""
    placements = [placement_properties(one) for one in changes.placements_recorded]
    batch.run("finish", placements=placements, seq=batch.seq, write=write)


def apply_facts(batch: Batch, changes: Changes, resting: Mapping[str, Resting]) -> None:
    """Ends versions and evidence, then adds the new ones; a fact that is gone keeps no evidence."""
    expired, created = changes.facts_expired, {fact.id: fact for fact in changes.facts_created}
    evidence = {name for name, _ in (*changes.evidence_added, *changes.evidence_removed)}
    standing = batch.standing.facts
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
    plain, literal = rows.pop("plain", []), rows.pop("literal", [])
    if plain or literal:
        batch.run("add_facts", plain=plain, literal=literal)
    for name in sorted(rows):
        batch.each(name, rows[name])
    _keep_vectors(batch, before, created)
    kept = [name for name in sorted(evidence) if name not in created and name not in expired]
    batch.each(
        "change_evidence",
        [{"id": name, "properties": resting[name].properties(batch.now)} for name in kept],
    )


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
        return "literal"
    return "add_unnamed_facts" if {fact.subject, fact.object} & set(unnamed) else "plain"


def _row(batch: Batch, fact: Fact, before: StandingFact | None) -> dict[str, Any]:
    handle = batch.handle()
    row = fact_properties(fact, batch.now) | {"handle": handle}
    if before is not None and before.text == fact.fact:
        return row | {"passage": before.passage, "awaits": before.awaits}
    return row | {"passage": handle, "awaits": batch.now}
