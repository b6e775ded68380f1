"""What rules leave open about some entities and keys, as questions with their evidence; nothing is written.

What is shown is bounded, one line a statement, and each line begins with a sign of ours: no text can pass
for another question.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.bitemporal import Key
from memstrata.ids import digest
from memstrata.instants import BEGINNING_OF_TIME, END_OF_TIME
from memstrata.ports import Scope
from memstrata.search.wording import date_of, one_line, shortened

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from memstrata.model import Entity, Fact
    from memstrata.ontology import Ontology
    from memstrata.ports import About, GraphStore, Installation
    from memstrata.workflow.doubts import Suspects

#: Facts that are shown of each side of a question.
SHOWN: Final = 8
_TEXT: Final = 300
_ALWAYS: Final = (BEGINNING_OF_TIME, END_OF_TIME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Whether two entities are one. `known` is how much is known of each, as `_measure` gives it.

    It becomes another question when a name, an alias or a type changes, or twice as much is known of one:
    not with every fact.
    """

    left: Entity
    right: Entity
    facts: tuple[Fact, ...]
    known: tuple[int, int]
    text: str

    @property
    def about(self) -> About:
        """What it is about, whatever is shown."""
        return ("names", self.left.entity_id, self.right.entity_id)

    @property
    def key(self) -> str:
        """What it is about, how the two are called, and how much is known, as a digest."""
        return digest([self.about, _called(self.left), _called(self.right), self.known])


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """Whether current facts of one undeclared relation exclude each other; `facts` are in their order."""

    subject: Entity
    predicate: str
    facts: tuple[Fact, ...]
    text: str

    @property
    def about(self) -> About:
        """What it is about, whatever is shown."""
        return ("exclusion", self.subject.entity_id, self.predicate)

    @property
    def key(self) -> str:
        """What it is about and what is shown, as a digest."""
        return digest([self.about, self.text])


Question = Names | Exclusion


def names_of(graph: GraphStore, group_id: str, pairs: Sequence[Suspects]) -> Iterator[Names]:
    """Whether those pairs are one each, with the latest that is known of them."""
    ends = sorted({one.entity_id for pair in pairs for one in (pair.left, pair.right)})
    facts = _facts_about(graph, group_id, ends)
    for pair in pairs:
        left, right = facts[pair.left.entity_id], facts[pair.right.entity_id]
        yield Names(
            left=pair.left,
            right=pair.right,
            facts=tuple({fact.id: fact for fact in (*left, *right)}.values()),
            known=(_measure(left), _measure(right)),
            text=f"Are they one?\n{_side(pair.left, left)}\n{_side(pair.right, right)}",
        )


def exclusions_on(
    graph: GraphStore, group_id: str, keys: Collection[tuple[str, str]], ontology: Ontology
) -> Iterator[Exclusion]:
    """Of those (subject, predicate) keys, where several facts are current that no declaration is about."""
    undeclared = {
        Key(group_id, subject, predicate)
        for subject, predicate in keys
        if ontology.relation(predicate) is None
    }
    rivals = defaultdict[Key, list["Fact"]](list)
    for fact in graph.facts_on(group_id, undeclared) if undeclared else ():
        if fact.invalid_at is None:
            rivals[Key(group_id, fact.subject, fact.predicate)].append(fact)
    open_ = {key: facts for key, facts in sorted(rivals.items()) if are_rivals(one.object for one in facts)}
    subjects = {key.subject for key in open_}
    named = {one.entity_id: one for one in graph.entities(group_id, subjects)} if subjects else {}
    for key, facts in open_.items():
        if key.subject in named:
            yield _exclusion(named[key.subject], key.predicate, facts)


def are_rivals(objects: Iterable[str]) -> bool:
    """Whether the current facts of one undeclared key, by their objects, are a question.

    A subject with more of them than can be shown has many: that is no conflict.
    """
    return 1 < len(set(objects)) <= SHOWN


def episodes_behind(installation: Installation, group_id: str, question: Question) -> tuple[str, ...]:
    """The episodes that what is shown rests on, by id."""
    assertions = {name for fact in question.facts for name in fact.evidence}
    found = installation.graph.evidence(group_id, assertions) if assertions else ()
    return tuple(sorted({placement.episode_id for placement in found}))


def _exclusion(subject: Entity, predicate: str, facts: Iterable[Fact]) -> Exclusion:
    held = tuple(sorted(facts, key=lambda fact: fact.id))
    lines = "\n".join(f"- {_line(fact)}" for fact in held)
    said = f"{_short(subject.name)} {_short(predicate)}"
    return Exclusion(
        subject=subject,
        predicate=predicate,
        facts=held,
        text=f"Do they exclude each other? {said}:\n{lines}",
    )


def _facts_about(graph: GraphStore, group_id: str, ends: Sequence[str]) -> dict[str, list[Fact]]:
    """Of each entity its latest facts, what is over included; with their evidence."""
    about: dict[str, list[Fact]] = {one: [] for one in ends}
    edges = graph.edges_about(ends, Scope(groups=(group_id,), during=_ALWAYS), limit=SHOWN) if ends else ()
    versions = graph.versions([edge.handle for edge in edges])
    for fact in (versions[edge.handle].version.fact for edge in edges if edge.handle in versions):
        for end in {fact.subject, fact.object} & about.keys():
            if len(about[end]) < SHOWN:
                about[end].append(fact)
    return about


def _measure(facts: Sequence[Fact]) -> int:
    """How much is known: it grows by one each time that twice as many facts are."""
    return len(facts).bit_length()


def _called(entity: Entity) -> list[str]:
    return [entity.name, entity.type or "", *sorted(entity.aliases)]


def _side(entity: Entity, facts: Sequence[Fact]) -> str:
    aliases = _short(", ".join(entity.aliases))
    kind = _short(entity.type or "of unknown type")
    head = f"* {_short(entity.name)} ({kind}{f'; also {aliases}' if aliases else ''})"
    return "\n".join([head, *(f"- {_line(fact)}" for fact in facts)])


def _line(fact: Fact) -> str:
    since = ""
    if fact.valid_at is not None and fact.valid_at_precision is not None:
        since = f" (since {date_of(fact.valid_at, fact.valid_at_precision)})"
    return f"{_short(fact.fact)}{since}"


def _short(text: str) -> str:
    return shortened(one_line(text), _TEXT)
