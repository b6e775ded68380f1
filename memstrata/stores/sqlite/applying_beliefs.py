"""The second half of a commit in the graph: placements, versions of facts, and their evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.model import ObjectKind
from memstrata.stores.records import ALWAYS, OPEN, micros, micros_or
from memstrata.stores.searched import words_of_fact
from memstrata.stores.sqlite.rows import stated_fields

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from memstrata.model import Fact, Placement
    from memstrata.ports import Changes
    from memstrata.stores.sqlite.batch import Batch


def apply_placements(batch: Batch, changes: Changes) -> None:
    """Retracts placements, then records the new ones (a moved assertion is in both)."""
    retracted = changes.placements_retracted
    rows = batch.run("retract_placement", ((batch.terms[name], batch.now) for name in retracted))
    batch.expect_all(len(rows), retracted, "placements")
    batch.run("add_placement", (_placement_row(batch, placed) for placed in changes.placements_recorded))


def _placement_row(batch: Batch, placed: Placement) -> tuple[Any, ...]:
    terms = batch.terms
    return (
        batch.group_key,
        terms[placed.id],
        terms[placed.episode_id],
        terms[placed.subject],
        terms[placed.predicate],
        terms[placed.object],
        micros(placed.recorded_at),
        micros_or(placed.retracted_at, OPEN),
        placed.subject_mention,
        placed.object_mention,
        placed.kind.value,
        micros(placed.reference_time),
        *stated_fields(placed.valid_at),
        *stated_fields(placed.invalid_at),
        placed.confidence,
        placed.object_kind.value,
        placed.fact,
        placed.quote,
    )


def apply_facts(batch: Batch, changes: Changes) -> None:
    """Ends versions and evidence, then adds the new ones; a fact that is gone keeps no live evidence."""
    expired = changes.facts_expired
    ended = batch.run("expire_fact", ((batch.terms[name], batch.now) for name in expired))
    batch.expect_all(len(ended), expired, "facts")
    removed = changes.evidence_removed
    found = batch.run(
        "end_evidence", ((batch.terms[one], batch.terms[other], batch.now) for one, other in removed)
    )
    batch.expect_all(len(found), removed, "pieces of evidence")
    _add_facts(batch, changes.facts_created, {row[0]: (row[1], row[2]) for row in ended})
    gone = set(expired) - {fact.id for fact in changes.facts_created}
    batch.run("end_all_evidence", ((batch.terms[name], batch.now) for name in gone))
    batch.run(
        "add_evidence",
        (
            (batch.terms[fact], batch.terms[assertion], batch.now, batch.group_key)
            for fact, assertion in changes.evidence_added
        ),
    )


def _add_facts(batch: Batch, facts: Sequence[Fact], ended: dict[int, tuple[int, str]]) -> None:
    if not facts:
        return
    first = batch.next_row("fact")
    handles = range(first, first + len(facts))
    passages = []
    for fact in facts:
        passage, text = ended.get(batch.terms[fact.id], (None, None))
        passages.append(passage if text == fact.fact else None)
    fresh = iter(
        batch.new_passages("fact", [h for h, p in zip(handles, passages, strict=True) if p is None])
    )
    rows = [
        _fact_row(batch, row, fact, next(fresh) if passage is None else passage)
        for row, passage, fact in zip(handles, passages, facts, strict=True)
    ]
    batch.run("add_fact", rows)
    names = _names(batch, facts)
    texts = (
        (row, batch.indexed(words_of_fact(fact, names))) for row, fact in zip(handles, facts, strict=True)
    )
    batch.run("add_fact_words", texts)


def _fact_row(batch: Batch, row: int, fact: Fact, passage: int) -> tuple[Any, ...]:
    terms = batch.terms
    precisions = (fact.valid_at_precision, fact.invalid_at_precision)
    return (
        row,
        batch.group_key,
        terms[fact.id],
        terms[fact.subject],
        terms[fact.predicate],
        terms[fact.object],
        micros_or(fact.valid_at, ALWAYS),
        micros_or(fact.invalid_at, OPEN),
        batch.now,
        passage,
        fact.contested,
        fact.confidence,
        *(None if precision is None else precision.value for precision in precisions),
        fact.object_kind.value,
        fact.fact,
    )


def _names(batch: Batch, facts: Sequence[Fact]) -> dict[str, str]:
    """The present names of the entities that the facts are about."""
    ids = {fact.subject for fact in facts}
    ids |= {fact.object for fact in facts if fact.object_kind is ObjectKind.ENTITY}
    terms = {batch.terms[one]: one for one in ids}
    return {terms[term]: name for term, name in batch.those("standing_name", terms)}
