"""The communities of a group, as its graph stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.consolidation.communities import communities_of

if TYPE_CHECKING:
    from memstrata.consolidation.communities import Community
    from memstrata.ports import Installation


def communities(installation: Installation, group_id: str) -> tuple[Community, ...]:
    """See `communities_of`; of all that is believed now, whether it goes on or has ended."""
    graph = installation.graph
    names = {entity.entity_id: entity.name for entity in graph.all_entities(group_id)}
    return communities_of(graph.all_facts(group_id), names)
