"""The rules by which a commit changes what the reference store keeps of a group."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from memstrata.errors import Damaged
from memstrata.model import Version
from memstrata.ports import KnownName
from memstrata.stores.memory.rows import Support

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from memstrata.model import Episode, Fact
    from memstrata.ports import Changes, NamePlacement
    from memstrata.stores.memory.rows import Group, Row

_T = TypeVar("_T")


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
