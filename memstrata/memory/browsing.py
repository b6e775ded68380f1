"""What can be leafed through: episodes, entities and decisions of a group, page by page."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from memstrata.errors import Incorrect
from memstrata.instants import format_instant
from memstrata.memory.access import OWNER, Right
from memstrata.memory.audit import audited
from memstrata.memory.cursors import key_in, place_in, written
from memstrata.memory.identity import judgements_of, names_of
from memstrata.memory.parts import reads_of
from memstrata.search.reads import EpisodeRecord
from memstrata.search.view import View
from memstrata.workflow.doubts import suspects
from memstrata.workflow.work import compact_lightly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.memory.access import Grant
    from memstrata.memory.audit import Audit
    from memstrata.memory.identity import Judgement, StandingName
    from memstrata.model import Decision, Entity, Episode
    from memstrata.ports import DeadLetter, Installation
    from memstrata.workflow.doubts import Suspects

T = TypeVar("T")

MOST_LISTED: Final = 1_000
#: Entities that a page of reviews looks through at most, and how many are resolved together.
MOST_LOOKED_THROUGH: Final = 5_000
_AT_ONCE: Final = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """Some of a list; `following` is where the next page begins, None where there is none."""

    items: tuple[T, ...]
    following: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A decision, and the commit that took it in: None while it waits for one."""

    decision: Decision
    seq: int | None


