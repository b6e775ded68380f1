"""Extracted items, named by what survives re-extraction, and those that decisions reject.

An item is named by its episode, the two names as the episode wrote them, the predicate and the kind
(docs/record.md, 1). An episode that says the same later is another item, and counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.extraction.verification import folded
from memstrata.model import DecisionKind, Kind, ObjectKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memstrata.model import Assertion, Decision, Extraction, Json


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """Something extracted. Names and literal objects are folded: case and blanks do not count."""

    episode_id: str
    subject: str
    predicate: str
    object: str
    kind: Kind

    def target(self) -> dict[str, Json]:
        """How a decision names it."""
        return {
            "episode_id": self.episode_id,
            "subject": self.subject,
            "predicate": self.predicate,
            "object": self.object,
            "kind": self.kind.value,
        }


def items_of(extraction: Extraction) -> Iterator[tuple[Assertion, Item]]:
    """Each assertion with the item that it is."""
    names = {mention.mention_id: folded(mention.name) for mention in extraction.mentions}
    for one in extraction.assertions:
        is_entity = one.object_kind is ObjectKind.ENTITY
        yield (
            one,
            Item(
                one.episode_id,
                names.get(one.subject, one.subject),
                one.predicate,
                names.get(one.object, one.object) if is_entity else folded(one.object),
                one.kind,
            ),
        )


def named_items(target: Mapping[str, Json]) -> tuple[Item, ...]:
    """The items that a decision of kind `reject` is about; raises `Incorrect` for what names none."""
    named = target.get("items")
    if not isinstance(named, list) or not named:
        raise Incorrect(
            f"a rejection names no items: {dict(target)}; expected a list `items` in its target"
        )
    return tuple(_item(one) for one in named)


def _item(named: Json) -> Item:
    fields = ("episode_id", "subject", "predicate", "object", "kind")
    said = [named.get(field) for field in fields] if isinstance(named, Mapping) else []
    texts = [one for one in said if isinstance(one, str)]
    if len(texts) != len(fields) or texts[-1] not in list(Kind):
        raise Incorrect(
            f"a rejection names {named!r}; expected {', '.join(fields)} as text, the kind one of "
            f"{', '.join(Kind)}"
        )
    episode_id, subject, predicate, target, kind = texts
    return Item(episode_id, subject, predicate, target, Kind(kind))


def rejected(decisions: Iterable[Decision]) -> frozenset[Item]:
    """All items that those of the decisions which are rejections are about."""
    return frozenset(
        item
        for decision in decisions
        if decision.kind is DecisionKind.REJECT
        for item in named_items(decision.target)
    )
