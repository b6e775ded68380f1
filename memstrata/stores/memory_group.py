"""What the reference store keeps of a group, and the rules by which that changes and is read."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from memstrata.errors import Damaged
from memstrata.model import Entity, Episode, ObjectKind, Version
from memstrata.ports import KnownName
from memstrata.stores.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Fact, Mention, Placement
    from memstrata.ports import Changes, Hit, NamePlacement

_T = TypeVar("_T")
_K1, _B = 1.2, 0.75  # BM25's usual constants


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Generic[_T]):
    """A value over a span of system time; pending ones have no `created_at`."""

    handle: int
    value: _T
    text: str
    passage: int
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


def true_at(value: Episode | Entity | Fact, valid: datetime | None) -> bool:
    """Whether a fact is true then, or an episode has happened; at None, whether a fact has no end."""
    if isinstance(value, Episode):
        return valid is None or value.reference_time <= valid
    if isinstance(value, Entity):
        return True
    if valid is None:
        return value.invalid_at is None
    return (value.valid_at is None or value.valid_at <= valid) and (
        value.invalid_at is None or value.invalid_at > valid
    )


def changed_since(created_at: datetime | None, expired_at: datetime | None, since: datetime) -> bool:
    """Whether something began or ended after an instant."""
    return bool((created_at and created_at > since) or (expired_at and expired_at > since))


def is_of(row: Row[Episode], episode: Episode) -> bool:
    """Whether a row is of that episode, in any revision."""
    return row.value.episode_id == episode.episode_id


def says_the_same(row: Row[Episode], episode: Episode) -> bool:
    """Whether a row has that content."""
    return row.value.content_hash == episode.content_hash


def gives_way(row: Row[Episode], episode: Episode) -> bool:
    """Whether a pending row shows nothing that is newer than the committed episode."""
    return row.created_at is None and (
        says_the_same(row, episode) or row.value.ingested_at <= episode.ingested_at
    )


def now_standing(rows: Iterable[Row[_T]]) -> list[Row[_T]]:
    """The rows that answer reads of the present."""
    return [row for row in rows if row.stands(None)]


def expire(rows: list[Row[_T]], which: Callable[[Row[_T]], bool], now: datetime) -> None:
    """Ends those of the rows that stand."""
    rows[:] = [
        replace(row, expired_at=now) if row.expired_at is None and which(row) else row for row in rows
    ]


def apply_names(group: Group, changes: Changes) -> None:
    """Adds and moves names, then replaces the mentions of the episodes that are touched."""
    for name in changes.names:
        group.names[name.signature_id] = name
        group.stood_for |= {(one, name.signature_id) for one in (name.entity_id, *name.stood_for)}
    touched = {episode.episode_id for episode in changes.episodes} | set(changes.episodes_gone)
    for key in [key for key in group.mentions if key[0] in touched]:
        del group.mentions[key]
    for mention, signature in changes.mentions:
        if signature not in group.names:
            raise Damaged(
                f"mention {mention.mention_id!r} has the signature {signature!r}, which no name has"
            )
        group.mentions[mention.episode_id, mention.mention_id] = (mention, signature)


def apply_placements(group: Group, changes: Changes) -> None:
    """Retracts placements, then records the new ones."""
    now = changes.commit.instant
    for name in changes.placements_retracted:
        live = [n for n, one in enumerate(group.placements) if one.id == name and one.retracted_at is None]
        if not live:
            raise Damaged(f"placement {name!r} is to end and does not stand")
        group.placements[live[0]] = replace(group.placements[live[0]], retracted_at=now)
    for placed in changes.placements_recorded:
        if any(one.id == placed.id and one.retracted_at is None for one in group.placements):
            raise Damaged(f"placement {placed.id!r} stands already")
        group.placements.append(placed)


def apply_evidence(group: Group, changes: Changes, gone: Collection[str]) -> None:
    """Ends and adds evidence; facts that are gone keep none."""
    now = changes.commit.instant
    removed = set(changes.evidence_removed)
    live = {(one.fact_id, one.assertion_id) for one in group.evidence if one.expired_at is None}
    if not removed <= live:
        raise Damaged("a piece of evidence is to end that does not stand")
    left = live - removed
    if set(changes.evidence_added) & {pair for pair in left if pair[0] not in gone}:
        raise Damaged("a piece of evidence stands already")
    group.evidence[:] = [
        replace(one, expired_at=now)
        if one.expired_at is None and ((one.fact_id, one.assertion_id) in removed or one.fact_id in gone)
        else one
        for one in group.evidence
    ]
    group.evidence += [
        Support(fact_id=fact, assertion_id=assertion, created_at=now)
        for fact, assertion in changes.evidence_added
    ]


def version_of(group: Group, row: Row[Fact]) -> Version:
    """The version of a row, with the evidence of the last belief in which it stood."""
    if row.created_at is None:
        raise Damaged(f"fact {row.value.id!r} has no system time")
    end = row.expired_at
    support = sorted(
        one.assertion_id
        for one in group.evidence
        if one.fact_id == row.value.id
        and (end is None or one.created_at < end)
        and (one.expired_at is None or (end is not None and one.expired_at >= end))
    )
    fact = replace(row.value, evidence=tuple(support))
    return Version(fact=fact, created_at=row.created_at, expired_at=end)


def known_name(group: Group, name: NamePlacement, without: Collection[str] = ()) -> KnownName | None:
    """A name with its live mentions outside some episodes; None if there are none."""
    live = [
        (mention.reference_time, mention.mention_id, mention.episode_id)
        for mention, signature in group.mentions.values()
        if signature == name.signature_id and mention.episode_id not in without
    ]
    if not live:
        return None
    return KnownName(
        signature_id=name.signature_id,
        keys=name.keys,
        entity_id=name.entity_id,
        first=min(live)[:2],
        first_episode=min(live)[2],
        count=len(live),
        recall=lambda: name.example,
    )


def text_of_episode(episode: Episode) -> str:
    """What of an episode is searched: who speaks, and what they say."""
    speaker = episode.speaker
    return f"{speaker.name}: {episode.content}" if speaker and speaker.name else episode.content


def text_of_fact(fact: Fact, names: Mapping[str, str]) -> str:
    """What of a fact is searched by words: its sentence, the names of its ends, and its predicate."""
    literal = fact.object_kind is ObjectKind.LITERAL
    last = fact.object if literal else names.get(fact.object, "")
    return f"{fact.fact} {names.get(fact.subject, '')} {fact.predicate} {last}"


def text_to_embed(value: Episode | Entity | Fact) -> str:
    """What of it is embedded."""
    if isinstance(value, Episode):
        return text_of_episode(value)
    return value.name if isinstance(value, Entity) else value.fact


def bm25(rows: Sequence[Row[Any]], asked: Iterable[str]) -> dict[int, float]:
    """Robertson's BM25 of each row, by handle; an asked word that holds several is a phrase."""
    texts = {row.handle: words(row.text) for row in rows}
    phrases = {tuple(found) for word in asked if (found := words(word))}
    average = sum(map(len, texts.values())) / max(1, len(texts)) or 1.0
    times = {phrase: {handle: _times(phrase, text) for handle, text in texts.items()} for phrase in phrases}
    scores = dict.fromkeys(texts, 0.0)
    for counted in times.values():
        holding = sum(map(bool, counted.values()))
        weight = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for handle, often in counted.items():
            length = 1 - _B + _B * len(texts[handle]) / average
            scores[handle] += weight * often * (_K1 + 1) / (often + _K1 * length)
    return scores


def _times(phrase: tuple[str, ...], text: Sequence[str]) -> int:
    size = len(phrase)
    return sum(tuple(text[start : start + size]) == phrase for start in range(len(text) - size + 1))


def best(hits: Iterable[Hit], limit: int) -> tuple[Hit, ...]:
    """The hits with the highest scores, ties by handle."""
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.handle))[:limit])
