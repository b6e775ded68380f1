"""What each check's number is: its name for people, its unit, and on which side of its limit it fails."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Unit(StrEnum):
    """How a number is to be read and drawn; a chance by its order of magnitude."""

    COUNT = "count"
    SHARE = "share"
    CHANCE = "chance"


class Side(StrEnum):
    """Where a number fails."""

    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A check for people: `number` says what its value is."""

    check: str
    title: str
    number: str
    unit: Unit
    fails: Side = Side.ABOVE


_CHANCE: Final = "chance of so large a difference in a healthy memory, corrected for the number of tests"
CHECKS: Final = (
    About(
        check="bitemporal_invariants",
        title="Bitemporal invariants",
        number="facts that overlap where they must not, or rest on nothing",
        unit=Unit.COUNT,
    ),
    About(
        check="log_store_parity",
        title="Log and graph agree",
        number="1 if replaying the log does not give the graph",
        unit=Unit.COUNT,
    ),
    About(
        check="orphan_entities",
        title="Orphan entities",
        number="share of entities that stand in no fact",
        unit=Unit.SHARE,
    ),
    About(
        check="stale_facts",
        title="Stale facts",
        number="share of facts that nothing has confirmed for longer than they last",
        unit=Unit.SHARE,
    ),
    About(
        check="label_shift",
        title="Shift of entity types",
        number=_CHANCE,
        unit=Unit.CHANCE,
        fails=Side.BELOW,
    ),
    About(
        check="relation_shift",
        title="Shift of relations",
        number=_CHANCE,
        unit=Unit.CHANCE,
        fails=Side.BELOW,
    ),
    About(
        check="new_labels",
        title="New entity types",
        number="share of the day's facts under types that the 28 days before did not have",
        unit=Unit.SHARE,
    ),
    About(
        check="new_relations",
        title="New relations",
        number="share of the day's facts under relations that the 28 days before did not have",
        unit=Unit.SHARE,
    ),
    About(
        check="episodes_suite",
        title="Episodes as expected",
        number="expectations that the day's episodes do not meet",
        unit=Unit.COUNT,
    ),
)
_BY_NAME: Final = {one.check: one for one in CHECKS}


def about(check: str) -> About:
    """What is known of a check; of one that is not in the list, its name."""
    known = _BY_NAME.get(check)
    if known is not None:
        return known
    title = check.replace("_", " ").capitalize()
    return About(check=check, title=title, number="its number", unit=Unit.COUNT)
