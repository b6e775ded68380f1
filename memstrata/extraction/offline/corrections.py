"""Corrections: "the 5th, not the 3rd", "sorry, 600": the corrected value alone is left of what was said."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import find_dates
from memstrata.model import Kind, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from memstrata.extraction.candidates import Candidate

_WORD = r"[\w€$£%.:/+-]{0,40}[\w%]"
_VALUE = rf"(?:(?:the|on|at)\s+){{0,3}}{_WORD}(?:\s+{_WORD}){{0,2}}?"
_NOT = re.compile(
    rf"(?<![\w'\u2019])(?P<new>{_VALUE})\s*[,-]\s*(?:and\s+)?not\s+(?P<old>{_VALUE})(?=\s*(?:[.,;!?)\n]|$))",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"(?:^|[.,;:!?\n-])\s{0,3}(?:(?:right|no|oh|oops|yes|ah|well)\W{1,3}){0,3}"
    r"(?:sorry|my\s+mistake|correction|edit|actually|you(?:['\u2019]re|\s+are)\s+(?:quite\s+|absolutely\s+)?right|no\W+wait|wait\W+no|wait|i\s+mean(?:t)?|make\s+that|scratch\s+that)\W{1,3}"
    rf"(?:(?:i\s+mean(?:t)?|make\s+that|it\s+is|it['\u2019]s|that\s+is|that['\u2019]s)\s+)?(?P<new>{_VALUE})(?=\s*(?:[.,;!)\n]|$)|\s+(?:since|from|as\s+of|per|a|until)\b)",
    re.IGNORECASE,
)
#: At most so many characters between a sentence and the name that corrects it: "Sorry, ".
_NEAR = 24
_LEAD = re.compile(r"^(?:the|on|at|by|in)\s+", re.IGNORECASE)
#: "Platform 4": which one of its kind.
_NUMBERED = re.compile(r"(?P<noun>[a-z]+) \w*\d\w*")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Correction:
    """A value said to take the place of an `old` one, or of the latest of its kind; `at` in the content."""

    at: int
    new: str
    old: str | None
    closed: bool = True


def corrections_in(content: str) -> Iterator[Correction]:
    """The corrections of a text, in order."""
    found = [Correction(m.start(), _bare(m["new"]), _bare(m["old"])) for m in _NOT.finditer(content)]
    places = {correction.at for correction in found}
    marked = (m for m in _MARKED.finditer(content) if not places & set(range(m.start(), m.end() + 1)))
    found += [Correction(m.start("new"), _bare(m["new"]), None, _is_closed(content, m)) for m in marked]
    yield from sorted(found, key=lambda correction: correction.at)


def _is_closed(content: str, match: re.Match[str]) -> bool:
    """Whether nothing but the end of the sentence follows: "Sorry, Tom, I must go" corrects nothing."""
    name = match["new"].strip()
    told_elsewhere = content.count(name) > 1
    return content[match.end("new") :].lstrip(" ")[:1] in {"", ".", "!", "\n"} and not told_elsewhere


def _bare(value: str) -> str:
    value = value.strip()
    while (shorter := _LEAD.sub("", value)) != value:
        value = shorter
    return value


def corrected(candidates: Sequence[Candidate], content: str, reference: datetime) -> list[Candidate]:
    """The candidates with every correction of `content` applied to what was said before it."""
    left = list(candidates)
    for correction in corrections_in(content):
        left = _applied(left, correction, reference)
    return left


def _applied(candidates: list[Candidate], correction: Correction, reference: datetime) -> list[Candidate]:
    before = [c for c in candidates if c.span is not None and c.span[0] <= correction.at]
    wrong = next((c for c in reversed(before) if _is_meant(c, correction, reference)), None)
    if wrong is None:
        return candidates
    right = _with_value(wrong, correction, reference)
    kept = [right if c is wrong else c for c in candidates]
    return [c for c in kept if c is right or not _repeats(c, right, correction)]


def _is_meant(candidate: Candidate, correction: Correction, reference: datetime) -> bool:
    """Whether the correction is about this one: it holds the old value, or one of the new one's kind."""
    said = candidate.object_said
    if candidate.kind is Kind.DENIED:
        return False
    if correction.old is not None:
        return _place_of(said, correction.old) is not None
    if find_dates(f"on the {correction.new}.", reference) and not _NUMBER.fullmatch(correction.new):
        return candidate.predicate == "scheduled_for"
    if _NUMBER.match(correction.new) is not None:
        return said[:1].isdigit()
    if (numbered := _NUMBERED.fullmatch(correction.new)) is not None:
        old = _NUMBERED.fullmatch(said)
        return old is not None and old["noun"] == numbered["noun"]
    return (
        correction.closed
        and _is_name(correction.new)
        and _is_name(said)
        and _stands_before(candidate, correction)
    )


def _is_name(words: str) -> bool:
    return all(word[:1].isupper() for word in words.split())


def _stands_before(candidate: Candidate, correction: Correction) -> bool:
    """Whether a sentence is the one just before: of names only that one is meant."""
    return candidate.span is not None and 0 <= correction.at - candidate.span[1] <= _NEAR


def _place_of(said: str, value: str) -> tuple[int, int] | None:
    """Where `said` holds `value`; ordinals count as their numbers ("3rd" in "3 September")."""
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", value)
    match = re.search(
        rf"(?<![\w.,]){re.escape(plain)}(?:(?<=\d)(?:st|nd|rd|th))?(?![\w])", said, re.IGNORECASE
    )
    return match.span() if match is not None else None


def _with_value(candidate: Candidate, correction: Correction, reference: datetime) -> Candidate:
    said = candidate.object_said
    if correction.old is not None:
        place = _place_of(said, correction.old)
    elif candidate.predicate == "scheduled_for" or _NUMBERED.fullmatch(said) or _is_name(correction.new):
        place = (0, len(said))
    else:
        found = _NUMBER.search(said)
        place = found.span() if found is not None else None
    if place is None:
        return candidate
    new = correction.new
    if said[place[1] :].lstrip()[:1].isalpha():
        new = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", new)
    text = f"{said[: place[0]]}{new}{said[place[1] :]}"
    target = replace(candidate.object, text=text, span=None) if isinstance(candidate.object, Name) else text
    valid_at = candidate.valid_at
    if candidate.predicate == "scheduled_for":
        dates = find_dates(f"on the {text}." if text[:1].isdigit() else f"on {text}.", reference)
        valid_at = dates[0].time(ahead=True) if dates else None
    fact = candidate.fact.replace(said, text)
    right = replace(candidate, object=target, fact=fact, valid_at=valid_at)
    return replace(right, settled=_settled(right))


def _settled(right: Candidate) -> Outcome:
    """That the value is not in the quote of what it corrects is no doubt."""
    reason = "a later sentence corrects its value"
    return Outcome(item=right.label, rule="is_corrected", verdict=Verdict.ACCEPT, reason=reason)


def _repeats(candidate: Candidate, right: Candidate, correction: Correction) -> bool:
    """Whether a candidate of the correcting sentence only says the same again, in part."""
    if candidate.span is None or not candidate.span[0] <= correction.at <= candidate.span[1]:
        return False
    return candidate.subject.said == right.subject.said and candidate.predicate == right.predicate
