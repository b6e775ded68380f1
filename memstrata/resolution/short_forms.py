"""Short forms (a first name, initials, a titled surname, an acronym) and the one bearer that each may join.

A short form looks at the clusters that stand without it, joins its only candidate, and stays apart from
two. Whether it joins depends on no other short form but those that would join the same bearer against it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memstrata.resolution.guards import agreements
from memstrata.resolution.names import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.resolution.partition import Partition
    from memstrata.resolution.signatures import Signature

#: A short form that this many signatures offer identifies nobody: no candidate is looked at.
CROWD: Final = 64

_FIRST: Final = frozenset({Shape.INITIALED, Shape.CLIPPED})
_SECOND: Final = frozenset({Shape.GIVEN, Shape.TITLED, Shape.ACRONYM})


@dataclass(slots=True, kw_only=True)
class Attachments:
    """Which cluster joins which (`bearer`), and pairs for a person, with the reason."""

    bearer: dict[int, int] = field(default_factory=dict)
    doubtful: list[tuple[int, int, str]] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class _Candidates:
    """Clusters that a short form fits, that leave it in doubt, and that only a person may join to it."""

    fitting: list[int] = field(default_factory=list)
    doubting: list[int] = field(default_factory=list)
    reserved: list[tuple[int, str]] = field(default_factory=list)


def attach(partition: Partition) -> Attachments:
    """Attaches short forms: initials first, then single names, titled surnames and acronyms."""
    offering: dict[str, list[int]] = defaultdict(list)
    for index, signature in enumerate(partition.signatures):
        for key in signature.offers:
            offering[key].append(index)
    found = Attachments()
    for shapes in (_FIRST, _SECOND):
        chosen: dict[int, int] = {}
        for cluster, members in partition.members.items():
            names = [partition.signatures[index] for index in members]
            if cluster not in found.bearer and _is_short(names, shapes):
                bearer = _choose(cluster, partition, offering, found)
                if bearer is not None:
                    chosen[cluster] = bearer
        found.bearer.update(chosen)
    _part_rivals(partition, found)
    return found


def _is_short(names: Sequence[Signature], shapes: frozenset[Shape]) -> bool:
    """Whether nothing but short forms of those shapes is in the cluster."""
    return all(name.asks and not name.claims and name.form.shape in shapes for name in names)


def _choose(
    cluster: int, partition: Partition, offering: Mapping[str, list[int]], found: Attachments
) -> int | None:
    """The only bearer of a short cluster; else None, with what a person should look at in `found`."""
    seen = _candidates(cluster, partition, offering, found.bearer)
    fitting = _best(cluster, seen.fitting, partition)
    if len(fitting) == 1 and (not seen.doubting or len(seen.fitting) > 1):
        return fitting[0]
    several = (
        "several names that it may be short for" if len(fitting) > 1 else "it may be another's surname"
    )
    found.doubtful.extend((cluster, other, several) for other in (*seen.fitting, *seen.doubting))
    found.doubtful.extend((cluster, other, reason) for other, reason in seen.reserved)
    return None


def _candidates(
    cluster: int, partition: Partition, offering: Mapping[str, list[int]], bearer: Mapping[int, int]
) -> _Candidates:
    names = [partition.signatures[index] for index in partition.members[cluster]]
    asked = {key for name in names for key in name.asks}
    doubted = {key for name in names for key in name.doubts}
    out = _Candidates()
    if any(len(offering.get(key, ())) > CROWD for key in asked | doubted):
        return out
    for keys, chosen in ((asked, out.fitting), (doubted, out.doubting)):
        for other in sorted(_clusters_offering(keys, cluster, partition, offering)):
            holder = bearer.get(other, other)
            if (
                holder == cluster
                or holder in out.fitting
                or holder in chosen
                or not _fits(cluster, other, partition)
            ):
                continue
            bar = partition.barred(cluster, other)
            if bar is None:
                chosen.append(holder)
            elif bar.soft:
                out.reserved.append((holder, bar.reason))
    return out


def _clusters_offering(
    keys: set[str], cluster: int, partition: Partition, offering: Mapping[str, list[int]]
) -> set[int]:
    return {partition.home[index] for key in keys for index in offering.get(key, ())} - {cluster}


def _fits(cluster: int, other: int, partition: Partition) -> bool:
    """Whether the initials of the short form, past the first, agree with the longer name."""
    return all(
        any(_initials_fit(short.form.tokens, long.form.tokens) for long in _named(other, partition))
        for short in _named(cluster, partition)
        if short.form.shape is Shape.INITIALED
    )


def _named(cluster: int, partition: Partition) -> list[Signature]:
    return [partition.signatures[index] for index in partition.members[cluster]]


def _initials_fit(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    given, bearing = short[:-1], long[:-1]
    return all(a[0] == b[0] for a, b in zip(given, bearing, strict=False))


def _best(cluster: int, fitting: list[int], partition: Partition) -> list[int]:
    """Those candidates alone that circumstances or identifiers speak for, if they speak for any."""
    if len(fitting) < 2:  # noqa: PLR2004
        return fitting
    shorts = _named(cluster, partition)
    supported = [
        other
        for other in fitting
        if any(agreements(a, b) for a in shorts for b in _named(other, partition))
    ]
    return supported or fitting


def _part_rivals(partition: Partition, found: Attachments) -> None:
    """Short forms that would join one bearer and bar one another all stay apart (Mr. and Mrs. X)."""
    joining: dict[int, list[int]] = defaultdict(list)
    for cluster, bearer in found.bearer.items():
        joining[bearer].append(cluster)
    for bearer, clusters in joining.items():
        rivals = {a for a in clusters for b in clusters if a != b and partition.barred(a, b) is not None}
        for cluster in sorted(rivals):
            del found.bearer[cluster]
            found.doubtful.append((cluster, bearer, "another short form fits it too, and is not the same"))
