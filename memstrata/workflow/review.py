"""What waits for a person: items in quarantine, and decisions on items that attach to nothing any more.

Pairs of entities that may be one are `doubts`' business. An entry's id is that of its item, so that it
survives a re-extraction that finds the same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect, NotThere, nearest
from memstrata.extraction.settled import FORM
from memstrata.extraction.verification import RULES
from memstrata.ids import identify
from memstrata.model import By, DecisionKind, Kind
from memstrata.ontology import load_ontology
from memstrata.workflow.edits import as_it_stands, changed, checked
from memstrata.workflow.intake import Ruling
from memstrata.workflow.items import (
    ON_ITEMS,
    attached,
    items_of,
    named_items,
    ruling_on,
    said_by,
    standing_after,
)
from memstrata.workflow.rejections import withdrawal
from memstrata.workflow.rules import decided

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Episode, Extraction, Json
    from memstrata.ports import Installation
    from memstrata.workflow.edits import Edit
    from memstrata.workflow.items import Item, Ruled, Standing

#: How many items one decision of a batch names at most, and how many extractions are read together.
BATCH: Final = 500
_MOST_DIGITS: Final = 18
#: Under which "rule" entries are counted whose decision attaches to nothing.
ATTACHES_TO_NOTHING: Final = "attaches_to_nothing"
_RULES: Final = frozenset({ATTACHES_TO_NOTHING, *(rule.__name__ for rule in RULES), *FORM})


class Matter(StrEnum):
    """What an entry is about."""

    HELD = "held"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something that waits for a verdict, and why.

    `says` is what the item says, in names; None of a lost one, of which only the name is left. `speaker`
    is the name, or else the id, of who said it: whom "I" means.
    `decision_id` is that of the decision that attaches to nothing, or of the verdict that stands.
    """

    entry_id: str
    group_id: str
    matter: Matter
    rule: str
    reason: str
    item: Item
    says: Edit | None = None
    quote: str = ""
    reference_time: datetime | None = None
    speaker: str | None = None
    decision_id: str | None = None

    @property
    def sentence(self) -> str:
        """What it says; of a lost one the names and the relation are left."""
        item = self.item
        return f"{item.subject} {item.predicate} {item.object}" if self.says is None else self.says.fact


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeEntry:
    """An entry with the text of its episode, as that reads now; None where it has gone."""

    entry: Entry
    content: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Which entries are meant; None: whatever they are."""

    matter: Matter | None = None
    rule: str | None = None
    predicate: str | None = None

    def __contains__(self, entry: Entry) -> bool:
        """Whether the entry is among them."""
        return (
            self.matter in (None, entry.matter)
            and self.rule in (None, entry.rule)
            and self.predicate in (None, entry.item.predicate)
        )


def entry_id_of(group_id: str, item: Item) -> str:
    """The id under which an item is reviewed."""
    fields = (item.episode_id, item.subject, item.predicate, item.object, item.kind.value, item.times)
    return identify("reviewed", group_id, *fields)


def entries(
    installation: Installation, group_id: str, which: Which, *, after: str | None = None, limit: int
) -> tuple[tuple[Entry, ...], str | None]:
    """At most `limit` of the group's entries, those in quarantine first, and where to go on.

    Raises `Incorrect` for a place that no page gave, and for a rule that there is not.
    """
    _check_rule(installation, group_id, which)
    place, number, lost = _place(after)
    found: list[tuple[str, Entry]] = []
    standing = _standing(installation, group_id)
    if not lost and which.matter is not Matter.LOST:
        every = _held(installation, group_id, standing, (place, number))
        found += islice((one for one in every if one[1] in which), limit + 1)
    if len(found) <= limit and which.matter is not Matter.HELD:
        rest = (one for one in _lost(installation, group_id, standing) if one[0] > (after or ""))
        found += islice((one for one in rest if one[1] in which), limit + 1 - len(found))
    following = found[limit - 1][0] if len(found) > limit else None
    return tuple(entry for _, entry in found[:limit]), following


def counts(installation: Installation, group_id: str) -> Mapping[str, int]:
    """How many entries there are by rule, the most first; `attaches_to_nothing` are the lost ones."""
    standing = _standing(installation, group_id)
    found = Counter(entry.rule for _, entry in _held(installation, group_id, standing, (0, -1)))
    lost = sum(1 for _ in _lost(installation, group_id, standing))
    if lost:
        found[ATTACHES_TO_NOTHING] = lost
    return dict(found.most_common())


def undecided(
    installation: Installation, group_id: str, *several: Iterable[tuple[Episode, Extraction]]
) -> tuple[int, ...]:
    """How many candidates each of the sets of extractions leaves to a person who has not decided yet."""
    standing = _standing(installation, group_id)
    return tuple(
        sum(
            one is not None
            for episode, extraction in pairs
            for one in _waiting(episode, extraction, standing.get(episode.episode_id, {}))
        )
        for pairs in several
    )


def entry(installation: Installation, group_id: str, entry_id: str) -> Entry | None:
    """The entry of that id, waiting or decided, or the item that a current fact rests on; else None."""
    standing = _standing(installation, group_id)
    for every in (
        _held(installation, group_id, standing, (0, -1)),
        _lost(installation, group_id, standing),
    ):
        for _, one in every:
            if one.entry_id == entry_id:
                return one
    decided_ = _decided(installation, group_id, entry_id, standing)
    return decided_ or _of_fact(installation, group_id, entry_id, standing)


def ruling(
    installation: Installation,
    group_id: str,
    kind: DecisionKind,
    entry_id: str,
    changes: Mapping[str, Json] | None = None,
) -> Ruling:
    """The ruling that accepts, rejects or edits an entry, or the item of a current fact (by its id).

    An edit accepts. Raises `NotThere` for an id that is neither, `Incorrect` for an edit that cannot stand.
    """
    if kind is DecisionKind.REJECT and installation.graph.history(group_id, entry_id):
        return withdrawal(installation, group_id, entry_id)
    found = entry(installation, group_id, entry_id)
    if found is None:
        raise NotThere(
            f"{entry_id!r} is the id of nothing that waits for review in group {group_id!r}, and of no "
            "current fact; `memstrata review list` has the ids"
        )
    payload: dict[str, Json] = {"rule": found.rule}
    if kind is DecisionKind.EDIT:
        payload["edit"] = _edit(installation, group_id, found, changes or {}).payload()
    if found.matter is Matter.LOST:
        payload["put_away"] = True
    return _ruling(group_id, kind, [found], payload)


def rulings(
    installation: Installation, group_id: str, kind: DecisionKind, which: Which
) -> tuple[Ruling, ...]:
    """The rulings that accept or reject all that is in quarantine and meant, some hundred items each.

    Raises `Incorrect` for a rule that there is not.
    """
    _check_rule(installation, group_id, which)
    standing = _standing(installation, group_id)
    every = _held(installation, group_id, standing, (0, -1))
    found = [one for _, one in every if one in which]
    return tuple(
        _ruling(group_id, kind, found[start : start + BATCH], {"rule": which.rule, "batch": True})
        for start in range(0, len(found), BATCH)
    )


def _check_rule(installation: Installation, group_id: str, which: Which) -> None:
    if which.rule is None or which.rule in _RULES:
        return
    known = {*_RULES, *counts(installation, group_id)}  # an earlier version may have had others
    if which.rule not in known:
        near = nearest(which.rule, sorted(known))
        hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(sorted(known))}"
        raise Incorrect(f"there is no rule {which.rule!r}; {hint}")


def items_in(made: Sequence[Ruling]) -> int:
    """How many items the rulings are about."""
    return sum(len(named_items(one.target)) for one in made)


def _ruling(
    group_id: str, kind: DecisionKind, found: Sequence[Entry], payload: Mapping[str, Json]
) -> Ruling:
    return Ruling(
        group_id=group_id,
        kind=kind,
        target={"items": [one.item.target() for one in found]},
        payload=payload,
        by=By.PERSON,
    )


def _edit(installation: Installation, group_id: str, found: Entry, changes: Mapping[str, Json]) -> Edit:
    episode = installation.record.latest(group_id, found.item.episode_id)
    if found.says is None or episode is None:
        raise Incorrect(
            f"{found.entry_id!r} names what no extraction says any more, so there is nothing to edit; "
            "accept or reject puts it away"
        )
    ontology = load_ontology(installation.ontology)
    return checked(changed(found.says, changes), episode, ontology)


def _standing(installation: Installation, group_id: str) -> Standing:
    return standing_after(decided(installation.record, group_id, ON_ITEMS))


def _held(
    installation: Installation, group_id: str, standing: Standing, after: tuple[int, int]
) -> Iterator[tuple[str, Entry]]:
    """What is in quarantine and undecided, each with its place, after that place and number."""
    place, number = after
    before = max(place - 1, 0)
    while found := installation.record.holding(group_id, after=before, limit=BATCH):
        for n, episode, extraction in found:
            of_episode = standing.get(episode.episode_id, {})
            for at, one in enumerate(_waiting(episode, extraction, of_episode)):
                if one is not None and (n, at) > (place, number):
                    yield _written(n, at), one
            before = n


def _waiting(
    episode: Episode, extraction: Extraction, of_episode: Mapping[Item, Ruled]
) -> Iterator[Entry | None]:
    """What an extraction holds; None in the place of what is decided."""
    item_of = {one.assertion_id: item for one, item in items_of(extraction)}
    for held in extraction.held:
        item = item_of[held.assertion.assertion_id]
        if ruling_on(held.assertion, item, of_episode) is not None:
            yield None
            continue
        yield Entry(
            entry_id=entry_id_of(episode.group_id, item),
            group_id=episode.group_id,
            matter=Matter.HELD,
            rule=held.rule,
            reason=held.reason,
            item=item,
            says=as_it_stands(held.assertion, {one.mention_id: one for one in held.mentions}),
            quote=held.assertion.quote,
            reference_time=episode.reference_time,
            speaker=_speaker(episode),
        )


def _lost(installation: Installation, group_id: str, standing: Standing) -> list[tuple[str, Entry]]:
    """Decisions on items that no extraction in force has, by place; those put away are not told of.

    Of an episode that is retracted, or not extracted yet, nothing is lost: there is nothing to attach to.
    """
    open_ = {
        episode_id: {item: ruled for item, ruled in of_episode.items() if not ruled.is_put_away}
        for episode_id, of_episode in standing.items()
    }
    ids = [episode_id for episode_id, of_episode in open_.items() if of_episode]
    found: list[tuple[str, Entry]] = []
    for start in range(0, len(ids), BATCH):
        for episode, extraction in installation.record.in_force(group_id, ids[start : start + BATCH]):
            of_episode = open_[episode.episode_id]
            found.extend(
                _lost_entry(group_id, episode, item, of_episode[item])
                for item in of_episode.keys() - attached(extraction, of_episode)
            )
    return sorted(found, key=lambda one: one[0])


def _decided(installation: Installation, group_id: str, entry_id: str, standing: Standing) -> Entry | None:
    """The decided item of that id, as it counts or would count, for who has changed his mind."""
    for episode_id, of_episode in standing.items():
        for item, ruled in of_episode.items():
            if entry_id_of(group_id, item) == entry_id:
                found = installation.record.in_force(group_id, [episode_id])
                return _decided_entry(entry_id, item, ruled, *found[0]) if found else None
    return None


def _decided_entry(
    entry_id: str, item: Item, ruled: Ruled, episode: Episode, extraction: Extraction
) -> Entry | None:
    for one, named in items_of(extraction):
        if ruling_on(one, named, {item: ruled}) is not None:
            everybody = (
                *extraction.mentions,
                *(each for held in extraction.held for each in held.mentions),
            )
            return Entry(
                entry_id=entry_id,
                group_id=episode.group_id,
                matter=Matter.HELD,
                rule="is_decided",
                reason=f"it was {_decided_how(ruled)}; another verdict takes the place of that",
                item=item,
                says=ruled.edit or as_it_stands(one, {each.mention_id: each for each in everybody}),
                quote=one.quote,
                reference_time=episode.reference_time,
                speaker=_speaker(episode),
                decision_id=ruled.decision_id,
            )
    return None


def _speaker(episode: Episode) -> str | None:
    return None if episode.speaker is None else episode.speaker.name or episode.speaker.id


def _decided_how(ruled: Ruled) -> str:
    if not ruled.counts:
        return "rejected"
    return "accepted" if ruled.edit is None else "edited"


def _lost_entry(group_id: str, episode: Episode, item: Item, ruled: Ruled) -> tuple[str, Entry]:
    entry_id = entry_id_of(group_id, item)
    found = Entry(
        entry_id=entry_id,
        group_id=group_id,
        matter=Matter.LOST,
        rule=ATTACHES_TO_NOTHING,
        reason=f"it was {_decided_how(ruled)}, and what is extracted of its episode now does not have it",
        item=item,
        reference_time=episode.reference_time,
        speaker=_speaker(episode),
        decision_id=ruled.decision_id,
    )
    return f"lost:{item.episode_id}:{entry_id}", found


def _of_fact(installation: Installation, group_id: str, fact_id: str, standing: Standing) -> Entry | None:
    """The one item that a current fact rests on. Raises `Incorrect` if it rests on several."""
    history = installation.graph.history(group_id, fact_id)
    if not history or history[-1].version.expired_at is not None:
        return None
    resting = set(history[-1].version.fact.evidence)
    episodes = {one.episode_id for one in installation.graph.evidence(group_id, tuple(resting))}
    found = [
        believed
        for episode, extraction in installation.record.committed(group_id, episodes)
        for believed in _believed(fact_id, resting, episode, (extraction, said_by(extraction, standing)))
    ]
    if len(found) > 1:
        said_in = ", ".join(sorted({one.item.episode_id for one in found}))
        raise Incorrect(
            f"fact {fact_id!r} rests on {len(found)} items, of episodes {said_in}; only one that rests on "
            "a single item can be edited by its id. Withdraw it, or correct it by another episode"
        )
    return found[0] if found else None


def _believed(
    fact_id: str, resting: set[str], episode: Episode, extractions: tuple[Extraction, Extraction]
) -> Iterator[Entry]:
    """The items of an episode that a fact rests on, from what was extracted and what is left of it."""
    extraction, said = extractions
    names = {one.mention_id: one for one in said.mentions}
    now = {one.assertion_id: one for one in said.assertions}
    for one, item in items_of(extraction):
        if one.assertion_id in resting and one.assertion_id in now and one.kind is not Kind.DENIED:
            yield Entry(
                entry_id=fact_id,
                group_id=episode.group_id,
                matter=Matter.HELD,
                rule="is_believed",
                reason="a current fact rests on it",
                item=item,
                says=as_it_stands(now[one.assertion_id], names),
                quote=one.quote,
                reference_time=episode.reference_time,
                speaker=_speaker(episode),
            )


def _written(place: int, number: int) -> str:
    return f"held:{place}:{number}"


def _place(after: str | None) -> tuple[int, int, bool]:
    """The place and number in the quarantine, and whether that is behind us."""
    if after is None:
        return 0, -1, False
    matter, *rest = after.split(":", 2)
    if matter == Matter.HELD and len(rest) == 2 and all(map(_is_number, rest)):  # noqa: PLR2004 (two numbers)
        return int(rest[0]), int(rest[1]), False
    if matter == Matter.LOST and len(rest) == 2:  # noqa: PLR2004 (episode and entry)
        return 0, -1, True
    raise Incorrect("the place to go on from is none of this list; take it from the page before")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
