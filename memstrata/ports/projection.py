"""The graph as a commit sees it: the present belief around what it touches, and what it changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from datetime import datetime

    from memstrata.bitemporal import Key
    from memstrata.model import Commit, Entity, Episode, Fact, Mention, Placement


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownName:
    """A signature of the resolver as the store knows it, with the entity that it stands for now.

    `example` is one mention that has this signature, recalled when it is asked for; `first` the earliest
    (reference time, mention id) of its live mentions, of which there are `count`, and `first_episode`
    where that one stands.
    """

    signature_id: str
    keys: tuple[str, ...]
    entity_id: str
    first: tuple[datetime, str]
    first_episode: str
    count: int
    recall: Callable[[], Mention] = field(compare=False, repr=False)

    @property
    def example(self) -> Mention:
        """One mention that has this signature."""
        return self.recall()


class Neighbourhood(Protocol):
    """Reads of the present belief around what a commit touches. Results are complete, in no order."""

    def placements_of(self, group_id: str, episode_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements of those episodes."""

    def placements_on(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements of those (group, subject, predicate) keys."""

    def placements_toward(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements whose *object* is the key's subject, with the key's predicate."""

    def placements_naming(self, group_id: str, signature_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements whose subject or object mention has one of those signatures."""

    def placements_saying(self, group_id: str, predicates: Collection[str] | None) -> tuple[Placement, ...]:
        """The live placements of those predicates; of all, for None."""

    def facts_on(self, group_id: str, keys: Collection[Key]) -> tuple[Fact, ...]:
        """The current facts of those keys, evidence included."""

    def names_under(
        self, group_id: str, keys: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names with live mentions that are indexed under one of the keys.

        `first` and `count` are as if the episodes `without` were not there; names that live in those
        alone are left out.
        """

    def names_signed(
        self, group_id: str, signature_ids: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names of those signatures with live mentions; `without` as in `names_under`."""

    def names_for(self, group_id: str, mentions: Collection[tuple[str, str]]) -> Mapping[str, KnownName]:
        """The known name of each of those (episode id, mention id), by mention id; gone ones are absent."""

    def names_in(self, group_id: str, episode_ids: Collection[str]) -> tuple[tuple[KnownName, int], ...]:
        """The known names with live mentions in those episodes, and how many each has there."""

    def names_standing_for(self, group_id: str, entity_ids: Collection[str]) -> tuple[KnownName, ...]:
        """The known names with live mentions that stand for one of those entities now."""

    def entities(self, group_id: str, entity_ids: Collection[str]) -> tuple[Entity, ...]:
        """The current entities of those ids."""

    def turns_around(
        self, group_id: str, placed: Collection[Episode], leaving: Collection[str], *, reach: int
    ) -> tuple[Episode, ...]:
        """The committed episodes near those that come or go, in the same sagas.

        For each of `placed`, where it will stand and where its stored revision stands, and each of
        `leaving` (episode ids), where it stands: the nearest `reach` turns before and after, both sets not
        counted; and the `leaving` and the stored revisions of the `placed` themselves. Each once, in any
        order. Order in a saga: position (none last), then reference
        time, then episode id. Episodes without a saga have nobody around them.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePlacement:
    """A name that is new, or stands for another entity from this commit on.

    `stood_for` are entities that this commit ends, and that mentions stood for which have this name now.
    """

    signature_id: str
    example: Mention
    keys: tuple[str, ...]
    entity_id: str
    stood_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What one commit does to the graph; everything in it happens at `commit.instant` or not at all.

    `episodes` become current (mentions of their earlier revision go), `episodes_gone` leave;
    `passages` are the texts by which an episode is searched, for each that became current or got other
    neighbours: (episode id, its passages in order), instead of those that it had; an episode in `episodes`
    without passages there keeps those that it had if its content did not change, pending ones too, or else
    is searched by `memstrata.projection.passages.passages_of(episode)` alone; an id in `passages` that is
    not current then is passed over;
    `mentions` pairs each new mention with its signature's id; `entities` are new or changed ones;
    `facts_created` are new versions, `facts_expired` ids whose current version ends (a changed fact
    stands in both); evidence is (fact id, assertion id).
    """

    commit: Commit
    episodes: tuple[Episode, ...] = ()
    episodes_gone: tuple[str, ...] = ()
    passages: tuple[tuple[str, tuple[str, ...]], ...] = ()
    mentions: tuple[tuple[Mention, str], ...] = ()
    names: tuple[NamePlacement, ...] = ()
    entities: tuple[Entity, ...] = ()
    entities_gone: tuple[str, ...] = ()
    placements_recorded: tuple[Placement, ...] = ()
    placements_retracted: tuple[str, ...] = ()
    facts_created: tuple[Fact, ...] = ()
    facts_expired: tuple[str, ...] = ()
    evidence_added: tuple[tuple[str, str], ...] = ()
    evidence_removed: tuple[tuple[str, str], ...] = ()


class Projector(Protocol):
    """Writes of the graph."""

    def last_seq(self, group_id: str) -> int:
        """The last commit applied; 0 for a group that is not there."""

    def apply(self, changes: Changes) -> None:
        """Applies all changes in one transaction.

        Raises `Conflict` if `last_seq` is not `changes.commit.seq - 1`; then nothing is written.
        """

    def show_pending(self, episodes: Sequence[tuple[Episode, tuple[str, ...]]]) -> None:
        """Makes raw episodes searchable at once by their passages, in reads of the present only.

        A commit replaces them; so does showing the episode again. An episode whose content is that of the
        current revision is shown already.
        """

    def clear(self, group_id: str | None = None) -> None:
        """Empties the graph of one group, or the whole, vectors and pending episodes included."""
