"""The canonical export: sorted JSON Lines, equal bytes for equal beliefs over any order and store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.bitemporal.wire import write_fact, write_version
from memstrata.ids import canonical_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.ports import Exporter


def canonical_lines(graph: Exporter, group_id: str, *, history: bool = False) -> Iterator[str]:
    """The group's entities, then its facts; with `history`, all versions with their system times.

    Facts are in the wire form and order of docs/fold.md, section 7, with `record` in front.
    """
    for entity in graph.all_entities(group_id):
        yield canonical_json(
            {
                "record": "entity",
                "id": entity.entity_id,
                "group_id": entity.group_id,
                "name": entity.name,
                "type": entity.type,
                "aliases": list(entity.aliases),
            }
        )
    if history:
        yield from (_as_record(write_version(version)) for version in graph.all_versions(group_id))
    else:
        yield from (_as_record(write_fact(fact)) for fact in graph.all_facts(group_id))


def _as_record(line: str) -> str:
    return '{"record":"fact",' + line[1:]
