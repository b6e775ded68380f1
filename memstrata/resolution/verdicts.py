"""Verdicts over signatures: a person above a model above a rule, among equals the later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.model import VERDICTS, By, DecisionKind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_RANK: Final = {By.PERSON: 3, By.MODEL: 2, By.RULE: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairVerdict:
    """That two things are one (`merge`) or are not (`keep_apart`).

    `left` and `right` are ids: of mentions on the wire, of signatures in the core. `by` is a person, a
    model or a rule; anything else raises `Incorrect`.
    """

    kind: DecisionKind
    left: str
    right: str
    by: By
    at: datetime

    def __post_init__(self) -> None:
        if self.kind not in VERDICTS or self.by not in _RANK:
            raise Incorrect(
                f"{self.kind} by {self.by} is no verdict on two names; "
                "expected merge or keep_apart, by person, model or rule"
            )

    @property
    def pair(self) -> tuple[str, str]:
        """Both ids, smaller first."""
        return (self.left, self.right) if self.left <= self.right else (self.right, self.left)


def in_force(verdicts: Iterable[PairVerdict]) -> tuple[PairVerdict, ...]:
    """The strongest verdict on each pair, strongest first. Equal strength: keeping apart wins."""
    best: dict[tuple[str, str], PairVerdict] = {}
    for verdict in verdicts:
        held = best.get(verdict.pair)
        if verdict.left != verdict.right and (held is None or _strength(verdict) > _strength(held)):
            best[verdict.pair] = verdict
    return tuple(sorted(best.values(), key=_strength, reverse=True))


def _strength(verdict: PairVerdict) -> tuple[int, datetime, bool, tuple[str, str]]:
    apart = verdict.kind is DecisionKind.KEEP_APART
    return (_RANK[verdict.by], verdict.at, apart, verdict.pair)
