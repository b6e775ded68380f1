"""The life of an entity: what is and was true of it in order of valid time, and what closed what.

One belief is told: that of the view's system time. How beliefs changed is for `changes`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.bitemporal import Moment
    from memstrata.model import Entity, Placement, Version
    from memstrata.ports import NamedVersion, Scope
    from memstrata.search.lookup import Lookup

    Told = Mapping[tuple[str, str], Placement]  # placements by (group, assertion id)

#: How many other subjects are looked at for what closed facts of which the entity is the object.
_MOST_SUBJECTS: Final = 50
_FIRST: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """A fact's interval in a life; `episode_ids` are those it rests on, in order of reference time.

    If it has an end: `ended_in` are the episodes that say so, and `followed_by` the fact of the same
    subject and relation that begins there; without `ended_in` that one closed it.
    """

    fact: NamedVersion
    episode_ids: tuple[str, ...]
    ended_in: tuple[str, ...] = ()
    followed_by: NamedVersion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The spells of an entity (one a group), earliest first; those of unknown beginning come before all.

    `mentions` counts the current episodes that name it, `episodes` is when the facts' evidence was said:
    (reference time, episode id), earliest first. `is_whole` is False if there are more facts than `limit`.
    """

    asked: str
    moment: Moment
    entities: tuple[Entity, ...]
    spells: tuple[Spell, ...]
    mentions: int
    episodes: tuple[tuple[datetime, str], ...]
    is_whole: bool


def timeline(lookup: Lookup, asked: str, scope: Scope, *, limit: int) -> Timeline:
    """The life of one entity, as believed at the scope's system time; its valid time does not count.

    Raises `Incorrect` for an unknown name, or one that two entities of a group share.
    """
    through = replace(scope, history=True, during=None)
    entities = lookup.one_ever(asked, scope)
    versions = lookup.facts(entities, through, limit=limit)
    believed = _believed(versions, scope.moment.system)
    told = _evidence(lookup, believed)
    others = _of_the_same_subjects(lookup, entities, believed, through, limit=limit)
    spells = [_spell(one, told, [*believed, *others]) for one in sorted(believed, key=_life_order)]
    said = {(one.reference_time, one.episode_id) for one in told.values()}
    return Timeline(
        asked=asked,
        moment=scope.moment,
        entities=entities,
        spells=tuple(spells),
        mentions=sum(
            lookup.reader.mention_counts(one.group_id, [one.entity_id]).get(one.entity_id, 0)
            for one in entities
        ),
        episodes=tuple(sorted(said)),
        is_whole=len(versions) < limit,
    )


def stands_at(version: Version, system: datetime | None) -> bool:
    """Whether the version was believed at that system time; at None, whether it is now."""
    if system is None:
        return version.expired_at is None
    return version.created_at <= system and (version.expired_at is None or version.expired_at > system)


def follower_of(fact: NamedVersion, others: Iterable[NamedVersion]) -> NamedVersion | None:
    """The fact of the same subject and relation, but another object, that begins where this one ends."""
    one = fact.version.fact
    if one.invalid_at is None or one.contested:
        return None
    following = [
        other
        for other in others
        if (then := other.version.fact).valid_at == one.invalid_at
        and not then.contested
        and (then.group_id, then.subject, then.predicate) == (one.group_id, one.subject, one.predicate)
        and then.object != one.object
    ]
    return min(following, key=lambda other: other.version.fact.id, default=None)


def _believed(versions: Iterable[NamedVersion], system: datetime | None) -> list[NamedVersion]:
    return [one for one in versions if stands_at(one.version, system)]


def _evidence(lookup: Lookup, believed: Sequence[NamedVersion]) -> Told:
    wanted: dict[str, set[str]] = {}
    for one in believed:
        wanted.setdefault(one.version.fact.group_id, set()).update(one.version.fact.evidence)
    return {
        (group, placement.id): placement
        for group, ids in wanted.items()
        for placement in lookup.reader.evidence(group, ids)
    }


def _of_the_same_subjects(
    lookup: Lookup,
    entities: Sequence[Entity],
    believed: Sequence[NamedVersion],
    scope: Scope,
    *,
    limit: int,
) -> list[NamedVersion]:
    """Facts of others that may have closed those of which the entity is the object."""
    known = {one.entity_id for one in entities}
    ended = [one.version.fact for one in believed if one.version.fact.invalid_at is not None]
    subjects = sorted({fact.subject for fact in ended if fact.subject not in known})[:_MOST_SUBJECTS]
    if not subjects:
        return []
    relations = tuple(sorted({fact.predicate for fact in ended}))
    narrowed = replace(scope, filters=replace(scope.filters, relations=relations))
    edges = lookup.reader.edges_about(subjects, narrowed, limit=limit)
    versions = lookup.reader.versions([edge.handle for edge in edges])
    return _believed(versions.values(), scope.moment.system)


def _spell(fact: NamedVersion, told: Told, others: Sequence[NamedVersion]) -> Spell:
    one = fact.version.fact
    placements = [told[one.group_id, each] for each in one.evidence if (one.group_id, each) in told]
    placements.sort(key=lambda each: (each.reference_time, each.id))
    has_ended = one.invalid_at is not None and not one.contested
    return Spell(
        fact=fact,
        episode_ids=tuple(dict.fromkeys(each.episode_id for each in placements)),
        ended_in=tuple(dict.fromkeys(each.episode_id for each in placements if _says_so(each)))
        if has_ended
        else (),
        followed_by=follower_of(fact, others),
    )


def _says_so(placement: Placement) -> bool:
    return placement.kind in (Kind.ENDED, Kind.DENIED) or placement.invalid_at is not None


def _life_order(named: NamedVersion) -> tuple[datetime, bool, str, str, str]:
    fact = named.version.fact
    return (fact.valid_at or _FIRST, fact.contested, fact.predicate, fact.group_id, fact.id)
