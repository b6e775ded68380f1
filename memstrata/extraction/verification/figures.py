"""The rule on numbers: what a fact counts must have been counted in the evidence; `numerals` reads them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import find_dates
from memstrata.extraction.verification.folding import folded
from memstrata.extraction.verification.numerals import Figures
from memstrata.model import Verdict

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.verification.source import Finding, Source


def numbers_are_in_the_evidence(candidate: Candidate, source: Source) -> Finding | None:
    """A number of the fact stands in the quote; names, and dates that were worked out, aside."""
    if not candidate.quote:
        return None
    told = candidate.fact if isinstance(candidate.object, Name) else f"{candidate.fact}\n{candidate.object}"
    evidence = Figures(candidate.quote)
    if not evidence.lack(told):
        return None
    told = _without_dates(_without_names(told, candidate, source), candidate, source)
    missing = evidence.lack(told)
    if not missing:
        return None
    number = missing[0]
    if not source.figures.lack(number):
        return Verdict.SECOND_PASS, f"the number {number} is not in the evidence, but elsewhere in the text"
    return Verdict.QUARANTINE, f"the number {number} is not in the text"


def _without_names(told: str, candidate: Candidate, source: Source) -> str:
    """The text without the names of the two ends, where the episode or the turns before write them so."""
    for end in (candidate.subject, candidate.object):
        if isinstance(end, Name):
            name = folded(end.text)
            if name in source.folded or name in source.told_before:
                told = told.replace(end.text, " ")
    return told


def _without_dates(told: str, candidate: Candidate, source: Source) -> str:
    """The text without its dates, where the candidate is dated or the episode speaks of time."""
    dated = candidate.valid_at is not None or candidate.invalid_at is not None
    if not (dated or source.speaks_of_time):
        return told
    for phrase in reversed(find_dates(told, source.reference_time)):
        told = f"{told[: phrase.start]} {told[phrase.end :]}"
    years = [stated.at.year for stated in (candidate.valid_at, candidate.invalid_at) if stated is not None]
    for year in years:
        told = re.sub(rf"\b{year}\b", " ", told)
    return told
