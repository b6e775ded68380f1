"""Orphans: entities that no living fact mentions. Literal objects are no entities, so never orphans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.drift.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.model import Entity, Fact


def orphans(entities: Iterable[Entity], facts: Iterable[Fact]) -> tuple[Entity, ...]:
    """The entities that are neither subject nor object of a fact of the present belief, by id.

    A fact that has ended in the world still counts: history is no orphan. A contested fact is empty,
    so it holds nobody. `facts` is the present belief of the entities' groups, whole.
    """
    held = {
        (fact.group_id, end) for fact in facts if not fact.contested for end in (fact.subject, fact.object)
    }
    lonely = (entity for entity in entities if (entity.group_id, entity.entity_id) not in held)
    return tuple(sorted(lonely, key=lambda entity: (entity.group_id, entity.entity_id)))


def orphan_finding(
    group_id: str, entities: Iterable[Entity], facts: Iterable[Fact], *, allowed: float = 0.1
) -> Finding:
    """Whether the share of orphans among one group's entities stays at or under `allowed` (0 to 1).

    `details` has `orphans` and `entities`. A group without entities passes.
    """
    own = [entity for entity in entities if entity.group_id == group_id]
    found = orphans(own, facts)
    share = len(found) / len(own) if own else 0.0
    passed = share <= allowed
    said = f"{len(found)} of {len(own)} entities of group {group_id} stand in no fact ({share:.1%})"
    advice = (
        f", above the allowed {allowed:.0%}. Look at them with `memstrata entities list --orphans -g "
        f"{group_id}` and merge those that are another entity under another name (`memstrata entities "
        "merge`); many new ones at once mean that extraction finds names but no facts."
    )
    return Finding(
        check="orphan_entities",
        group_id=group_id,
        value=share,
        threshold=allowed,
        passed=passed,
        sentence=said + ("." if passed else advice),
        details={"orphans": float(len(found)), "entities": float(len(own))},
    )
