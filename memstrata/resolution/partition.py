"""The clusters of one group while they grow: who is with whom, and what bars two whole clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.model import DecisionKind
from memstrata.resolution.guards import Bar, bar, bars
from memstrata.resolution.verdicts import in_force

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.resolution.signatures import Signature
    from memstrata.resolution.verdicts import PairVerdict

_APART = Bar(reason="a verdict keeps them apart")


class Partition:
    """Clusters of signatures, by their index; grows by merging, under verdicts and guards."""

    def __init__(self, signatures: Sequence[Signature]) -> None:
        self.signatures = signatures
        self.home = list(range(len(signatures)))
        self.members: dict[int, list[int]] = {index: [index] for index in self.home}
        self._apart: set[tuple[int, int]] = set()
        self._bars: dict[tuple[int, int], Bar | None] = {}
        self._refuted: list[tuple[int, int, frozenset[Bar]]] = []

    def rule(self, verdicts: Iterable[PairVerdict], index_of: dict[str, int]) -> None:
        """Applies the verdicts in force, strongest first; what a stronger one excludes has no effect."""
        for verdict in in_force(verdicts):
            if verdict.left not in index_of or verdict.right not in index_of:
                continue
            left, right = index_of[verdict.left], index_of[verdict.right]
            a, b = self.home[left], self.home[right]
            if verdict.kind is DecisionKind.KEEP_APART:
                if a != b:
                    self._apart.add((left, right))
            elif not self._kept_apart(a, b):
                self._refute(left, right)
                if a != b:
                    self.merge([a, b])

    def merge(self, clusters: Sequence[int]) -> None:
        """Makes one cluster of several; it keeps the smallest number."""
        first, *others = sorted(clusters)
        for other in others:
            moved = self.members.pop(other)
            self.members[first].extend(moved)
            for index in moved:
                self.home[index] = first
        self.members[first].sort()

    def barred(self, a: int, b: int) -> Bar | None:
        """What bars two clusters: a verdict, or a guard between any two members; hard before soft."""
        if self._apart and self._kept_apart(a, b):
            return _APART
        found = None
        for left in self.members[a]:
            for right in self.members[b]:
                one = self.bar_between(left, right)
                if one is not None and not one.soft:
                    return one
                found = found or one
        return found

    def bar_between(self, left: int, right: int) -> Bar | None:
        """What bars two signatures, unless a verdict has refuted just that of two that are called so."""
        pair = (left, right) if left < right else (right, left)
        if pair not in self._bars:
            found = bar(self.signatures[pair[0]], self.signatures[pair[1]])
            self._bars[pair] = self._unrefuted(*pair) if found and self._refuted else found
        return self._bars[pair]

    def _refute(self, left: int, right: int) -> None:
        """What would bar two that a verdict makes one bars nobody else of their names either."""
        against = frozenset(bars(self.signatures[left], self.signatures[right]))
        if against:
            self._refuted += [(left, right, against), (right, left, against)]

    def _unrefuted(self, left: int, right: int) -> Bar | None:
        refuted = {
            one
            for a, b, against in self._refuted
            if self._are_called_alike(left, a) and self._are_called_alike(right, b)
            for one in against
        }
        return next(
            (one for one in bars(self.signatures[left], self.signatures[right]) if one not in refuted), None
        )

    def _are_called_alike(self, left: int, right: int) -> bool:
        """Whether they have one name or account, and nothing bars them."""
        one, other = self.signatures[left], self.signatures[right]
        is_one_name = bool(one.exact & other.exact) or (
            one.account is not None and one.account == other.account
        )
        return left == right or (is_one_name and bar(one, other) is None)

    def _kept_apart(self, a: int, b: int) -> bool:
        return any({self.home[left], self.home[right]} == {a, b} for left, right in self._apart)
