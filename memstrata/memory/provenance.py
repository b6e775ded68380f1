"""What episodes have left in the graph: the facts that rest on them, and whom those are about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.memory.parts import reads_of
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Entity
    from memstrata.ports import Installation, NamedVersion

MOST_EPISODES: Final = 100
_MOST_FACTS: Final = 1_000
_EVER: Final = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))


@dataclass(frozen=True, slots=True, kw_only=True)
class Produced:
    """The facts of episodes, whether they still hold or have ended, and the entities that those join."""

    entities: tuple[Entity, ...]
    facts: tuple[NamedVersion, ...]


def produced_by(installation: Installation, group_id: str, episode_ids: Sequence[str]) -> Produced:
    """What is believed now because of those episodes of a group, alone or among others.

    Raises `Incorrect` for an id that no episode has, for none, and for more than `MOST_EPISODES`.
    """
    if not 1 <= len(episode_ids) <= MOST_EPISODES:
        raise Incorrect(f"{len(episode_ids)} episode ids were given; expected 1 to {MOST_EPISODES}")
    for episode_id in episode_ids:
        if installation.record.latest(group_id, episode_id) is None:
            raise Incorrect(f"there is no episode {episode_id!r} in group {group_id!r}; search finds ids")
    placements = installation.graph.placements_of(group_id, episode_ids)
    said = {one.id for one in placements}
    lookup = reads_of(installation).lookup
    scope = View(groups=(group_id,), during=_EVER).scope(installation.clock.now(), installation.graph)
    names = installation.graph.names_of(
        group_id, {end for one in placements for end in (one.subject, one.object)}
    )
    at_any_time = replace(scope, during=None, history=True)
    entities = tuple(
        entity
        for entity_id, name in sorted(names.items(), key=lambda one: (one[1].casefold(), one[0]))
        if (entity := lookup.living(group_id, entity_id, name, at_any_time)) is not None
    )
    about = lookup.facts(entities, scope, limit=_MOST_FACTS)
    facts = tuple(one for one in about if not said.isdisjoint(one.version.fact.evidence))
    return Produced(entities=entities, facts=facts)
