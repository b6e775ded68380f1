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
        gone = {placement.id for placement in self.retracted}
        return (*(placement for placement in live if placement.id not in gone), *self.recorded)


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


def moved(
    placement: Placement, entity_of_mention: Mapping[str, str], instant: datetime
) -> Placement | None:
    """The placement with its ends where their mentions stand now; None if both ends are one entity.

    A mention that is not in the mapping stays where it is.
    """
    subject = entity_of_mention.get(placement.subject_mention or "", placement.subject)
    target = entity_of_mention.get(placement.object_mention or "", placement.object)
    if subject == target:
        return None
    return replace(placement, subject=subject, object=target, recorded_at=instant, retracted_at=None)
