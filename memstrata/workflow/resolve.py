"""Who is meant, around what a commit touches: signatures in, names and entities that change out.

The rules are `memstrata.resolution`'s; here they meet the store. Only stored verdicts count, no model
is asked. Mentions that verdicts name are pinned: they have a signature of their own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memstrata.errors import Conflict
from memstrata.model import Entity
from memstrata.ports import NamePlacement
from memstrata.resolution import (
    PairVerdict,
    Refusal,
    SeenSignature,
    Signature,
    keys_about,
    neighbourhood,
    resolve_signatures,
    signature_of,
)
from memstrata.workflow.verdicts import judged_mentions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Decision, Mention
    from memstrata.ports import KnownName, Neighbourhood
    from memstrata.resolution import Cluster, Resolution, Review


#: How a verdict names a mention: (episode id, mention id).
Judged = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What resolution changes in the graph.

    `entity_of` gives the entity of each new mention that was not refused, `moved` the new entity of each
    signature that was known and stood for another one, `reviews` what is left for a person (signature ids).
    """

    mentions: tuple[tuple[Mention, str], ...]
    entity_of: Mapping[str, str]
    names: tuple[NamePlacement, ...]
    moved: Mapping[str, str]
    entities: tuple[Entity, ...]
    entities_gone: tuple[str, ...]
    reviews: tuple[Review, ...] = ()


@dataclass(slots=True)
class _New:
    """A signature in the mentions that a commit brings."""

    signature: Signature
    example: Mention
    first: tuple[datetime, str]
    count: int = 1

    def mentioned(self, mention: Mention) -> None:
        self.count += 1
        self.first = min(self.first, (mention.reference_time, mention.mention_id))


def resolve(
    graph: Neighbourhood,
    group_id: str,
    mentions: Iterable[Mention],
    *,
    leaving: Collection[str],
    verdicts: Sequence[Decision],
    taken_in: Collection[str],
) -> Resolved:
    """Resolves `mentions` in a graph that the episodes `leaving` are about to leave.

    `verdicts` are all of the group, `taken_in` the ids of those decisions that are new.
    """
    sides = {decision.decision_id: judged_mentions(decision) for decision in verdicts}
    pinned = {mention for pair in sides.values() for mention in pair}
    arriving = _Arriving.of(mentions, {mention_id for _, mention_id in pinned})
    after = _After(graph, group_id, arriving.new, leaving)
    pairs = _pair_verdicts(verdicts, after.signatures_of(pinned, arriving))
    lost = after.lost()
    judged = {
        mention
        for decision, pair in sides.items()
        if decision in taken_in or not lost.isdisjoint(pair)
        for mention in pair
    }
    touched = after.touched(after.signatures_of(judged, arriving).values())
    if not touched:
        return after.unchanged(arriving)
    after.look_ahead(keys_about(touched))
    hood = neighbourhood(touched, after, pairs)
    return after.resolved(arriving, hood.affected, resolve_signatures(hood.seen, pairs))


def reviewed(
    graph: Neighbourhood, group_id: str, entity_ids: Collection[str], verdicts: Sequence[Decision]
) -> list[tuple[str, str, str]]:
    """Whom the graph as it stands keeps apart though they may be one: (entity id, entity id, why), sorted.

    Only pairs with one of `entity_ids`, each once with the smaller id first. Reads, and changes nothing.
    """
    touched = [signature_of_name(name) for name in graph.names_standing_for(group_id, entity_ids)]
    if not touched:
        return []
    nobody = _Arriving.of((), ())
    after = _After(graph, group_id, nobody.new, ())
    pinned = {mention for decision in verdicts for mention in judged_mentions(decision)}
    pairs = _pair_verdicts(verdicts, after.signatures_of(pinned, nobody))
    after.look_ahead(keys_about(touched))
    hood = neighbourhood(touched, after, pairs)
    found: dict[tuple[str, str], str] = {}
    for review in resolve_signatures(hood.seen, pairs).reviews:
        left, right = sorted(after.names[side].entity_id for side in (review.left, review.right))
        if left != right and (left in entity_ids or right in entity_ids):
            found.setdefault((left, right), review.reason)
    return [(left, right, why) for (left, right), why in sorted(found.items())]


