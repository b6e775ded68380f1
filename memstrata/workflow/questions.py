"""What rules leave open in a group as it stands, as questions with their evidence; nothing is written here.

A question is known by whom or what it is about and by what is shown: only when that changes it is another.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.ids import digest
from memstrata.model import ObjectKind
from memstrata.search.wording import date_of, one_line
from memstrata.workflow.doubts import suspects
from memstrata.workflow.rules import rules_in_force

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memstrata.model import Entity, Fact
    from memstrata.ontology import Ontology
    from memstrata.ports import Installation

#: Facts that are shown of each side of a question.
_SHOWN: Final = 8
_TEXT: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Whether two entities are one."""

    left: Entity
    right: Entity
    evidence: tuple[str, ...]
    text: str

    @property
    def about(self) -> tuple[str, ...]:
        """What it is about, whatever is shown."""
        return ("names", self.left.entity_id, self.right.entity_id)

    @property
    def key(self) -> str:
        """What it is about and what is shown, as a digest."""
        return digest([self.about, self.text])


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Whether current facts of one undeclared relation exclude each other; `facts` are in their order."""

    subject: Entity
    predicate: str
    facts: tuple[Fact, ...]
    text: str

    @property
    def about(self) -> tuple[str, ...]:
        """What it is about, whatever is shown."""
        return ("exclusion", self.subject.entity_id, self.predicate)

    @property
    def evidence(self) -> tuple[str, ...]:
        """The facts that are shown."""
        return tuple(fact.id for fact in self.facts)

    @property
    def key(self) -> str:
        """What it is about and what is shown, as a digest."""
        return digest([self.about, self.text])


Question = Names | Exclusion


def questions_of(installation: Installation, group_id: str) -> Iterator[Question]:
    """The group's open questions: who may be one, by ids; then which facts may exclude each other."""
    ontology = rules_in_force(installation, group_id).after
    facts = list(installation.graph.all_facts(group_id))
    entities = {one.entity_id: one for one in installation.graph.all_entities(group_id)}
    of = defaultdict[str, list["Fact"]](list)
    for fact in facts:
        of[fact.subject].append(fact)
        if fact.object_kind is ObjectKind.ENTITY:
            of[fact.object].append(fact)
    for pair in suspects(installation, group_id, list(entities)):
        shown = [fact for one in (pair.left, pair.right) for fact in of[one.entity_id][:_SHOWN]]
        yield Names(
            left=pair.left,
            right=pair.right,
            evidence=tuple(dict.fromkeys(fact.id for fact in shown)),
            text=f"Are they one?\n{_side(pair.left, of)}\n{_side(pair.right, of)}",
        )
    yield from _exclusions(facts, entities, ontology)


def _exclusions(
    facts: Sequence[Fact], entities: Mapping[str, Entity], ontology: Ontology
) -> Iterator[Exclusion]:
    rivals = defaultdict[tuple[str, str], list["Fact"]](list)
    for fact in facts:
        if fact.invalid_at is None and ontology.relation(fact.predicate) is None:
            rivals[fact.subject, fact.predicate].append(fact)
    for (subject, predicate), several in sorted(rivals.items()):
        named = entities.get(subject)
        if named is None or not 1 < len({fact.object for fact in several}) <= _SHOWN:
            continue
        held = tuple(sorted(several, key=lambda fact: fact.id))
        lines = "\n".join(f"- {_line(fact)}" for fact in held)
        yield Exclusion(
            subject=named,
            predicate=predicate,
            facts=held,
            text=f"Do they exclude each other? {one_line(named.name)} {predicate}:\n{lines}",
        )


def _side(entity: Entity, of: Mapping[str, Sequence[Fact]]) -> str:
    named = one_line(entity.name)[:_TEXT]
    aliases = ", ".join(one_line(alias) for alias in entity.aliases)[:_TEXT]
    head = f"{named} ({entity.type or 'of unknown type'}{f'; also {aliases}' if aliases else ''})"
    return "\n".join([head, *(f"- {_line(fact)}" for fact in of.get(entity.entity_id, ())[:_SHOWN])])


def _line(fact: Fact) -> str:
    since = ""
    if fact.valid_at is not None and fact.valid_at_precision is not None:
        since = f" (since {date_of(fact.valid_at, fact.valid_at_precision)})"
    return f"{one_line(fact.fact)[:_TEXT]}{since}"
