"""Names for what facts hold as ids: one look-up a group, whatever the number of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.model import ObjectKind
from memstrata.search.results import NamedVersion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.model import Version
    from memstrata.ports import GraphReader


def with_names(reader: GraphReader, versions: Sequence[Version]) -> tuple[NamedVersion, ...]:
    """The versions in their order; an entity without a known name goes by its id."""
    wanted: dict[str, set[str]] = {}
    for version in versions:
        fact = version.fact
        ids = wanted.setdefault(fact.group_id, set())
        ids.add(fact.subject)
        if fact.object_kind is ObjectKind.ENTITY:
            ids.add(fact.object)
    names = {
        (group_id, entity_id): name
        for group_id, ids in wanted.items()
        for entity_id, name in reader.names_of(group_id, ids).items()
    }
    return tuple(_named(version, names) for version in versions)


def _named(version: Version, names: Mapping[tuple[str, str], str]) -> NamedVersion:
    fact = version.fact
    is_entity = fact.object_kind is ObjectKind.ENTITY
    return NamedVersion(
        version=version,
        subject=names.get((fact.group_id, fact.subject), fact.subject),
        object=names.get((fact.group_id, fact.object), fact.object) if is_entity else fact.object,
    )
