"""What resolution answers: entities with their names and members, reviews, refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.resolution.lattice import depth
from memstrata.resolution.names import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memstrata.resolution.signatures import Signature


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSignature:
    """A signature with its earliest mention (reference time, mention id) and how many mentions it has."""

    signature: Signature
    first: tuple[datetime, str]
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """An entity and what stands for it: `members` are signature ids, or mention ids from `resolve`; sorted.

    `first` is the (reference time, mention id) of its earliest mention.
    """

    entity_id: str
    group_id: str
    name: str
    type: str | None
    aliases: tuple[str, ...]
    members: tuple[str, ...]
    first: tuple[datetime, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Two entities that a person should look at: the smallest member of each, and why."""

    group_id: str
    left: str
    right: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A mention that names no entity."""

    group_id: str
    mention_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """Who is meant. Clusters, reviews and rejections are sorted."""

    clusters: tuple[Cluster, ...] = ()
    reviews: tuple[Review, ...] = ()
    rejected: tuple[Rejected, ...] = ()


_RANK: Final = {
    Shape.FULL: 0, Shape.PLAIN: 0, Shape.INITIALED: 2, Shape.CLIPPED: 2, Shape.ACRONYM: 2, Shape.TITLED: 3,
    Shape.GIVEN: 3, Shape.HANDLE: 4,
}  # fmt: skip
_UNNAMED: Final = 9


def describe(entity_id: str, part: Sequence[SeenSignature]) -> Cluster:
    """The entity that the signatures of one cluster are: its best name, most telling type, other names."""
    ordered = sorted(part, key=lambda one: (*_worth(one.signature), one.first))
    name = _called(ordered[0].signature)
    others = {_called(one.signature) for one in ordered if not one.signature.unnamed}
    others |= {alias for one in ordered for alias in one.signature.stated_names}
    typed = min(part, key=lambda one: (-depth(one.signature.type), one.first))
    return Cluster(
        entity_id=entity_id,
        group_id=ordered[0].signature.group_id,
        name=name,
        type=typed.signature.type,
        aliases=tuple(sorted(others - {name})),
        members=tuple(sorted(one.signature.signature_id for one in part)),
        first=min(one.first for one in part),
    )


def _worth(signature: Signature) -> tuple[int, int, int, str]:
    """How well a name stands for its entity, best first: whole, in mixed case, little around it."""
    name = _called(signature)
    shouted = name == name.upper() and signature.shape is not Shape.ACRONYM
    rank = _UNNAMED if signature.unnamed else _RANK[signature.shape]
    extra = len(name.split()) - len(signature.form.tokens)
    return rank, int(shouted or name == name.lower()), abs(extra), name


def _called(signature: Signature) -> str:
    return signature.name or signature.account or ""
