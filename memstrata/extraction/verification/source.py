"""What a candidate is judged by: its episode, the turns shown with it, what is declared."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from memstrata.extraction.dates import find_dates
from memstrata.extraction.extractor import DECLARED
from memstrata.extraction.offline.turns import turns_of
from memstrata.extraction.recalled import recalled_spans
from memstrata.extraction.verification.folding import folded
from memstrata.extraction.verification.numerals import Figures
from memstrata.extraction.verification.quoting import Quotable
from memstrata.ontology import Ontology

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.turns import Turn
    from memstrata.model import Episode, Verdict

    Finding = tuple[Verdict, str]
    Rule = Callable[["Candidate", "Source"], Finding | None]

#: The bar for what was read from words, where nothing is declared.
LEAST_CONFIDENCE: Final = 0.2
_MARKS: Final = frozenset(".!?")
_SENTENCE_ENDS: Final = re.compile(r"[.!?](?=\s|$)|\n")


@dataclass(frozen=True, kw_only=True)  # no slots: what several rules ask is worked out once
class Source:
    """One episode as the rules see it. `shown` are the turns before it that the extractor saw."""

    episode: Episode
    shown: Sequence[Episode] = ()
    ontology: Ontology = field(default_factory=Ontology)

    @property
    def content(self) -> str:
        """The text of the episode."""
        return self.episode.content

    @property
    def reference_time(self) -> datetime:
        """When the episode happened."""
        return self.episode.reference_time

    @property
    def is_declared(self) -> bool:
        """Whether the episode says in fields what it asserts."""
        return self.episode.source_type in DECLARED

    @cached_property
    def folded(self) -> str:
        """The content without differences of case, Unicode form and white space."""
        return folded(self.content)

    @cached_property
    def told_before(self) -> str:
        """The turns shown, folded as `folded`."""
        return "\n".join(folded(turn.content) for turn in self.shown)

    @cached_property
    def recalled(self) -> tuple[tuple[int, int], ...]:
        """The spans that only repeat what the memory gave."""
        return recalled_spans(self.episode, self.shown)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Who speaks where in the content."""
        return turns_of(self.episode)

    @cached_property
    def _quotable_before(self) -> Sequence[Quotable]:
        return [Quotable(turn.content) for turn in self.shown]

    def is_of_before(self, quote: str) -> bool:
        """Whether the quote stands in one of the turns shown."""
        return any(next(turn.places(quote), None) is not None for turn in self._quotable_before)

    @cached_property
    def figures(self) -> Figures:
        """The numbers that the content or the turns shown have."""
        return Figures(f"{self.content}\n{self.told_before}")

    @cached_property
    def speaks_of_time(self) -> bool:
        """Whether the content has any date."""
        return bool(find_dates(self.content, self.reference_time))

    def turn_of(self, candidate: Candidate) -> Turn | None:
        """The turn in which the candidate's quote stands; None if it is not to be found."""
        span = candidate.span or next(iter(self.places(candidate.quote)), None)
        if span is None:
            return None
        return next((one for one in reversed(self.turns) if one.start <= span[0]), self.turns[0])

    @cached_property
    def quotable(self) -> Quotable:
        """The content as quotes are sought in it."""
        return Quotable(self.content)

    def places(self, quote: str) -> Sequence[tuple[int, int]]:
        """Where a quote stands, as `Quotable` seeks it."""
        return tuple(self.quotable.places(quote))

    def sentences_around(self, candidate: Candidate) -> str:
        """The quote with the rest of the sentences in which it begins and ends; itself if not found."""
        span = candidate.span or next(iter(self.places(candidate.quote)), None)
        if span is None:
            return candidate.quote
        ends = self._sentence_ends
        # a mark right before the quote ends a sentence, whatever comes after it
        before = span[0] if self.content[span[0] - 1 : span[0]] in _MARKS else 0
        last = bisect_right(ends, span[0])
        start = max(before, ends[last - 1] if last else 0)
        if self.content[max(span[1] - 1, 0)] in _MARKS:
            return self.content[start : span[1]].strip()
        following = bisect_right(ends, span[1])
        stop = ends[following] if following < len(ends) else len(self.content)
        return self.content[start:stop].strip()

    @cached_property
    def _sentence_ends(self) -> Sequence[int]:
        return [found.end() for found in _SENTENCE_ENDS.finditer(self.content)]
