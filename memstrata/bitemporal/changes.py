"""What changes from one set of facts to another, and which keys a change of placements touches (R15)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING

from memstrata.bitemporal.facts import key_of
from memstrata.model import Fact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.bitemporal.facts import Key
    from memstrata.model import Placement
    from memstrata.ontology import Ontology

_all_but_evidence = attrgetter(*(one.name for one in fields(Fact) if one.name != "evidence"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """From old facts to new ones, by id, each in the order of the facts given.

    `changed` and `confirmed` pair the old with the new; of `confirmed` only the evidence differs, so
    that it makes no version.
    """

    appeared: tuple[Fact, ...] = ()
    changed: tuple[tuple[Fact, Fact], ...] = ()
    gone: tuple[Fact, ...] = ()
    confirmed: tuple[tuple[Fact, Fact], ...] = ()


def same_version(one: Fact, other: Fact) -> bool:
    """Whether two facts are equal in every field but `evidence`."""
    return bool(_all_but_evidence(one) == _all_but_evidence(other))


def diff(old: Iterable[Fact], new: Iterable[Fact]) -> Difference:
    """What appeared, changed, went or was merely confirmed; ids are unique on either side."""
    before = {fact.id: fact for fact in old}
    appeared: list[Fact] = []
    changed: list[tuple[Fact, Fact]] = []
    confirmed: list[tuple[Fact, Fact]] = []
    for fact in new:
        known = before.pop(fact.id, None)
        if known is None:
            appeared.append(fact)
        elif not same_version(known, fact):
            changed.append((known, fact))
        elif known.evidence != fact.evidence:
            confirmed.append((known, fact))
    return Difference(
        appeared=tuple(appeared),
        changed=tuple(changed),
        gone=tuple(before.values()),
        confirmed=tuple(confirmed),
    )


def touched_keys(
    before: Iterable[Placement], after: Iterable[Placement], old: Ontology, new: Ontology
) -> frozenset[Key]:
    """The keys whose facts may differ between two sets of live placements under their ontologies.

    Folding exactly these again, and keeping the facts of all others, equals folding everything.
    """
    gone = {placement.id: placement for placement in before}
    touched: set[Key] = set()
    for placement in after:
        known = gone.get(placement.id)
        if known is not placement and known != placement:
            touched.add(key_of(placement, new))
        elif known is not None:
            del gone[placement.id]
            if redeclared(placement.predicate, old, new):
                touched.update((key_of(placement, old), key_of(placement, new)))
    touched.update(key_of(placement, old) for placement in gone.values())
    return frozenset(touched)


def redeclared(predicate: str, old: Ontology, new: Ontology) -> bool:
    """Whether cardinality or symmetry of a predicate differ between two ontologies."""
    return old is not new and (
        old.cardinality(predicate) is not new.cardinality(predicate)
        or old.symmetric(predicate) is not new.symmetric(predicate)
    )
