"""Summaries: what the memory holds of an entity, as blocks of English that each cite their facts.

A template writes them, so nothing stands in them that no fact says. Contested facts are not told.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memstrata.consolidation.wording import reads_as_verb, relation_words, span_of
from memstrata.errors import Incorrect
from memstrata.ids import digest
from memstrata.instants import format_instant
from memstrata.model import Block, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.model import Entity, Fact

    #: The names of entities by their ids; what is not in it is a literal and stands for itself.
    Names = Mapping[str, str]

#: Part of every input hash: raised when the same facts would be told otherwise.
TEMPLATE: Final = "1"
#: A block tells at most this many facts (the present before the past, the latest first) and counts the
#: rest: a town does not list its inhabitants.
MOST_TOLD: Final = 12
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def summarise(entity: Entity, facts: Iterable[Fact], names: Names, *, created_at: datetime) -> Summary:
    """The summary of an entity as its facts stand at `created_at`, the day's last commit instant.

    `facts` are the present belief about the entity, as subject or object; those of others are ignored.
    A block tells one relation in one direction: outgoing relations first, those that hold now before
    those that are over, then by name. The same input gives the same summary in any order.
    """
    told = _told_facts(entity, facts)
    blocks = [_block(entity, key, group, names, created_at) for key, group in _by_topic(entity, told)]
    blocks.sort(key=lambda ranked: ranked[0])
    return Summary(
        entity_id=entity.entity_id,
        group_id=entity.group_id,
        blocks=tuple(block for _, block in blocks),
        input_hash=input_hash(entity, told, names, at=created_at),
        created_at=created_at,
    )


def input_hash(entity: Entity, facts: Iterable[Fact], names: Names, *, at: datetime) -> str:
    """The hash of all that an entity's summary depends on.

    That is its facts with their evidence, the names told, and whether each fact is past, present or to
    come at `at`: so an end that passes makes a summary stale, and a confirmation, whose id it will cite.
    """
    told = _told_facts(entity, facts)
    return digest(
        [
            TEMPLATE,
            entity.name,
            [[*_said(fact), _other_name(entity, fact, names), _phase(fact, at)] for fact in told],
        ]
    )


def stale_summaries(
    entities: Iterable[Entity],
    facts: Iterable[Fact],
    names: Names,
    *,
    known: Mapping[tuple[str, str], str],
    at: datetime,
) -> tuple[tuple[Entity, tuple[Fact, ...]], ...]:
    """The entities whose summary has to be written anew at `at`, each with its facts; by group and id.

    `known` gives the input hash of the latest summary by (group, entity id). An entity without facts is
    among them only if it has a summary, which then tells what is no longer believed.
    """
    about: dict[tuple[str, str], list[Fact]] = {}
    asked = sorted(entities, key=_key)
    wanted = {_key(entity) for entity in asked}
    for fact in facts:
        for key in {(fact.group_id, fact.subject), (fact.group_id, fact.object)} & wanted:
            about.setdefault(key, []).append(fact)
    stale = []
    for entity in asked:
        own = _told_facts(entity, about.get(_key(entity), ()))
        hash_before = known.get(_key(entity))
        if hash_before is None and not own:
            continue
        if input_hash(entity, own, names, at=at) != hash_before:
            stale.append((entity, own))
    return tuple(stale)


def _key(entity: Entity) -> tuple[str, str]:
    return entity.group_id, entity.entity_id


def _told_facts(entity: Entity, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The entity's uncontested facts by id."""
    own = {
        fact.id: fact
        for fact in facts
        if not fact.contested
        and fact.group_id == entity.group_id
        and entity.entity_id in {fact.subject, fact.object}
    }
    return tuple(own[fact_id] for fact_id in sorted(own))


def _by_topic(entity: Entity, facts: Iterable[Fact]) -> Iterable[tuple[tuple[bool, str], list[Fact]]]:
    topics: dict[tuple[bool, str], list[Fact]] = {}
    for fact in facts:
        incoming = fact.subject != entity.entity_id
        topics.setdefault((incoming, fact.predicate), []).append(fact)
    return topics.items()


def _said(fact: Fact) -> list[str | list[str] | None]:
    bounds = [fact.valid_at, fact.invalid_at]
    return [
        fact.id,
        fact.subject,
        fact.predicate,
        fact.object,
        *(None if bound is None else format_instant(bound) for bound in bounds),
        fact.valid_at_precision,
        fact.invalid_at_precision,
        list(fact.evidence),
    ]


def _phase(fact: Fact, at: datetime) -> int:
    """0 what is true at `at`, 1 what is to come, 2 what is over."""
    if fact.invalid_at is not None and fact.invalid_at <= at:
        return 2
    return 1 if fact.valid_at is not None and fact.valid_at > at else 0


_PHASES: Final = {1: "To come", 2: "Earlier"}


def _other_name(entity: Entity, fact: Fact, names: Names) -> str:
    other = fact.object if fact.subject == entity.entity_id else fact.subject
    return names.get(other, other)


def _block(
    entity: Entity, topic: tuple[bool, str], facts: Sequence[Fact], names: Names, at: datetime
) -> tuple[tuple[bool, int, str], Block]:
    """One relation in one direction as a block, and where it ranks among the entity's blocks."""
    if not facts:
        raise Incorrect(f"a block about {topic[1]!r} rests on no fact; expected at least one to cite")
    incoming, relation = topic
    ordered = sorted(facts, key=lambda fact: _order(fact, at, _other_name(entity, fact, names)))
    told = ordered[:MOST_TOLD]
    phases: dict[int, list[str]] = {}
    for fact in told:
        span = span_of(fact, at)
        name = _other_name(entity, fact, names)
        phases.setdefault(_phase(fact, at), []).append(f"{name} ({span})" if span else name)
    opening = _opening(entity, relation, incoming=incoming)
    sentences = [
        (f"{_PHASES[phase]}: " if phase else "") + ("" if place else opening) + ", ".join(items)
        for place, (phase, items) in enumerate(sorted(phases.items()))
    ]
    if len(ordered) > len(told):
        sentences[-1] += f"; and {len(ordered) - len(told)} more"
    block = Block(
        topic=relation_words(relation) + (" (of others)" if incoming else ""),
        text=" ".join(_sentence(sentence) for sentence in sentences),
        facts=tuple(fact.id for fact in told),
        evidence=tuple(sorted({assertion for fact in told for assertion in fact.evidence})),
    )
    return (incoming, min(phases), relation), block


def _order(fact: Fact, at: datetime, name: str) -> tuple[int, float, str, str]:
    """The present first, then what is to come, then the past; in each the latest first."""
    phase = _phase(fact, at)
    known = (fact.invalid_at if phase == 2 else fact.valid_at) or _LONG_AGO  # noqa: PLR2004 (over)
    return phase, -(known - _LONG_AGO).total_seconds(), name, fact.id


def _sentence(text: str) -> str:
    full = text[:1].upper() + text[1:]
    return full if full.endswith((".", "!", "?")) else f"{full}."


def _opening(entity: Entity, relation: str, *, incoming: bool) -> str:
    """How a block begins: "works at " and "spouse: ", or "works at Acme: " and "with Ann as spouse: "."""
    words = relation_words(relation)
    if not incoming:
        return f"{words} " if reads_as_verb(words) else f"{words}: "
    return f"{words} {entity.name}: " if reads_as_verb(words) else f"with {entity.name} as {words}: "