def _pair_verdicts(
    verdicts: Iterable[Decision], signature: Mapping[Judged, Signature]
) -> list[PairVerdict]:
    """The verdicts whose two mentions are there, in terms of signatures."""
    return [
        PairVerdict(
            kind=decision.kind,
            left=signature[left].signature_id,
            right=signature[right].signature_id,
            by=decision.by,
            at=decision.at,
        )
        for decision in verdicts
        for left, right in [judged_mentions(decision)]
        if left in signature and right in signature
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Arriving:
    """The mentions that a commit brings, with their signatures; refused ones are left out."""

    mentions: tuple[tuple[Mention, str], ...]
    new: Mapping[str, _New]

    @classmethod
    def of(cls, mentions: Iterable[Mention], pinned: Collection[str]) -> _Arriving:
        signed: list[tuple[Mention, str]] = []
        new: dict[str, _New] = {}
        for mention in mentions:
            signature = signature_of(mention, pinned=mention.mention_id in pinned)
            if isinstance(signature, Refusal):
                continue
            id_ = signature.signature_id
            signed.append((mention, id_))
            if id_ in new:
                new[id_].mentioned(mention)
            else:
                new[id_] = _New(signature, mention, (mention.reference_time, mention.mention_id))
        return cls(mentions=tuple(signed), new=new)


@dataclass(slots=True)
class _After:
    """The names of a group as they will be after the change: a `resolution.SignatureIndex`."""

    graph: Neighbourhood
    group_id: str
    new: Mapping[str, _New]
    leaving: Collection[str]
    gone: dict[str, KnownName] = field(default_factory=dict)
    without: Collection[str] = ()
    names: dict[str, KnownName] = field(default_factory=dict)
    _unknown: set[str] = field(default_factory=set)
    _under: dict[str, list[KnownName]] = field(default_factory=dict)
    _by_key: dict[str, list[_New]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        """Loads the names that the change is about."""
        inside = self.graph.names_in(self.group_id, self.leaving) if self.leaving else ()
        self.gone = {name.signature_id: name for name, _ in inside}
        self.without = self.leaving if self.gone else ()
        self._load_signed(self.new.keys() | self.gone.keys())
        for id_, new in self.new.items():
            if id_ not in self.names:  # what the store has, it finds
                for key in new.signature.neighbour_keys:
                    self._by_key[key].append(new)

    # --- as an index of signatures ---

    def under(self, keys: Collection[str]) -> Iterator[SeenSignature]:
        """See `resolution.SignatureIndex`."""
        self.look_ahead(keys)
        found = {name.signature_id: name for key in keys for name in self._under[key]}
        yield from self._all_seen(found.values())
        for new in {
            new.signature.signature_id: new for key in keys for new in self._by_key.get(key, ())
        }.values():
            yield self._seen(new.signature.signature_id, new.signature)

    def look_ahead(self, keys: Collection[str]) -> None:
        """Reads what the store has under the keys, each once: many of them in one round trip."""
        lacking = {key for key in keys if key not in self._under}
        if not lacking:
            return
        self._under.update((key, []) for key in lacking)
        for name in self.graph.names_under(self.group_id, lacking, without=self.without):
            for key in lacking.intersection(name.keys):
                self._under[key].append(name)

    def known(self, signature_ids: Collection[str]) -> Iterator[SeenSignature]:
        """See `resolution.SignatureIndex`."""
        yield from self._all_seen(self._load_signed(signature_ids))
        for id_ in signature_ids:
            if id_ in self.new and id_ not in self.names:
                yield self._seen(id_, self.new[id_].signature)

    def _load_signed(self, signature_ids: Collection[str]) -> tuple[KnownName, ...]:
        lacking = [id_ for id_ in signature_ids if id_ not in self.names and id_ not in self._unknown]
        found = self.graph.names_signed(self.group_id, lacking, without=self.without) if lacking else ()
        for name in found:
            self.names[name.signature_id] = name
        self._unknown.update(id_ for id_ in lacking if id_ not in self.names)
        return tuple(self.names[id_] for id_ in signature_ids if id_ in self.names)

    def _all_seen(self, names: Iterable[KnownName]) -> Iterator[SeenSignature]:
        for name in names:
            id_ = name.signature_id
            self.names[id_] = name
            yield self._seen(id_, self.new[id_].signature if id_ in self.new else signature_of_name(name))

    def _seen(self, id_: str, signature: Signature) -> SeenSignature:
        name, new = self.names.get(id_), self.new.get(id_)
        if new is None:
            return SeenSignature(
                signature=signature, first=self.names[id_].first, count=self.names[id_].count
            )
        if name is None:
            return SeenSignature(signature=signature, first=new.first, count=new.count)
        return SeenSignature(
            signature=signature, first=min(name.first, new.first), count=name.count + new.count
        )

    def _first(self, id_: str) -> tuple[datetime, str]:
        """The earliest mention of a name that the change brings again."""
        name, new = self.names.get(id_), self.new[id_]
        return new.first if name is None else min(name.first, new.first)

    # --- what changes ---

    def signatures_of(self, judged: Collection[Judged], arriving: _Arriving) -> dict[Judged, Signature]:
        """The signatures of those mentions that will be there."""
        if not judged:
            return {}
        known = self.graph.names_for(self.group_id, judged)
        # A pinned name has one mention; another name tells nothing of where this mention will stand.
        pinned = {id_: name for id_, name in known.items() if name.example.mention_id == id_}
        found = {
            (name.first_episode, id_): signature_of_name(name)
            for id_, name in pinned.items()
            if name.first_episode not in self.leaving
        }
        found.update(
            ((mention.episode_id, mention.mention_id), self.new[signature].signature)
            for mention, signature in arriving.mentions
            if (mention.episode_id, mention.mention_id) in judged
        )
        return found

    def lost(self) -> set[Judged]:
        """The mentions of pinned names that will be gone: verdicts on them join nobody any more."""
        examples = [name.example for id_, name in self.gone.items() if id_ not in self.new]
        return {(example.episode_id, example.mention_id) for example in examples}

    def touched(self, judged: Iterable[Signature]) -> list[Signature]:
        """The signatures that are new, gone, first mentioned at another time, or newly judged."""
        touched = {signature.signature_id: signature for signature in judged}
        for id_, new in self.new.items():
            before = self.gone.get(id_) or self.names.get(id_)
            if before is None or self._first(id_) != before.first:
                touched[id_] = new.signature
        for id_, before in self.gone.items():
            if id_ not in self.new and (id_ not in self.names or self.names[id_].first != before.first):
                touched[id_] = signature_of_name(before)
        return list(touched.values())

    def unchanged(self, arriving: _Arriving) -> Resolved:
        """Nobody is touched: each mention is of a name that stands where it stood."""
        standing = self._standing()
        return Resolved(
            mentions=arriving.mentions,
            entity_of={m.mention_id: standing[signature] for m, signature in arriving.mentions},
            names=(),
            moved={},
            entities=(),
            entities_gone=(),
        )

    def resolved(self, arriving: _Arriving, affected: Collection[str], answer: Resolution) -> Resolved:
        """What the answer about the affected signatures changes."""
        entity_of = self._standing()
        before = {id_: name.entity_id for id_, name in self.gone.items()} | entity_of
        clusters = [one for one in answer.clusters if any(id_ in affected for id_ in one.members)]
        for one in clusters:
            entity_of.update((id_, one.entity_id) for id_ in one.members if id_ in affected)
        entities = [self._entity(one) for one in clusters]
        standing = set(self.graph.entities(self.group_id, [one.entity_id for one in entities]))
        placed = [
            id_
            for id_ in sorted(affected)
            if id_ not in self.names or self.names[id_].entity_id != entity_of[id_]
        ]
        left = {entity for id_, entity in before.items() if entity_of.get(id_) != entity}
        gone = self._deserted(left - set(entity_of.values()), entity_of)
        heirs = self._heirs(arriving, gone)
        return Resolved(
            mentions=arriving.mentions,
            entity_of={m.mention_id: entity_of[signature] for m, signature in arriving.mentions},
            names=tuple(
                self._name_placement(id_, entity_of[id_], heirs.get(id_, ()))
                for id_ in dict.fromkeys((*placed, *sorted(heirs)))
            ),
            moved={id_: entity_of[id_] for id_ in placed if id_ in self.names},
            entities=tuple(one for one in entities if one not in standing),
            entities_gone=gone,
            reviews=tuple(one for one in answer.reviews if {one.left, one.right} & set(affected)),
        )

    def _standing(self) -> dict[str, str]:
        """Which entity each known name stands for that will be there, were nobody resolved again."""
        again = {id_: name.entity_id for id_, name in self.gone.items() if id_ in self.new}
        return again | {id_: name.entity_id for id_, name in self.names.items()}

    def _entity(self, cluster: Cluster) -> Entity:
        return Entity(
            entity_id=cluster.entity_id,
            group_id=self.group_id,
            name=cluster.name,
            type=cluster.type,
            aliases=cluster.aliases,
        )

    def _heirs(self, arriving: _Arriving, gone: Collection[str]) -> Mapping[str, set[str]]:
        """The names that mentions have now which stood for entities that are gone, under another name."""
        again = {
            (mention.episode_id, mention.mention_id): signature
            for mention, signature in arriving.mentions
            if gone and mention.episode_id in self.leaving
        }
        heirs: dict[str, set[str]] = defaultdict(set)
        known = self.graph.names_for(self.group_id, again) if again else {}
        for (_, mention_id), signature in again.items():
            name = known.get(mention_id)
            if name is not None and name.signature_id != signature and name.entity_id in gone:
                heirs[signature].add(name.entity_id)
        return heirs

    def _name_placement(self, id_: str, entity_id: str, stood_for: Iterable[str]) -> NamePlacement:
        new, name = self.new.get(id_), self.names.get(id_)
        example = new.example if new is not None else self.names[id_].example
        keys = name.keys if name is not None else tuple(sorted(self.new[id_].signature.neighbour_keys))
        return NamePlacement(
            signature_id=id_,
            example=example,
            keys=keys,
            entity_id=entity_id,
            stood_for=tuple(sorted(stood_for)),
        )

    def _deserted(self, left: Collection[str], entity_of: Mapping[str, str]) -> tuple[str, ...]:
        """Those of the entities for which no name stands any more."""
        if not left:
            return ()
        names = self.graph.names_standing_for(self.group_id, left)
        held = {
            name.entity_id
            for name in names
            if name.signature_id not in self.gone or name.signature_id in entity_of
            if entity_of.get(name.signature_id, name.entity_id) == name.entity_id
        }
        return tuple(sorted(set(left) - held))


def signature_of_name(name: KnownName) -> Signature:
    """The signature of a stored name. Raises `Conflict` if it was stored under other resolution rules."""
    example = name.example
    for pinned in (False, True):
        signature = signature_of(example, pinned=pinned)
        if isinstance(signature, Signature) and signature.signature_id == name.signature_id:
            return signature
    raise Conflict(
        f"the name {example.name!r} of group {example.group_id!r} was stored under other rules "
        "of resolution than this version's; run `memstrata rebuild` once, so that all names meet again"
    )
