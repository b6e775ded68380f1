"""The graph in plain lists and dicts: the reference that other stores are compared with.

Everything is found by looking at everything, so that what a role promises can be read off the code.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from memstrata.bitemporal import version_order, wire_order
from memstrata.errors import Conflict, Damaged
from memstrata.ports import Counts, Hit, Subject
from memstrata.stores.memory_group import (
    Group,
    Row,
    apply_evidence,
    apply_names,
    apply_placements,
    best,
    bm25,
    changed_since,
    expire,
    gives_way,
    is_of,
    known_name,
    now_standing,
    says_the_same,
    text_of_episode,
    text_of_fact,
    text_to_embed,
    true_at,
    version_of,
)
from memstrata.stores.memory_semantic import MemorySemantic
from memstrata.stores.words import same_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from memstrata.bitemporal import Key
    from memstrata.model import Entity, Episode, Fact, Placement, Version
    from memstrata.ports import Changes, Handle, KnownName, Scope, VectorModel, Vectors

_T = TypeVar("_T")
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


class MemoryGraph(MemorySemantic):
    """All roles of the graph in one process's memory, for one thread at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._groups: dict[str, Group] = {}
        self._numbers = count(1)
        self._model: VectorModel | None = None
        self._vectors: dict[int, Vectors] = {}

    def close(self) -> None:
        """Nothing to let go of."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Projector ---

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
        apply_names(group, changes)
        self._apply_entities(group, changes)
        apply_placements(group, changes)
        self._apply_facts(group, changes)
        self._groups[commit.group_id] = group

    def show_pending(self, episodes: Sequence[Episode]) -> None:
        """Makes raw episodes searchable at once, in reads of the present only; a commit replaces them."""
        for episode in episodes:
            group = self._groups.setdefault(episode.group_id, Group())
            rows = group.episodes
            rows[:] = [row for row in rows if row.created_at is not None or not is_of(row, episode)]
            if not any(
                is_of(row, episode) and row.stands(None) and says_the_same(row, episode) for row in rows
            ):
                rows.append(self._row(episode, text_of_episode(episode), None))

    def clear(self, group_id: str | None = None) -> None:
        """Empties the graph of one group, or the whole, vectors and pending episodes included."""
        for name in list(self._groups) if group_id is None else [group_id]:
            group = self._groups.pop(name, Group())
            rows: list[Row[Any]] = [*group.episodes, *group.entities, *group.facts]
            for row in rows:
                self._vectors.pop(row.passage, None)
        if not self._vectors:
            self._model = None

    def _row(
        self, value: _T, text: str, created_at: datetime | None, passage: int | None = None
    ) -> Row[_T]:
        handle = next(self._numbers)
        return Row(
            handle=handle,
            value=value,
            text=text,
            passage=handle if passage is None else passage,
            created_at=created_at,
        )

    def _apply_episodes(self, group: Group, changes: Changes) -> None:
        now = changes.commit.instant
        rows = group.episodes
        gone = set(changes.episodes_gone)
        rows[:] = [row for row in rows if row.created_at is not None or row.value.episode_id not in gone]
        expire(rows, lambda row: row.value.episode_id in gone, now)
        for episode in {episode.episode_id: episode for episode in changes.episodes}.values():
            rows[:] = [row for row in rows if not (is_of(row, episode) and gives_way(row, episode))]
            current = [row for row in rows if is_of(row, episode) and row.created_at and row.stands(None)]
            if any(
                row.value.revision == episode.revision and says_the_same(row, episode) for row in current
            ):
                continue
            expire(rows, current.__contains__, now)
            rows.append(self._row(episode, text_of_episode(episode), now))

    def _apply_entities(self, group: Group, changes: Changes) -> None:
        now = changes.commit.instant
        expire(group.entities, lambda row: row.value.entity_id in changes.entities_gone, now)
        for entity in {entity.entity_id: entity for entity in changes.entities}.values():
            before = [
                row for row in now_standing(group.entities) if row.value.entity_id == entity.entity_id
            ]
            if before and before[0].value == entity:
                continue
            passage = before[0].passage if before and before[0].value.name == entity.name else None
            expire(group.entities, before.__contains__, now)
            text = " ".join((entity.name, *entity.aliases))
            group.entities.append(self._row(entity, text, now, passage))

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
            old = before.get(fact.id)
            passage = old.passage if old is not None and old.value.fact == fact.fact else None
            group.facts.append(
                self._row(replace(fact, evidence=()), text_of_fact(fact, names), now, passage)
            )
        apply_evidence(group, changes, expired - {fact.id for fact in changes.facts_created})

    # --- Neighbourhood ---

    def placements_of(self, group_id: str, episode_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements of those episodes."""
        return tuple(one for one in self._live(group_id) if one.episode_id in episode_ids)

    def placements_on(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements of those (group, subject, predicate) keys."""
        return tuple(one for one in self._live(group_id) if (group_id, one.subject, one.predicate) in keys)

    def placements_toward(self, group_id: str, keys: Collection[Key]) -> tuple[Placement, ...]:
        """The live placements whose *object* is the key's subject, with the key's predicate."""
        return tuple(one for one in self._live(group_id) if (group_id, one.object, one.predicate) in keys)

    def placements_naming(self, group_id: str, signature_ids: Collection[str]) -> tuple[Placement, ...]:
        """The live placements whose subject or object mention has one of those signatures."""
        named = {key for key, (_, one) in self._group(group_id).mentions.items() if one in signature_ids}
        return tuple(
            one
            for one in self._live(group_id)
            if named & {(one.episode_id, one.subject_mention), (one.episode_id, one.object_mention)}
        )

    def placements_saying(self, group_id: str, predicates: Collection[str] | None) -> tuple[Placement, ...]:
        """The live placements of those predicates; of all, for None."""
        return tuple(
            one for one in self._live(group_id) if predicates is None or one.predicate in predicates
        )

    def facts_on(self, group_id: str, keys: Collection[Key]) -> tuple[Fact, ...]:
        """The current facts of those keys, evidence included."""
        group = self._group(group_id)
        found = (version_of(group, row).fact for row in now_standing(group.facts))
        return tuple(fact for fact in found if (group_id, fact.subject, fact.predicate) in keys)

    def names_under(
        self, group_id: str, keys: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names with live mentions that are indexed under one of the keys.

        `first` and `count` are as if the episodes `without` were not there.
        """
        group = self._group(group_id)
        under = [name for name in group.names.values() if set(keys) & set(name.keys)]
        known = (known_name(group, name, without) for name in under)
        return tuple(name for name in known if name is not None)

    def names_signed(
        self, group_id: str, signature_ids: Collection[str], *, without: Collection[str] = ()
    ) -> tuple[KnownName, ...]:
        """The known names of those signatures with live mentions; `without` as in `names_under`."""
        group = self._group(group_id)
        signed = [name for id_, name in group.names.items() if id_ in signature_ids]
        known = (known_name(group, name, without) for name in signed)
        return tuple(name for name in known if name is not None)

    def names_standing_for(self, group_id: str, entity_ids: Collection[str]) -> tuple[KnownName, ...]:
        """The known names with live mentions that stand for one of those entities now."""
        group = self._group(group_id)
        standing = [name for name in group.names.values() if name.entity_id in entity_ids]
        known = (known_name(group, name) for name in standing)
        return tuple(name for name in known if name is not None)

    def names_for(self, group_id: str, mentions: Collection[tuple[str, str]]) -> Mapping[str, KnownName]:
        """The known name of each of those (episode id, mention id), by mention id; gone ones are absent."""
        group = self._group(group_id)
        found = {key[1]: signature for key, (_, signature) in group.mentions.items() if key in mentions}
        known = {name: known_name(group, group.names[signature]) for name, signature in found.items()}
        return {name: one for name, one in known.items() if one is not None}

    def names_in(self, group_id: str, episode_ids: Collection[str]) -> tuple[tuple[KnownName, int], ...]:
        """The known names with live mentions in those episodes, and how many each has there."""
        group = self._group(group_id)
        here = Counter(
            signature for (episode, _), (_, signature) in group.mentions.items() if episode in episode_ids
        )
        known = ((known_name(group, group.names[signature]), times) for signature, times in here.items())
        return tuple((name, times) for name, times in known if name is not None)

    def entities(self, group_id: str, entity_ids: Collection[str]) -> tuple[Entity, ...]:
        """The current entities of those ids."""
        return tuple(one for one in self.all_entities(group_id) if one.entity_id in entity_ids)

    # --- TextIndex ---

    def match(self, subject: Subject, words: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The best hits for any of the words, best first, ties by handle; () for no words."""
        hits = []
        for group_id in set(scope.groups):
            scores = bm25(self._rows(group_id, subject), words)
            hits += [
                Hit(row.handle, scores[row.handle]) for row in self._in_scope(group_id, subject, scope)
            ]
        return best((hit for hit in hits if hit.score > 0), limit)

    def named(self, names: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """Entities whose name or alias equals one of the names, case and accents aside; all score 1."""
        wanted = {same_name(name) for name in names if name.strip()}
        hits = []
        for group_id in set(scope.groups):
            for row in self._in_scope(group_id, Subject.ENTITY, scope):
                entity: Entity = row.value
                if wanted & {same_name(name) for name in (entity.name, *entity.aliases)}:
                    hits.append(Hit(row.handle, 1.0))
        return best(hits, limit)

    # --- VectorIndex ---

    def model(self) -> VectorModel | None:
        """The model of the vectors stored; None while there are none."""
        return self._model

    def without_vector(self, subject: Subject, *, limit: int) -> tuple[tuple[Handle, str], ...]:
        """Handles and texts that have no vector yet, oldest first."""
        waiting: dict[int, tuple[int, str]] = {}
        for group_id in self._groups:
            for row in self._rows(group_id, subject):
                if row.created_at is not None and row.passage not in self._vectors:
                    waiting.setdefault(row.passage, (row.handle, text_to_embed(row.value)))
        return tuple(waiting[passage] for passage in sorted(waiting)[:limit])

    def put(
        self, subject: Subject, model: VectorModel, handles: Sequence[Handle], vectors: Vectors
    ) -> None:
        """Stores unit vectors, one row a handle.

        Raises `Conflict` if vectors of another model or dimension are stored, or a row is zero.
        """
        stored = self._model
        if stored and (stored.name, stored.dimension) != (model.name, model.dimension):
            raise Conflict(f"vectors of {stored.name} are stored, vectors of {model.name} were given")
        table = [np.asarray(vector, np.float32) for vector in vectors]
        for vector in table:
            if vector.size != model.dimension or not np.isfinite(vector).all() or not vector.any():
                raise Conflict(f"a vector is zero, not finite or not of {model.dimension} dimensions")
        passages = {row.handle: row.passage for name in self._groups for row in self._rows(name, subject)}
        for handle, vector in zip(handles, table, strict=True):
            if handle in passages:
                self._vectors[passages[int(handle)]] = vector
                self._model = model

    def nearest(self, subject: Subject, vector: Vectors, scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The nearest in scope, by exact cosine, best first, ties by handle."""
        asked = np.asarray(vector, np.float32).reshape(-1)
        if self._model is None:
            return ()
        if asked.size != self._model.dimension:
            raise Conflict(f"the vector has {asked.size} dimensions, those stored {self._model.dimension}")
        return best(
            (
                Hit(row.handle, float(self._vectors[row.passage] @ asked))
                for group_id in set(scope.groups)
                for row in self._in_scope(group_id, subject, scope)
                if row.passage in self._vectors
            ),
            limit,
        )

    def forget(self) -> None:
        """Drops all vectors."""
        self._vectors.clear()
        self._model = None

    # --- GraphReader ---

    def versions(self, handles: Sequence[Handle]) -> Mapping[Handle, Version]:
        """The fact versions of those handles; unknown ones are absent."""
        return {
            row.handle: version_of(group, row)
            for group in self._groups.values()
            for row in group.facts
            if row.handle in handles
        }

    def entities_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Entity]:
        """The entities of those handles."""
        rows = (row for group in self._groups.values() for row in group.entities)
        return {row.handle: row.value for row in rows if row.handle in handles}

    def episodes_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Episode]:
        """The episodes of those handles, pending ones included."""
        rows = (row for group in self._groups.values() for row in group.episodes)
        return {row.handle: row.value for row in rows if row.handle in handles}

    def facts_about(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> tuple[Handle, ...]:
        """Facts in scope with one of the entities as subject or object: latest valid time first."""
        found = [
            row
            for group_id in set(scope.groups)
            for row in self._in_scope(group_id, Subject.FACT, scope)
            if {row.value.subject, row.value.object} & set(entity_ids)
        ]
        found.sort(key=lambda row: (row.value.valid_at or _BEFORE_ALL, row.handle), reverse=True)
        return tuple(row.handle for row in found[:limit])

    def names_of(self, group_id: str, ids: Collection[str]) -> Mapping[str, str]:
        """The latest names of those entities, living or gone; literals and unknown ids are absent."""
        rows = self._group(group_id).entities  # in the order of their creation
        return {row.value.entity_id: row.value.name for row in rows if row.value.entity_id in ids}

    def history(self, group_id: str, fact_id: str) -> tuple[Version, ...]:
        """All versions of a fact, oldest first; () if there never was one."""
        group = self._group(group_id)
        return tuple(version_of(group, row) for row in group.facts if row.value.id == fact_id)

    def evidence(self, group_id: str, assertion_ids: Collection[str]) -> tuple[Placement, ...]:
        """The latest placement of each of those assertions (it names the episode and the quote)."""
        placements = sorted(self._group(group_id).placements, key=lambda one: one.recorded_at)
        return tuple({one.id: one for one in placements if one.id in assertion_ids}.values())

    def successors(self, group_id: str, old_id: str) -> tuple[str, ...]:
        """For an id of a fact or entity that is gone: the living ones that share its evidence or names."""
        group = self._group(group_id)
        living = {row.value.id for row in now_standing(group.facts)}
        entities = {row.value.entity_id for row in now_standing(group.entities)}
        if old_id in living | entities:
            return ()
        history = self.history(group_id, old_id)
        if history:
            last = set(history[-1].fact.evidence)
            found = {
                one.fact_id for one in group.evidence if one.expired_at is None and one.assertion_id in last
            }
            return tuple(sorted(found & living))
        names = {signature for entity, signature in group.stood_for if entity == old_id}
        now = {signature: group.names[signature].entity_id for _, signature in group.mentions.values()}
        return tuple(sorted({now[one] for one in names & now.keys()} & entities))

    # --- Exporter ---

    def counts(self) -> tuple[Counts, ...]:
        """One entry a group, sorted by group."""
        return tuple(self._counts(group_id) for group_id in sorted(self._groups))

    def all_facts(self, group_id: str) -> Iterator[Fact]:
        """The current facts, in the order of the fold's wire format."""
        group = self._group(group_id)
        yield from sorted(
            (version_of(group, row).fact for row in now_standing(group.facts)), key=wire_order
        )

    def all_versions(self, group_id: str) -> Iterator[Version]:
        """Every version in wire order; evidence is that of the last belief in which the version stood."""
        group = self._group(group_id)
        yield from sorted((version_of(group, row) for row in group.facts), key=version_order)

    def all_entities(self, group_id: str) -> Iterator[Entity]:
        """The current entities, by id."""
        found = (row.value for row in now_standing(self._group(group_id).entities))
        yield from sorted(found, key=lambda entity: entity.entity_id)

    def all_placements(self, group_id: str) -> Iterator[Placement]:
        """Every placement, live and retracted, by (id, recorded_at)."""
        yield from sorted(self._group(group_id).placements, key=lambda one: (one.id, one.recorded_at))

    def entities_since(self, group_id: str, instant: datetime | None) -> tuple[str, ...]:
        """Ids of entities whose facts or evidence changed after that system instant, sorted."""
        group = self._group(group_id)
        since = instant or _BEFORE_ALL
        changed = {
            one.fact_id for one in group.evidence if changed_since(one.created_at, one.expired_at, since)
        }
        ends = {
            end
            for row in group.facts
            if row.value.id in changed or changed_since(row.created_at, row.expired_at, since)
            for end in (row.value.subject, row.value.object)
        }
        return tuple(sorted(ends & {row.value.entity_id for row in group.entities}))

    def _counts(self, group_id: str) -> Counts:
        group = self._groups[group_id]
        waiting = {row.passage for row in group.facts} - self._vectors.keys()
        return Counts(
            group_id=group_id,
            last_seq=group.last_seq,
            episodes=sum(row.created_at is not None for row in now_standing(group.episodes)),
            pending_episodes=sum(row.created_at is None for row in group.episodes),
            entities=len(now_standing(group.entities)),
            facts=len(now_standing(group.facts)),
            versions=len(group.facts),
            placements=len(self._live(group_id)),
            facts_without_vector=len(waiting),
        )

    # --- looking around ---

    def _group(self, group_id: str) -> Group:
        return self._groups.get(group_id, Group())

    def _live(self, group_id: str) -> list[Placement]:
        return [one for one in self._group(group_id).placements if one.retracted_at is None]

    def _rows(self, group_id: str, subject: Subject) -> Sequence[Row[Any]]:
        group = self._group(group_id)
        rows: dict[Subject, Sequence[Row[Any]]] = {
            Subject.FACT: group.facts,
            Subject.ENTITY: group.entities,
            Subject.EPISODE: group.episodes,
        }
        return rows[subject]

    def _in_scope(self, group_id: str, subject: Subject, scope: Scope) -> list[Row[Any]]:
        rows = self._rows(group_id, subject)
        if scope.history:
            until = scope.moment.system
            return [row for row in rows if row.created_at and (until is None or row.created_at <= until)]
        standing = (row for row in rows if row.stands(scope.moment.system))
        return [row for row in standing if true_at(row.value, scope.moment.valid)]
