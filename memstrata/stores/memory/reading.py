"""The reference store's reads for people and agents."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memstrata.model import ObjectKind
from memstrata.ports import Beside, Edge, NamedVersion, Subject, Vocabulary
from memstrata.projection.passages import saga_order
from memstrata.stores.memory.applying import version_of
from memstrata.stores.memory.rows import Kept, now_standing
from memstrata.stores.memory.seeing import Sight, ends_of
from memstrata.stores.searched import properties_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memstrata.model import Entity, Episode, Fact, Placement, Version
    from memstrata.ports import Handle, Scope
    from memstrata.stores.memory.rows import Group, Row

_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


class MemoryReader(Kept):
    """See `ports.GraphReader`."""

    def groups(self) -> tuple[str, ...]:
        """Every group that has commits or pending episodes, sorted."""
        return tuple(sorted(self._groups))

    def vocabulary(self, groups: Sequence[str]) -> Vocabulary:
        """What filters can name in those groups now."""
        known = [self._group(group_id) for group_id in set(groups)]
        facts = [row.value for group in known for row in now_standing(group.facts)]
        episodes = [row.value for group in known for row in now_standing(group.episodes)]
        speakers = [episode.speaker for episode in episodes if episode.speaker is not None]
        return Vocabulary(
            types=_sorted(row.value.type for group in known for row in now_standing(group.entities)),
            relations=_sorted(fact.predicate for fact in facts),
            sources=_sorted(episode.source for episode in episodes),
            speakers=_sorted(called for speaker in speakers for called in (speaker.id, speaker.name)),
            properties=_sorted(
                [
                    *(fact.predicate for fact in facts if fact.object_kind is ObjectKind.LITERAL),
                    *(key for episode in episodes for key, _ in properties_of(episode)),
                ]
            ),
        )

    def beginnings(self, group_id: str) -> tuple[datetime, datetime] | None:
        """The first and the last instant at which a fact believed now begins; contested ones aside."""
        facts = [row.value for row in now_standing(self._group(group_id).facts)]
        begun = [one.valid_at for one in facts if one.valid_at is not None and not one.contested]
        return (min(begun), max(begun)) if begun else None

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, NamedVersion]:
        """The fact versions of those handles, with names; unknown handles are absent."""
        return {
            row.handle: _named(group, version_of(group, row))
            for group in self._groups.values()
            for row in group.facts
            if row.handle in handles
        }

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        """The entities of those handles."""
        rows = self._everywhere(Subject.ENTITY)
        return {row.handle: row.value for row in rows if row.handle in handles}

    def episodes_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Episode]:
        """The episodes of those handles, pending ones included."""
        rows = self._everywhere(Subject.EPISODE)
        return {row.handle: row.value for row in rows if row.handle in handles}

    def beside(self, handles: Sequence[Handle], scope: Scope) -> Mapping[Handle, Beside]:
        """The neighbours of those episodes in their sagas, as they stand in scope (filters aside)."""
        return {
            row.handle: _beside(row, self._turns(group_id, scope))
            for group_id in set(scope.groups)
            for row in self._rows(group_id, Subject.EPISODE)
            if row.handle in handles
        }

    def _turns(self, group_id: str, scope: Scope) -> list[Row[Episode]]:
        """The committed episodes in scope; with history, those that stand then."""
        group = self._group(group_id)
        seen = Sight(group, scope).in_scope(group.episodes)
        return [row for row in seen if row.created_at and row.stands(scope.moment.system)]

    def edges_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Edge, ...]:
        """Facts in scope with one of the entities as subject or object, latest valid time first."""
        found: dict[int, Edge] = {}
        for group_id in set(scope.groups):
            group = self._group(group_id)
            rows = sorted(Sight(group, scope).passing(group.facts), key=_latest, reverse=True)
            for entity_id in entity_ids:
                about = [row for row in rows if entity_id in ends_of(row.value)]
                found |= {row.handle: _edge(row) for row in about[:limit]}
        return tuple(sorted(found.values(), key=lambda edge: edge.valid_at or _BEFORE_ALL, reverse=True))

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """The latest names of those entities, living or gone; literals and unknown ids are absent."""
        return {name: one for name, one in _latest_names(self._group(group_id)).items() if name in ids}

    def mention_counts(self, group_id: str, entity_ids: Collection[str]) -> Mapping[str, int]:
        """In how many current episodes each of those entities is mentioned; 0 for unknown ones."""
        group = self._group(group_id)
        mentioned = {
            (group.names[signature].entity_id, episode_id)
            for (episode_id, _), (_, signature) in group.mentions.items()
        }
        return {name: sum(entity == name for entity, _ in mentioned) for name in entity_ids}

    def history(self, group_id: str, fact_id: str) -> tuple[NamedVersion, ...]:
        """All versions of a fact, oldest first; () if there never was one."""
        group = self._group(group_id)
        return tuple(
            _named(group, version_of(group, row)) for row in group.facts if row.value.id == fact_id
        )

    def versions_between(
        self,
        group_id: str,
        after: datetime,
        until: datetime | None,
        *,
        about: Collection[str] | None = None,
        limit: int,
    ) -> tuple[NamedVersion, ...]:
        """The versions that began or ended in system time `(after, until]`, by that instant and fact id."""
        group = self._group(group_id)
        found: list[tuple[datetime, Version]] = []
        for row in group.facts:
            version = version_of(group, row)
            within = [
                instant
                for instant in (version.created_at, version.expired_at)
                if instant is not None and instant > after and (until is None or instant <= until)
            ]
            if within and (about is None or ends_of(row.value) & set(about)):
                found.append((min(within), version))
        found.sort(key=lambda one: (one[0], one[1].fact.id, one[1].created_at))
        return tuple(_named(group, version) for _, version in found[:limit])

    def evidence(self, group_id: str, assertion_ids: Collection[str]) -> tuple[Placement, ...]:
        """The latest placement of each of those assertions (it names the episode and the quote)."""
        placements = sorted(self._group(group_id).placements, key=lambda one: one.recorded_at)
        return tuple({one.id: one for one in placements if one.id in assertion_ids}.values())

    def successors(self, group_id: str, old_id: str) -> tuple[str, ...]:
        """For an id of a fact or entity that is gone: the living ones that share its evidence or names."""
        group = self._group(group_id)
        living = {row.value.id for row in now_standing(group.facts)}
        entities = {row.value.entity_id for row in now_standing(group.entities)}
        if old_id in living | entities:
            return ()
        history = self.history(group_id, old_id)
        if history:
            last = set(history[-1].version.fact.evidence)
            found = {
                one.fact_id for one in group.evidence if one.expired_at is None and one.assertion_id in last
            }
            return tuple(sorted(found & living))
        names = {signature for entity, signature in group.stood_for if entity == old_id}
        now = {signature: group.names[signature].entity_id for _, signature in group.mentions.values()}
        return tuple(sorted({now[one] for one in names & now.keys()} & entities))


def _sorted(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))


def _latest_names(group: Group) -> dict[str, str]:
    return {row.value.entity_id: row.value.name for row in group.entities}  # in the order of their creation


def _named(group: Group, version: Version) -> NamedVersion:
    names, fact = _latest_names(group), version.fact
    literal = fact.object_kind is ObjectKind.LITERAL
    return NamedVersion(
        version=version,
        subject=names.get(fact.subject, fact.subject),
        object=fact.object if literal else names.get(fact.object, fact.object),
    )


def _latest(row: Row[Fact]) -> tuple[datetime, int]:
    return (row.value.valid_at or _BEFORE_ALL, row.handle)


def _edge(row: Row[Fact]) -> Edge:
    fact = row.value
    return Edge(
        handle=row.handle,
        group_id=fact.group_id,
        subject=fact.subject,
        object=fact.object,
        leads_on=fact.object_kind is ObjectKind.ENTITY,
        valid_at=fact.valid_at,
    )


def _beside(row: Row[Episode], turns: Iterable[Row[Episode]]) -> Beside:
    if row.created_at is None or row.value.saga is None:
        return Beside()
    saga = sorted((one for one in turns if _goes_with(one.value, row.value)), key=_place)
    before = [one.handle for one in saga if _place(one) < _place(row)]
    after = [one.handle for one in saga if _place(one) > _place(row)]
    return Beside(before=before[-1] if before else None, after=after[0] if after else None)


def _goes_with(other: Episode, episode: Episode) -> bool:
    return other.saga == episode.saga and other.episode_id != episode.episode_id


def _place(row: Row[Episode]) -> tuple[float, datetime, str]:
    return saga_order(row.value)
