"""The reference store's writes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memstrata.errors import Conflict, Damaged
from memstrata.ports import Subject
from memstrata.projection.passages import passages_of
from memstrata.stores.memory.applying import (
    apply_evidence,
    apply_names,
    apply_placements,
    expire,
    gives_way,
    is_of,
    says_the_same,
)
from memstrata.stores.memory.rows import Group, Kept, now_standing
from memstrata.stores.searched import words_of_entity, words_of_fact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.model import Episode
    from memstrata.ports import Changes
    from memstrata.stores.memory.rows import Row


class MemoryProjector(Kept):
    """See `ports.Projector`."""

    def last_seq(self, group_id: str) -> int:
        """The last commit applied; 0 for a group that is not there."""
        return self._group(group_id).last_seq

    def apply(self, changes: Changes) -> None:
        """Applies all changes or none.

        Raises `Conflict` if `last_seq` is not `changes.commit.seq - 1`, and `Damaged` if the changes do
        not fit what is stored.
        """
        commit = changes.commit
        group = self._group(commit.group_id).copy()
        if commit.seq != group.last_seq + 1:
            raise Conflict(
                f"group {commit.group_id!r} has {group.last_seq} commits; commit {commit.seq} cannot follow"
            )
        if group.last_instant is not None and commit.instant <= group.last_instant:
            raise Damaged(
                f"commit {commit.seq} of group {commit.group_id!r} is not later than the one before"
            )
        group.last_seq, group.last_instant = commit.seq, commit.instant
        self._apply_episodes(group, changes)
        self._apply_passages(group, changes)
        apply_names(group, changes)
        self._apply_entities(group, changes)
        apply_placements(group, changes)
        self._apply_facts(group, changes)
        self._groups[commit.group_id] = group

    def show_pending(self, episodes: Sequence[tuple[Episode, tuple[str, ...]]]) -> None:
        """Makes raw episodes searchable at once by their passages, in reads of the present only."""
        for episode, passages in episodes:
            group = self._groups.setdefault(episode.group_id, Group())
            rows = group.episodes
            rows[:] = [row for row in rows if row.created_at is not None or not is_of(row, episode)]
            if not any(
                is_of(row, episode) and row.stands(None) and says_the_same(row, episode) for row in rows
            ):
                rows.append(self._row(episode, self._passages(_twice(passages)), None))

    def clear(self, group_id: str | None = None) -> None:
        """Empties the graph of one group, or the whole, vectors and pending episodes included."""
        if group_id is None:
            self._groups.clear()
            self._vectors.clear()
        else:
            rows = [row for subject in Subject for row in self._rows(group_id, subject)]
            for passage in (one for row in rows for one in row.passages):
                self._vectors.pop(passage.number, None)
            self._groups.pop(group_id, None)
        if not self._vectors:
            self._model = None

    def _apply_episodes(self, group: Group, changes: Changes) -> None:
        now = changes.commit.instant
        rows = group.episodes
        gone = set(changes.episodes_gone)
        rows[:] = [row for row in rows if row.created_at is not None or row.value.episode_id not in gone]
        expire(rows, lambda row: row.value.episode_id in gone, now)
        for episode in {episode.episode_id: episode for episode in changes.episodes}.values():
            of_it = [row for row in rows if is_of(row, episode) and row.stands(None)]
            alike = [row for row in of_it if says_the_same(row, episode)]
            current = [row for row in of_it if row.created_at]
            rows[:] = [row for row in rows if not (is_of(row, episode) and gives_way(row, episode))]
            if any(row in alike and row.value.revision == episode.revision for row in current):
                continue
            expire(rows, current.__contains__, now)
            before = [one.words for one in alike[-1].passages] if alike else passages_of(episode)
            rows.append(self._row(episode, self._passages(_twice(before)), now))

    def _apply_passages(self, group: Group, changes: Changes) -> None:
        """Replaces those of current episodes; of others it keeps the last that they had."""
        given = dict(changes.passages)
        group.episodes[:] = [
            replace(row, passages=self._passages(_twice(given[row.value.episode_id]), row.passages))
            if row.value.episode_id in given and row.created_at and row.stands(None)
            else row
            for row in group.episodes
        ]

    def _apply_entities(self, group: Group, changes: Changes) -> None:
        now = changes.commit.instant
        expire(group.entities, lambda row: row.value.entity_id in changes.entities_gone, now)
        for entity in {entity.entity_id: entity for entity in changes.entities}.values():
            before = [
                row for row in now_standing(group.entities) if row.value.entity_id == entity.entity_id
            ]
            if before and before[0].value == entity:
                continue
            expire(group.entities, before.__contains__, now)
            passages = self._passages([(words_of_entity(entity), entity.name)], _passages(before))
            group.entities.append(self._row(entity, passages, now))

    def _apply_facts(self, group: Group, changes: Changes) -> None:
        now = changes.commit.instant
        expired = set(changes.facts_expired)
        before = {row.value.id: row for row in now_standing(group.facts) if row.value.id in expired}
        if len(before) != len(changes.facts_expired):
            raise Damaged("a fact is to end that does not stand")
        expire(group.facts, lambda row: row.value.id in expired, now)
        names = {row.value.entity_id: row.value.name for row in now_standing(group.entities)}
        for fact in changes.facts_created:
            if any(row.value.id == fact.id for row in now_standing(group.facts)):
                raise Damaged(f"fact {fact.id!r} stands already")
            old = [before[fact.id]] if fact.id in before else []
            passages = self._passages([(words_of_fact(fact, names), fact.fact)], _passages(old))
            group.facts.append(self._row(replace(fact, evidence=()), passages, now))
        apply_evidence(group, changes, expired - {fact.id for fact in changes.facts_created})


def _passages(rows: Iterable[Row[Any]]) -> tuple[Any, ...]:
    return tuple(passage for row in rows for passage in row.passages)


def _twice(texts: Iterable[str]) -> list[tuple[str, str]]:
    """What is searched by words is embedded as it is."""
    return [(text, text) for text in texts]
