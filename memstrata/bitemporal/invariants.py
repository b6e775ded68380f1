"""What must hold of every set of facts (docs/fold.md, section 6): checked before a commit writes."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from memstrata.bitemporal.facts import Key, placed
from memstrata.instants import BEGINNING_OF_TIME, END_OF_TIME, format_instant
from memstrata.ontology import Cardinality

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.model import Fact, Placement
    from memstrata.ontology import Ontology


def violations(
    facts: Iterable[Fact], placements: Iterable[Placement], ontology: Ontology
) -> tuple[str, ...]:
    """What is wrong with facts folded from these live placements, a sentence each; empty if nothing is.

    Checked are: unique ids; only contested facts are empty; no two facts of one triple, nor of one key
    of a relation with one value, are true at one instant; every fact has evidence, of its own triple.
    """
    facts = tuple(facts)
    said = {one.id: _triple(one) for one in (placed(given, ontology) for given in placements)}
    counted = Counter(fact.id for fact in facts)
    found = [f"fact {id_} occurs {count} times" for id_, count in counted.items() if count > 1]
    for fact in facts:
        found.extend(_alone(fact, said))
    lines: dict[Key | tuple[str, str, str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        if not fact.contested:
            one = ontology.cardinality(fact.predicate) is Cardinality.ONE
            lines[Key(fact.group_id, fact.subject, fact.predicate) if one else _triple(fact)].append(fact)
    for line in lines.values():
        if len(line) > 1:
            found.extend(_overlaps(line))
    return tuple(found)


def _alone(fact: Fact, said: dict[str, tuple[str, str, str, str]]) -> Iterator[str]:
    """What is wrong with a fact by itself."""
    start, stop = fact.valid_at, fact.invalid_at
    if fact.contested:
        if start is None or start != stop:
            yield f"{_shown(fact)} is contested, but not empty"
    elif start is not None and stop is not None and start >= stop:
        yield f"{_shown(fact)} ends before it begins"
    if not fact.evidence:
        yield f"{_shown(fact)} has no evidence"
    triple = _triple(fact)
    for id_ in fact.evidence:
        if said.get(id_) != triple:
            yield f"{_shown(fact)} rests on assertion {id_!r}, which is not live or says something else"


def _overlaps(line: Sequence[Fact]) -> Iterator[str]:
    ordered = sorted(line, key=lambda fact: fact.valid_at or BEGINNING_OF_TIME)
    last = ordered[0]
    for fact in ordered[1:]:
        if fact.valid_at is None or last.invalid_at is None or fact.valid_at < last.invalid_at:
            yield f"{_shown(fact)} is true while {_shown(last)} is"
        if (fact.invalid_at or END_OF_TIME) > (last.invalid_at or END_OF_TIME):
            last = fact


def _triple(one: Fact | Placement) -> tuple[str, str, str, str]:
    return one.group_id, one.subject, one.predicate, one.object


def _shown(fact: Fact) -> str:
    start = "?" if fact.valid_at is None else format_instant(fact.valid_at)
    stop = "∞" if fact.invalid_at is None else format_instant(fact.invalid_at)
    triple = f"{fact.subject} {fact.predicate} {fact.object}"
    return f"fact {fact.id} ({triple}, {start} .. {stop}, group {fact.group_id})"
