"""The second part of a commit in the graph: names, their mentions, and the entities that they stand for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from memstrata.errors import Damaged
from memstrata.stores.neo4j.lucene import indexed, names_indexed
from memstrata.stores.neo4j.rows import key_of, labels_of
from memstrata.stores.neo4j.standing import apart
from memstrata.stores.records import OPEN, mention_record, micros
from memstrata.stores.searched import words_of_entity

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memstrata.model import Entity, Mention
    from memstrata.ports import Changes, NamePlacement
    from memstrata.stores.neo4j.batch import Batch
    from memstrata.stores.neo4j.standing import StandingEntity, StandingName


def apply_names(batch: Batch, changes: Changes) -> set[str]:
    """Adds and moves names, then replaces the mentions of the episodes that the changes touch.

    Returns the episodes whose mentions may stand for other entities from now on.
    """
    names = {name.signature_id: name for name in changes.names}
    known = batch.standing.names
    rows = [_name_row(one, known.get(id_)) for id_, one in names.items()]
    _put(batch, changes, rows, known.keys() | names.keys())
    touched = {episode.episode_id for episode in changes.episodes}
    touched |= {mention.episode_id for mention, _ in changes.mentions}
    return touched | set(batch.standing.moving)


def _name_row(name: NamePlacement, before: StandingName | None) -> dict[str, Any]:
    stood_for = dict.fromkeys(() if before is None else before.stood_for)
    stood_for.update(dict.fromkeys((name.entity_id, *name.stood_for)))
    has = {key_of(key) for key in name.keys}
    had = set() if before is None else {key_of(key) for key in before.keys}
    return {
        "signature": name.signature_id,
        "properties": {
            "entity_id": name.entity_id,
            "example": mention_record(name.example),
            "keys": list(name.keys),
            "stood_for": list(stood_for),
        },
        "keys_new": sorted(has - had),
        "keys_gone": sorted(had - has),
    }


def _put(
    batch: Batch, changes: Changes, names: Sequence[Mapping[str, Any]], known: Collection[str]
) -> None:
    again: dict[tuple[str, str], tuple[Mention, str]] = {}
    for mention, signature in changes.mentions:
        if signature not in known:
            raise Damaged(
                f"mention {mention.mention_id!r} has the signature {signature!r}, which no name has; "
                "nothing was applied: list the name in the changes"
            )
        again[mention.episode_id, mention.mention_id] = (mention, signature)
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
    gone = batch.standing.mentions
    counts: Counter[str] = Counter(signature for _, signature in again.values())
    for signature, times in gone:
        counts[signature] -= times
    if not counts and not names:
        return
    touched = {episode.episode_id for episode in changes.episodes} | set(changes.episodes_gone)
    batch.run(
        "put_names",
        names=names,
        episodes=sorted(touched) if gone else [],
        apart=apart(changes),
        mentions=rows,
        # Equal numbers may go and come, and be other mentions all the same.
        counts=[{"signature": one, "more": more} for one, more in sorted(counts.items())],
    )


def apply_entities(batch: Batch, changes: Changes) -> None:
    """Adds new entities and new versions of changed ones; `drop_entities` lets the others go."""
    standing = batch.standing.entities
    changed = {
        one.entity_id: one
        for one in changes.entities
        if not (one.entity_id in standing and standing[one.entity_id].says(one))
    }
    batch.each("put_entities", [_row(batch, one, standing.get(id_)) for id_, one in changed.items()])


def drop_entities(batch: Batch, changes: Changes) -> None:
    """Ends entities that are gone, once the facts about them have ended."""
    gone = set(changes.entities_gone) - {one.entity_id for one in changes.entities}
    standing = [
        (id_, batch.standing.entities[id_]) for id_ in sorted(gone & batch.standing.entities.keys())
    ]
    batch.each("end_entities", [id_ for id_, _ in standing], called="ids")
    batch.each("drop_entities", [{"id": id_, "labels": labels_of(one.type)} for id_, one in standing])


def _row(batch: Batch, entity: Entity, before: StandingEntity | None) -> dict[str, Any]:
    handle = batch.handle()
    labels = labels_of(entity.type)
    names: Sequence[str] = (entity.name, *entity.aliases)
    properties = {
        "name": entity.name,
        "type": entity.type,
        "labels": ["Entity", *labels],
        "aliases": list(entity.aliases),
        "handle": handle,
        "believed_from": batch.now,
        "believed_until": OPEN,
        "words": indexed(batch.group_id, words_of_entity(entity)),
        "called": names_indexed(batch.group_id, names),
    }
    if before is None or before.name != entity.name:
        properties |= {"passage": handle, "awaits": batch.now, "name_embedding": None}
    gone = labels_of(before.type) if before is not None else []
    return {
        "id": entity.entity_id,
        "stands": before is not None,
        "labels": labels,
        "labels_gone": gone,
        "properties": properties,
    }
