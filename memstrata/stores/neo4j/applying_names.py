"""The second part of a commit in the graph: names, their mentions, and the entities that they stand for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from memstrata.errors import Damaged
from memstrata.stores.neo4j.lucene import indexed, names_indexed
from memstrata.stores.neo4j.rows import key_of, labels_of
from memstrata.stores.records import OPEN, mention_record, micros
from memstrata.stores.searched import words_of_entity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import neo4j

    from memstrata.model import Entity, Mention
    from memstrata.ports import Changes, NamePlacement
    from memstrata.stores.neo4j.batch import Batch


def apply_names(batch: Batch, changes: Changes) -> set[str]:
    """Adds and moves names, then replaces the mentions of the episodes that the changes touch.

    Returns the episodes whose mentions may stand for other entities from now on.
    """
    names = {name.signature_id: name for name in changes.names}
    signatures = sorted(names.keys() | {one for _, one in changes.mentions})
    found = batch.each("find_names", signatures, called="signatures")
    known = {record["signature"]: record for record in found}
    _put_names(batch, names.values(), known)
    _replace_mentions(batch, changes, known.keys() | names.keys())
    moved = [one for one, name in names.items() if one in known and known[one]["entity"] != name.entity_id]
    touched = {episode.episode_id for episode in changes.episodes}
    touched |= {mention.episode_id for mention, _ in changes.mentions}
    moving = batch.each("mentions_moving", moved, called="signatures")
    return touched | {record["episode"] for record in moving}


def _put_names(batch: Batch, names: Iterable[NamePlacement], known: Mapping[str, neo4j.Record]) -> None:
    rows, added, dropped = [], [], []
    for name in names:
        signature, before = name.signature_id, known.get(name.signature_id)
        stood_for = dict.fromkeys(() if before is None else before["stood_for"])
        stood_for.update(dict.fromkeys((name.entity_id, *name.stood_for)))
        properties = {
            "entity_id": name.entity_id,
            "example": mention_record(name.example),
            "keys": list(name.keys),
            "stood_for": list(stood_for),
        }
        rows.append({"signature": signature, "properties": properties})
        has = {key_of(key) for key in name.keys}
        had = set() if before is None else {key_of(key) for key in before["keys"]}
        added.append({"signature": signature, "keys": sorted(has - had)})
        dropped.append({"signature": signature, "keys": sorted(had - has)})
    batch.each("put_names", rows)
    batch.each("add_name_keys", [row for row in added if row["keys"]])
    batch.each("drop_name_keys", [row for row in dropped if row["keys"]])


def _replace_mentions(batch: Batch, changes: Changes, known: Iterable[str]) -> None:
    again: dict[tuple[str, str], tuple[Mention, str]] = {}
    for mention, signature in changes.mentions:
        if signature not in known:
            raise Damaged(
                f"mention {mention.mention_id!r} has the signature {signature!r}, which no name has; "
                "nothing was applied: list the name in the changes"
            )
        again[mention.episode_id, mention.mention_id] = (mention, signature)
    touched = {episode.episode_id for episode in changes.episodes} | set(changes.episodes_gone)
    apart = [
        {"episode_id": episode, "mention_id": mention}
        for episode, mention in again
        if episode not in touched
    ]
    gone = batch.each("drop_mentions", sorted(touched), called="episodes")
    gone += batch.each("drop_single_mentions", apart)
    rows = [
        {
            "group_id": batch.group_id,
            "episode_id": episode,
            "mention_id": mention_id,
            "signature_id": signature,
            "reference_time": micros(mention.reference_time),
        }
        for (episode, mention_id), (mention, signature) in again.items()
    ]
    batch.each("add_mentions", rows)
    counts: Counter[str] = Counter()
    for record in gone:
        counts[record["signature"]] -= record["gone"]
    counts.update(signature for _, signature in again.values())
    # Equal numbers may go and come, and be other mentions all the same.
    concerned = {record["signature"] for record in gone} | {one for _, one in again.values()}
    batch.each("count_mentions", [{"signature": one, "more": counts[one]} for one in sorted(concerned)])


def apply_entities(batch: Batch, changes: Changes) -> None:
    """Adds new entities and new versions of changed ones; `drop_entities` lets the others go."""
    entities = {entity.entity_id: entity for entity in changes.entities}
    concerned = sorted({*entities, *changes.entities_gone})
    found = batch.each("standing_entities", concerned, called="ids")
    standing = {record["id"]: record for record in found}
    changed = [one for name, one in entities.items() if not _says(standing.get(name), one)]
    before = [one.entity_id for one in changed if one.entity_id in standing]
    new = [one.entity_id for one in changed if one.entity_id not in standing]
    batch.each("end_entities", before, called="ids")
    batch.each("adopt_unnamed", new, called="ids")
    batch.each("put_entities", [_row(batch, one, standing.get(one.entity_id)) for one in changed])
    batch.each("recall_summaries", new, called="ids")


def drop_entities(batch: Batch, changes: Changes) -> None:
    """Ends entities that are gone, once the facts about them have ended."""
    gone = sorted(set(changes.entities_gone) - {one.entity_id for one in changes.entities})
    found = batch.each("standing_entities", gone, called="ids")
    batch.each("end_entities", [record["id"] for record in found], called="ids")
    batch.each(
        "drop_entities", [{"id": record["id"], "labels": labels_of(record["type"])} for record in found]
    )


def _says(record: neo4j.Record | None, entity: Entity) -> bool:
    if record is None:
        return False
    return (record["name"], record["type"], tuple(record["aliases"])) == (
        entity.name,
        entity.type,
        entity.aliases,
    )


def _row(batch: Batch, entity: Entity, before: neo4j.Record | None) -> dict[str, Any]:
    handle = batch.handle()
    labels = labels_of(entity.type)
    names: Sequence[str] = (entity.name, *entity.aliases)
    properties = {
        "name": entity.name,
        "type": entity.type,
        "labels": ["Entity", *labels],
        "aliases": list(entity.aliases),
        "created_at": batch.instant,
        "handle": handle,
        "believed_from": batch.now,
        "believed_until": OPEN,
        "words": indexed(batch.group_id, words_of_entity(entity)),
        "called": names_indexed(batch.group_id, names),
    }
    if before is None or before["name"] != entity.name:
        properties |= {"passage": handle, "awaits": batch.now, "name_embedding": None}
    gone = labels_of(before["type"]) if before is not None else []
    return {"id": entity.entity_id, "labels": labels, "labels_gone": gone, "properties": properties}
