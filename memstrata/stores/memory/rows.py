"""What the reference store keeps: rows over system time, the graph of a group, and all groups together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from memstrata.ports import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from memstrata.model import Entity, Episode, Fact, Mention, Placement, Procedure, Summary
    from memstrata.ports import NamePlacement, VectorModel, Vectors

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text by which a row is found: its words, and what of it is embedded.

    The vector belongs to the `number`: rows that read alike share it.
    """

    number: int
    words: str
    embedded: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Generic[_T]):
    """A value over a span of system time; pending ones have no `created_at`."""

    handle: int
    value: _T
    passages: tuple[Passage, ...]
    created_at: datetime | None
    expired_at: datetime | None = None

    def stands(self, system: datetime | None) -> bool:
        """Whether it is believed at that system time; at None, now."""
        if self.created_at is None or system is None:
            return system is None and self.expired_at is None
        return self.created_at <= system and (self.expired_at is None or self.expired_at > system)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A piece of evidence over a span of system time."""

    fact_id: str
    assertion_id: str
    created_at: datetime
    expired_at: datetime | None = None


@dataclass(slots=True, kw_only=True)
class Group:
    """The graph of one group."""

    last_seq: int = 0
    last_instant: datetime | None = None
    episodes: list[Row[Episode]] = field(default_factory=list)
    entities: list[Row[Entity]] = field(default_factory=list)
    facts: list[Row[Fact]] = field(default_factory=list)
    placements: list[Placement] = field(default_factory=list)
    evidence: list[Support] = field(default_factory=list)
    names: dict[str, NamePlacement] = field(default_factory=dict)
    mentions: dict[tuple[str, str], tuple[Mention, str]] = field(default_factory=dict)
    stood_for: set[tuple[str, str]] = field(default_factory=set)

    def copy(self) -> Group:
        """Another group that says the same, to be changed."""
        return replace(
            self,
            episodes=list(self.episodes),
            entities=list(self.entities),
            facts=list(self.facts),
            placements=list(self.placements),
            evidence=list(self.evidence),
            names=dict(self.names),
            mentions=dict(self.mentions),
            stood_for=set(self.stood_for),
        )


class Kept:
    """All groups, what consolidation made of them, and vectors, by the number of their passage."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}
        self._summaries: dict[str, list[Row[Summary]]] = {}
        self._procedures: dict[str, list[Row[Procedure]]] = {}
        self._numbers = count(1)
        self._model: VectorModel | None = None
        self._vectors: dict[int, Vectors] = {}

    def _group(self, group_id: str) -> Group:
        return self._groups.get(group_id, Group())

    def _live(self, group_id: str) -> list[Placement]:
        return [one for one in self._group(group_id).placements if one.retracted_at is None]

    def _rows(self, group_id: str, subject: Subject) -> Sequence[Row[Any]]:
        group = self._group(group_id)
        rows: dict[Subject, Sequence[Row[Any]]] = {
            Subject.FACT: group.facts,
            Subject.ENTITY: group.entities,
            Subject.EPISODE: group.episodes,
            Subject.SUMMARY: self._summaries.get(group_id, ()),
            Subject.PROCEDURE: self._procedures.get(group_id, ()),
        }
        return rows[subject]

    def _everywhere(self, subject: Subject) -> Iterable[Row[Any]]:
        """The rows of all groups."""
        groups = sorted({*self._groups, *self._summaries, *self._procedures})
        return (row for group_id in groups for row in self._rows(group_id, subject))

    def _row(self, value: _T, passages: tuple[Passage, ...], created_at: datetime | None) -> Row[_T]:
        return Row(handle=next(self._numbers), value=value, passages=passages, created_at=created_at)

    def _passages(
        self, texts: Iterable[tuple[str, str]], before: Sequence[Passage] = ()
    ) -> tuple[Passage, ...]:
        """Passages of those (words, embedded); what is embedded as before in its place keeps its number."""
        earlier = {(place, one.embedded): one.number for place, one in enumerate(before)}
        return tuple(
            Passage(
                number=earlier.get((place, embedded)) or next(self._numbers), words=words, embedded=embedded
            )
            for place, (words, embedded) in enumerate(texts)
        )


def now_standing(rows: Iterable[Row[_T]]) -> list[Row[_T]]:
    """The rows that answer reads of the present."""
    return [row for row in rows if row.stands(None)]
