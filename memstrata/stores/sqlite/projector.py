"""Writes of the graph: a commit's changes in one transaction; their parts are in `applying_*`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import apsw

from memstrata.errors import Conflict, Damaged
from memstrata.stores.records import ALWAYS, micros
from memstrata.stores.sqlite.applying_beliefs import apply_facts, apply_placements
from memstrata.stores.sqlite.applying_episodes import apply_episodes, place_pending, texts_of
from memstrata.stores.sqlite.applying_sources import apply_entities, apply_names
from memstrata.stores.sqlite.batch import Batch
from memstrata.stores.sqlite.connection import fetch, widen_cache, writing
from memstrata.stores.sqlite.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memstrata.model import Episode
    from memstrata.ports import Changes
    from memstrata.stores.sqlite.connection import Connections

#: In the order in which rows may go: what others are found by goes last.
_CLEARED = (
    "fact_words",
    "entity_words",
    "episode_words",
    "mentions",
    "name_counts",
    "name_entities",
    "name_keys",
    "names",
    "episodes",
    "entities",
    "placements",
    "facts",
    "evidence",
    "vectors",
    "passages",
    "replaced",
    "terms",
    "group",
)


class _Group(NamedTuple):
    key: int
    last_seq: int
    last_instant: int


class SqliteProjector:
    """The commit's writing side of the graph."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def last_seq(self, group_id: str) -> int:
        """The last commit applied; 0 for a group that is not there."""
        group = _find(self._connections.here(), group_id)
        return 0 if group is None else group.last_seq

    def apply(self, changes: Changes) -> None:
        """Applies all changes in one transaction.

        Raises `Conflict` if `last_seq` is not `changes.commit.seq - 1`, and `Damaged` if the changes do
        not fit what is stored (an id retracted or expired that does not stand, one created that does);
        then nothing is written.
        """
        commit = changes.commit
        try:
            widen_cache(self._connections.here())
            with writing(self._connections.here()) as connection:
                group = _found_or_added(connection, commit.group_id)
                _expect(changes, group)
                now = micros(commit.instant)
                batch = Batch(connection, group.key, now, Terms(connection, group.key))
                batch.terms.intern(_texts(changes))
                apply_episodes(batch, changes)
                apply_names(batch, changes)
                apply_entities(batch, changes)
                apply_placements(batch, changes)
                apply_facts(batch, changes)
                fetch(connection, "advance_group", (group.key, commit.seq, now))
        except apsw.ConstraintError as error:
            raise Damaged(
                f"commit {commit.seq} of group {commit.group_id!r} creates what stands already ({error}); "
                "nothing of it was applied: compare the graph with its log, and rebuild it"
            ) from error

    def show_pending(self, episodes: Sequence[tuple[Episode, tuple[str, ...]]]) -> None:
        """Makes raw episodes searchable at once by their passages, in reads of the present only.

        A commit replaces them. An episode whose content is that of the current revision is shown already.
        """
        if not episodes:
            return
        with writing(self._connections.here()) as connection:
            for group_id in sorted({episode.group_id for episode, _ in episodes}):
                group = _found_or_added(connection, group_id)
                batch = Batch(connection, group.key, group.last_instant, Terms(connection, group.key))
                place_pending(batch, [one for one in episodes if one[0].group_id == group_id])

    def clear(self, group_id: str | None = None) -> None:
        """Empties the graph of one group, or the whole, vectors and pending episodes included."""
        with writing(self._connections.here()) as connection:
            if group_id is None:
                fetch(connection, "forget_vectors")
                fetch(connection, "forget_embedded")
                fetch(connection, "forget_model")
                fetch(connection, "next_epoch")
                keys = [row[0] for row in fetch(connection, "all_groups")]
            else:
                group = _find(connection, group_id)
                keys = [] if group is None else [group.key]
                fetch(connection, "forget_semantic_embedded", (group_id,))
                fetch(connection, "clear_semantic_vectors", (group_id,))
            for key in keys:
                for what in _CLEARED:
                    fetch(connection, f"clear_{what}", (key,))


def _find(connection: apsw.Connection, group_id: str) -> _Group | None:
    rows = fetch(connection, "group", (group_id,))
    return _Group(*rows[0]) if rows else None


def _found_or_added(connection: apsw.Connection, group_id: str) -> _Group:
    found = _find(connection, group_id)
    if found is not None:
        return found
    return _Group(*fetch(connection, "add_group", (group_id, ALWAYS))[0])


def _expect(changes: Changes, group: _Group) -> None:
    commit = changes.commit
    if commit.seq != group.last_seq + 1:
        raise Conflict(
            f"group {commit.group_id!r} has commit {group.last_seq} applied, so the next is "
            f"{group.last_seq + 1}; commit {commit.seq} was given: read the group again and commit on that"
        )
    if micros(commit.instant) <= group.last_instant:
        raise Damaged(
            f"commit {commit.seq} of group {commit.group_id!r} has instant {commit.instant.isoformat()}, "
            "which is not later than the commit before it; look at the log of commits"
        )


def _texts(changes: Changes) -> Iterator[str]:
    """Every text of the changes that the tables hold as an integer."""
    for episode in changes.episodes:
        yield from texts_of(episode)
    yield from (name for name, _ in changes.passages)
    yield from changes.episodes_gone
    for mention, _ in changes.mentions:
        yield mention.episode_id
    for name in changes.names:
        yield name.entity_id
        yield from name.stood_for
    for entity in changes.entities:
        yield entity.entity_id
    yield from changes.entities_gone
    for placed in changes.placements_recorded:
        yield from (placed.id, placed.episode_id, placed.subject, placed.predicate, placed.object)
    yield from changes.placements_retracted
    for fact in changes.facts_created:
        yield from (fact.id, fact.subject, fact.predicate, fact.object)
    yield from changes.facts_expired
    for pairs in (changes.evidence_added, changes.evidence_removed):
        for pair in pairs:
            yield from pair
