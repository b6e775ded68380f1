"""Another memory's graph into an empty group, with its system times: replayed as commits at its instants.

Acceptance is now; what was believed when is the other memory's (docs/record.md, 5).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.extraction.imported import VERSION, ImportedExtractor
from memstrata.intake import graphiti
from memstrata.model import By, DecisionKind
from memstrata.workflow.commit import commit_pending
from memstrata.workflow.extract import Extracted, extract_among
from memstrata.workflow.intake import Ruling, accept, decide
from memstrata.workflow.work import compact_lightly

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from memstrata.intake.graphiti import GraphitiGraph, Plan, Step
    from memstrata.ports import Extractor, Installation

#: Of what waits in the installation as much is looked at for episodes of another origin.
_LOOKED_AT: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did.

    `refused` items stay out, each with its reason; `left_out` counts what has no place here, by kind. Of
    `failed` episodes nothing could be extracted, of the last for the reason `failure`: they are accepted,
    and the same import tries them again.
    """

    group_id: str
    commits: int
    episodes: int
    facts: int
    refused: tuple[str, ...]
    left_out: Mapping[str, int]
    failed: int = 0
    failure: str = ""


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
    extractor: Extractor | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Imported:
    """Takes a Graphiti graph into a group that is empty, or that the same import has begun to fill.

    What the door would refuse, or an `extractor` (by default that of imports) fails on, keeps nothing else
    out. Interrupted and called again, it goes on. Raises `Incorrect` for a group with anything else in it.
    """
    planned = graphiti.plan(graph, group_id)
    compact_lightly(installation, group_id)
    _require_own(installation, group_id, planned)
    todo = _todo(installation, group_id, planned)
    on_progress(len(planned.steps) - len(todo))
    commits = facts = failed = 0
    failure = ""
    importing = replace(installation, extractor=extractor or ImportedExtractor())
    for step in todo:
        with installation.leases.hold(group_id):  # else whoever works beside would commit it as of now
            extracted = _take_in(importing, group_id, step)
            done = commit_pending(replace(importing, clock=_At(step.instant)), group_id)
        failed += extracted.failed
        failure = extracted.reason or failure
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
        failed=failed,
        failure=failure,
    )


def _take_in(importing: Installation, group_id: str, step: Step) -> Extracted:
    """Accepts what the step brings and extracts it; gives how many failed, and why the last."""
    failed, reason = 0, ""
    compact_lightly(importing, group_id)  # what others had accepted: it may have turns that follow it
    for accepted in accept(importing, step.drafts, shown=False):
        compact_lightly(importing, group_id)
        extracted = extract_among(importing, group_id, accepted.episode_ids)
        failed, reason = failed + extracted.failed, extracted.reason or reason
    for episode_id in step.withdrawn:
        decide(
            importing,
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
        compact_lightly(importing, group_id)
    return Extracted(failed=failed, reason=reason)


def _require_own(installation: Installation, group_id: str, planned: Plan) -> None:
    """Raises `Incorrect` if the group holds what this import has not brought."""
    record = installation.record
    ours = {draft.episode_id for step in planned.steps for draft in step.drafts}
    commits = list(record.commits(group_id))
    others = [
        commit
        for commit in commits
        if commit.extractor_version != VERSION or any(one.episode_id not in ours for one in commit.episodes)
    ]
    waiting = [episode for episode, _ in record.pending(group_id, limit=_LOOKED_AT).episodes]
    waiting += [episode for episode in record.awaiting(limit=_LOOKED_AT) if episode.group_id == group_id]
    foreign = {episode.episode_id for episode in waiting} - ours
    if others or foreign:
        what = (
            f"{len(others)} commits that this import has not made"
            if others
            else f"{len(foreign)} episodes that await their commit"
        )
        raise Incorrect(
            f"group {group_id!r} holds {what}; a graph with its own system times goes into an empty group: "
            "name another with --group"
        )


def _todo(installation: Installation, group_id: str, planned: Plan) -> list[Step]:
    """The steps of which something is not committed yet."""
    record = installation.record
    taken_in = {
        (one.episode_id, one.revision) for commit in record.commits(group_id) for one in commit.episodes
    }
    withdrawn = {
        decision.target["episode_id"]
        for _, decision in record.committed_decisions(group_id, (DecisionKind.RETRACT,))
    }
    revisions: Counter[str | None] = Counter()
    todo: list[Step] = []
    for step in planned.steps:
        revisions.update(draft.episode_id for draft in step.drafts)
        drafts = {(draft.episode_id, revisions[draft.episode_id]) for draft in step.drafts}
        if not (drafts <= taken_in and withdrawn.issuperset(step.withdrawn)):
            todo.append(step)
    return todo
