"""The graph anew from the log, and whether the two agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata import resolution
from memstrata.projection import passages_of
from memstrata.workflow.bulk import few_collections
from memstrata.workflow.commit import apply_again, heal
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.holds import release

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.ports import GraphStore, Installation


#: How many waiting episodes a rebuild shows again at most, the oldest first; a commit shows the others.
_SHOWN = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What a rebuild replayed; `other_resolver` counts commits that other resolution rules made."""

    group_id: str
    commits: int
    other_resolver: int


def rebuild(
    installation: Installation,
    group_id: str,
    *,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Rebuilt:
    """Empties the group's graph and replays its commits at their own instants.

    Interrupted, it goes on with the group's next commit or rebuild. Vectors follow with `embed`. A group
    that was held because log and graph differ is released: now they agree.
    """
    commits = other = 0
    with installation.leases.hold(group_id), few_collections():
        installation.graph.clear(group_id)
        for commit in installation.record.commits(group_id):
            apply_again(installation, commit)
            commits += 1
            other += commit.resolver_version != resolution.resolver_version()
            on_progress(1)
    show_waiting(installation, group_id)
    release(installation, group_id, who="rebuild", reason="the graph was built anew from the log")
    return Rebuilt(group_id=group_id, commits=commits, other_resolver=other)


def show_waiting(installation: Installation, group_id: str) -> None:
    """Makes what is compacted and not yet committed searchable again, as the door had done."""
    record = installation.record
    waiting = [episode for episode, _ in record.pending(group_id, limit=_SHOWN).episodes]
    waiting += [episode for episode in record.awaiting(limit=_SHOWN) if episode.group_id == group_id]
    installation.graph.show_pending([(one, passages_of(one)) for one in waiting])


@dataclass(frozen=True, slots=True, kw_only=True)
class Parity:
    """Whether a group's graph is what its log says; `difference` is the first line that differs."""

    group_id: str
    equal: bool
    lines: int
    difference: str = ""


def parity(installation: Installation, group_id: str, scratch: GraphStore) -> Parity:
    """Replays the group's commits into the empty `scratch` store and compares the whole histories."""
    with installation.leases.hold(group_id):
        heal(installation, group_id)
        beside = replace(installation, graph=scratch)
        for commit in installation.record.commits(group_id):
            apply_again(beside, commit)
        logged = tuple(canonical_lines(scratch, group_id, history=True))
        stored = tuple(canonical_lines(installation.graph, group_id, history=True))
    if logged == stored:
        return Parity(group_id=group_id, equal=True, lines=len(logged))
    in_log, in_graph = set(logged), set(stored)
    first = min(in_log ^ in_graph, default="the same lines in another order")
    side = "only the log gives" if first in in_log else "only the graph holds"
    return Parity(group_id=group_id, equal=False, lines=len(logged), difference=f"{side} {first}")
