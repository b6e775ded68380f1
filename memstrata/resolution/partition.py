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
        self._merged: list[tuple[int, int]] = []
        self._distinct: list[tuple[int, int]] = []

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
                    self._tell_apart(left, right)
            elif not self._kept_apart(a, b):
                self._refute(left, right)
                self._merged += [(left, right), (right, left)]
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
        """What bars two signatures: a guard, or what verdicts on two that are called so say of it."""
        pair = (left, right) if left < right else (right, left)
        if pair not in self._bars:
            self._bars[pair] = self._between(*pair)
        return self._bars[pair]

    def _between(self, left: int, right: int) -> Bar | None:
        if any(self._are_called_like(left, right, a, b) for a, b in self._distinct):
            return _APART
        found = bar(self.signatures[left], self.signatures[right])
        return self._unrefuted(left, right) if found and self._refuted else found

    def _tell_apart(self, left: int, right: int) -> None:
        """Two names that a verdict keeps apart are two anywhere, unless a stronger one joined such."""
        if self._have_one_name(left, right):
            return
        if not any(self._are_called_like(a, b, left, right) for a, b in self._merged):
            self._distinct += [(left, right), (right, left)]

    def _refute(self, left: int, right: int) -> None:
        """What would bar two that a verdict makes one bars nobody else of their names either."""
        against = frozenset(bars(self.signatures[left], self.signatures[right]))
        if against:
            self._refuted += [(left, right, against), (right, left, against)]

    def _unrefuted(self, left: int, right: int) -> Bar | None:
        refuted = {
            one
            for a, b, against in self._refuted
            if self._are_called_like(left, right, a, b)
            for one in against
        }
        found = bars(self.signatures[left], self.signatures[right])
        return next((one for one in found if one not in refuted), None)

    def _are_called_like(self, left: int, right: int, one: int, other: int) -> bool:
        """Whether `left` may be `one`, and `right` `other`, as far as names and guards tell."""
        return self._may_be(left, one) and self._may_be(right, other)

    def _may_be(self, left: int, right: int) -> bool:
        if left == right:
            return True
        return (
            self._have_one_name(left, right) and bar(self.signatures[left], self.signatures[right]) is None
        )

    def _have_one_name(self, left: int, right: int) -> bool:
        one, other = self.signatures[left], self.signatures[right]
        is_one_account = one.account is not None and one.account == other.account
        return is_one_account or not one.exact.isdisjoint(other.exact)

    def _kept_apart(self, a: int, b: int) -> bool:
        return any({self.home[left], self.home[right]} == {a, b} for left, right in self._apart)
