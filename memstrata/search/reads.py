"""Exact reads: the facts of an entity, the history of a fact, and whatever an id stands or stood for.

Nothing is ranked here but by time; what a caller does not name exactly is `searcher`'s to find.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.instants import format_instant
from memstrata.model import DEFAULT_GROUP
from memstrata.ports import Filters
from memstrata.search.changes import Changed, Span, changes_in
from memstrata.search.lookup import Lookup, listed
from memstrata.search.paths import paths
from memstrata.search.query import tokenize
from memstrata.search.relations import triples_in
from memstrata.search.searcher import check_limit
from memstrata.search.timeline import timeline
from memstrata.search.view import View, check_period

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from memstrata.bitemporal import Moment
    from memstrata.model import Entity, Episode, Placement
    from memstrata.ports import Clock, EpisodeLog, GraphReader, NamedVersion, Scope, TextIndex
    from memstrata.search.paths import Paths
    from memstrata.search.relations import Triple
    from memstrata.search.timeline import Timeline

MOST_FACTS: Final = 1_000
MOST_PATHS: Final = 100


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

    @property
    def lookup(self) -> Lookup:
        """Who is meant."""
        return Lookup(texts=self.texts, reader=self.reader)

    def facts(self, entity: str, view: View | None = None, *, limit: int = 100) -> EntityFacts:
        """The facts of an entity, by its id, name or alias; of all that share the name.

        Raises `Incorrect`, with the nearest names, if nobody in view goes by that.
        """
        check_limit(limit, most=MOST_FACTS)
        scope = self._scope(view)
        entities = self.lookup.known(entity, scope)
        return EntityFacts(
            asked=entity,
            moment=scope.moment,
            history=scope.history,
            entities=entities,
            facts=self.lookup.facts(entities, scope, limit=limit),
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
        entities = self.lookup.known(asked, scope)
        versions = self.lookup.facts(entities, scope, limit=MOST_FACTS)
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
            f"{asked!r} is the id of no fact, entity or episode in {listed(scope.groups)}; take an id "
            "from search, facts or history, or look in another group"
        )

    def timeline(self, entity: str, view: View | None = None, *, limit: int = 500) -> Timeline:
        """What is and was true of an entity, in order of valid time, as believed at the view's system time.

        Raises `Incorrect` for an unknown name, and for one that two entities of a group share.
        """
        check_limit(limit, most=MOST_FACTS)
        return timeline(self.lookup, entity, self._scope(view), limit=limit)

    def path(
        self, ends: tuple[str, str], view: View | None = None, *, most_hops: int = 3, limit: int = 3
    ) -> Paths:
        """The shortest ways between two entities through facts in view, either direction of each.

        Raises `Incorrect` for unknown, ambiguous or equal ends, ends of two groups, and hops past 6.
        """
        check_limit(limit, most=MOST_PATHS)
        return paths(self.lookup, ends, self._scope(view), most_hops=most_hops, limit=limit)

    def diff(
        self,
        after: datetime,
        until: datetime | None = None,
        *,
        about: str | None = None,
        groups: Sequence[str] = (DEFAULT_GROUP,),
    ) -> Changed:
        """What changed in the groups' belief in system time `(after, until]`, about an entity or at all.

        `until` None is the last commit. Raises `Incorrect` for a reversed period, times without offset,
        a beginning in the future, an unknown name and one that two entities of a group share.
        """
        now = self.clock.now()
        _check_span(after, until, now)
        scope = View(groups=tuple(groups), system_as_of=until).scope(now, self.reader)
        before = replace(scope, moment=replace(scope.moment, system=after))
        entities = None if about is None else self._meant(about, scope, before)
        spans = [
            Span(group_id=group, after=after, until=until, about=_ids_in(group, entities))
            for group in scope.groups
        ]
        found = [changes_in(self.reader, span) for span in spans if span.about is None or span.about]
        return Changed(
            after=after,
            until=until,
            groups=scope.groups,
            about=entities,
            changes=tuple(change for one in found for change in one.changes),
            passing=sum(one.passing for one in found),
            is_whole=all(one.is_whole for one in found),
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
        entity = self.lookup.living(group, entity_id, name, scope)
        return EntityRecord(
            entity_id=entity_id,
            group_id=group,
            name=name,
            entity=entity,
            facts=() if entity is None else self.lookup.facts([entity], scope, limit=MOST_FACTS),
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

    def _matching(self, triple: Triple, scope: Scope) -> tuple[NamedVersion, ...]:
        subjects = self.lookup.entities(triple.subject, scope)
        if not subjects:
            return ()
        ids = {one.entity_id for one in subjects}
        about = self.lookup.facts(subjects, scope, limit=MOST_FACTS)
        objects = (
            {one.entity_id for one in self.lookup.entities(triple.object, scope)} if triple.object else ids
        )
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

    def _meant(self, about: str, scope: Scope, before: Scope) -> tuple[Entity, ...]:
        """Who is meant by a name now and before, and those who have been merged into them since."""
        found = self.lookup.one_ever(about, scope, before)
        merged = self.lookup.gone_into(found, scope, before)
        return tuple({(one.group_id, one.entity_id): one for one in (*found, *merged)}.values())

    def _scope(self, view: View | None) -> Scope:
        return (view or View()).scope(self.clock.now(), self.reader)


def _ids_in(group: str, entities: Iterable[Entity] | None) -> frozenset[str] | None:
    return None if entities is None else frozenset(e.entity_id for e in entities if e.group_id == group)


def _check_span(after: datetime, until: datetime | None, now: datetime) -> None:
    for instant in (after, until):
        if instant is not None and instant.tzinfo is None:
            raise Incorrect(
                f"{instant.isoformat()} is a time without an offset; give one in UTC, such as "
                f"{instant.isoformat()}Z"
            )
    if until is not None:
        check_period(after, until)
    if after > now:
        raise Incorrect(
            f"changes are asked for after {format_instant(after)}, and it is {format_instant(now)} now; "
            "give a past time"
        )


def _begun(history: FactHistory) -> tuple[str, str, str]:
    fact = history.versions[-1].version.fact
    return ("" if fact.valid_at is None else fact.valid_at.isoformat(), fact.predicate, fact.id)


def _same_words(one: str, other: str) -> bool:
    return [token.word for token in tokenize(one)] == [token.word for token in tokenize(other)]
