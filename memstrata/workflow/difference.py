"""What the graph would gain, lose and change by a promotion: the commit after it, planned and not made."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.extraction.verification import folded
from memstrata.ontology import Cardinality
from memstrata.ports import Pending
from memstrata.workflow.commit import next_commit
from memstrata.workflow.plan import plan
from memstrata.workflow.promotions import version_named
from memstrata.workflow.review import undecided
from memstrata.workflow.rules import rules_at

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from memstrata.model import Entity, Episode, Extraction, Fact
    from memstrata.ontology import Ontology
    from memstrata.ports import Changes, Coverage, Installation, Promotion

#: How many episodes are compared at once: they, and the facts on their keys, are in memory together.
MOST_EPISODES: Final = 50_000
_BATCH: Final = 1_000
#: How many episodes that wait for a commit are counted at most.
MOST_UNCOMMITTED: Final = 1_000
#: Tries to read a graph that nobody commits to meanwhile, before commits have to wait.
_TRIES: Final = 2
#: What two facts may differ in and be the same to a reader: ids, and what they rest on.
_UNSEEN: Final = frozenset({"id", "group_id", "subject", "object", "evidence"})
_ENDS: Final = ("subject", "subject_type", "object", "object_type")


class Change(StrEnum):
    """What becomes of a fact."""

    GAINED = "gained"
    LOST = "lost"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A fact with the names and types of its ends; a literal object is its own name, and has no type."""

    fact: Fact
    subject: str
    object: str
    subject_type: str | None = None
    object_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDifference:
    """One fact before and after. `fields` are what a reader sees differ, of one that changed.

    None of them: it is said of entities that have other ids.
    """

    change: Change
    predicate: str
    before: Told | None
    after: Told | None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What a promotion would do to the graph as it stands, in the order of the facts' subjects.

    `episodes` would be taken in anew. `renamed` are entities before and after, whose names, type or aliases
    change. Of those episodes `held` candidates would wait for review, where `held_before` do now.
    `uncommitted` episodes and decisions wait for a commit meanwhile, which this does not show.
    """

    group_id: str
    promotion: Promotion
    coverage: Coverage
    episodes: int
    facts: tuple[FactDifference, ...]
    come: tuple[Entity, ...]
    gone: tuple[Entity, ...]
    renamed: tuple[tuple[Entity, Entity], ...]
    held: int
    held_before: int
    uncommitted: int

    def count(self, change: Change) -> int:
        """How many facts are gained, lost or changed."""
        return sum(one.change is change for one in self.facts)

    def relations(self) -> dict[str, dict[Change, int]]:
        """The counts of each relation, by name."""
        counted: defaultdict[str, Counter[Change]] = defaultdict(Counter)
        for one in self.facts:
            counted[one.predicate][one.change] += 1
        return {name: {change: counted[name][change] for change in Change} for name in sorted(counted)}

    def samples(self, change: Change, most: int) -> tuple[FactDifference, ...]:
        """So many of the kind, spread over all of them: the same ones each time."""
        found = [one for one in self.facts if one.change is change]
        shown = min(most, len(found))
        return tuple(found[at * len(found) // shown] for at in range(shown))


def difference(
    installation: Installation, group_id: str, promotion: Promotion, *, most: int = MOST_EPISODES
) -> Difference:
    """The commit of all that the promotion would bring into force, against the graph as it stands.

    Nothing is written, and the rules in force hold. Raises `Incorrect` for a version that the group has
    nothing of, and where more than `most` episodes would have to be compared at once.
    """
    version = version_named(installation, group_id, promotion.version).version
    promotion = replace(promotion, version=version)
    pairs = _pairs(installation, group_id, promotion, most)
    changes, stored, ontology = _planned(installation, group_id, pairs)
    expired = set(changes.facts_expired)
    old = [fact for fact in stored if fact.id in expired]
    ends = _Ends(installation, group_id, changes, old)
    facts = _paired(map(ends.told_before, old), map(ends.told_after, changes.facts_created), ontology)
    committed = installation.record.committed(group_id, [episode.episode_id for episode, _ in pairs])
    held, held_before = undecided(installation, group_id, pairs, committed)
    waiting = installation.record.pending(group_id, limit=MOST_UNCOMMITTED)
    return Difference(
        group_id=group_id,
        promotion=promotion,
        coverage=installation.record.coverage(group_id, promotion),
        episodes=len(pairs),
        facts=tuple(sorted(facts, key=_order)),
        come=ends.come(),
        gone=ends.gone(),
        renamed=ends.renamed(),
        held=held,
        held_before=held_before,
        uncommitted=len(waiting.episodes) + len(waiting.decisions),
    )


def _pairs(
    installation: Installation, group_id: str, promotion: Promotion, most: int
) -> list[tuple[Episode, Extraction]]:
    pairs: list[tuple[Episode, Extraction]] = []
    after = 0
    while found := installation.record.promotable(group_id, promotion, after=after, limit=_BATCH):
        after = found[-1][0]
        pairs += [(episode, extraction) for _, episode, extraction in found]
        if len(pairs) > most:
            raise Incorrect(
                f"more than {most} episodes of {promotion.days} in group {group_id!r} would be taken in "
                "anew; compare fewer days at a time"
            )
    return pairs


def _planned(
    installation: Installation, group_id: str, pairs: Sequence[tuple[Episode, Extraction]]
) -> tuple[Changes, list[Fact], Ontology]:
    """The changes, the facts that stand on the keys they touch, and the ontology in force."""
    for _ in range(_TRIES):
        last = installation.graph.last_seq(group_id)
        try:
            found = _plan(installation, group_id, last, pairs)
        except Exception:
            if installation.graph.last_seq(group_id) == last:
                raise
        else:
            if installation.graph.last_seq(group_id) == last:
                return found
    with installation.leases.hold(group_id):
        return _plan(installation, group_id, installation.graph.last_seq(group_id), pairs)


def _plan(
    installation: Installation, group_id: str, last: int, pairs: Sequence[tuple[Episode, Extraction]]
) -> tuple[Changes, list[Fact], Ontology]:
    rules = rules_at(installation.record, group_id, last, ())
    pending, version = Pending(episodes=tuple(pairs)), pairs[0][1].version if pairs else ""
    commit = next_commit(installation, group_id, last, pending, ontology=rules.after, version=version)
    stored: list[Fact] = []
    changes = plan(installation.graph, commit, pending, rules, on_stored=stored.extend)
    return changes, stored, rules.after


class _Ends:
    """The entities that facts are about, before and after."""

    def __init__(
        self, installation: Installation, group_id: str, changes: Changes, old: Sequence[Fact]
    ) -> None:
        self._changed = {one.entity_id: one for one in changes.entities}
        self._gone = frozenset(changes.entities_gone)
        ends = {end for fact in (*old, *changes.facts_created) for end in (fact.subject, fact.object)}
        known = installation.graph.entities(group_id, {*ends, *self._changed, *self._gone})
        self._before = {one.entity_id: one for one in known}
        self._after = {**self._before, **self._changed}

    def told_before(self, fact: Fact) -> Told:
        """A fact that stands, with its ends' names as they stand."""
        return _told(fact, self._before)

    def told_after(self, fact: Fact) -> Told:
        """A fact that would come, with the names that its ends would have then."""
        return _told(fact, self._after)

    def come(self) -> tuple[Entity, ...]:
        return _named([one for one in self._changed.values() if one.entity_id not in self._before])

    def gone(self) -> tuple[Entity, ...]:
        return _named([one for one in self._before.values() if one.entity_id in self._gone])

    def renamed(self) -> tuple[tuple[Entity, Entity], ...]:
        before = _named([one for one in self._before.values() if one.entity_id in self._changed])
        pairs = [(one, self._changed[one.entity_id]) for one in before]
        return tuple(pair for pair in pairs if pair[0] != pair[1])


