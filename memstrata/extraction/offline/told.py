"""A clause as it is told: its scene, stance and times, and the candidates that it is evidence for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memstrata.extraction.dates import DateRole
from memstrata.extraction.declared import sentence_of
from memstrata.extraction.offline.grammar import clauses, is_over
from memstrata.extraction.offline.inflection import past
from memstrata.extraction.offline.naming import named
from memstrata.extraction.offline.nouns import expanded, is_proper
from memstrata.extraction.offline.stance import Stance
from memstrata.extraction.offline.tense import When, telling_of, when
from memstrata.extraction.offline.words import ENDING, MOVING, STATES, TIME_UNITS, TITLES
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from spacy.tokens import Span, Token

    from memstrata.extraction.candidates import Candidate, Name
    from memstrata.extraction.dates import DatePhrase
    from memstrata.extraction.offline.grammar import Clause, Complement
    from memstrata.extraction.offline.scene import Scene


_DWELLING = frozenset({"live", "reside", "work", "dwell"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A clause as it is told: where, with which stance and which times."""

    scene: Scene
    sentence: Span
    clause: Clause
    stance: Stance
    dates: tuple[DatePhrase, ...]
    reference: datetime

    def when(self, *, state: bool, over: bool = False) -> When:
        """Kind and times of what this clause says, seen as a state or as an event."""
        if self.stance is Stance.ASSERTED and (end := self._end()) is not None:
            since = next(p for p in self.dates if p.role is DateRole.SINCE)
            at = next((p.time() for p in end if p.role is DateRole.AT), None)
            return When(kind=Kind.ENDED, valid_at=since.time(), invalid_at=at)
        gone = over or is_over(self.clause.head) or self._has_ceased()
        denied = self.stance is Stance.DENIED and not gone
        telling = telling_of(self.clause, state=state, over=gone, denied=denied)
        if over and not is_over(self.clause.head) and self._is_present():
            telling = replace(telling, future=True)  # "she leaves in September": in the next one
        return when(telling, self.dates, self.reference)

    def _end(self) -> tuple[DatePhrase, ...] | None:
        """When it was over: "who had run it since 1990, retired in May". None where no end is told."""
        head = self.clause.head
        before = head.dep_ == "relcl" and self.clause.perfect and self.clause.past
        if not before or not any(p.role is DateRole.SINCE for p in self.dates):
            return None
        found = list(clauses(self.sentence))
        homes = ENDING | MOVING if self.clause.lemma in _DWELLING else ENDING
        for other in found:
            beside = other.head == head.head.head or other.head.dep_ in {"ROOT", "acl", "dep"}
            if other.head.i > head.i and beside and other.lemma in homes and (other.past or other.perfect):
                return self.scene.dates_of(other, frozenset(c.head.i for c in found))
        return None

    def _has_ceased(self) -> bool:
        """Whether it is told since when something is no longer done: "hasn't smoked since 2015"."""
        habit = self.clause.lemma in STATES and self.clause.lemma not in {"be", "have"}
        denied = self.stance is Stance.DENIED and self.clause.perfect and habit
        return denied and any(p.role is DateRole.SINCE for p in self.dates)

    def _is_present(self) -> bool:
        lemma = self.clause.head.lemma_.lower()
        return not self.clause.past and not self.clause.perfect and past(lemma) != lemma

    def candidate(
        self,
        subject: Name,
        predicate: str,
        target: Name | str,
        when_: When,
        *,
        fact: str = "",
        confidence: float = 0.8,
    ) -> Candidate:
        """A candidate that this clause's sentence is evidence for."""
        return self.scene.candidate(
            self.sentence,
            (subject, predicate, target),
            when=when_,
            fact=fact or sentence_of(subject.said, predicate, said(target), when_.kind),
            confidence=confidence,
        )

    def subjects(self) -> Iterator[Name]:
        """Who the clause is about, as far as that can be named."""
        for token in self.clause.subjects:
            for one in _named_each(token):
                name = self.scene.name(one)
                if name is not None:
                    yield name

    def targets(self, complements: tuple[Complement, ...]) -> Iterator[tuple[Complement, Name | str]]:
        """The complements that can be objects: no times, no unbound pronouns."""
        for complement in complements:
            if self.scene.is_date(complement.token) or _is_lapse(complement):
                continue
            for token in _named_each(complement.token):
                target = self.scene.target(token)
                if target is not None:
                    yield complement, target


def _named_each(noun: Token) -> list[Token]:
    """Of "two brothers, Leopold and Rainer" both; of other nouns the noun itself."""
    first = named(noun) if noun.tag_ == "NNS" else noun
    alone = first is noun or first.lower_.rstrip(".") in TITLES  # "the tenants, Mr. and Mrs. Olsen"
    return [noun] if alone else [token for token in expanded(first) if is_proper(token)]


def of_two(told: Told, word: str, names: tuple[Name, Name], when_: When) -> Candidate:
    """What two are with each other; a divorce is the end of a marriage."""
    over = word in {"divorced", "separated"} and when_.kind in {Kind.STARTED, Kind.HOLDS}
    if over:
        when_ = When(kind=Kind.ENDED, invalid_at=when_.valid_at)
    fact = f"{names[0].said} and {names[1].said} {word}"
    return told.candidate(names[0], "married_to" if over else f"{word}_to", names[1], when_, fact=fact)


def _is_lapse(complement: Complement) -> bool:
    """Whether a complement only says how long it took: "after ten years"."""
    return bool(complement.preposition) and complement.token.lemma_.lower() in TIME_UNITS


def said(target: Name | str) -> str:
    """An object as a reader sees it."""
    return target if isinstance(target, str) else target.said


def bare(text: str, phrase: DatePhrase) -> str:
    """A time phrase without its preposition, unless it is a period or a rhythm."""
    if phrase.role in {DateRole.PERIOD, DateRole.RECURRING} or not phrase.word:
        return text
    return text[len(phrase.word) :].strip().removeprefix("the ")
