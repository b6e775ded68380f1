"""Beliefs over system time (docs/fold.md, R12 to R14): what is live, beliefs, versions, as-of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from memstrata.bitemporal.changes import diff, redeclared
from memstrata.bitemporal.facts import fold, key_of, wire_order
from memstrata.model import Version

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from memstrata.bitemporal.facts import Key
    from memstrata.model import Fact, Placement
    from memstrata.ontology import Ontology, OntologyStream


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A point in both times to read at: `valid` in the world, `system` in what was believed.

    None is now: in valid time the present instant of the reader's clock, in system time the last commit.
    """

    valid: datetime | None = None
    system: datetime | None = None


def is_live(placement: Placement, system: datetime | None) -> bool:
    """Whether a placement is live at that system time; at None, whether nothing has retracted it."""
    if system is None:
        return placement.retracted_at is None
    return placement.recorded_at <= system and (
        placement.retracted_at is None or placement.retracted_at > system
    )


def live_at(placements: Iterable[Placement], system: datetime | None) -> tuple[Placement, ...]:
    """The placements that belief at that system time rests on, in the order given."""
    return tuple(placement for placement in placements if is_live(placement, system))


def believe(
    placements: Iterable[Placement], ontologies: OntologyStream, system: datetime | None
) -> tuple[Fact, ...]:
    """What was believed at that system time; the current belief at None. Sorted and raising as `fold`."""
    return fold(live_at(placements, system), ontologies.in_force(system))


def as_of(facts: Iterable[Fact], valid: datetime) -> tuple[Fact, ...]:
    """Those of some facts that are true at that valid time, in the order given."""
    return tuple(
        fact
        for fact in facts
        if (fact.valid_at is None or fact.valid_at <= valid)
        and (fact.invalid_at is None or fact.invalid_at > valid)
    )


def versions(
    placements: Iterable[Placement], ontologies: OntologyStream, until: datetime | None = None
) -> tuple[Version, ...]:
    """The whole history, as known at system time `until` if it is given; sorted as on the wire.

    Each step of system time folds again only what it touches, so that the cost follows the changes.
    """
    changes = _Changes(placements)
    instants = sorted({*changes.recorded, *changes.retracted, *ontologies.changes})
    history = _History(ontologies.first)
    for system in instants:
        if until is not None and system > until:
            break
        history.step(
            system,
            retracted=changes.retracted.get(system, ()),
            recorded=changes.recorded.get(system, ()),
            ontology=ontologies.in_force(system),
        )
    return history.versions()


class _Changes:
    """Which placements come and go at which instants; those that were never live do neither."""

    def __init__(self, placements: Iterable[Placement]) -> None:
        self.recorded: dict[datetime, list[Placement]] = defaultdict(list)
        self.retracted: dict[datetime, list[Placement]] = defaultdict(list)
        for placement in dict.fromkeys(placements):  # equal lines are one
            if placement.retracted_at is None:
                self.recorded[placement.recorded_at].append(placement)
            elif placement.retracted_at > placement.recorded_at:
                self.recorded[placement.recorded_at].append(placement)
                self.retracted[placement.retracted_at].append(placement)


class _History:
    """Belief after each step of system time, and the versions that have ended."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._live: dict[Key, dict[str, Placement]] = defaultdict(dict)
        self._facts: dict[Key, tuple[Fact, ...]] = {}
        self._created: dict[str, datetime] = {}
        self._ended: list[Version] = []

    def step(
        self,
        system: datetime,
        *,
        retracted: Iterable[Placement],
        recorded: Iterable[Placement],
        ontology: Ontology,
    ) -> None:
        """Goes on to belief at `system`."""
        touched: set[Key] = set()
        for placement in retracted:
            key = key_of(placement, self._ontology)
            del self._live[key][placement.id]
            touched.add(key)
        if ontology is not self._ontology:
            touched |= self._redeclare(ontology)
        for placement in recorded:
            key = key_of(placement, ontology)
            self._live[key][placement.id] = placement
            touched.add(key)
        self._refold(touched, system)

    def versions(self) -> tuple[Version, ...]:
        """Every version so far, those that stand included."""
        standing = [
            Version(fact=fact, created_at=self._created[fact.id], expired_at=None)
            for fact in chain.from_iterable(self._facts.values())
        ]
        return tuple(sorted([*self._ended, *standing], key=version_order))

    def _redeclare(self, ontology: Ontology) -> set[Key]:
        """Places what is live under another ontology; the keys that this touches."""
        old, self._ontology = self._ontology, ontology
        changed = {key.predicate for key in self._live if redeclared(key.predicate, old, ontology)}
        touched = {key for key in self._live if key.predicate in changed}
        moving = [placement for key in touched for placement in self._live.pop(key).values()]
        for placement in moving:
            key = key_of(placement, ontology)
            self._live[key][placement.id] = placement
            touched.add(key)
        return touched

    def _refold(self, touched: Iterable[Key], system: datetime) -> None:
        for key in touched:
            live = self._live.get(key, {})
            facts = fold(live.values(), self._ontology)
            difference = diff(self._facts.pop(key, ()), facts)
            for fact in chain(difference.gone, (old for old, _ in difference.changed)):
                created = self._created.pop(fact.id)
                self._ended.append(Version(fact=fact, created_at=created, expired_at=system))
            for fact in chain(difference.appeared, (new for _, new in difference.changed)):
                self._created[fact.id] = system
            if facts:
                self._facts[key] = facts
            if not live:
                self._live.pop(key, None)


def version_order(version: Version) -> tuple[object, ...]:
    """The key by which versions are sorted on the wire."""
    return (*wire_order(version.fact), version.created_at)
