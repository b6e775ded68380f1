"""What of a group a scope shows, and what of that passes its filters: `ports.Filters`, said in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memstrata.model import Entity, Episode, Fact, ObjectKind, Procedure, Summary
from memstrata.stores.memory.applying import version_of
from memstrata.stores.searched import properties_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.ports import Filters, Scope
    from memstrata.stores.memory.rows import Group, Row


class Sight:
    """One group as seen through a scope."""

    def __init__(self, group: Group, scope: Scope) -> None:
        self._scope = scope
        self._group = group
        self._facts = self.in_scope(group.facts)
        self._entities = self.in_scope(group.entities)
        self._episodes = [row for row in group.episodes if row.created_at and stands(row, scope)]
        self._episode_of = {placed.id: placed.episode_id for placed in group.placements}

    def in_scope(self, rows: Iterable[Row[Any]]) -> list[Row[Any]]:
        """Those of the rows that stand in scope, filters aside."""
        return [row for row in rows if stands(row, self._scope) and is_true(row.value, self._scope)]

    def passing(self, rows: Iterable[Row[Any]]) -> list[Row[Any]]:
        """Those of the rows in scope that pass its filters."""
        return [row for row in self.in_scope(rows) if not self._scope.filters or self._passes(row)]

    def _passes(self, row: Row[Any]) -> bool:
        value, filters = row.value, self._scope.filters
        if isinstance(value, Fact):
            return self._fact_passes(row, filters) and self._ends_pass(row, filters)
        if isinstance(value, Entity):
            return self._entity_passes(row, filters)
        if isinstance(value, Episode):
            return self._episode_passes(row, filters)
        if isinstance(value, Summary):
            of = [one for one in self._entities if one.value.entity_id == value.entity_id]
            return any(self._entity_passes(one, filters) for one in of)
        if isinstance(value, Procedure):
            return self._procedure_passes(value, filters)
        raise TypeError(value)

    def _fact_passes(self, row: Row[Fact], filters: Filters) -> bool:
        """By itself and its evidence, its ends aside."""
        fact, least = row.value, filters.least_confidence
        return (
            (not filters.relations or fact.predicate in filters.relations)
            and (least is None or fact.confidence >= least)
            and (
                not (filters.sources or filters.speakers)
                or any(comes_from(one.value, filters) for one in self._rests_on(row))
            )
        )

    def _ends_pass(self, row: Row[Fact], filters: Filters) -> bool:
        ends = ends_of(row.value)
        return (
            not filters.types
            or any(one.value.type in filters.types for one in self._entities if one.value.entity_id in ends)
        ) and any(self._has(end, filters) for end in ends)

    def _has(self, entity_id: str, filters: Filters) -> bool:
        """Whether a fact in scope says each of the properties of that entity."""
        said = {
            (row.value.predicate, row.value.object)
            for row in self._facts
            if row.value.subject == entity_id and row.value.object_kind is ObjectKind.LITERAL
        }
        return said.issuperset(filters.properties)

    def _entity_passes(self, row: Row[Entity], filters: Filters) -> bool:
        entity = row.value
        of_facts = filters.relations or filters.sources or filters.speakers
        return (
            (not filters.types or entity.type in filters.types)
            and self._has(entity.entity_id, filters)
            and (
                not (of_facts or filters.least_confidence is not None)
                or any(
                    self._fact_passes(one, filters)
                    for one in self._facts
                    if entity.entity_id in ends_of(one.value)
                )
            )
        )

    def _episode_passes(self, row: Row[Episode], filters: Filters) -> bool:
        own = comes_from(row.value, filters) and properties_of(row.value).issuperset(filters.properties)
        if not (filters.types or filters.relations or filters.least_confidence is not None):
            return own
        asked = type(filters)(
            types=filters.types, relations=filters.relations, least_confidence=filters.least_confidence
        )
        return (
            own
            and row.created_at is not None
            and any(
                self._fact_passes(one, asked) and self._ends_pass(one, asked)
                for one in self._facts
                if row.value.episode_id in self._episodes_under(one)
            )
        )

    def _procedure_passes(self, procedure: Procedure, filters: Filters) -> bool:
        if filters.types or filters.relations or filters.properties or filters.least_confidence is not None:
            return False
        evidence = (row.value for row in self._episodes if row.value.episode_id in procedure.evidence)
        return any(comes_from(episode, filters) for episode in evidence)

    def _rests_on(self, row: Row[Fact]) -> list[Row[Episode]]:
        under = self._episodes_under(row)
        return [one for one in self._episodes if one.value.episode_id in under]

    def _episodes_under(self, row: Row[Fact]) -> set[str]:
        evidence = version_of(self._group, row).fact.evidence
        return {self._episode_of[one] for one in evidence if one in self._episode_of}


def stands(row: Row[Any], scope: Scope) -> bool:
    """Whether a row stands in the system time of a scope."""
    until = scope.moment.system
    if scope.history:
        return row.created_at is not None and (until is None or row.created_at <= until)
    return row.stands(until)


def is_true(value: Any, scope: Scope) -> bool:
    """Whether a fact is true, or an episode has happened, in the valid time of a scope."""
    valid, during = scope.moment.valid, scope.during
    if scope.history or not isinstance(value, Fact | Episode):
        return True
    if isinstance(value, Episode):
        if during is not None:
            return during[0] <= value.reference_time < during[1]
        return valid is None or value.reference_time <= valid
    begin, end = value.valid_at, value.invalid_at
    if during is not None:
        empty = begin is not None and end is not None and end <= begin
        return not empty and (begin is None or begin < during[1]) and (end is None or end > during[0])
    if valid is None:
        return end is None
    return (begin is None or begin <= valid) and (end is None or end > valid)


def ends_of(fact: Fact) -> set[str]:
    """The entities that a fact joins."""
    return {fact.subject} if fact.object_kind is ObjectKind.LITERAL else {fact.subject, fact.object}


def comes_from(episode: Episode, filters: Filters) -> bool:
    """Whether an episode passes the sources and the speakers."""
    speaker = episode.speaker
    called = {speaker.id, speaker.name} if speaker is not None else set()
    return (not filters.sources or episode.source in filters.sources) and (
        not filters.speakers or bool(called & set(filters.speakers))
    )
