"""What a change can reach: the signatures whose entity may change, and all that decides about them.

Signatures influence one another along two kinds of keys. Those with a *direct* key in common
(`Signature.direct_keys`), or a verdict between them, may be one entity: their closure is taken. A *short
form* (`asks`, `doubts`) looks at whoever `offers` it: one step, not a closure, because whether it joins
depends on the clusters that stand without any short form (see `short_forms`). So finitely many steps are
exact: `resolve_signatures(seen)` gives every signature in `affected` the entity that resolving the whole
group would give it, and no signature outside `affected` changes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memstrata.resolution.short_forms import CROWD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memstrata.resolution.entities import SeenSignature
    from memstrata.resolution.signatures import Signature
    from memstrata.resolution.verdicts import PairVerdict


class SignatureIndex(Protocol):
    """The signatures of one group, as a store keeps them: after the change, so without what is gone."""

    def under(self, keys: Collection[str]) -> Iterable[SeenSignature]:
        """Every signature that has one of the keys among its `neighbour_keys`; in any order."""

    def known(self, signature_ids: Collection[str]) -> Iterable[SeenSignature]:
        """The signatures of those ids; ids that are gone are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """`affected` are ids of signatures whose entity may have changed; `seen` is what decides on them."""

    affected: frozenset[str]
    seen: tuple[SeenSignature, ...]


def neighbourhood(
    touched: Iterable[Signature], index: SignatureIndex, verdicts: Iterable[PairVerdict] = ()
) -> Neighbourhood:
    """What a change of the `touched` signatures can reach.

    Touched are those that are new, gone, first mentioned earlier or later than before, or newly named by
    a verdict. `verdicts` are all of the group, in terms of signature ids.
    """
    reach = _Reach(tuple(touched), index, verdicts)
    reach.start()
    for step in (reach.add_askers, reach.add_askers, reach.add_candidates, reach.add_askers):
        step()
    affected = frozenset(reach.closed)
    for step in (reach.add_candidates, reach.add_askers, reach.add_candidates, reach.add_candidates):
        step()
    return Neighbourhood(affected=affected, seen=tuple(reach.found.values()))


def keys_about(touched: Iterable[Signature]) -> frozenset[str]:
    """The keys under which `neighbourhood` looks for whoever is beside the touched themselves.

    An index may read them all at once beforehand: most changes ask for nothing else.
    """
    return frozenset(
        key
        for one in touched
        for key in (
            *one.direct_keys,
            *(f"q:{offered}" for offered in one.offers),
            *(f"o:{asked}" for asked in one.asks | one.doubts),
        )
    )


class _Reach:
    """The growing set; `found` is all that was loaded, `closed` the ids whose direct closure was too."""

    def __init__(
        self, touched: tuple[Signature, ...], index: SignatureIndex, verdicts: Iterable[PairVerdict]
    ) -> None:
        self.found: dict[str, SeenSignature] = {}
        self.closed: set[str] = set()
        self._touched = touched
        self._index = index
        self._asked: set[str] = set()
        self._offered: dict[str, list[SeenSignature]] = {}
        self._partners: dict[str, set[str]] = defaultdict(set)
        for verdict in verdicts:
            self._partners[verdict.left].add(verdict.right)
            self._partners[verdict.right].add(verdict.left)

    def start(self) -> None:
        """Takes the direct closure of what was touched, whether it is still there or gone."""
        self._close(self._index.known([one.signature_id for one in self._touched]))
        self._close(self._around(self._touched))

    def add_askers(self) -> None:
        """Adds the short forms that may mean what is here."""
        keys = {f"q:{key}" for one in self._signatures() for key in one.offers} - self._asked
        self._asked |= keys
        if keys:
            self._close(self._index.under(keys))

    def add_candidates(self) -> None:
        """Adds whoever the short forms here may mean; of a crowd, enough to know that it is one."""
        keys = {key for one in self._signatures() for key in one.asks | one.doubts} - self._offered.keys()
        if not keys:
            return
        for key in keys:
            self._offered[key] = []
        for seen in self._index.under({f"o:{key}" for key in keys}):
            for key in seen.signature.offers & keys:
                self._offered[key].append(seen)
        few: list[SeenSignature] = []
        for key in sorted(keys):
            offering = self._offered[key]
            fresh = sum(key in one.offers for one in self._touched)
            if len(offering) - fresh > CROWD:
                for seen in sorted(offering, key=lambda one: one.signature.signature_id)[: CROWD + 1]:
                    self.found.setdefault(seen.signature.signature_id, seen)
            else:
                few.extend(offering)
        self._close(few)

    def _signatures(self) -> list[Signature]:
        here = [self.found[key].signature for key in self.closed]
        return [*here, *self._touched]

    def _close(self, fresh: Iterable[SeenSignature]) -> None:
        new = self._unclosed(fresh)
        while new:
            new = self._unclosed(self._around([one.signature for one in new]))

    def _unclosed(self, fresh: Iterable[SeenSignature]) -> list[SeenSignature]:
        new = {
            one.signature.signature_id: one
            for one in fresh
            if one.signature.signature_id not in self.closed
        }
        self.found.update(new)
        self.closed.update(new)
        return list(new.values())

    def _around(self, signatures: Collection[Signature]) -> list[SeenSignature]:
        keys = {key for one in signatures for key in one.direct_keys}
        partners = {other for one in signatures for other in self._partners.get(one.signature_id, ())}
        near = list(self._index.under(keys))
        return near + list(self._index.known(partners)) if partners else near
