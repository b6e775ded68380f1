"""A verb with neither object nor place: how long or how often, what happened, what somebody does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.inflection import gerund, past
from memstrata.extraction.offline.naming import phrase
from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.told import bare
from memstrata.extraction.offline.words import (
    DOUBTING,
    INCOMPLETE,
    REPORTING,
    TIME_UNITS,
    WILLING,
)
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.extraction.candidates import Candidate, Name
    from memstrata.extraction.offline.grammar import Clause
    from memstrata.extraction.offline.told import Told

_ROLES = {
    DateRole.UNTIL,
    DateRole.PERIOD,
    DateRole.RECURRING,
    DateRole.AT,
    DateRole.BY,
    DateRole.AHEAD,
}


def alone_facts(
    told: Told, clause: Clause, subject: Name, when_: When, *, predicate: str
) -> Iterator[Candidate]:
    """What a clause with neither object nor place says of `subject`."""
    if _says_too_little(clause):
        return
    timed = _habit(told, clause, when_, predicate) if not clause.progressive else None
    timed = timed or _for_a_time(told, when_, predicate)
    if timed is not None and not (told.clause.past or told.clause.perfect):
        yield told.candidate(subject, *timed)
    elif not _needs_more(clause) and not told.scene.turn.by_assistant:
        yield from _done(told, clause, subject, when_)


def _says_too_little(clause: Clause) -> bool:
    """Whether the verb wants a complement, or only compares, or hands on what was said before."""
    head = clause.head
    if head.lemma_.lower() in (INCOMPLETE | DOUBTING) - {"come", "turn"} and not clause.particle:
        return True
    if head.tag_ == "MD" or any(c.lower_ in {"either", "too", "neither"} for c in head.children):
        return True  # "but both our kids can", "she does too"
    return any(  # "runs faster than Lars", "is running late"
        (c.tag_ in {"RBR", "JJR"} or c.lower_ == "late") and c.i > head.i for c in head.children
    )


def _habit(told: Told, clause: Clause, when_: When, predicate: str) -> tuple[str, str, When] | None:
    """At what hour, how, or how long something is done: "opens at 9:30", "works nights"."""
    clock = next((p for p in told.dates if p.role is DateRole.CLOCK and p.word in {"", "at"}), None)
    if clock is not None and not clause.prepositions:
        return f"{predicate}_at", told.scene.words(clock).removeprefix("at ").rstrip("."), when_
    beside = [c for c in clause.head.children if c.dep_ == "npadvmod" and not told.scene.is_date(c)]
    if beside and beside[0].tag_ == "NNS":  # "she works nights"
        return predicate, phrase(beside[0]).text, when_
    lapse = next((p for p in told.dates if p.role is DateRole.LAPSE and p.word in {"", "for"}), None)
    if lapse is not None:  # "it runs for two years"
        return predicate, told.scene.words(lapse), When(kind=when_.kind)
    return None


def _for_a_time(told: Told, when_: When, predicate: str) -> tuple[str, str, When] | None:
    """Until when, or on which days: "stays until Easter", "meets every Wednesday"."""
    lasting = [p for p in told.dates if p.role in _ROLES and p is not told.scene.stamp]
    if not lasting:
        return None
    until = lasting[0].role is DateRole.UNTIL
    words = bare(told.scene.words(lasting[0]), lasting[0])
    return f"{predicate}_until" if until else predicate, words, when_


def _done(told: Told, clause: Clause, subject: Name, when_: When) -> Iterator[Candidate]:
    """That something happened, or is what somebody does."""
    lemma = clause.head.lemma_.lower()
    particle = f" {clause.particle}" if clause.particle else ""
    used = told.clause.head.i != clause.head.i and told.clause.head.lemma_.lower() == "use"
    fact = f"{subject.said} {f'used to {lemma}' if used else told.clause.head.text}{particle}"
    if (clause.past or clause.perfect) and clause.head.tag_ != "VBG":
        if when_.kind is Kind.DENIED:
            fact = f"{subject.said} has not {past(lemma)}{particle}"
        yield told.candidate(
            subject, "status", f"{past(lemma)}{particle}", when_, fact=fact, confidence=0.6
        )
    elif when_.kind is not Kind.STARTED:
        yield told.candidate(
            subject, "does", f"{gerund(lemma)}{particle}", when_, fact=fact, confidence=0.6
        )


def _needs_more(clause: Clause) -> bool:
    """Whether the verb says nothing alone: a complement is missing, or stands where no rule finds it."""
    head = clause.head
    open_ = REPORTING | DOUBTING | WILLING | (frozenset() if clause.particle else INCOMPLETE)
    if head.lemma_.lower() in open_ or head.dep_ in {"csubj", "relcl", "acl"}:
        return True
    if any(c.dep_ in {"ccomp", "xcomp", "dobj", "acomp", "oprd"} for c in head.children):
        return True
    return any(c.token.lemma_.lower() not in TIME_UNITS for c in clause.prepositions)
