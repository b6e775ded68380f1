"""Who is meant by a name or an id, and the facts about them: what all exact reads begin with."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.ports import Filters, Subject
from memstrata.search.query import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.model import Entity
    from memstrata.ports import GraphReader, NamedVersion, Scope, TextIndex

_SUGGESTIONS: Final = 3
_NAMESAKES: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """Entities by name or id, and their facts, over ports. Filters concern facts, never who is meant."""

    texts: TextIndex
    reader: GraphReader

    def entities(self, asked: str, scope: Scope) -> tuple[Entity, ...]:
        """The entity of that id, else all of that name or alias, by group and id; () if nobody."""
        for group in scope.groups:
            name = self.reader.names_of(group, [asked]).get(asked)
            entity = None if name is None else self.living(group, asked, name, scope)
            if entity is not None:
                return (entity,)
        return self._called(asked.strip(), scope)

    def known(self, asked: str, scope: Scope) -> tuple[Entity, ...]:
        """As `entities`. Raises `Incorrect`, with the nearest names, if nobody in scope goes by that."""
        found = self.entities(asked, scope)
        if not found:
            raise self.unknown(asked, scope)
        return found

    def one(self, asked: str, scope: Scope) -> tuple[Entity, ...]:
        """As `known`, one a group. Raises `Incorrect`, with their ids, if a group has two of that name."""
        found = self.known(asked, scope)
        by_group: defaultdict[str, list[Entity]] = defaultdict(list)
        for entity in found:
            by_group[entity.group_id].append(entity)
        for group, namesakes in by_group.items():
            if len(namesakes) > 1:
                raise Incorrect(
                    f"{asked!r} is the name of {len(namesakes)} entities in group {group}: "
                    f"{'; '.join(map(_described, namesakes))}; give the id of the one that is meant, or "
                    "make them one with `memstrata entities merge`"
                )
        return found

    def one_ever(self, asked: str, *scopes: Scope) -> tuple[Entity, ...]:
        """As `one`, in each of the scopes, united; if nobody is there, those who ever went by that.

        Whoever has been merged is gone, and found under the same name in an earlier scope.
        """
        found: dict[tuple[str, str], Entity] = {}
        for scope in scopes:
            for entity in self.one(asked, scope) if self.entities(asked, scope) else ():
                found.setdefault((entity.group_id, entity.entity_id), entity)
        return tuple(found.values()) or self.one(asked, replace(scopes[0], history=True))

    def gone_into(self, entities: Iterable[Entity], scope: Scope, before: Scope) -> tuple[Entity, ...]:
        """Those of an earlier scope who went by one of these entities' names, and are gone in this one."""
        found: dict[tuple[str, str], Entity] = {}
        for entity in entities:
            narrowed = replace(before, groups=(entity.group_id,))
            for name in dict.fromkeys((entity.name, *entity.aliases)):
                for earlier in self._called(name, narrowed):
                    key = (earlier.group_id, earlier.entity_id)
                    if key not in found and self.living(*key, earlier.name, scope) is None:
                        found[key] = earlier
        return tuple(found.values())

    def living(self, group: str, entity_id: str, name: str, scope: Scope) -> Entity | None:
        """The entity of that id as it is in scope; the index knows entities by name only."""
        namesakes = self._called(name, scope)
        return next((e for e in namesakes if (e.group_id, e.entity_id) == (group, entity_id)), None)

    def standing(self, group: str, names: Mapping[str, str], scope: Scope) -> Mapping[str, Entity]:
        """The entities of those ids (with their names) that are in scope, in one look."""
        hits = (
            self.texts.named(tuple(names.values()), _open(scope), limit=_NAMESAKES * len(names))
            if names
            else ()
        )
        found = self.reader.entities_at([hit.handle for hit in hits])
        return {
            one.entity_id: one for one in found.values() if one.group_id == group and one.entity_id in names
        }

    def facts(self, entities: Iterable[Entity], scope: Scope, *, limit: int) -> tuple[NamedVersion, ...]:
        """The facts in scope about some of the entities, latest first; those of their groups only."""
        wanted = {(one.group_id, one.entity_id) for one in entities}
        narrowed = replace(scope, groups=tuple(sorted({group for group, _ in wanted})))
        ids = sorted({entity_id for _, entity_id in wanted})
        edges = self.reader.edges_about(ids, narrowed, limit=limit) if ids else ()
        there = [
            edge
            for edge in edges
            if (edge.group_id, edge.subject) in wanted or (edge.group_id, edge.object) in wanted
        ][:limit]
        versions = self.reader.versions([edge.handle for edge in there])
        return tuple(versions[edge.handle] for edge in there if edge.handle in versions)

    def unknown(self, asked: str, scope: Scope) -> Incorrect:
        """The complaint that nobody goes by that, with the names that come near."""
        words = [token.word for token in tokenize(asked)]
        hits = self.texts.match(Subject.ENTITY, words, _open(scope), limit=_SUGGESTIONS) if words else ()
        near = self.reader.entities_at([hit.handle for hit in hits])
        names = dict.fromkeys(near[hit.handle].name for hit in hits if hit.handle in near)
        hint = f"did you mean {' or '.join(map(repr, names))}?" if names else "try search first"
        return Incorrect(
            f"nobody and nothing in {listed(scope.groups)} is called {asked!r} or has that id at that "
            f"moment; {hint}"
        )

    def _called(self, name: str, scope: Scope) -> tuple[Entity, ...]:
        hits = self.texts.named((name,), _open(scope), limit=_NAMESAKES) if name else ()
        found = self.reader.entities_at([hit.handle for hit in hits])
        there: dict[tuple[str, str], Entity] = {}
        for hit in hits:
            if (one := found.get(hit.handle)) is not None:
                there.setdefault((one.group_id, one.entity_id), one)
        return tuple(there[key] for key in sorted(there))


def listed(groups: Sequence[str]) -> str:
    """`group a`, `groups a, b`, as messages name them."""
    word = "group" if len(groups) == 1 else "groups"
    return f"{word} {', '.join(groups) or 'none (no group matches)'}"


def _open(scope: Scope) -> Scope:
    return replace(scope, filters=Filters())


def _described(entity: Entity) -> str:
    kind = f", {entity.type}" if entity.type else ""
    return f"{entity.name} ({entity.entity_id}{kind})"
