"""What every fact must be, whoever says it: named, dated in order, about two things. The fold needs it."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import TYPE_CHECKING, Final

from memstrata.extraction.verification.folding import folded
from memstrata.model import Kind, Verdict

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.verification.source import Finding, Source

#: Years that models give for "unknown" or "for ever", and beyond which nobody dates a fact.
_FIRST_YEAR: Final = 10
_YEARS_AHEAD: Final = 150
_OF_NAMES: Final = re.compile(r"name|alias|known|call|same|abbrev|acronym|short|stands", re.IGNORECASE)


def names_are_given(candidate: Candidate, _source: Source) -> Finding | None:
    """Subject, predicate, object and sentence must say something."""
    target = candidate.object if isinstance(candidate.object, str) else candidate.object.text
    for part, text in (
        ("subject", candidate.subject.text),
        ("predicate", candidate.predicate),
        ("object", target),
        ("fact", candidate.fact),
    ):
        if not any(unicodedata.category(char)[0] not in "CZ" for char in text):
            reason = f"the {part} is empty; a fact needs a subject, a predicate, an object and a sentence"
            return Verdict.REJECT, reason
    return None


def ends_differ(candidate: Candidate, _source: Source) -> Finding | None:
    """Nothing is related to itself, nor, but in what is said of names, to another name that it is given."""
    subject, target = candidate.subject.said, candidate.object_said
    if subject == target or folded(subject) == folded(target):
        return Verdict.REJECT, f"subject and object are both {subject!r}"
    if _is_other_name(candidate) and _OF_NAMES.search(candidate.predicate) is None:
        return Verdict.QUARANTINE, f"subject and object, {subject!r} and {target!r}, are given as one"
    return None


def _is_other_name(candidate: Candidate) -> bool:
    one, other = candidate.subject, candidate.object
    if isinstance(other, str):
        return False
    return any(
        folded(name.said) == folded(alias)
        for name, named in ((one, other), (other, one))
        for alias in named.attributes.get("aliases", ())
    )


def confidence_is_a_share(candidate: Candidate, _source: Source) -> Finding | None:
    """Confidence is a number from 0 to 1."""
    if math.isfinite(candidate.confidence) and 0 <= candidate.confidence <= 1:
        return None
    return Verdict.REJECT, f"the confidence is {candidate.confidence}; expected a number from 0 to 1"


def times_are_ordered(candidate: Candidate, _source: Source) -> Finding | None:
    """What ended must not have begun later, unless both stand in one coarse period."""
    start, end = candidate.valid_at, candidate.invalid_at
    if start is None or end is None or start.at <= end.at or end.covers(start.at):
        return None
    return Verdict.REJECT, f"it ends ({end.at:%Y-%m-%d}) before it begins ({start.at:%Y-%m-%d})"


def an_ended_fact_had_begun(candidate: Candidate, source: Source) -> Finding | None:
    """`ended` with a start alone is over by the reference time, so it began before."""
    start = candidate.valid_at
    if candidate.kind is not Kind.ENDED or candidate.invalid_at is not None or start is None:
        return None
    if start.at <= source.reference_time:
        return None
    begins = f"{start.at:%Y-%m-%d}"
    return (
        Verdict.REJECT,
        f"it is said to have ended, but to begin only on {begins}, after the reference time",
    )


def times_are_plausible(candidate: Candidate, source: Source) -> Finding | None:
    """Times far from anybody's life are a way to write "unknown"."""
    latest = source.reference_time.year + _YEARS_AHEAD
    for stated in (candidate.valid_at, candidate.invalid_at):
        if stated is not None and not _FIRST_YEAR < stated.at.year <= latest:
            reason = f"it is dated to the year {stated.at.year}; leave out a time that is not stated"
            return Verdict.QUARANTINE, reason
    return None
