"""The reference store's reads of the present belief around what a commit touches."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memstrata.projection.passages import saga_order
from memstrata.stores.memory.applying import known_name, version_of
from memstrata.stores.memory.rows import Kept, now_standing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from memstrata.bitemporal import Key
    from memstrata.model import Entity, Episode, Fact, Placement
    from memstrata.ports import KnownName


class MemoryNeighbourhood(Kept):
    """See `ports.Neighbourhood`."""

    def placements_of(self, group_id: str, episode_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements of those episodes."""
        return tuple(one for one in self._live(group_id) if one.episode_id in episode_ids)

    def placements_on(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements of those (group, subject, predicate) keys."""
        return tuple(one for one in self._live(group_id) if (group_id, one.subject, one.predicate) in keys)

    def placements_toward(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements whose *object* is the key's subject, with the key's predicate."""
        return tuple(one for one in self._live(group_id) if (group_id, one.object, one.predicate) in keys)

    def placements_naming(self, group_id: str, signature_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements whose subject or object mention has one of those signatures."""
        named = {key for key, (_, one) in self._group(group_id).mentions.items() if one in signature_ids}
        return tuple(
            one
            for one in self._live(group_id)
            if named & {(one.episode_id, one.subject_mention), (one.episode_id, one.object_mention)}
        )

    def placements_saying(self, group_id: str, predicates: Collection[str] | None) -> tuple[Placement, ...]:
        """The live placements of those predicates; of all, for None."""
        return tuple(
            one for one in self._live(group_id) if predicates is None or one.predicate in predicates
        )

    def facts_on(self, group_id: str, keys: Collection[Key]) -> tuple[Fact, ...]:
        """The current facts of those keys, evidence included."""
        group = self._group(group_id)
        found = (version_of(group, row).fact for row in now_standing(group.facts))
        return tuple(fact for fact in found if (group_id, fact.subject, fact.predicate) in keys)

    def names_under(
        self, group_id: str, keys: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names with live mentions that are indexed under one of the keys.

        `first` and `count` are as if the episodes `without` were not there.
        """
        group = self._group(group_id)
        under = [name for name in group.names.values() if set(keys) & set(name.keys)]
        known = (known_name(group, name, without) for name in under)
        return tuple(name for name in known if name is not None)

    def names_signed(
        self, group_id: str, signature_ids: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names of those signatures with live mentions; `without` as in `names_under`."""
        group = self._group(group_id)
        signed = [name for id_, name in group.names.items() if id_ in signature_ids]
        known = (known_name(group, name, without) for name in signed)
        return tuple(name for name in known if name is not None)

    def names_standing_for(self, group_id: str, entity_ids: Collection[str]) -> tuple[KnownName, ...]:
        """The known names with live mentions that stand for one of those entities now."""
        group = self._group(group_id)
        standing = [name for name in group.names.values() if name.entity_id in entity_ids]
        known = (known_name(group, name) for name in standing)
        return tuple(name for name in known if name is not None)

    def names_for(self, group_id: str, mentions: Collection[tuple[str, str]]) -> Mapping[str, KnownName]:
        """The known name of each of those (episode id, mention id), by mention id; gone ones are absent."""
        group = self._group(group_id)
        found = {key[1]: signature for key, (_, signature) in group.mentions.items() if key in mentions}
        known = {name: known_name(group, group.names[signature]) for name, signature in found.items()}
        return {name: one for name, one in known.items() if one is not None}

    def names_in(self, group_id: str, episode_ids: Collection[str]) -> tuple[tuple[KnownName, int], ...]:
        """The known names with live mentions in those episodes, and how many each has there."""
        group = self._group(group_id)
        here = Counter(
            signature for (episode, _), (_, signature) in group.mentions.items() if episode in episode_ids
        )
        known = ((known_name(group, group.names[signature]), times) for signature, times in here.items())
        return tuple((name, times) for name, times in known if name is not None)

    def entities(self, group_id: str, entity_ids: Collection[str]) -> tuple[Entity, ...]:
        """The current entities of those ids."""
        return tuple(
            row.value
            for row in now_standing(self._group(group_id).entities)
            if row.value.entity_id in entity_ids
        )

    def turns_around(
        self, group_id: str, placed: Collection[Episode], leaving: Collection[str], *, reach: int
    ) -> tuple[Episode, ...]:
        """The committed episodes near those that come or go, in the same sagas, and those themselves."""
        current = [row.value for row in now_standing(self._group(group_id).episodes) if row.created_at]
        moving = {*leaving, *(episode.episode_id for episode in placed)}
        stored = [episode for episode in current if episode.episode_id in moving]
        staying = [episode for episode in current if episode.episode_id not in moving]
        found = {episode.episode_id: episode for episode in stored}
        for place in (*placed, *stored):
            for near in _nearest(place, staying, reach):
                found[near.episode_id] = near
        return tuple(found.values())


def _nearest(place: Episode, turns: list[Episode], reach: int) -> Iterator[Episode]:
    """As many turns of the same saga before that place, and as many after it."""
    saga = sorted((one for one in turns if one.saga is not None and one.saga == place.saga), key=saga_order)
    here = saga_order(place)
    yield from [one for one in saga if saga_order(one) < here][-reach:]
    yield from [one for one in saga if saga_order(one) > here][:reach]