def _told(fact: Fact, entities: Mapping[str, Entity]) -> Told:
    subject, target = entities.get(fact.subject), entities.get(fact.object)
    return Told(
        fact=fact,
        subject=fact.subject if subject is None else subject.name,
        object=fact.object if target is None else target.name,
        subject_type=None if subject is None else subject.type,
        object_type=None if target is None else target.type,
    )


def _named(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple(sorted(entities, key=lambda one: (one.name, one.entity_id)))


def _paired(old: Iterable[Told], new: Iterable[Told], ontology: Ontology) -> list[FactDifference]:
    """The nearest of what goes and comes make a change each; what is left is lost or gained."""
    before, after = list(old), list(new)
    found: list[FactDifference] = []

    def same_slot(one: Told) -> Hashable:
        """A relation that has one value at a time is the same with another."""
        if ontology.cardinality(one.fact.predicate) is Cardinality.ONE:
            return folded(one.subject), one.fact.predicate
        return one.fact.id

    for key in (_same_fact, _same_ends, _same_names, same_slot):
        before, after, pairs = _matched(before, after, key)
        found += [
            FactDifference(
                change=Change.CHANGED,
                predicate=was.fact.predicate,
                before=was,
                after=now,
                fields=_differing(was, now),
            )
            for was, now in pairs
        ]
    found += [
        FactDifference(change=Change.LOST, predicate=one.fact.predicate, before=one, after=None)
        for one in before
    ]
    found += [
        FactDifference(change=Change.GAINED, predicate=one.fact.predicate, before=None, after=one)
        for one in after
    ]
    return found


def _same_fact(one: Told) -> Hashable:
    return one.fact.id


def _same_ends(one: Told) -> Hashable:
    return one.fact.subject, one.fact.predicate, one.fact.object


def _same_names(one: Told) -> Hashable:
    return folded(one.subject), one.fact.predicate, folded(one.object)


def _matched(
    before: Sequence[Told], after: Sequence[Told], key: Callable[[Told], Hashable]
) -> tuple[list[Told], list[Told], list[tuple[Told, Told]]]:
    """What is left on either side, and the pairs of one key, in the order of valid time."""
    waiting: defaultdict[Hashable, list[Told]] = defaultdict(list)
    for one in sorted(after, key=_when, reverse=True):
        waiting[key(one)].append(one)
    left: list[Told] = []
    pairs: list[tuple[Told, Told]] = []
    for one in sorted(before, key=_when):
        found = waiting.get(key(one))
        if found:
            pairs.append((one, found.pop()))
        else:
            left.append(one)
    return left, [one for some in waiting.values() for one in some], pairs


def _when(one: Told) -> tuple[str, str]:
    valid = one.fact.valid_at
    return ("" if valid is None else valid.isoformat()), one.fact.id


def _differing(old: Told, new: Told) -> tuple[str, ...]:
    """The names of what a reader sees differ."""
    seen = [one.name for one in fields(old.fact) if one.name not in _UNSEEN]
    ends = [end for end in _ENDS if getattr(old, end) != getattr(new, end)]
    return (*ends, *(name for name in seen if getattr(old.fact, name) != getattr(new.fact, name)))


def _order(one: FactDifference) -> tuple[str, str, str, str]:
    told = one.after or one.before
    assert told is not None  # noqa: S101 (one side is there)
    return told.subject, told.fact.predicate, told.object, told.fact.id


def as_mapping(one: FactDifference) -> Mapping[str, object]:
    """One difference for files and programs: names, times and confidence, before and after."""
    return {
        "change": one.change.value,
        "predicate": one.predicate,
        "fields": list(one.fields),
        "before": _as_mapping(one.before),
        "after": _as_mapping(one.after),
    }


def _as_mapping(told: Told | None) -> Mapping[str, object] | None:
    if told is None:
        return None
    fact = told.fact
    return {
        "id": fact.id,
        **{end: getattr(told, end) for end in _ENDS},
        "fact": fact.fact,
        "valid_at": fact.valid_at,
        "invalid_at": fact.invalid_at,
        "confidence": fact.confidence,
        "contested": fact.contested,
        "evidence": list(fact.evidence),
    }
