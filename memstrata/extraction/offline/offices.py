"""Offices that somebody takes up, fills or lays down: "was elected mayor of Paris", "stepped down as CEO".

They are told as the office itself, as in "is the mayor of Paris", so that its end closes its beginning.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memstrata.extraction.candidates import Name
from memstrata.extraction.offline.copulas import noun_facts, snake
from memstrata.extraction.offline.naming import phrase
from memstrata.extraction.offline.nouns import is_proper
from memstrata.extraction.offline.stance import Stance
from memstrata.extraction.offline.told import said
from memstrata.extraction.offline.words import is_role, word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.grammar import Complement
    from memstrata.extraction.offline.told import Told

_NAMING: Final = word_set("appoint elect name promote make crown hire nominate install")
_BEGINNING: Final = word_set("take_over join start begin return step_in sign_on come_in") | _NAMING
_FILLING: Final = word_set("serve act")
_ENDING: Final = word_set("step_down stand_down resign retire quit leave depart")


def office_facts(told: Told) -> list[Candidate]:
    """What somebody has become, is or was by this clause; [] where it tells of no office."""
    lemma = told.clause.lemma
    if told.stance is not Stance.ASSERTED or lemma not in _BEGINNING | _FILLING | _ENDING:
        return []
    return [candidate for office in _offices(told) for candidate in _held(told, lemma, office)]


def _offices(told: Told) -> Iterator[Complement]:
    """The roles that the clause brings with "as" or "to", or after "was appointed"."""
    clause = told.clause
    brought = clause.under("as")
    if clause.lemma in _NAMING:
        brought += clause.under("to")
        brought += tuple(c for c in clause.objects if c.token.dep_ == "oprd")
    for complement in brought:
        word = complement.token.lower_
        noun = complement.token.pos_ in {"NOUN", "PROPN"}
        if noun and is_role(word) and (not is_proper(complement.token) or complement.token.text.isupper()):
            yield complement


def _held(told: Told, lemma: str, office: Complement) -> Iterator[Candidate]:
    clause = told.clause
    ends = lemma in _ENDING
    when_ = told.when(state=ends or lemma in _FILLING, over=ends)
    names = list(told.subjects())
    if lemma in _NAMING and not clause.passive:
        names = [t for c, t in told.targets(clause.objects) if isinstance(t, Name) and c != office]
    was = "was" if lemma in _NAMING else ""
    words = " ".join(filter(None, (was, clause.head.text, clause.particle, office.preposition)))
    beside = _beside(told, office)
    for name in names:
        if beside is not None:
            at, where = beside
            title = phrase(office.token).text
            fact = f"{name.said} {words} {title} {at} {said(where)}"
            yield told.candidate(name, f"{snake(title)}_{at}", where, when_, fact=fact)
            continue
        for candidate in noun_facts(told.scene, told.sentence, name, office.token, when_=when_):
            if candidate.subject == name:
                yield replace(candidate, fact=f"{name.said} {words} {_said(candidate, office)}")


def _beside(told: Told, office: Complement) -> tuple[str, Name | str] | None:
    """Where the office is, if the parser gives that to the verb: "stepped down as editor at Globex"."""
    if told.clause.objects and not told.clause.passive:
        return None
    own = {token.i for token in office.token.subtree}
    places = [c for c in told.clause.under("at") if c.token.i > office.token.i and c.token.i not in own]
    return next(((c.preposition, target) for c, target in told.targets(tuple(places))), None)


def _said(candidate: Candidate, office: Complement) -> str:
    """The office with where it is, as written: "CEO of Bramble"."""
    if candidate.predicate == "is_a":
        return candidate.object_said
    title = phrase(office.token, following=False).text
    rest = candidate.predicate.removeprefix(snake(title)).replace("_", " ")
    return f"{title}{rest} {candidate.object_said}"


def tells_an_office(candidate: Candidate, told: Told, offices: list[Candidate]) -> bool:
    """Whether a candidate of the clause says again, less well, which of the offices it tells of."""
    if not offices:
        return False
    participles = (f"{told.clause.head.lower_}_to", told.clause.head.lower_)
    named = told.clause.passive and told.clause.lemma in _NAMING and candidate.predicate in participles
    again = candidate.predicate.endswith("_at") and any(o.object == candidate.object for o in offices)
    return named or again or candidate.predicate.endswith("_as")
