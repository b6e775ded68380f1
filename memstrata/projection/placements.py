"""Which placements a commit records and which it retracts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from memstrata.model import Placement


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementChanges:
    """Placements that begin and that end at one instant; those that stay as they are stand in neither."""

    recorded: tuple[Placement, ...] = ()
    retracted: tuple[Placement, ...] = ()

    def after(self, live: Iterable[Placement]) -> tuple[Placement, ...]:
        """What is live once the changes have been made to what was `live`."""
        return (*self.kept(live), *self.recorded)

    def kept(self, live: Iterable[Placement]) -> tuple[Placement, ...]:
        """Those of `live` that stay."""
        gone = {placement.id for placement in self.retracted}
        return tuple(placement for placement in live if placement.id not in gone)


def replace_placements(old: Iterable[Placement], new: Iterable[Placement]) -> PlacementChanges:
    """Ends the old placements and records the new ones, leaving alone those that say the same.

    `new` carries the instant of the commit in `recorded_at`. A placement equal to a live one in all
    but the times of recording is no change (docs/fold.md, property 9).
    """
    standing = {placement.id: placement for placement in old}
    recorded = []
    for placement in new:
        before = standing.get(placement.id)
        if before is not None and replace(placement, recorded_at=before.recorded_at) == before:
            del standing[placement.id]
        else:
            recorded.append(placement)
    return PlacementChanges(recorded=tuple(recorded), retracted=tuple(standing.values()))


def moved(placement: Placement, entity_of: Mapping[str, str], instant: datetime) -> Placement:
    """The placement with its ends where their mentions stand now (`entity_of` mention id -> entity id).

    A mention that is not in the mapping stays where it is. Both ends may come to be one entity: the
    placement is kept, since the entities may part again, but the fold is not told of it.
    """
    return replace(
        placement,
        subject=entity_of.get(placement.subject_mention or "", placement.subject),
        object=entity_of.get(placement.object_mention or "", placement.object),
        recorded_at=instant,
    )
