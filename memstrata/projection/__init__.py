"""Desired facts against stored facts: what a commit has to change in the graph. Pure.

Which placements change is `placements`; what follows for the facts is `facts`; the texts by which episodes
are searched are `passages`. Reading the store and
applying the changes is the workflow's and the store's.
"""

from memstrata.projection.facts import FactChanges, project
from memstrata.projection.passages import passages_of, refreshed, saga_order
from memstrata.projection.placements import PlacementChanges, moved, replace_placements

__all__ = [
    "FactChanges",
    "PlacementChanges",
    "moved",
    "passages_of",
    "project",
    "refreshed",
    "replace_placements",
    "saga_order",
]
