"""Whether the episode holds the evidence, and did not only repeat it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.model import Verdict

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.verification.source import Finding, Source


def quote_is_in_the_episode(candidate: Candidate, source: Source) -> Finding | None:
    """The evidence must stand in the text, letter by letter, however it is set."""
    quote = candidate.quote
    if not quote or quote in source.content or source.places(quote):
        return None
    return Verdict.REJECT, f"the evidence {quote[:80]!r} is not in the episode; it is quoted word for word"


def is_not_recalled(candidate: Candidate, source: Source) -> Finding | None:
    """What the memory gave and somebody repeats is no new evidence."""
    if not source.recalled:
        return None
    places = [candidate.span] if candidate.span is not None else source.places(candidate.quote)
    if not places or not all(_touches(place, source.recalled) for place in places):
        return None
    return Verdict.REJECT, "the evidence stands in a span that is recalled from the memory"


def _touches(place: tuple[int, int], spans: tuple[tuple[int, int], ...]) -> bool:
    return any(place[0] < end and start < place[1] for start, end in spans)
