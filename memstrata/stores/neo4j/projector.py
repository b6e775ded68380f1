"""Writes of the graph: a commit's changes in one transaction; their parts are in `applying_*`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from memstrata.errors import Conflict, Damaged, Incorrect
from memstrata.stores.neo4j.applying_episodes import apply_episodes, pending_row
from memstrata.stores.neo4j.applying_facts import apply_facts, finish, retract_placements
from memstrata.stores.neo4j.applying_names import apply_entities, apply_names, drop_entities
from memstrata.stores.neo4j.batch import Batch
from memstrata.stores.neo4j.connection import run, statement
from memstrata.stores.neo4j.resting import cite, citing_of, resting_of
from memstrata.stores.neo4j.standing import locked, standing_episodes
from memstrata.stores.records import ALWAYS, micros

if TYPE_CHECKING:
    from collections.abc import Sequence

    import neo4j

    from memstrata.model import Commit, Episode
    from memstrata.ports import Changes
    from memstrata.stores.neo4j.connection import Connection
    from memstrata.stores.neo4j.standing import Standing

#: What a group has of its own, in the order in which it goes; summaries and procedures stay.
CLEARED: Final = (
    "FactVersion",
    "Placement",
    "PlacementVersion",
    "Passage",
    "PassageVersion",
    "Mention",
    "NameKey",
    "Name",
    "PendingEpisode",
    "EpisodicVersion",
    "Episodic",
    "Saga",
    "EntityVersion",
    "Entity",
    "Literal",
    "Unnamed",
)


class Neo4jProjector:
    """The commit's writing side of the graph."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def last_seq(self, group_id: str) -> int:
        """The last commit applied; 0 for a group that is not there.

        Raises `Incorrect` for a group in which others keep a graph of theirs.
        """
        found = self._connection.fetch("last_seq", group=group_id)
        if not found:
            self._refuse_foreign(group_id)
        return int(found[0]["last_seq"]) if found else 0

    def apply(self, changes: Changes) -> None:
        """Applies all changes in one transaction.

        Raises `Conflict` if `last_seq` is not `changes.commit.seq - 1`, and `Damaged` if the changes do
        not fit what is stored (an id retracted or expired that does not stand, one created that does);
        then nothing is written. Of two that apply to one group at once, the second gets `Conflict`.
        """
        write = str(uuid4())
        try:
            self._connection.write(lambda transaction: _apply(transaction, changes, write))
        except Damaged as error:
            commit = changes.commit
            raise Damaged(
                f"commit {commit.seq} of group {commit.group_id!r} does not fit the graph: {error}; "
                "nothing of it was applied: compare the graph with its log, and rebuild it"
            ) from error

    def show_pending(self, episodes: Sequence[tuple[Episode, tuple[str, ...]]]) -> None:
        """Makes raw episodes searchable at once by their passages, in reads of the present only.

        A commit replaces them. An episode whose content is that of the current revision is shown already.
        """
        groups: dict[str, dict[str, tuple[Episode, tuple[str, ...]]]] = {}
        for episode, texts in episodes:
            groups.setdefault(episode.group_id, {})[episode.episode_id] = (episode, texts)
        for group_id, latest in sorted(groups.items()):
            self._connection.write(partial(_show, group_id=group_id, episodes=tuple(latest.values())))

    def clear(self, group_id: str | None = None) -> None:
        """Empties the graph of one group, or the whole, vectors and pending episodes included.

        It is done piece by piece. Interrupted, the group reads as empty, and commits to it are refused,
        until it is cleared again. Raises `Incorrect`, and clears nothing, if others keep nodes in it.
        """
        if group_id is None:
            for record in self._connection.fetch("known_groups"):
                self.clear(record["group"])
            return
        self._refuse_foreign(group_id)
        self._connection.write(lambda transaction: run(transaction, "begin_emptying", group=group_id))
        # Apart, and few at a time: together with their nodes, vectors fill the memory of a small server.
        self._connection.execute(statement("clear_facts"), group=group_id)
        for label in CLEARED:
            self._connection.execute(statement("clear_label"), group=group_id, label=label)
        self._connection.write(lambda transaction: run(transaction, "forget_made", group=group_id))
        self._connection.write(lambda transaction: run(transaction, "end_emptying", group=group_id))

    def _refuse_foreign(self, group_id: str) -> None:
        """Raises `Incorrect` if somebody else, such as Graphiti, has written nodes of that group here."""
        for record in self._connection.fetch("foreign", group=group_id):
            raise Incorrect(
                f"group {group_id!r} of the database at {self._connection.uri} holds nodes that Memstrata "
                f"did not write (the first: {record['uuid']}), and would lose them; take them in under "
                "another name (memstrata import), use another database, or remove them yourself"
            )


def _apply(transaction: neo4j.ManagedTransaction, changes: Changes, write: str) -> None:
    commit = changes.commit
    standing = locked(transaction, changes)
    if standing.last_write == write:
        return  # this very write is in already: only its answer was lost
    _expect_turn(standing, commit)
    batch = Batch(
        transaction=transaction,
        standing=standing,
        group_id=commit.group_id,
        seq=commit.seq,
        instant=commit.instant,
    )
    resting = resting_of(batch, changes)
    citing = citing_of(resting)
    told = apply_episodes(batch, changes, citing)
    touched = apply_names(batch, changes)
    apply_entities(batch, changes)
    retract_placements(batch, changes)
    apply_facts(batch, changes, resting)
    cite(batch, citing, told)
    batch.each("refresh_mentions", sorted(touched), called="episodes")
    drop_entities(batch, changes)
    finish(batch, changes, write)


def _expect_turn(standing: Standing, commit: Commit) -> None:
    """Raises unless the commit is the next that the group awaits."""
    if standing.emptying:
        raise Conflict(
            f"group {commit.group_id!r} is being emptied, or that was interrupted; "
            "rebuild it (memstrata rebuild)"
        )
    if standing.last_seq != commit.seq - 1:
        raise Conflict(
            f"group {commit.group_id!r} has {standing.last_seq} commits in the graph; commit {commit.seq} "
            "cannot follow: another process projects the same group, or the graph is behind its log"
        )
    if standing.last_instant >= micros(commit.instant):
        raise Damaged("its instant is not later than that of the commit before")


def _show(
    transaction: neo4j.ManagedTransaction,
    group_id: str,
    episodes: Sequence[tuple[Episode, tuple[str, ...]]],
) -> None:
    run(transaction, "lock_group", group=group_id, always=ALWAYS)
    ids = [episode.episode_id for episode, _ in episodes]
    standing = standing_episodes(run(transaction, "standing_episodes", group=group_id, ids=ids))
    pending = [name for name, rows in standing.items() if any(row.pending for row in rows)]
    if pending:
        run(transaction, "drop_pending", given={"group": group_id, "ids": pending})
    new = [
        pending_row(episode, texts)
        for episode, texts in episodes
        if not any(row.says(episode) and not row.pending for row in standing.get(episode.episode_id, ()))
    ]
    if new:
        run(transaction, "add_pending", given={"rows": new})
    run(transaction, "unlock_group", group=group_id)
