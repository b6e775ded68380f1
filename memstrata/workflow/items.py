"""Extracted items, named by what survives re-extraction, and what decisions make of them.

An item is named by its episode, the two names as the episode wrote them, the predicate and the kind
(docs/record.md, 1). An episode that says the same later is another item, and counts. What is in quarantine
counts once it is accepted; what is rejected does not, wherever it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.extraction.verification import folded
from memstrata.instants import format_instant
from memstrata.model import DecisionKind, Kind, ObjectKind
from memstrata.workflow.edits import edited, read_edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.instants import StatedTime
    from memstrata.model import Assertion, Decision, Extraction, Json
    from memstrata.workflow.edits import Edit

#: The decisions that are about items.
ON_ITEMS: Final = (DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.EDIT)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """Where decisions leave an item: it counts or not, as extracted or as edited.

    `decision_id` is the last that was about it; `is_put_away` if that settled one that attaches to nothing.
    Of two of one episode, that with the greater `place` was decided later.
    """

    counts: bool
    edit: Edit | None
    decision_id: str
    place: int
    is_put_away: bool = False


#: What decisions leave, by episode and item.
Standing = Mapping[str, Mapping[Item, Ruled]]
NOTHING: Final[Standing] = MappingProxyType({})


def standing_after(decisions: Iterable[Decision], before: Standing = NOTHING) -> Standing:
    """What the decisions, in the order in which they count, leave of what stood before them.

    The last on an item counts: `accept` and `edit` let it count, `reject` does not. An edit stands until
    another takes its place, or one without content takes it back. What puts away an item that attaches to
    nothing leaves the verdict on it as it was, should the item come back.
    """
    on_items = [decision for decision in decisions if decision.kind in ON_ITEMS]
    if not on_items:
        return before
    standing = dict(before)
    copied: dict[str, dict[Item, Ruled]] = {}
    for decision in on_items:
        for item in named_items(decision.target):
            if item.episode_id not in copied:
                copied[item.episode_id] = dict(before.get(item.episode_id, {}))
            of_episode = copied[item.episode_id]
            place = 1 + max((each.place for each in of_episode.values()), default=0)
            of_episode[item] = _ruled(decision, of_episode.get(item), place)
    standing.update(copied)
    return standing


def _ruled(decision: Decision, before: Ruled | None, place: int) -> Ruled:
    if decision.payload.get("put_away") and before is not None:  # it says nothing of the item itself
        return replace(before, decision_id=decision.decision_id, place=place, is_put_away=True)
    is_edit = decision.kind is DecisionKind.EDIT
    kept = None if before is None else before.edit
    return Ruled(
        counts=decision.kind is not DecisionKind.REJECT,
        edit=read_edit(decision.payload) if is_edit else kept,
        decision_id=decision.decision_id,
        place=place,
    )


def rejected(standing: Standing) -> frozenset[Item]:
    """The items that do not count."""
    return frozenset(
        item for of_episode in standing.values() for item, ruled in of_episode.items() if not ruled.counts
    )


def items_of(extraction: Extraction) -> tuple[tuple[Assertion, Item], ...]:
    """Each assertion, those in quarantine last, with the item that it is.

    An item has its times where others of the episode have the same words.
    """
    names = _names(extraction)
    said = (*extraction.assertions, *(held.assertion for held in extraction.held))
    keyed = [(one, _item_of(one, names)) for one in said]
    counts = Counter(item for _, item in keyed)
    return tuple(
        (one, item if counts[item] == 1 else replace(item, times=_times(one))) for one, item in keyed
    )


def said_by(extraction: Extraction, standing: Standing) -> Extraction:
    """The extraction as decisions leave it: without what is rejected, with what is accepted, as edited.

    Nothing is left in quarantine: what has not been accepted says nothing.
    """
    of_episode = standing.get(extraction.episode_id)
    if not of_episode:
        return replace(extraction, held=()) if extraction.held else extraction
    names = _names(extraction)
    mentions = {one.mention_id: one for one in extraction.mentions}
    everybody = (*extraction.mentions, *(one for held in extraction.held for one in held.mentions))
    said: list[Assertion] = []
    waiting = {held.assertion.assertion_id: held for held in extraction.held}
    for one in (*extraction.assertions, *(held.assertion for held in extraction.held)):
        held = waiting.get(one.assertion_id)
        ruled = _on(one, _item_of(one, names), of_episode)
        if not (ruled[0].counts if ruled else held is None):
            continue
        edit = next((each.edit for each in ruled if each.edit is not None), None)
        if edit is None and held is not None:
            mentions |= {each.mention_id: each for each in held.mentions}
        if edit is not None:
            one, ends = edited(one, edit, everybody)  # noqa: PLW2901 (the same assertion, as edited)
            mentions |= {each.mention_id: each for each in ends}
        said.append(one)
    return replace(extraction, assertions=tuple(said), mentions=tuple(mentions.values()), held=())


def attached(extraction: Extraction, of_episode: Mapping[Item, Ruled]) -> frozenset[Item]:
    """Those of the items of an episode that the extraction has, in quarantine or not."""
    names = _names(extraction)
    said = (*extraction.assertions, *(held.assertion for held in extraction.held))
    bare = [_item_of(one, names) for one in said]
    timed = [replace(item, times=_times(one)) for item, one in zip(bare, said, strict=True)]
    return frozenset(of_episode.keys() & {*bare, *timed})


def ruling_on(one: Assertion, item: Item, of_episode: Mapping[Item, Ruled]) -> Ruled | None:
    """What stands on an assertion, the item that it is: the last under its times or its words alone."""
    return next(iter(_on(one, replace(item, times=""), of_episode)), None)


def _on(one: Assertion, bare: Item, of_episode: Mapping[Item, Ruled]) -> list[Ruled]:
    """What stands on an assertion under its times and under its words alone, the last first."""
    found = (of_episode.get(replace(bare, times=_times(one))), of_episode.get(bare))
    standing = [ruled for ruled in found if ruled is not None]
    return sorted(standing, key=lambda ruled: ruled.place, reverse=True)


def _names(extraction: Extraction) -> dict[str, str]:
    everybody = (*extraction.mentions, *(one for held in extraction.held for one in held.mentions))
    return {mention.mention_id: folded(mention.name) for mention in everybody}


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
    """The items that an `accept`, `reject` or `edit` is about; raises `Incorrect` for what names none."""
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
