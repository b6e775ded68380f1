"""Resolution: which signatures are one entity, what it is called, and what a person should look at.

`resolve_signatures` is pure and depends on the sets that it is given alone; `resolve` does the same for
mentions, by collapsing them to signatures first.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from memstrata.ids import identify
from memstrata.resolution.clusters import settle
from memstrata.resolution.compatibility import names_agree
from memstrata.resolution.entities import Cluster, Rejected, Resolution, Review, SeenSignature, describe
from memstrata.resolution.evidence import joined_by_evidence
from memstrata.resolution.guards import Bar, agreements
from memstrata.resolution.lattice import top_type
from memstrata.resolution.partition import Partition
from memstrata.resolution.short_forms import attach
from memstrata.resolution.signatures import Signature, signature_of
from memstrata.resolution.verdicts import PairVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from memstrata.model import Mention
    from memstrata.resolution.clusters import Settled

Doubt = tuple[int, int, str]
_ONE_ALIAS = Bar(reason="two that have one other name in common")
_OTHER_NAMES = Bar(reason="one identifier, but names that are not compatible")


def resolve(mentions: Iterable[Mention], verdicts: Iterable[PairVerdict] = ()) -> Resolution:
    """Resolves mentions, whose ids are unique; verdicts name mention ids.

    Equal sets give equal answers, in whatever order. A verdict on a mention that is not there, or in
    another group, has no effect.
    """
    ruled = tuple(verdicts)
    pinned = {side for verdict in ruled for side in (verdict.left, verdict.right)}
    rejected = []
    held: dict[str, list[tuple[datetime, str]]] = defaultdict(list)
    signatures: dict[str, Signature] = {}
    home: dict[str, str] = {}
    for mention in mentions:
        found = signature_of(mention, pinned=mention.mention_id in pinned)
        if not isinstance(found, Signature):
            rejected.append(
                Rejected(group_id=mention.group_id, mention_id=mention.mention_id, reason=found.reason)
            )
            continue
        signatures[found.signature_id] = found
        held[found.signature_id].append((mention.reference_time, mention.mention_id))
        home[mention.mention_id] = found.signature_id
    seen = [
        SeenSignature(signature=signature, first=min(held[key]), count=len(held[key]))
        for key, signature in signatures.items()
    ]
    result = resolve_signatures(seen, _on_signatures(ruled, home))
    return _on_mentions(result, held, rejected)


def _on_signatures(verdicts: Iterable[PairVerdict], home: dict[str, str]) -> list[PairVerdict]:
    return [
        PairVerdict(
            kind=verdict.kind,
            left=home[verdict.left],
            right=home[verdict.right],
            by=verdict.by,
            at=verdict.at,
        )
        for verdict in verdicts
        if verdict.left in home and verdict.right in home
    ]


def _on_mentions(
    result: Resolution, held: dict[str, list[tuple[datetime, str]]], rejected: list[Rejected]
) -> Resolution:
    ids = {key: sorted(mention for _, mention in moments) for key, moments in held.items()}
    clusters = tuple(
        Cluster(
            entity_id=cluster.entity_id,
            group_id=cluster.group_id,
            name=cluster.name,
            type=cluster.type,
            aliases=cluster.aliases,
            members=tuple(sorted(mention for key in cluster.members for mention in ids[key])),
            first=cluster.first,
        )
        for cluster in result.clusters
    )
    smallest = {
        key: new.members[0]
        for old, new in zip(result.clusters, clusters, strict=True)
        for key in old.members
    }
    reviews = {
        Review(group_id=review.group_id, left=left, right=right, reason=review.reason)
        for review in result.reviews
        for left, right in [sorted((smallest[review.left], smallest[review.right]))]
    }
    return Resolution(
        clusters=tuple(sorted(clusters, key=lambda cluster: (cluster.group_id, cluster.members))),
        reviews=tuple(sorted(reviews, key=lambda review: (review.group_id, review.left, review.right))),
        rejected=tuple(sorted(set(rejected), key=lambda item: (item.group_id, item.mention_id))),
    )


def resolve_signatures(seen: Iterable[SeenSignature], verdicts: Iterable[PairVerdict] = ()) -> Resolution:
    """Resolves signatures (each given once); verdicts name signature ids. Groups never meet."""
    by_group: dict[str, list[SeenSignature]] = defaultdict(list)
    for one in seen:
        by_group[one.signature.group_id].append(one)
    ruled = tuple(verdicts)
    parts = [_resolve_group(group, by_group[group], ruled) for group in sorted(by_group)]
    return Resolution(
        clusters=tuple(cluster for part in parts for cluster in part.clusters),
        reviews=tuple(review for part in parts for review in part.reviews),
    )


def _resolve_group(
    group_id: str, seen: Sequence[SeenSignature], verdicts: Sequence[PairVerdict]
) -> Resolution:
    ordered = sorted(seen, key=lambda one: one.signature.signature_id)
    partition = Partition([one.signature for one in ordered])
    if verdicts:
        partition.rule(verdicts, {one.signature.signature_id: place for place, one in enumerate(ordered)})
    doubtful: list[tuple[int, int, str]] = []
    doubtful += _join_bound(partition)
    doubtful += _join_identified(partition)
    doubtful += _join_supported(partition)
    doubtful += _join_named(partition)
    doubtful += joined_by_evidence(partition)
    attached = attach(partition)
    doubtful += [(partition.members[a][0], partition.members[b][0], why) for a, b, why in attached.doubtful]
    joining = [
        (partition.members[a][0], partition.members[b][0]) for a, b in sorted(attached.bearer.items())
    ]
    for short, bearer in joining:
        partition.merge([partition.home[short], partition.home[bearer]])
    return _described(group_id, ordered, partition, doubtful)


def _join_bound(partition: Partition) -> list[Doubt]:
    """One account is one entity; so is one role of one person."""
    near = _bucketed(
        partition, lambda signature: [key for key in signature.identity_keys if key[:2] in ("a:", "r:")]
    )
    return _merge(partition, settle(_pairs(near), partition.barred))


def _join_identified(partition: Partition) -> list[Doubt]:
    """An equal identifier joins compatible names, never incompatible ones."""
    near = _bucketed(
        partition, lambda signature: [key for key in signature.identity_keys if key[:2] == "d:"]
    )
    shared = _pairs({key: clusters for key, clusters in near.items() if not key.startswith("d:phone:")})
    household = _pairs(near) - shared
    agree = {pair for pair in shared if _names_agree(partition, *pair, household=False)}
    agree |= {pair for pair in household if _names_agree(partition, *pair, household=True)}

    def barred(a: int, b: int) -> Bar | None:
        pair = (min(a, b), max(a, b))
        fits = pair in agree or (pair not in shared and _names_agree(partition, *pair, household=True))
        return partition.barred(a, b) if fits else _OTHER_NAMES

    return _merge(partition, settle(agree, barred))


def _names_agree(partition: Partition, a: int, b: int, *, household: bool) -> bool:
    return any(
        names_agree(partition.signatures[left], partition.signatures[right], household=household)
        for left in partition.members[a]
        for right in partition.members[b]
    )


def _join_supported(partition: Partition) -> list[Doubt]:
    """Equal names that circumstances speak for are one entity, before bare names are looked at."""
    pairs = _pairs(_bucketed(partition, lambda signature: signature.exact))
    return _merge(
        partition,
        settle((pair for pair in pairs if _circumstances_agree(partition, *pair)), partition.barred),
    )


def _join_named(partition: Partition) -> list[Doubt]:
    """Equal names are one entity, and so is a name with whom it is stated to be another name of.

    Two who have one other name in common are not one for that: who bears it fits both.
    """
    named = _bucketed(partition, lambda signature: signature.exact)
    claimed = _bucketed(partition, lambda signature: signature.claims)
    links = _pairs(named)
    rivals = _pairs(claimed)
    for key in named.keys() & claimed.keys():
        links |= {(min(a, b), max(a, b)) for a in named[key] for b in claimed[key] if a != b}
    rivals -= links

    def barred(a: int, b: int) -> Bar | None:
        return _ONE_ALIAS if (min(a, b), max(a, b)) in rivals else partition.barred(a, b)

    return _merge(partition, settle(links, barred))


def _circumstances_agree(partition: Partition, a: int, b: int) -> bool:
    return any(
        agreements(partition.signatures[left], partition.signatures[right])
        for left in partition.members[a]
        for right in partition.members[b]
    )


def _is_hard(bar: Bar | None) -> bool:
    return bar is not None and not bar.soft


def _bucketed(partition: Partition, keys: Callable[[Signature], Iterable[str]]) -> dict[str, set[int]]:
    near: dict[str, set[int]] = defaultdict(set)
    for index, signature in enumerate(partition.signatures):
        for key in keys(signature):
            near[key].add(partition.home[index])
    return near


def _pairs(near: dict[str, set[int]]) -> set[tuple[int, int]]:
    return {
        pair
        for clusters in near.values()
        if len(clusters) > 1
        for pair in combinations(sorted(clusters), 2)
    }


def _merge(partition: Partition, found: Settled) -> list[Doubt]:
    listed = _on_members(partition, found.doubtful)
    for group in found.groups:
        partition.merge(group)
    return listed


def _on_members(partition: Partition, doubts: Iterable[Doubt]) -> list[Doubt]:
    """Doubts about clusters as doubts about a member of each, which outlives later merges."""
    return [(partition.members[a][0], partition.members[b][0], why) for a, b, why in doubts]


def _described(
    group_id: str, seen: Sequence[SeenSignature], partition: Partition, doubts: Iterable[Doubt]
) -> Resolution:
    parts = sorted(
        ([seen[index] for index in members] for members in partition.members.values()), key=_earliest
    )
    taken: set[tuple[str, str | None]] = set()
    clusters = []
    for part in parts:
        first = min(part, key=lambda one: one.first)
        anchor = (first.signature.anchor, top_type(first.signature.type))
        more = () if anchor not in taken else (first.first[1],)
        taken.add(anchor)
        clusters.append(describe(identify("entity", group_id, *anchor, *more), part))
    listed: dict[tuple[int, int], str] = {}
    for a, b, why in doubts:
        pair = tuple(sorted((partition.home[a], partition.home[b])))
        if pair[0] != pair[1] and not _is_hard(partition.barred(*pair)):
            listed.setdefault((pair[0], pair[1]), why)
    ids = [one.signature.signature_id for one in seen]
    reviews = (
        Review(
            group_id=group_id,
            left=ids[partition.members[a][0]],
            right=ids[partition.members[b][0]],
            reason=why,
        )
        for (a, b), why in listed.items()
    )
    return Resolution(
        clusters=tuple(sorted(clusters, key=lambda cluster: cluster.members)),
        reviews=tuple(sorted(reviews, key=lambda review: (review.left, review.right))),
    )


def _earliest(part: Sequence[SeenSignature]) -> tuple[datetime, str]:
    return min(one.first for one in part)
