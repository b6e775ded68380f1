"""The first half of a commit in the graph: mentions, names and entities (episodes: `applying_episodes`)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import orjson

from memstrata.errors import Damaged
from memstrata.stores.records import mention_record, micros
from memstrata.stores.searched import words_of_entity
from memstrata.stores.sqlite.indexing import name_indexed
from memstrata.stores.sqlite.rows import dumped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Entity
    from memstrata.ports import Changes
    from memstrata.stores.sqlite.batch import Batch


def apply_names(batch: Batch, changes: Changes) -> None:
    """Adds and moves names, then replaces the mentions of the episodes that the changes touch."""
    signatures = {name.signature_id for name in changes.names} | {one for _, one in changes.mentions}
    known: dict[str, int] = dict(batch.named("find_name", sorted(signatures)))
    _place_names(batch, changes, known)
    counts: Counter[int] = Counter()
    touched = {episode.episode_id for episode in changes.episodes} | set(changes.episodes_gone)
    gone = batch.those("drop_mentions_of_episode", sorted(batch.terms[name] for name in touched))
    again = {
        (batch.terms[mention.episode_id], mention.mention_id): (mention, signature)
        for mention, signature in changes.mentions
    }
    apart = [key for key, (mention, _) in again.items() if mention.episode_id not in touched]
    gone += batch.run("drop_mention", apart)
    counts.subtract(row[0] for row in gone)
    rows = []
    for (episode, mention_id), (mention, signature) in again.items():
        if signature not in known:
            raise Damaged(
                f"mention {mention_id!r} has the signature {signature!r}, which no name has; nothing was "
                "applied: list the name in the changes"
            )
        rows.append((episode, mention_id, known[signature], micros(mention.reference_time)))
    batch.run("add_mention", rows)
    counts.update(row[2] for row in rows)
    batch.run("count_mentions", ((name, more) for name, more in counts.items() if more))


def _place_names(batch: Batch, changes: Changes, known: dict[str, int]) -> None:
    """Adds and moves names, with what they are found by; `known` has their rows, and gets the new ones."""
    if not changes.names:
        return
    next_row = batch.next_row("name")
    again = sorted({known[one.signature_id] for one in changes.names if one.signature_id in known})
    keys_of: dict[int, str] = dict(batch.those("keys_of_name", again))
    added, moved, key_added, key_gone, stood_for = [], [], [], [], []
    for name in {one.signature_id: one for one in changes.names}.values():
        entity = batch.terms[name.entity_id]
        example, keys = mention_record(name.example), dumped(name.keys)
        row = known.setdefault(name.signature_id, next_row)
        old_keys = keys_of.get(row, "[]")
        if row == next_row:
            next_row += 1
            added.append((row, batch.group_key, name.signature_id, entity, example, keys))
        else:
            moved.append((row, entity, example, keys))
        if keys != old_keys:
            before, after = set(orjson.loads(old_keys)), set(name.keys)
            key_added += [(batch.group_key, key, row) for key in after - before]
            key_gone += [(batch.group_key, key, row) for key in before - after]
        stood_for += [(entity, row), *((batch.terms[one], row) for one in name.stood_for)]
    batch.run("add_name", added)
    batch.run("move_name", moved)
    batch.run("add_name_key", sorted(key_added))
    batch.run("drop_name_key", key_gone)
    batch.run("add_name_entity", stood_for)


def apply_entities(batch: Batch, changes: Changes) -> None:
    """Ends entities that are gone or changed, and adds the new and the changed ones."""
    gone = [batch.terms[name] for name in changes.entities_gone]
    batch.run("expire_entity", ((entity, batch.now) for entity in gone))
    entities = {entity.entity_id: entity for entity in changes.entities}
    found = batch.those("standing_entity", (batch.terms[name] for name in entities))
    standing = {row[0]: row for row in found}
    changed = [one for one in entities.values() if not _says(standing.get(batch.terms[one.entity_id]), one)]
    batch.run(
        "expire_entity",
        ((term, batch.now) for one in changed if (term := batch.terms[one.entity_id]) in standing),
    )
    _add_entities(batch, changed, standing)


def _says(row: Sequence[Any] | None, entity: Entity) -> bool:
    """Whether a standing row says the same as the entity."""
    return row is not None and tuple(row[3:]) == (entity.name, entity.type, dumped(entity.aliases))


def _add_entities(batch: Batch, entities: Sequence[Entity], standing: dict[int, Sequence[Any]]) -> None:
    if not entities:
        return
    first = batch.next_row("entity")
    handles = range(first, first + len(entities))
    terms = [batch.terms[entity.entity_id] for entity in entities]
    before = [standing.get(term, (None,) * 6) for term in terms]
    passages = [
        row[2] if row[3] == entity.name else None for row, entity in zip(before, entities, strict=True)
    ]
    fresh = iter(
        batch.new_passages("entity", [h for h, p in zip(handles, passages, strict=True) if p is None])
    )
    rows = [
        (
            row,
            batch.group_key,
            term,
            batch.now,
            next(fresh) if passage is None else passage,
            entity.name,
            entity.type,
            dumped(entity.aliases),
        )
        for row, term, passage, entity in zip(handles, terms, passages, entities, strict=True)
    ]
    batch.run("add_entity", rows)
    batch.run(
        "add_entity_words",
        (
            (
                row,
                batch.indexed(words_of_entity(entity)),
                names_indexed(batch.group_key, entity),
            )
            for row, entity in zip(handles, entities, strict=True)
        ),
    )


def names_indexed(group_key: int, entity: Entity) -> str:
    """Each whole name of an entity as one word of the index."""
    return " ".join(sorted({name_indexed(group_key, name) for name in (entity.name, *entity.aliases)}))
