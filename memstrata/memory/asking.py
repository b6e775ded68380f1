"""What can be read: each question is narrowed to what its grant reaches, then answered by one module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.drift import EVERY_GROUP
from memstrata.errors import Incorrect
from memstrata.grounding import described, read_cypher
from memstrata.memory.access import OWNER, Right
from memstrata.memory.audit import audited
from memstrata.memory.judged import OverAll, checks_page, history_of
from memstrata.memory.listing import facts_page
from memstrata.memory.parts import core_of, reads_of, searcher_of
from memstrata.memory.provenance import produced_by
from memstrata.memory.spans import spans_of
from memstrata.memory.walking import around
from memstrata.search.citing import cited_facts
from memstrata.search.context import DEFAULT_BUDGET
from memstrata.search.context import context as pack
from memstrata.search.view import matching
from memstrata.workflow.communities import communities
from memstrata.workflow.costs import costs
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.lag import lag_of
from memstrata.workflow.rules import rules_in_force

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from memstrata.consolidation.communities import Community
    from memstrata.memory.access import Grant
    from memstrata.memory.audit import Audit
    from memstrata.memory.browsing import Page
    from memstrata.memory.judged import Asked, History, Standing
    from memstrata.memory.provenance import Produced
    from memstrata.memory.spans import Spans
    from memstrata.memory.walking import Around
    from memstrata.model import Episode, Json, Summary
    from memstrata.ports import (
        Counts,
        GraphSchema,
        Installation,
        ListedBy,
        NamedVersion,
        Rows,
        Subject,
        Vocabulary,
    )
    from memstrata.search.changes import Changed
    from memstrata.search.citing import CitedFact
    from memstrata.search.context import Context
    from memstrata.search.core import CoreBlock, CoreChange
    from memstrata.search.paths import Paths
    from memstrata.search.presets import Preset
    from memstrata.search.reads import EntityFacts, EntityRecord, EpisodeRecord, FactHistory
    from memstrata.search.results import Results
    from memstrata.search.timeline import Timeline
    from memstrata.search.view import View
    from memstrata.workflow.costs import Costs
    from memstrata.workflow.lag import Lag


@audited
@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Every question, as far as `grant` reaches. Each raises `Forbidden` beyond it."""

    installation: Installation
    grant: Grant = OWNER
    audit: Audit | None = None

    def search(
        self,
        query: str,
        view: View,
        *,
        preset: Preset | str = "facts",
        subjects: Collection[Subject] | None = None,
        limit: int = 10,
        centre: str | None = None,
    ) -> Results:
        """See `Searcher.search`; `centre` is a name or an id."""
        view = self._narrowed(view)
        return searcher_of(self.installation).search(
            query,
            view,
            preset=preset,
            subjects=subjects,
            limit=limit,
            centre=None if centre is None else self._entity_id(centre, view),
        )

    def context(self, query: str, view: View, *, budget: int = DEFAULT_BUDGET) -> Context:
        """See `search.context.context`."""
        core = core_of(self.installation)
        return pack(searcher_of(self.installation), query, self._narrowed(view), budget=budget, core=core)

    def cited(self, results: Results) -> tuple[CitedFact, ...]:
        """The facts of an answer, in its order, with the episodes that they rest on."""
        for one in results.facts:
            self.grant.require(Right.READ, one.fact.version.fact.group_id)
        return cited_facts(self.installation.graph, results)

    def facts(self, entity: str, view: View, *, limit: int = 100) -> EntityFacts:
        """The facts of an entity, by name or id."""
        return reads_of(self.installation).facts(entity, self._narrowed(view), limit=limit)

    def listed(
        self, view: View, *, about: str | None = None, limit: int = 100, after: str | None = None
    ) -> Page[NamedVersion]:
        """All facts in view, or those about an entity, page by page: see `listing.facts_page`."""
        scope = self._narrowed(view).scope(self.installation.clock.now(), self.installation.graph)
        return facts_page(self.installation, scope, about=about, limit=limit, after=after)

    def neighbours(self, entity: str, view: View, *, limit: int = 20, after: str | None = None) -> Around:
        """The facts of an entity, latest first, and whom they lead to: see `walking.around`."""
        scope = self._narrowed(view).scope(self.installation.clock.now(), self.installation.graph)
        return around(self.installation, scope, entity, limit=limit, after=after)

    def history(self, asked: str, view: View, *, limit: int = 100) -> tuple[FactHistory, ...]:
        """Every version of what was asked for: a fact id, `A RELATION B`, `A RELATION`, an entity."""
        return reads_of(self.installation).history(asked, self._narrowed(view), limit=limit)

    def get(self, id_: str, view: View) -> FactHistory | EntityRecord | EpisodeRecord:
        """What an id stands for, living or gone."""
        return reads_of(self.installation).get(id_, self._narrowed(view))

    def timeline(self, entity: str, view: View, *, limit: int = 500) -> Timeline:
        """What is and was true of an entity, in order of valid time."""
        return reads_of(self.installation).timeline(entity, self._narrowed(view), limit=limit)

    def path(self, ends: tuple[str, str], view: View, *, most_hops: int = 3, limit: int = 3) -> Paths:
        """The shortest ways between two entities."""
        reads = reads_of(self.installation)
        return reads.path(ends, self._narrowed(view), most_hops=most_hops, limit=limit)

    def diff(
        self, after: datetime, until: datetime | None = None, *, about: str | None = None, view: View
    ) -> Changed:
        """What changed in belief between two system times, in the view's groups."""
        groups = self._narrowed(view).groups
        return reads_of(self.installation).diff(after, until, about=about, groups=groups)

    def core_blocks(self, view: View) -> tuple[CoreBlock, ...]:
        """The core blocks as they read in that view."""
        return core_of(self.installation).blocks(self._narrowed(view))

    def core_history(self, group_id: str, label: str) -> tuple[CoreChange, ...]:
        """Every edit of a block; raises `Incorrect` for a label that never was."""
        memory = core_of(self.installation)
        changes = memory.history(self.grant.require(Right.READ, group_id), label)
        if not changes:
            there = ", ".join(memory.labels(group_id)) or "none yet"
            raise Incorrect(f"group {group_id!r} never had a core block {label!r}; there are: {there}")
        return changes

    def produced(self, group_id: str, episode_ids: Sequence[str]) -> Produced:
        """What is believed because of those episodes; raises `Incorrect` for unknown ids."""
        return produced_by(self.installation, self.grant.require(Right.READ, group_id), episode_ids)

    def summary(self, group_id: str, entity_id: str, *, at: datetime | None = None) -> Summary | None:
        """An entity's summary as of a system time (None: the latest), if there is one."""
        group = self.grant.require(Right.READ, group_id)
        return self.installation.graph.summary(group, entity_id, at=at)

    def vocabulary(self, view: View) -> Vocabulary:
        """The types, relations, sources, speakers and properties that filters can name there now."""
        return self.installation.graph.vocabulary(self._narrowed(view).groups)

    def reached(self, view: View) -> tuple[str, ...]:
        """The groups that the view means, its patterns written out."""
        groups = self._narrowed(view).groups
        return matching(groups, self.installation.graph) if view.has_patterns else groups

    def spans(self, view: View) -> Spans:
        """Between which times it is worth looking in the view's groups: see `spans.Spans`."""
        return spans_of(self.installation, self.reached(view))

    def groups(self) -> tuple[Counts, ...]:
        """How much each group within reach holds."""
        self.grant.require_right(Right.READ)
        return tuple(one for one in self.installation.graph.counts() if self.grant.reaches(one.group_id))

    def lag(self) -> Lag:
        """How far readers are behind the door, over all groups: counts and times alone."""
        self.grant.require_right(Right.READ)
        return lag_of(self.installation)

    def costs(
        self,
        by: Sequence[ListedBy] = (),
        *,
        since: date | None = None,
        until: date | None = None,
        group_id: str | None = None,
    ) -> Costs:
        """What language models took: of one group, or of all if the grant reaches them all."""
        if group_id is None:
            self.grant.require_all(Right.READ)
        else:
            group_id = self.grant.require(Right.READ, group_id)
        return costs(self.installation, by, since=since, until=until, group_id=group_id)

    def checks(self, view: View, asked: Asked) -> Page[Standing]:
        """What checks found in the view's groups: see `judged.checks_page`.

        What they found over all groups together only where the grant reaches them all.
        """
        groups = self.reached(self._narrowed(view))
        if asked.over_all is OverAll.ONLY:
            groups = ()
        if asked.over_all is not OverAll.NO and self.grant.is_everything:
            groups = (*groups, EVERY_GROUP)
        return checks_page(self.installation, groups, asked)

    def check(
        self, check: str, group_id: str, *, since: date | None = None, until: date | None = None
    ) -> History:
        """The kept days of a check on a group; on `*`, over all groups, if the grant reaches them all."""
        if group_id == EVERY_GROUP:
            self.grant.require_all(Right.READ)
        else:
            self.grant.require(Right.READ, group_id)
        return history_of(self.installation, check, group_id, since=since, until=until)

    def schema(self, group_id: str) -> GraphSchema:
        """What the graph of a group holds, for whoever writes queries."""
        group = self.grant.require(Right.READ, group_id)
        ontology = rules_in_force(self.installation, group).after
        return described(self.installation.graph, group, ontology)

    def read_cypher(
        self,
        text: str,
        parameters: Mapping[str, Json],
        *,
        group_id: str,
        limit: int = 100,
        seconds: float = 10.0,
    ) -> Rows:
        """Answers a reading query over one group; raises as `grounding.read_cypher` does."""
        group = self.grant.require(Right.READ, group_id)
        return read_cypher(
            self.installation.graph, text, parameters, group_id=group, limit=limit, seconds=seconds
        )

    def communities(self, group_id: str) -> tuple[Community, ...]:
        """Who belongs together by the facts that are believed now; raises `Missing` without its package."""
        return communities(self.installation, self.grant.require(Right.READ, group_id))

    def export(self, group_id: str, *, history: bool = False) -> Iterator[str]:
        """The canonical export of a group, line by line."""
        group = self.grant.require(Right.READ, group_id)
        return canonical_lines(self.installation.graph, group, history=history)

    def episode(self, group_id: str, episode_id: str) -> Episode | None:
        """The latest revision of an episode; None for an unknown id."""
        return self.installation.record.latest(self.grant.require(Right.READ, group_id), episode_id)

    def _narrowed(self, view: View) -> View:
        return self.grant.narrowed(view, self.installation.graph)

    def _entity_id(self, asked: str, view: View) -> str:
        reads = reads_of(self.installation)
        scope = view.scope(self.installation.clock.now(), self.installation.graph)
        return reads.lookup.one(asked, scope)[0].entity_id
