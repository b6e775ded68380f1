"""Constrained agglomeration: linked things become one cluster unless something bars it, in any order.

Not union-find: a thing that is linked to two that bar one another joins neither (it never bridges, and
never falls to the one that came first), and is listed with each.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memstrata.resolution.guards import Bar

    Barred = Callable[[int, int], Bar | None]


@dataclass(slots=True, kw_only=True)
class Settled:
    """Groups of two and more that become one, and pairs that a person should look at, with the reason."""

    groups: list[list[int]] = field(default_factory=list)
    doubtful: list[tuple[int, int, str]] = field(default_factory=list)


def settle(links: Iterable[tuple[int, int]], barred: Barred) -> Settled:
    """Settles which linked numbers become one. Depends on the set of links alone.

    Links are symmetric. `barred` must be symmetric too; it is asked about linked pairs, and about all
    pairs that links connect.
    """
    found = Settled()
    near: dict[int, set[int]] = defaultdict(set)
    for a, b in {(min(a, b), max(a, b)) for a, b in links if a != b}:
        bar = barred(a, b)
        if bar is None:
            near[a].add(b)
            near[b].add(a)
        elif bar.soft:
            found.doubtful.append((a, b, bar.reason))
    for component in components(sorted(near), near):
        _settle_component(component, near, barred, found)
    return found


def components(nodes: Sequence[int], near: Mapping[int, set[int]]) -> list[list[int]]:
    """The connected components of `nodes` under `near`, each sorted."""
    left = set(nodes)
    out = []
    for node in nodes:
        if node not in left:
            continue
        left.discard(node)
        stack, seen = [node], [node]
        while stack:
            fresh = near[stack.pop()] & left
            left -= fresh
            stack.extend(fresh)
            seen.extend(fresh)
        out.append(sorted(seen))
    return out


def _settle_component(
    component: list[int], near: Mapping[int, set[int]], barred: Barred, found: Settled
) -> None:
    rivals = _rivals(component, barred)
    if not rivals:
        found.groups.append(component)
        return
    bridges = {node for node in component if any(rivals[a] & near[node] for a in near[node] if a in rivals)}
    firm = [node for node in component if node not in bridges]
    for part in components(firm, near):
        if not _rivals(part, barred):
            if len(part) > 1:
                found.groups.append(part)
            continue
        found.doubtful.extend(
            (a, b, "linked to names that bar one another")
            for a in part
            for b in near[a]
            if a < b and b in part
        )
    _settle_bridges(sorted(bridges), near, barred, found)


def _settle_bridges(
    bridges: list[int], near: Mapping[int, set[int]], barred: Barred, found: Settled
) -> None:
    """Bridges between the same ends are one another's equals; each is listed with every end."""
    equals: dict[frozenset[int], list[int]] = defaultdict(list)
    inside = set(bridges)
    for node in bridges:
        equals[frozenset(near[node] - inside)].append(node)
    for ends, nodes in sorted(equals.items(), key=lambda item: item[1]):
        for part in components(nodes, near):
            if len(part) > 1 and not _rivals(part, barred):
                found.groups.append(part)
        found.doubtful.extend((a, b, "it fits two that are not one") for a in nodes for b in sorted(ends))
    found.doubtful.extend(
        (a, b, "both fit two that are not one") for a in bridges for b in near[a] & inside if a < b
    )


def _rivals(component: Sequence[int], barred: Barred) -> dict[int, set[int]]:
    rivals: dict[int, set[int]] = defaultdict(set)
    for place, a in enumerate(component):
        for b in component[place + 1 :]:
            if barred(a, b) is not None:
                rivals[a].add(b)
                rivals[b].add(a)
    return rivals