@audited
@dataclass(frozen=True, slots=True, kw_only=True)
class Browsing:
    """Lists, as far as `grant` reaches. Each raises `Forbidden` beyond it."""

    installation: Installation
    grant: Grant = OWNER
    audit: Audit | None = None

    def episodes(self, group_id: str, *, after: str | None = None, limit: int = 100) -> Page[Episode]:
        """The group's episodes that are not retracted, the latest accepted first.

        Raises `Incorrect` for a limit outside 1 to 1,000, and for an `after` that no page gave.
        """
        group = self._caught_up(group_id, limit)
        found = self.installation.record.listed(group, before=_place(after), limit=limit + 1)
        return Page(
            items=tuple(episode for _, episode in found[:limit]),
            following=str(found[limit - 1][0]) if len(found) > limit else None,
        )

    def decisions(self, group_id: str, *, after: str | None = None, limit: int = 100) -> Page[Taken]:
        """The group's decisions, the latest first; errors as in `episodes`."""
        group = self._caught_up(group_id, limit)
        found = self.installation.record.listed_decisions(group, before=_place(after), limit=limit + 1)
        return Page(
            items=tuple(Taken(decision=decision, seq=seq) for _, seq, decision in found[:limit]),
            following=str(found[limit - 1][0]) if len(found) > limit else None,
        )

    def entities(self, group_id: str, *, after: str | None = None, limit: int = 100) -> Page[Entity]:
        """The group's entities by id, those after the id `after`."""
        group = self._checked(group_id, limit)
        found = self.installation.graph.entities_after(group, after or "", limit=limit + 1)
        return Page(
            items=found[:limit], following=found[limit - 1].entity_id if len(found) > limit else None
        )

    def reviews(self, group_id: str, *, after: str | None = None, limit: int = 50) -> Page[Suspects]:
        """The pairs of entities that resolution keeps apart and that may be one, by their ids.

        `Telling.judge` answers one: `merge` or `keep_apart`. A page looks through a few thousand entities,
        so it may hold fewer than `limit` and still be followed. Errors as in `episodes`.
        """
        group = self._caught_up(group_id, limit)
        left, right = _pair(after)
        entities = islice(self._entities_from(group, left), MOST_LOOKED_THROUGH + 1)
        found: list[Suspects] = []
        looked = 0
        while some := tuple(islice(entities, min(_AT_ONCE, MOST_LOOKED_THROUGH - looked))):
            looked += len(some)
            found.extend(
                one
                for one in suspects(self.installation, group, some)
                if (one.left.entity_id, one.right.entity_id) > (left, right)
            )
            if len(found) > limit:
                last = found[limit - 1]
                return Page(
                    items=tuple(found[:limit]), following=f"{last.left.entity_id}:{last.right.entity_id}"
                )
        following = next(entities, None)
        return Page(items=tuple(found), following=None if following is None else f"{following}:")

    def episode(self, group_id: str, episode_id: str) -> EpisodeRecord:
        """An episode with its earlier revisions, from the moment on in which it was accepted.

        Raises `Incorrect` for an unknown id.
        """
        group = self._caught_up(group_id, 1)
        record = reads_of(self.installation).get(episode_id, View(groups=(group,)))
        if not isinstance(record, EpisodeRecord):
            raise Incorrect(f"{episode_id!r} is the id of no episode of group {group!r}; search finds ids")
        return record

    def names(self, group_id: str, entity_id: str, *, limit: int = 100) -> tuple[StandingName, ...]:
        """The names that stand for an entity now, the most mentioned first; () for one that is gone.

        Raises `Incorrect` for an id that no entity ever had; else as in `episodes`.
        """
        group = self._checked(group_id, limit)
        return names_of(self.installation, group, self._entity(group, entity_id), limit=limit)

    def judgements(
        self, group_id: str, entity_id: str, *, after: str | None = None, limit: int = 100
    ) -> Page[Judgement]:
        """The verdicts about names that stand for an entity now, the latest first; errors as in `names`.

        A page looks through a few thousand verdicts: it may hold fewer than `limit` and still be followed.
        """
        group = self._caught_up(group_id, limit)
        items, following = judgements_of(
            self.installation, group, self._entity(group, entity_id), after=after, limit=limit
        )
        return Page(items=items, following=following)

    def dead_letters(
        self, group_id: str, *, after: str | None = None, limit: int = 100
    ) -> Page[DeadLetter]:
        """The group's episodes that could not be processed, oldest first; errors as in `episodes`."""
        group = self._checked(group_id, limit)
        keyed = sorted((_letter_key(one), one) for one in self.installation.record.letters(group))
        begin = _letter_place(after)
        found = [(key, one) for key, one in keyed if key > begin]
        return Page(
            items=tuple(one for _, one in found[:limit]),
            following=written(found[limit - 1][0]) if len(found) > limit else None,
        )

    def _entities_from(self, group: str, first: str) -> Iterator[str]:
        """The ids of the group's entities from that one on, where it is there."""
        if first and self.installation.graph.entities(group, [first]):
            yield first
        place = first
        while found := self.installation.graph.entities_after(group, place, limit=_AT_ONCE):
            yield from (one.entity_id for one in found)
            place = found[-1].entity_id

    def _entity(self, group: str, entity_id: str) -> str:
        """The id, if an entity of the group has it or had it."""
        if not self.installation.graph.names_of(group, [entity_id]):
            raise Incorrect(f"{entity_id!r} is the id of no entity of group {group!r}; search finds ids")
        return entity_id

    def _checked(self, group_id: str, limit: int) -> str:
        if not 1 <= limit <= MOST_LISTED:
            raise Incorrect(f"the limit is {limit}; expected 1 to {MOST_LISTED}")
        return self.grant.require(Right.READ, group_id)

    def _caught_up(self, group_id: str, limit: int) -> str:
        """The group, once the log has what was accepted so far."""
        group = self._checked(group_id, limit)
        if self.installation.record.spooled():
            compact_lightly(self.installation, group)
        return group


def _place(after: str | None) -> int | None:
    return None if after is None else place_in(after)


def _letter_key(letter: DeadLetter) -> tuple[str, ...]:
    return format_instant(letter.at), letter.episode_id, letter.stage


def _letter_place(after: str | None) -> tuple[str, ...]:
    if after is None:
        return ("", "", "")
    key = key_in(after, parts=3)
    if key is None:
        raise Incorrect("the place to go on from is none of this list; take it from the page before")
    return key


def _pair(after: str | None) -> tuple[str, str]:
    if after is None:
        return "", ""
    left, colon, right = after.partition(":")
    if not (colon and left):
        raise Incorrect("the place to go on from is none of this list; take it from the page before")
    return left, right
