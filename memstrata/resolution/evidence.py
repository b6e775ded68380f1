"""Names that are alike but not equal (a nickname, another script, surname first): joined by evidence alone.

They need a circumstance or an identifier that agrees, and nobody else who fits; else a person should look.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from memstrata.resolution.clusters import settle
from memstrata.resolution.compatibility import are_alike, are_neighbouring_names
from memstrata.resolution.guards import Bar
from memstrata.resolution.signatures import SUPPORT

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.resolution.partition import Partition
    from memstrata.resolution.signatures import Signature

_ANOTHER: Final = Bar(reason="names that are not alike")


def joined_by_evidence(partition: Partition) -> list[tuple[int, int, str]]:
    """Merges clusters with alike names that evidence supports; returns pairs of signatures to look at."""
    alike = _alike(partition)
    supported = {pair for pair in alike if _support(pair, partition)}

    def barred(a: int, b: int) -> Bar | None:
        if (min(a, b), max(a, b)) not in alike:
            return _ANOTHER
        return partition.barred(a, b)

    found = settle(supported, barred)
    doubtful = [*found.doubtful]
    joined = {node for group in found.groups for node in group}
    for a, b in sorted(alike - supported):
        if not (a in joined or b in joined) and partition.barred(a, b) is None:
            doubtful.append((a, b, "names that may be one person's, and nothing else that agrees"))
    listed = [(partition.members[a][0], partition.members[b][0], why) for a, b, why in doubtful]
    for group in found.groups:
        partition.merge(group)
    return listed


def _alike(partition: Partition) -> set[tuple[int, int]]:
    near: dict[str, set[int]] = defaultdict(set)
    for index, signature in enumerate(partition.signatures):
        for key in signature.kin:
            near[key].add(partition.home[index])
    pairs = {(a, b) for clusters in near.values() for a in clusters for b in clusters if a < b}
    return {pair for pair in pairs if _any(partition, pair, are_alike)}


def _support(pair: tuple[int, int], partition: Partition) -> bool:
    return _any(partition, pair, _agree)


def _any(
    partition: Partition, pair: tuple[int, int], holds: Callable[[Signature, Signature], bool]
) -> bool:
    return any(
        holds(partition.signatures[a], partition.signatures[b])
        for a in partition.members[pair[0]]
        for b in partition.members[pair[1]]
    )


def _agree(left: Signature, right: Signature) -> bool:
    """Whether evidence joins them; never two known first names that are one letter apart."""
    if are_neighbouring_names(left.form, right.form):
        return False
    return any(
        key in left.values and key in right.values and left.values[key] & right.values[key]
        for key in SUPPORT
    )
