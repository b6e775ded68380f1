"""Verbs with another verb as their content: what somebody begins, stops, plans or is asked to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.extraction.offline.grammar import clause_of, is_over
from memstrata.extraction.offline.inflection import gerund, past, third_person
from memstrata.extraction.offline.stance import Stance
from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.words import (
    BEGINNING,
    CARRYING_ON,
    DOUBTING,
    INCOMPLETE,
    PLACING,
    REPORTING,
    STOPPING,
    TELLING,
    WILLING,
    word_set,
)
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.grammar import Clause
    from memstrata.extraction.offline.told import Told

#: What somebody is told to do, or may do.
_BIDDING = word_set(
    "ask tell instruct require order request task commission allow permit authorise authorize entitle"
)
_WISHING = word_set("want hope wish intend aim")
_LEARNING = word_set("train study qualify learn apply")


def inner_facts(told: Told, lemma: str, inner: Token) -> list[Candidate] | None:
    """A verb with another verb as its content: begins, stops, plans; None where it tells as any other."""
    clause = told.clause
    if lemma in STOPPING or (lemma == "give" and clause.particle == "up"):
        found = _inner_activity(told, inner, over=True)
    elif lemma in BEGINNING | CARRYING_ON or (lemma == "take" and not clause.objects):
        found = _inner_activity(told, inner, started=lemma in BEGINNING)
    elif lemma == "go" and clause.progressive and clause.past:  # "we were going to hire somebody"
        return []
    elif lemma in {"have", "need"}:
        yet = lemma == "have" and any(c.lower_ == "yet" for c in clause.head.children)
        found = _not_yet(told, inner) if yet else iter(())
    else:
        verb = _verb_of_a_plan(clause, lemma, inner)
        if verb is None:
            return None
        found = _plan(told, verb, inner)
    return list(found)


def _verb_of_a_plan(clause: Clause, lemma: str, inner: Token) -> str | None:
    """With which verb a plan, a request or a liking is told; None where it is none."""
    if lemma == "go" and clause.progressive:
        return "going"
    if lemma in WILLING and not any(c.dep_ in {"nsubj", "nsubjpass"} for c in inner.children):
        return past(lemma) if clause.past else third_person(lemma)
    if clause.passive and lemma in _BIDDING:
        return clause.head.lower_
    becomes = lemma in _LEARNING and inner.lemma_ in {"be", "become"}
    return third_person(lemma) if becomes or _is_activity(clause, inner) else None


def _not_yet(told: Told, inner: Token) -> Iterator[Candidate]:
    """Otto has yet to sign the lease."""
    denied, form = When(kind=Kind.DENIED), past(inner.lemma_.lower())
    for subject in told.subjects():
        targets = list(told.targets(clause_of(inner).objects))
        for _, target in targets:
            yield told.candidate(subject, form, target, denied)
        if not targets:
            fact = f"{subject.said} has not {form} yet"
            yield told.candidate(subject, "status", form, denied, fact=fact)


def _is_activity(clause: Clause, inner: Token) -> bool:
    """Whether a verb tells how somebody stands to an activity: "enjoys birdwatching", "avoids flying"."""
    bare = inner.tag_ == "VBG" and not any(c.dep_ in {"aux", "nsubj", "mark"} for c in inner.children)
    said = {clause.head.lemma_.lower()} & (REPORTING | DOUBTING)
    return bare and not said and not clause.objects and not (clause.past or clause.passive)


def _inner_activity(
    told: Told, inner: Token, *, over: bool = False, started: bool = False
) -> Iterator[Candidate]:
    clause = clause_of(inner)
    when_ = told.when(state=not started, over=over)
    if started and when_.kind is Kind.HOLDS and told.clause.past:
        when_ = When(kind=Kind.STARTED, valid_at=when_.valid_at)
    form = third_person(inner.lemma_.lower())
    placed = [(c, t) for c, t in told.targets(clause.prepositions) if c.preposition in PLACING]
    objects = list(told.targets(clause.objects))
    for subject in told.subjects():
        for _, target in objects:
            yield told.candidate(subject, form, target, when_)
        if not objects:
            for complement, target in placed:
                yield told.candidate(subject, f"{form}_{complement.preposition}", target, when_)
        if not objects and not placed:
            fact = f"{subject.said} {told.clause.head.text} {inner.text}"
            yield told.candidate(subject, "does", gerund(inner.lemma_.lower()), when_, fact=fact)


def _plan(told: Told, verb: str, inner: Token) -> Iterator[Candidate]:
    """What somebody means to do: a fact about the plan, never the planned thing."""
    clause = clause_of(inner)
    if inner.lemma_.lower() in TELLING:  # "I want to tell you something"
        return
    denied = told.stance is Stance.DENIED
    wished = told.clause.past and told.clause.head.lemma_.lower() in _WISHING
    over = is_over(told.clause.head) or wished  # "she wanted to become a pilot, but ..."
    when_ = When(kind=Kind.DENIED if denied else Kind.ENDED if over else Kind.HOLDS)
    gerundive = inner.tag_ == "VBG" and not any(c.dep_ == "aux" for c in inner.children)
    predicate = f"{verb}_{inner.lower_}" if gerundive else f"{verb}_to_{inner.lemma_.lower()}"
    placed = [(c, t) for c, t in told.targets(clause.prepositions) if c.preposition in PLACING]
    objects = list(told.targets(clause.objects))
    for subject in told.subjects():
        for _, target in objects:
            yield told.candidate(subject, predicate, target, when_)
        for complement, target in placed:
            if not objects:
                yield told.candidate(subject, f"{predicate}_{complement.preposition}", target, when_)
        if not objects and not placed and gerundive:
            yield told.candidate(subject, verb, inner.lower_, when_)
        elif clause.passive and not placed and not objects:  # "wants to be billed quarterly"
            how = next((c.lower_ for c in inner.children if c.dep_ == "advmod" and c.i > inner.i), "")
            yield told.candidate(subject, f"{verb}_to", f"be {inner.lower_} {how}".rstrip(), when_)
        elif not objects and not placed and not {inner.lemma_.lower()} & (INCOMPLETE | CARRYING_ON):
            yield told.candidate(subject, f"{verb}_to", inner.lemma_.lower(), when_)
