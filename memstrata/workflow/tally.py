"""Counts what extractions say: of the configured extractor, and of one that is tried beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memstrata.model import Extraction, Verdict


@dataclass(slots=True)
class Tally:
    """Sums over extractions; `held` are the items that wait for a person."""

    assertions: int = 0
    held: int = 0
    _statuses: Counter[str] = field(default_factory=Counter)
    _outcomes: Counter[tuple[str, Verdict]] = field(default_factory=Counter)

    def add(self, extraction: Extraction) -> None:
        """One more of them."""
        self._statuses[extraction.status] += 1
        self.assertions += len(extraction.assertions)
        self.held += len(extraction.held)
        self._outcomes.update((outcome.rule, outcome.verdict) for outcome in extraction.outcomes)

    @property
    def episodes(self) -> int:
        """How many extractions were counted."""
        return self._statuses.total()

    @property
    def by_status(self) -> tuple[tuple[str, int], ...]:
        """How many extractions ended how."""
        return tuple(sorted(self._statuses.items()))

    @property
    def by_outcome(self) -> tuple[tuple[str, Verdict, int], ...]:
        """(rule, verdict, how many candidates) of each rule of verification that found something."""
        return tuple((*found, count) for found, count in sorted(self._outcomes.items()))
