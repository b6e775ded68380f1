"""Extracted items, named by what survives re-extraction, and those that decisions reject.

An item is named by its episode, the two names as the episode wrote them, the predicate and the kind
(docs/record.md, 1). An episode that says the same later is another item, and counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.extraction.verification import folded
from memstrata.instants import format_instant
from memstrata.model import DecisionKind, Kind, ObjectKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memstrata.instants import StatedTime
    from memstrata.model import Assertion, Decision, Extraction, Json

#: The decisions that are about items.
ON_ITEMS: Final = (DecisionKind.ACCEPT, DecisionKind.REJECT)


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """Something extracted. Names and literal objects are folded: case and blanks do not count.

    `times` tells items of one episode apart that differ in their stated times alone; empty: all of them.
    """

    episode_id: str
    subject: str
    predicate: str
    object: str
    kind: Kind
    times: str = ""

    def target(self) -> dict[str, Json]:
        """How a decision names it."""
        named: dict[str, Json] = {
            "episode_id": self.episode_id,
            "subject": self.subject,
            "predicate": self.predicate,
            "object": self.object,
            "kind": self.kind.value,
        }
        return named | ({"times": self.times} if self.times else {})


def items_of(extraction: Extraction) -> tuple[tuple[Assertion, Item], ...]:
    """Each assertion with the item that it is: with its times where others have the same words."""
    names = _names(extraction)
    keyed = [(one, _item_of(one, names)) for one in extraction.assertions]
    counts = Counter(item for _, item in keyed)
    return tuple(
        (one, item if counts[item] == 1 else replace(item, times=_times(one))) for one, item in keyed
    )


def without(extraction: Extraction, items: frozenset[Item]) -> Iterator[Assertion]:
    """What an episode says, without those items."""
    names = _names(extraction)
    for one in extraction.assertions:
        item = _item_of(one, names)
        if item not in items and replace(item, times=_times(one)) not in items:
            yield one


def _names(extraction: Extraction) -> dict[str, str]:
    return {mention.mention_id: folded(mention.name) for mention in extraction.mentions}


def _item_of(one: Assertion, names: Mapping[str, str]) -> Item:
    is_entity = one.object_kind is ObjectKind.ENTITY
    return Item(
        one.episode_id,
        names.get(one.subject, one.subject),
        one.predicate,
        names.get(one.object, one.object) if is_entity else folded(one.object),
        one.kind,
    )


def _times(one: Assertion) -> str:
    return f"{_time(one.valid_at)} .. {_time(one.invalid_at)}"


def _time(stated: StatedTime | None) -> str:
    return "" if stated is None else f"{format_instant(stated.at)} {stated.precision}"


def named_items(target: Mapping[str, Json]) -> tuple[Item, ...]:
    """The items that an `accept` or `reject` is about; raises `Incorrect` for what names none."""
    named = target.get("items")
    if not isinstance(named, list) or not named:
        raise Incorrect(f"the target names no items: {dict(target)}; expected a list `items` in it")
    return tuple(_item(one) for one in named)


def _item(named: Json) -> Item:
    fields = ("episode_id", "subject", "predicate", "object", "kind")
    given = {**named, "times": named.get("times", "")} if isinstance(named, Mapping) else {}
    texts = [one for field in (*fields, "times") if isinstance(one := given.get(field), str)]
    if len(texts) != len(fields) + 1 or texts[-2] not in list(Kind):
        raise Incorrect(
            f"the target names an item {named!r}; expected {', '.join(fields)} as text, the kind one of "
            f"{', '.join(Kind)}"
        )
    episode_id, subject, predicate, target, kind, times = texts
    return Item(episode_id, subject, predicate, target, Kind(kind), times)


def rejected(decisions: Iterable[Decision], *, before: frozenset[Item] = frozenset()) -> frozenset[Item]:
    """The items that the decisions, in their order, leave rejected beside those `before`."""
    on_items = [decision for decision in decisions if decision.kind in ON_ITEMS]
    if not on_items:
        return before
    standing = set(before)
    for decision in on_items:
        if decision.kind is DecisionKind.REJECT:
            standing.update(named_items(decision.target))
        else:
            standing.difference_update(named_items(decision.target))
    return frozenset(standing)
