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
        # Of each verdict both sides, next to one another, and what it says of all that are called so.
        self._sides: list[int] = []
        self._refuted: dict[int, frozenset[Bar]] = {}
        self._distinct: set[int] = set()
        self._sides_of: dict[int, frozenset[int]] = {}

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
                against = frozenset(bars(self.signatures[left], self.signatures[right]))
                self._refuted[self._taken(left, right)] = against
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
        if not self._sides:
            return bar(self.signatures[left], self.signatures[right])
        verdicts = self._verdicts_on(left, right)
        if not verdicts.isdisjoint(self._distinct):
            return _APART
        refuted = {one for verdict in verdicts for one in self._refuted.get(verdict, ())}
        found = bars(self.signatures[left], self.signatures[right])
        return next((one for one in found if one not in refuted), None)

    def _tell_apart(self, left: int, right: int) -> None:
        """Two names that a verdict keeps apart are two anywhere, unless a stronger one joined such."""
        stronger = self._verdicts_on(left, right)
        taken = self._taken(left, right)
        if stronger.isdisjoint(self._refuted) and not self._have_one_name(left, right):
            self._distinct.add(taken)

    def _taken(self, left: int, right: int) -> int:
        """The number of a verdict that has taken effect."""
        self._sides += [left, right]
        self._sides_of.clear()
        return len(self._sides) // 2 - 1

    def _verdicts_on(self, left: int, right: int) -> frozenset[int]:
        """The verdicts on two that these two may be, as far as names and guards tell."""
        ours, theirs = self._may_be_sides(left), self._may_be_sides(right)
        return frozenset(side // 2 for side in ours if side ^ 1 in theirs)

    def _may_be_sides(self, index: int) -> frozenset[int]:
        if index not in self._sides_of:
            self._sides_of[index] = frozenset(
                side for side, other in enumerate(self._sides) if self._may_be(index, other)
            )
        return self._sides_of[index]

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
