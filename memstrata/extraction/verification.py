"""Small pure rules that judge one candidate each, and say why.

A rule returns a reason when it objects, else None. They look at the candidate and its episode alone,
never at the graph. What passes them all, the fold cannot refuse (docs/fold.md, 7, "Errors").
"""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING, Final

from memstrata.model import Kind, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from memstrata.extraction.candidates import Candidate

    Rule = Callable[[Candidate, str, datetime], str | None]


def folded(text: str) -> str:
    """`text` without differences of case, Unicode form and white space."""
    if text.isascii():
        return " ".join(text.casefold().split())
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def names_are_given(candidate: Candidate, _content: str, _reference_time: datetime) -> str | None:
    """Subject, predicate, object and sentence must say something."""
    target = candidate.object if isinstance(candidate.object, str) else candidate.object.text
    for part, text in (
        ("subject", candidate.subject.text),
        ("predicate", candidate.predicate),
        ("object", target),
        ("fact", candidate.fact),
    ):
        if not text or text.isspace():
            return f"the {part} is empty; a fact needs a subject, a predicate, an object and a sentence"
    return None


def ends_differ(candidate: Candidate, _content: str, _reference_time: datetime) -> str | None:
    """Nothing is related to itself."""
    if isinstance(candidate.object, str):
        subject, target = candidate.subject.said, candidate.object
        same = subject == target or folded(subject) == folded(target)
    else:
        subject = candidate.subject.said
        same = subject == candidate.object.said or folded(subject) == folded(candidate.object.said)
    return f"subject and object are both {subject!r}" if same else None


def quote_is_in_the_episode(candidate: Candidate, content: str, _reference_time: datetime) -> str | None:
    """The evidence must stand in the text, up to white space and Unicode form."""
    quote = candidate.quote
    if not quote or quote in content or folded(quote) in folded(content):
        return None
    return f"the evidence {quote[:80]!r} is not in the episode; evidence is quoted word for word"


def confidence_is_a_share(candidate: Candidate, _content: str, _reference_time: datetime) -> str | None:
    """Confidence is a number from 0 to 1."""
    if math.isfinite(candidate.confidence) and 0 <= candidate.confidence <= 1:
        return None
    return f"the confidence is {candidate.confidence}; expected a number from 0 to 1"


def times_are_ordered(candidate: Candidate, _content: str, _reference_time: datetime) -> str | None:
    """What ended must not have begun later, unless both stand in one coarse period."""
    start, end = candidate.valid_at, candidate.invalid_at
    if start is None or end is None or start.at <= end.at or end.covers(start.at):
        return None
    return f"it ends ({end.at:%Y-%m-%d}) before it begins ({start.at:%Y-%m-%d})"


def an_ended_fact_had_begun(candidate: Candidate, _content: str, reference_time: datetime) -> str | None:
    """`ended` with a start alone is over by the reference time, so it began before."""
    start = candidate.valid_at
    if candidate.kind is not Kind.ENDED or candidate.invalid_at is not None or start is None:
        return None
    if start.at <= reference_time:
        return None
    return f"it is said to have ended, but to begin only on {start.at:%Y-%m-%d}, after the reference time"


RULES: Final[tuple[Rule, ...]] = (
    names_are_given,
    ends_differ,
    quote_is_in_the_episode,
    confidence_is_a_share,
    times_are_ordered,
    an_ended_fact_had_begun,
)


def objection(candidate: Candidate, content: str, reference_time: datetime) -> Outcome | None:
    """The outcome of the first rule that rejects `candidate`; None if it may stand."""
    for rule in RULES:
        reason = rule(candidate, content, reference_time)
        if reason is not None:
            return Outcome(item=candidate.label, rule=rule.__name__, verdict=Verdict.REJECT, reason=reason)
    return None
