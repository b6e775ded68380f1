"""Numbers: what a fact counts must have been counted in the evidence, in digits or in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import find_dates
from memstrata.extraction.verification.folding import folded
from memstrata.model import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.verification.source import Finding, Source

_DIGITS: Final = re.compile(
    r"(?P<digits>\d{1,3}(?:[,.'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    r"(?:\s?(?P<scale>k|m|bn|b|thousand|million|billion|hundred)\b)?",
    re.IGNORECASE,
)
_SCALES: Final = {
    "k": 1_000.0,
    "m": 1_000_000.0,
    "b": 1_000_000_000.0,
    "bn": 1_000_000_000.0,
    "hundred": 100.0,
    "thousand": 1_000.0,
    "million": 1_000_000.0,
    "billion": 1_000_000_000.0,
}
_UNITS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
_SMALL: Final = {word: float(number) for number, word in enumerate(_UNITS.split())}
_DECADES: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS: Final = {word: 20.0 + 10 * number for number, word in enumerate(_DECADES.split())}
_LOOSE: Final = {
    "a": 1.0, "an": 1.0, "once": 1.0, "first": 1.0, "twice": 2.0, "couple": 2.0, "pair": 2.0, "both": 2.0,
    "second": 2.0, "double": 2.0, "third": 3.0, "triple": 3.0, "fourth": 4.0, "fifth": 5.0, "sixth": 6.0,
    "seventh": 7.0, "eighth": 8.0, "ninth": 9.0, "tenth": 10.0, "half": 0.5, "quarter": 0.25, "dozen": 12.0,
    "twins": 2.0, "triplets": 3.0, "fortnight": 14.0, "decade": 10.0, "century": 100.0,
}  # fmt: skip
_WORD: Final = re.compile(r"[a-z]+|\n")
_DECIMALS: Final = 3  # so many digits after a separator may be thousands as well


def numbers_are_in_the_evidence(candidate: Candidate, source: Source) -> Finding | None:
    """A number of the fact stands in the quote; names, and dates that were worked out, aside."""
    if not candidate.quote:
        return None
    told = candidate.fact if isinstance(candidate.object, Name) else f"{candidate.fact}\n{candidate.object}"
    missing = _missing(told, candidate.quote)
    if not missing:
        return None
    missing = _missing(
        _without_dates(_without_names(told, candidate, source), candidate, source), candidate.quote
    )
    if not missing:
        return None
    number = missing[0]
    if not _missing(number, f"{source.content}\n{source.told_before}"):
        return Verdict.SECOND_PASS, f"the number {number} is not in the evidence, but elsewhere in the text"
    return Verdict.QUARANTINE, f"the number {number} is not in the text"


def _missing(told: str, evidence: str) -> list[str]:
    """The numbers of `told`, as written, of which no reading is one of `evidence`."""
    wanted = list(_written(told))
    if not wanted:
        return []
    words = set(folded(evidence).split())
    had: set[float] | None = None
    missing: list[str] = []
    for text, readings in wanted:
        if text.casefold() in words:
            continue
        had = set(_loose(evidence)) if had is None else had
        if readings.isdisjoint(had) and not _are_apart(text, had):
            missing.append(text)
    return missing


def _are_apart(text: str, had: set[float]) -> bool:
    """Whether what looks like `19 400` is two numbers side by side, both of them there."""
    parts = text.split()
    return len(parts) > 1 and all(part.isdecimal() and float(part) in had for part in parts)


def _written(text: str) -> Iterator[tuple[str, frozenset[float]]]:
    """Each number in digits, and each from two on in words, with all that it may mean."""
    for match in _DIGITS.finditer(text):
        yield match["digits"], frozenset(_readings(match))
    for said, number in _in_words(text):
        if number > 1:
            yield said, frozenset({number})


def _loose(text: str) -> Iterator[float]:
    """All that could be a number, for evidence: also `twice`, `a dozen`, `third`."""
    for match in _DIGITS.finditer(text):
        yield from _readings(match)
        yield from (float(part) for part in match["digits"].split() if part.isdecimal())
    for _, number in _in_words(text):
        yield number
    for word in _WORD.findall(text.casefold()):
        if word in _LOOSE:
            yield _LOOSE[word]


def _readings(match: re.Match[str]) -> Iterator[float]:
    """1,250 is twelve hundred and fifty or, elsewhere, one and a quarter."""
    digits = re.sub(r"['\u2019\u00a0\u202f ]", "", match["digits"])
    scale = _SCALES.get((match["scale"] or "").casefold(), 1.0)
    whole = re.sub(r"[.,]", "", digits)
    marks = re.findall(r"[.,]", digits)
    readings = {float(whole)} if not marks else set()
    if marks:
        head, tail = re.split(r"[.,](?=[^.,]*$)", digits)
        readings.add(float(f"{re.sub(r'[.,]', '', head)}.{tail}"))
        if len(tail) == _DECIMALS:
            readings.add(float(whole))
    for one in readings:
        yield one
        yield one * scale


def _in_words(text: str) -> Iterator[tuple[str, float]]:
    """Cardinal numbers in words: `twenty-five`, `two hundred and six`."""
    run: list[str] = []
    for word in [*_WORD.findall(text.casefold()), ""]:
        if word in _SMALL or word in _TENS or (word in _SCALES and run):
            run.append(word)
        elif word != "and" or not run or run[-1] not in _SCALES:
            if run:
                yield " ".join(run), _value(run)
            run = []


def _value(run: list[str]) -> float:
    total, part = 0.0, 0.0
    for word in run:
        scale = _SCALES.get(word)
        if scale is None:
            part += _SMALL.get(word, 0.0) + _TENS.get(word, 0.0)
        elif scale == _SCALES["hundred"]:
            part = max(part, 1.0) * scale
        else:
            total, part = total + max(part, 1.0) * scale, 0.0
    return total + part


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
    reference = source.reference_time
    dated = candidate.valid_at is not None or candidate.invalid_at is not None
    if not (dated or find_dates(source.content, reference)):
        return told
    for phrase in reversed(find_dates(told, reference)):
        told = f"{told[: phrase.start]} {told[phrase.end :]}"
    years = [stated.at.year for stated in (candidate.valid_at, candidate.invalid_at) if stated is not None]
    for year in years:
        told = re.sub(rf"\b{year}\b", " ", told)
    return told
