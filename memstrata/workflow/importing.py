"""Another memory's graph into an empty group, with its system times: replayed as commits at its instants.

Acceptance is now; what was believed when is the other memory's (docs/record.md, 5).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.extraction.imported import VERSION, ImportedExtractor
from memstrata.intake import graphiti
from memstrata.model import By, DecisionKind
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.extract import extract_among
from memstrata.workflow.intake import Ruling, accept, decide
from memstrata.workflow.work import compact_lightly

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from memstrata.intake.graphiti import GraphitiGraph, Step
    from memstrata.ports import Installation


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did.

    `refused` items stay out, each with its reason; `left_out` counts what has no place here, by kind.
    """

    group_id: str
    commits: int
    episodes: int
    facts: int
    refused: tuple[str, ...]
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _At:
    """A clock that stands at the other memory's instant."""

    instant: datetime

    def now(self) -> datetime:
        return self.instant


def import_graphiti(
    installation: Installation,
    graph: GraphitiGraph,
    group_id: str,
    *,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Imported:
    """Takes a Graphiti graph into a group that is empty, or that the same import has begun to fill.

    Interrupted and called again, it goes on. Raises `Incorrect` for a group with anything else in it.
    """
    planned = graphiti.plan(graph, group_id)
    since = _last_import(installation, group_id)
    todo = [step for step in planned.steps if since is None or step.instant > since]
    on_progress(len(planned.steps) - len(todo))
    replaying = replace(installation, extractor=ImportedExtractor())
    commits = facts = 0
    for step in todo:
        _take_in(replaying, group_id, step)
        done = commit_pending(replace(replaying, clock=_At(step.instant)), group_id)
        commits += done.commits
        facts += done.facts_created
        on_progress(1)
    return Imported(
        group_id=group_id,
        commits=commits,
        episodes=len({draft.episode_id for step in todo for draft in step.drafts}),
        facts=facts,
        refused=planned.refused,
        left_out=planned.left_out,
    )


def _take_in(installation: Installation, group_id: str, step: Step) -> None:
    for accepted in accept(installation, step.drafts, shown=False):
        compact_lightly(installation, group_id)
        extract_among(installation, group_id, accepted.episode_ids)
    for episode_id in step.withdrawn:
        decide(
            installation,
            Ruling(
                group_id=group_id,
                kind=DecisionKind.RETRACT,
                target={"episode_id": episode_id},
                payload={},
                by=By.POLICY,
                who="import",
                reason="the graph that was imported had stopped believing it",
            ),
        )
    if step.withdrawn:
        compact_lightly(installation, group_id)


def _last_import(installation: Installation, group_id: str) -> datetime | None:
    """The instant up to which this import has come; None for an empty group."""
    commits = list(installation.record.commits(group_id))
    if any(commit.extractor_version != VERSION for commit in commits):
        raise Incorrect(
            f"group {group_id!r} holds {len(commits)} commits that no import made; a graph with its own "
            "system times goes into an empty group: name another with --group"
        )
    if not commits and group_id in installation.record.groups():
        raise Incorrect(
            f"group {group_id!r} holds episodes that await their commit; a graph with its own system times "
            "goes into an empty group: name another with --group"
        )
    return commits[-1].instant if commits else None
