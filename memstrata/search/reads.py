"""Exact reads: the facts of an entity, the history of a fact, and whatever an id stands or stood for.

Nothing is ranked here but by time; what a caller does not name exactly is `searcher`'s to find.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.ports import Filters, Subject
from memstrata.search.query import tokenize
from memstrata.search.relations import triples_in
from memstrata.search.searcher import check_limit
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.bitemporal import Moment
    from memstrata.model import Entity, Episode, Placement
    from memstrata.ports import Clock, EpisodeLog, GraphReader, NamedVersion, Scope, TextIndex
    from memstrata.search.relations import Triple

MOST_FACTS: Final = 1_000

_SUGGESTIONS: Final = 3
_NAMESAKES: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFacts:
    """The entities that go by a name (or the one of an id), and the facts about them, latest first."""

    asked: str
    moment: Moment
    history: bool
    entities: tuple[Entity, ...]
    facts: tuple[NamedVersion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactHistory:
    """All that was ever believed about one fact id: its versions, oldest belief first.

    `evidence` holds the latest placement of each assertion that any version rested on, in order of
    reference time; `successors` the living facts that share its evidence, if it is gone.
    """

    fact_id: str
    versions: tuple[NamedVersion, ...]
    evidence: tuple[Placement, ...]
    successors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRecord:
    """An entity by its id: as it stands in view, or gone (then with the living that took its names)."""

    entity_id: str
    group_id: str
    name: str
    entity: Entity | None
    facts: tuple[NamedVersion, ...]
    successors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRecord:
    """An episode by its id, in its latest revision, with the earlier ones that are kept."""

    episode: Episode
    earlier: tuple[Episode, ...]
    is_retracted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """Reads by name and id, over ports. Without the log, episodes cannot be read by id."""

    texts: TextIndex
    reader: GraphReader
    clock: Clock
    log: EpisodeLog | None = None

    def facts(self, entity: str, view: View | None = None, *, limit: int = 100) -> EntityFacts:
        """The facts of an entity, by its id, name or alias; of all that share the name.

        Raises `Incorrect`, with the nearest names, if nobody in view goes by that.
        """
        check_limit(limit, most=MOST_FACTS)
        scope = self._scope(view)
        entities = self._entities(entity, scope)
        if not entities:
            raise self._unknown(entity, scope)
        return EntityFacts(
            asked=entity,
            moment=scope.moment,
            history=scope.history,
            entities=entities,
            facts=self._facts_about([one.entity_id for one in entities], scope, limit=limit),
        )

    def history(self, asked: str, view: View | None = None, *, limit: int = 100) -> tuple[FactHistory, ...]:
        """Every version of the facts asked for: a fact id, `A RELATION B`, `A RELATION`, or an entity.

        In order of valid time; the view's groups alone count, its moment does not. Raises `Incorrect`,
        with the nearest names, if there is no such thing.
        """
        check_limit(limit, most=MOST_FACTS)
        scope = replace(self._scope(view), history=True, filters=Filters())
        by_id = tuple(one for group in scope.groups if (one := self._fact_history(group, asked.strip())))
        if by_id:
            return by_id
        for triple in triples_in(asked):
            versions = self._matching(triple, scope)
            if versions:
                return self._histories(versions, limit)
        entities = self._entities(asked, scope)
        if not entities:
            raise self._unknown(asked, scope)
        versions = self._facts_about([one.entity_id for one in entities], scope, limit=MOST_FACTS)
        return self._histories(versions, limit)

    def get(self, asked: str, view: View | None = None) -> FactHistory | EntityRecord | EpisodeRecord:
        """What an id stands for, living or gone, in the view's groups: a fact, an entity or an episode.

        Raises `Incorrect` if no record of that id was ever there.
        """
        scope = self._scope(view)
        for group in scope.groups:
            record = (
                self._fact_history(group, asked)
                or self._entity_record(group, asked, scope)
                or self._episode_record(group, asked)
            )
            if record is not None:
                return record
        raise Incorrect(
            f"{asked!r} is the id of no fact, entity or episode in {_listed(scope.groups)}; take an id "
            "from search, facts or history, or look in another group"
        )

    # --- one record ---

    def _fact_history(self, group: str, fact_id: str) -> FactHistory | None:
        versions = self.reader.history(group, fact_id)
        if not versions:
            return None
        assertion_ids = {one for named in versions for one in named.version.fact.evidence}
        placements = self.reader.evidence(group, assertion_ids)
        is_gone = versions[-1].version.expired_at is not None
        return FactHistory(
            fact_id=fact_id,
            versions=versions,
            evidence=tuple(sorted(placements, key=lambda one: (one.reference_time, one.id))),
            successors=self.reader.successors(group, fact_id) if is_gone else (),
        )

    def _entity_record(self, group: str, entity_id: str, scope: Scope) -> EntityRecord | None:
        name = self.reader.names_of(group, [entity_id]).get(entity_id)
        if name is None:
            return None
        entity = self._living(group, entity_id, name, scope)
        return EntityRecord(
            entity_id=entity_id,
            group_id=group,
            name=name,
            entity=entity,
            facts=self._facts_about([entity_id], scope, limit=MOST_FACTS),
            successors=() if entity is not None else self.reader.successors(group, entity_id),
        )

    def _episode_record(self, group: str, episode_id: str) -> EpisodeRecord | None:
        episode = None if self.log is None else self.log.latest(group, episode_id)
        if self.log is None or episode is None:
            return None
        wanted = [(episode_id, revision) for revision in range(1, episode.revision)]
        earlier = sorted(self.log.episodes(group, wanted), key=lambda one: one.revision)
        return EpisodeRecord(
            episode=episode,
            earlier=tuple(earlier),
            is_retracted=self.log.is_retracted(group, episode_id),
        )

    # --- entities and their facts ---

    def _entities(self, asked: str, scope: Scope) -> tuple[Entity, ...]:
        """The entities of that id, else of that name; by id first in order."""
        for group in scope.groups:
            name = self.reader.names_of(group, [asked]).get(asked)
            entity = None if name is None else self._living(group, asked, name, scope)
            if entity is not None:
                return (entity,)
        return self._called(asked.strip(), scope)

    def _called(self, name: str, scope: Scope) -> tuple[Entity, ...]:
        handles = [hit.handle for hit in self.texts.named((name,), scope, limit=_NAMESAKES)] if name else []
        found = self.reader.entities_at(handles)
        there = [found[handle] for handle in handles if handle in found]
        return tuple(sorted(there, key=lambda one: (one.group_id, one.entity_id)))

    def _living(self, group: str, entity_id: str, name: str, scope: Scope) -> Entity | None:
        """The entity of that id as it is in scope; the index knows entities by name only."""
        namesakes = self._called(name, scope)
        return next((e for e in namesakes if (e.group_id, e.entity_id) == (group, entity_id)), None)

    def _facts_about(
        self, entity_ids: Sequence[str], scope: Scope, *, limit: int
    ) -> tuple[NamedVersion, ...]:
        edges = self.reader.edges_about(entity_ids, scope, limit=limit)[:limit]
        versions = self.reader.versions([edge.handle for edge in edges])
        return tuple(versions[edge.handle] for edge in edges if edge.handle in versions)

    def _matching(self, triple: Triple, scope: Scope) -> tuple[NamedVersion, ...]:
        subjects = self._entities(triple.subject, scope)
        if not subjects:
            return ()
        ids = {one.entity_id for one in subjects}
        about = self._facts_about(sorted(ids), scope, limit=MOST_FACTS)
        objects = {one.entity_id for one in self._entities(triple.object, scope)} if triple.object else ids
        return tuple(
            one
            for one in about
            if one.version.fact.subject in ids
            and triple.relates_by(one.version.fact.predicate)
            and (
                not triple.object
                or one.version.fact.object in objects
                or _same_words(one.object, triple.object)
            )
        )

    def _histories(self, versions: Iterable[NamedVersion], limit: int) -> tuple[FactHistory, ...]:
        ids = dict.fromkeys((one.version.fact.group_id, one.version.fact.id) for one in versions)
        histories = [one for group, fact_id in ids if (one := self._fact_history(group, fact_id))]
        histories.sort(key=_begun)
        return tuple(histories[:limit])

    def _unknown(self, asked: str, scope: Scope) -> Incorrect:
        words = [token.word for token in tokenize(asked)]
        hits = self.texts.match(Subject.ENTITY, words, scope, limit=_SUGGESTIONS) if words else ()
        near = self.reader.entities_at([hit.handle for hit in hits])
        names = [near[hit.handle].name for hit in hits if hit.handle in near]
        hint = f"did you mean {' or '.join(map(repr, names))}?" if names else "try search first"
        return Incorrect(
            f"nobody and nothing in {_listed(scope.groups)} is called {asked!r} or has that id at that "
            f"moment; {hint}"
        )

    def _scope(self, view: View | None) -> Scope:
        return (view or View()).scope(self.clock.now(), self.reader)


def _begun(history: FactHistory) -> tuple[str, str, str]:
    fact = history.versions[-1].version.fact
    return ("" if fact.valid_at is None else fact.valid_at.isoformat(), fact.predicate, fact.id)


def _same_words(one: str, other: str) -> bool:
    return [token.word for token in tokenize(one)] == [token.word for token in tokenize(other)]


def _listed(groups: Sequence[str]) -> str:
    word = "group" if len(groups) == 1 else "groups"
    return f"{word} {', '.join(groups)}"
