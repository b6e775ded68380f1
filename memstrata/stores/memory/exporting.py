"""The reference store's whole reads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memstrata.bitemporal import version_order, wire_order
from memstrata.ports import Counts
from memstrata.stores.memory.applying import version_of
from memstrata.stores.memory.rows import Kept, now_standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.model import Entity, Fact, Placement, Version

_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


class MemoryExporter(Kept):
    """See `ports.Exporter`."""

    def counts(self) -> tuple[Counts, ...]:
        """One entry a group, sorted by group."""
        return tuple(self._counts(group_id) for group_id in sorted(self._groups))

    def all_facts(self, group_id: str) -> Iterator[Fact]:
        """The current facts, in the order of the fold's wire format."""
        group = self._group(group_id)
        yield from sorted(
            (version_of(group, row).fact for row in now_standing(group.facts)), key=wire_order
        )

    def all_versions(self, group_id: str) -> Iterator[Version]:
        """Every version in wire order; evidence is that of the last belief in which the version stood."""
        group = self._group(group_id)
        yield from sorted((version_of(group, row) for row in group.facts), key=version_order)

    def all_entities(self, group_id: str) -> Iterator[Entity]:
        """The current entities, by id."""
        found = (row.value for row in now_standing(self._group(group_id).entities))
        yield from sorted(found, key=lambda entity: entity.entity_id)

    def versions_after(
        self, group_id: str, after: tuple[str, datetime] | None, *, limit: int
    ) -> tuple[Version, ...]:
        """At most `limit` versions by fact id, then oldest belief first, those after (id, `created_at`)."""
        begin = after or ("", _BEFORE_ALL)
        keyed = ((one.fact.id, one.created_at, one) for one in self.all_versions(group_id))
        found = sorted((one for one in keyed if one[:2] > begin), key=lambda one: one[:2])
        return tuple(version for _, _, version in found[:limit])

    def entities_after(self, group_id: str, after: str, *, limit: int) -> tuple[Entity, ...]:
        """At most `limit` current entities by id, those after that id."""
        return tuple(one for one in self.all_entities(group_id) if one.entity_id > after)[:limit]

    def all_placements(self, group_id: str) -> Iterator[Placement]:
        """Every placement, live and retracted, by (id, recorded_at)."""
        yield from sorted(self._group(group_id).placements, key=lambda one: (one.id, one.recorded_at))

    def entities_since(self, group_id: str, instant: datetime | None) -> tuple[str, ...]:
        """Ids of entities whose facts or evidence changed after that system instant, sorted."""
        group = self._group(group_id)
        since = instant or _BEFORE_ALL
        changed = {
            one.fact_id for one in group.evidence if _changed_since(one.created_at, one.expired_at, since)
        }
        ends = {
            end
            for row in group.facts
            if row.value.id in changed or _changed_since(row.created_at, row.expired_at, since)
            for end in (row.value.subject, row.value.object)
        }
        return tuple(sorted(ends & {row.value.entity_id for row in group.entities}))

    def _counts(self, group_id: str) -> Counts:
        group = self._groups[group_id]
        waiting = {one.number for row in group.facts for one in row.passages} - self._vectors.keys()
        return Counts(
            group_id=group_id,
            last_seq=group.last_seq,
            episodes=sum(row.created_at is not None for row in now_standing(group.episodes)),
            pending_episodes=sum(row.created_at is None for row in group.episodes),
            entities=len(now_standing(group.entities)),
            facts=len(now_standing(group.facts)),
            versions=len(group.facts),
            placements=len(self._live(group_id)),
            facts_without_vector=len(waiting),
        )


def _changed_since(created_at: datetime | None, expired_at: datetime | None, since: datetime) -> bool:
    """Whether something began or ended after an instant."""
    return bool((created_at and created_at > since) or (expired_at and expired_at > since))
