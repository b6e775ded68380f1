"""What changed placements mean for the facts of the keys that they touch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata import bitemporal
from memstrata.model import ObjectKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.model import Fact, Placement
    from memstrata.ontology import Ontology


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanges:
    """New versions, ids whose current version ends (a changed fact stands in both), and evidence.

    Evidence is (fact id, assertion id). `violations` are broken invariants of the new belief, each a
    sentence; while there is one, nothing of this may be applied.
    """

    created: tuple[Fact, ...] = ()
    expired: tuple[str, ...] = ()
    evidence_added: tuple[tuple[str, str], ...] = ()
    evidence_removed: tuple[tuple[str, str], ...] = ()
    violations: tuple[str, ...] = ()


def project(live: Iterable[Placement], stored: Iterable[Fact], ontology: Ontology) -> FactChanges:
    """Folds what is `live` on some keys and compares it with the `stored` facts of the same keys.

    Both must be complete for those keys: a stored fact that the fold does not give expires.
    """
    placements = tuple(live)
    before = tuple(stored)
    desired = _with_object_kinds(bitemporal.fold(placements, ontology), placements, ontology)
    difference = bitemporal.diff(before, desired)
    had, has = _evidence(before), _evidence(desired)
    return FactChanges(
        created=(*difference.appeared, *(new for _, new in difference.changed)),
        expired=tuple(fact.id for fact in (*difference.gone, *(old for old, _ in difference.changed))),
        evidence_added=tuple(sorted(has - had)),
        evidence_removed=tuple(sorted(had - has)),
        violations=bitemporal.violations(desired, placements, ontology),
    )


def _with_object_kinds(
    facts: tuple[Fact, ...], placements: tuple[Placement, ...], ontology: Ontology
) -> tuple[Fact, ...]:
    """The fold knows no literals; which objects are literals is taken from the placements."""
    literals = {
        (key.subject, key.predicate, key.object)
        for key in (
            bitemporal.placed(placement, ontology)
            for placement in placements
            if placement.object_kind is ObjectKind.LITERAL
        )
    }
    if not literals:
        return facts
    return tuple(
        replace(fact, object_kind=ObjectKind.LITERAL)
        if (fact.subject, fact.predicate, fact.object) in literals
        else fact
        for fact in facts
    )


def _evidence(facts: Iterable[Fact]) -> set[tuple[str, str]]:
    return {(fact.id, assertion) for fact in facts for assertion in fact.evidence}
