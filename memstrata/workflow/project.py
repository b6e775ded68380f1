"""The graph built from the log in another store, beside the one in use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata.workflow.bulk import few_collections
from memstrata.workflow.commit import apply_again, heal
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.rebuild import show_waiting

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.ports import GraphStore, Installation


@dataclass(frozen=True, slots=True, kw_only=True)
class Projected:
    """What was built of a group. `identical` compares the whole histories of both stores.

    `difference` is the first line that only one of them has, and which.
    """

    group_id: str
    commits: int
    lines: int
    identical: bool
    difference: str = ""


def project(
    installation: Installation,
    group_id: str,
    target: GraphStore,
    *,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Projected:
    """Builds the group's graph anew in `target` by replaying its commits at their own instants.

    What `target` had of the group goes first; the store in use is only read, and caught up with its log.
    The latest summaries and the procedures, which no log holds, are taken over from it. Vectors follow
    with `embed` once `target` is in use. Nothing can be committed to the group meanwhile.
    """
    beside = replace(installation, graph=target)
    commits = 0
    with installation.leases.hold(group_id), few_collections():
        heal(installation, group_id)
        target.clear(group_id)
        for commit in installation.record.commits(group_id):
            apply_again(beside, commit)
            commits += 1
            on_progress(1)
        _take_over(installation, group_id, target)
        stored = tuple(canonical_lines(installation.graph, group_id, history=True))
        built = tuple(canonical_lines(target, group_id, history=True))
    show_waiting(beside, group_id)
    return Projected(
        group_id=group_id,
        commits=commits,
        lines=len(built),
        identical=stored == built,
        difference=_difference(stored, built),
    )


def _take_over(installation: Installation, group_id: str, target: GraphStore) -> None:
    """The latest of what consolidation made."""
    source = installation.graph
    found = (source.summary(group_id, entity_id) for entity_id in sorted(source.summary_hashes(group_id)))
    if summaries := [summary for summary in found if summary is not None]:
        target.put_summaries(summaries)
    if procedures := source.procedures(group_id):
        target.put_procedures(group_id, procedures, installation.clock.now())


def _difference(stored: tuple[str, ...], built: tuple[str, ...]) -> str:
    if stored == built:
        return ""
    in_use, new = set(stored), set(built)
    first = min(in_use ^ new, default="the same lines in another order")
    side = "only the store in use holds" if first in in_use else "only the new store holds"
    return f"{side} {first}"
