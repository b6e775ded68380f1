"""Clauses in which one thing gives way to another: moved, switched, raised from A to B, replaced with B."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.copulas import owned_by
from memstrata.extraction.offline.inflection import past
from memstrata.extraction.offline.naming import is_unknown, label_of, written
from memstrata.extraction.offline.nouns import is_proper
from memstrata.extraction.offline.stance import Stance
from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.told import bare, said
from memstrata.extraction.offline.words import MOVING, PEOPLE, REPLACING, RESCHEDULING, SETTING, SWITCHING
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.grammar import Clause
    from memstrata.extraction.offline.told import Told


#: What the parser takes for one quantity: "from 8 to 10 euros".
_SPAN: Final = re.compile(r"(?P<old>\D{0,2}\d[\d.,]*\D*?) to (?P<new>\D{0,2}\d.*)")


def change_facts(told: Told, lemma: str) -> list[Candidate]:
    """From A to B: A has ended and B has begun; [] where the clause is no such change."""
    clause = told.clause
    if lemma in REPLACING and not clause.passive and clause.under("with", "by", "for"):
        return list(_replacing(told))
    if lemma in RESCHEDULING and (moved := list(_rescheduled(told))):
        return moved
    handing = {"take_over": _taken_over, "hand_over": _handed_over}.get(clause.lemma)
    if handing is not None and (handed := list(handing(told))):
        return handed
    rising = clause.lemma in {"go_up", "go_down", "come_down"}
    if not (rising or lemma in SWITCHING | MOVING | SETTING) or told.stance is Stance.DENIED:
        return []
    sources = [t for c, t in told.targets(clause.under("from")) if not c.negated]
    goals = [t for c, t in told.targets(clause.under("to", "into", "onto")) if not c.negated]
    if sources and not goals:
        goals = [written(c.doc, c.i, c.i) for c in clause.head.children if _is_goal(c)]
    if len(sources) == 1 and not goals and (span := _SPAN.fullmatch(said(sources[0]))):
        sources, goals = [span["old"]], [span["new"]]
    if len(goals) == 1 and not sources and (former := _former(clause, goals[0])) is not None:
        sources = [former]
    got = lemma in SETTING and bool(clause.objects)  # "raised 4 million from Polder Ventures"
    if not goals and (got or not sources):
        return []
    return list(_changed(told, lemma, sources, goals))


def _former(clause: Clause, goal: Name | str) -> str | None:
    """What stands in short before the new one: of "from annual to monthly payments" the annual payments."""
    for preposition in clause.head.children:
        if preposition.dep_ == "prep" and preposition.lower_ == "from":
            short = [c for c in preposition.children if c.tag_ == "JJ"]
            noun = said(goal).rsplit(" ", maxsplit=1)[-1]
            return f"{short[0].text} {noun}" if short else None
    return None


def _is_goal(child: Token) -> bool:
    """Whether the parser took a noun after "to" for a verb: "switched from violin to viola"."""
    bare = [c.lower_ for c in child.children if c.dep_ not in {"advmod", "punct"}]
    return child.tag_ == "VB" and child.dep_ in {"advcl", "xcomp"} and bare == ["to"]


def _taken_over(told: Told) -> Iterator[Candidate]:
    """Sven took the bakery over from Gerda: she runs it no longer."""
    begun = told.when(state=False)
    former = [t for _, t in told.targets(told.clause.under("from")) if isinstance(t, Name)]
    if not former or told.stance is Stance.DENIED:
        return
    for _, target in told.targets(told.clause.objects):
        for subject in told.subjects():
            yield told.candidate(subject, "took_over", target, begun)
        for name in former:
            over = When(kind=Kind.ENDED, invalid_at=begun.valid_at)
            yield told.candidate(
                name, "handed_over", target, over, fact=f"{name.said} no longer runs {said(target)}"
            )


def _handed_over(told: Told) -> Iterator[Candidate]:
    """Gerda handed the bakery over to Sven."""
    begun = told.when(state=False)
    over = When(kind=Kind.ENDED, invalid_at=begun.valid_at)
    heirs = [t for _, t in told.targets(told.clause.under("to")) if isinstance(t, Name)]
    if not heirs or told.clause.passive or told.stance is Stance.DENIED:
        return
    for _, target in told.targets(told.clause.objects):
        yield from (told.candidate(name, "took_over", target, begun) for name in heirs)
        yield from (told.candidate(name, "handed_over", target, over) for name in told.subjects())


def _rescheduled(told: Told) -> Iterator[Candidate]:
    """The meeting was moved from Monday to Wednesday."""
    clause = told.clause
    dates = [p for p in told.dates if p.word in {"to", "from", "until"} or p.role is DateRole.PERIOD]
    moved = [t for _, t in told.targets(clause.objects) if isinstance(t, Name)]
    if not dates or told.stance is Stance.DENIED:
        return
    new = dates[-1]
    time = new.until(ahead=True) or new.time(ahead=True)
    text = told.scene.words(new)
    text = text[text.rfind(" to ") + 4 :] if " to " in text else bare(text, new)
    for subject in told.subjects() if clause.passive or not moved else moved:
        yield told.candidate(subject, "scheduled_for", text, When(kind=Kind.HOLDS, valid_at=time))


def _changed(
    told: Told, lemma: str, sources: list[Name | str], goals: list[Name | str]
) -> Iterator[Candidate]:
    clause = told.clause
    begun = told.when(state=False)
    over = When(kind=Kind.ENDED, invalid_at=begun.valid_at)
    subjects = list(told.subjects())
    if lemma in SETTING and not clause.passive:
        subjects = [t for _, t in told.targets(clause.objects) if isinstance(t, Name)] or subjects
    owned = _owned(told, lemma)
    if owned is not None:
        owner, attribute = owned
        yield from (told.candidate(owner, attribute, target, begun) for target in goals)
        yield from (told.candidate(owner, attribute, target, over) for target in sources)
        return
    if not subjects:
        return
    new, old = _predicates(told, lemma)
    for subject in subjects:
        for target in goals:
            spoken = said(target)
            yield told.candidate(
                subject, new, target, begun, fact=f"{subject.said} {past(lemma)} to {spoken}"
            )
        for target in sources:
            spoken = said(target)
            yield told.candidate(
                subject, old, target, over, fact=f"{subject.said} {past(lemma)} from {spoken}"
            )


def _owned(told: Told, lemma: str) -> tuple[Name, str] | None:
    """Whose what it is: of "my number changed to ...", "she changed her surname to ..."."""
    clause = told.clause
    if lemma not in SETTING or clause.passive or not clause.subjects:
        return None
    if not clause.objects:
        return owned_by(told, clause.subjects[0])
    return owned_by(told, clause.objects[0].token) if lemma == "change" else None


def _predicates(told: Told, lemma: str) -> tuple[str, str]:
    """How the new and the old are told, by what kind of change it is."""
    clause = told.clause
    form = past(lemma)
    if lemma in MOVING and not clause.objects:
        settles = not clause.passive and _settles(told)
        return ("lives_in", "lives_in") if settles else (f"{form}_to", f"{form}_from")
    if lemma in {"go", "come"}:
        form = f"{form}_{clause.particle}"
    elif lemma in SETTING:
        form = clause.head.lower_ if clause.passive else form
        if any(aux.lower_ in {"will", "'ll"} for aux in clause.auxiliaries):
            form = f"will_be_{form}" if clause.passive else f"will_{lemma}"
    elif clause.objects:
        form = f"{form}_{_headword(clause)}"
    else:
        return "uses", "uses"
    return f"{form}_to", f"{form}_from"


def _settles(told: Told) -> bool:
    """Whether somebody moves house: a person, to or from what can be a town."""
    clause = told.clause
    if not clause.subjects:
        return False
    subject = clause.subjects[0]
    person = subject.pos_ == "PRON" or is_proper(subject) or subject.lower_ in PEOPLE
    places = [c.token for c in clause.under("to", "from")]
    if not person or not all(is_proper(place) for place in places):
        return False
    labels = {"GPE", "LOC"} if subject.lower_ == "we" else {"GPE", "LOC", "PERSON"}
    towns = all(is_unknown(place) or label_of(place) in labels for place in places)
    if len(places) > 1:
        return towns if subject.lower_ == "we" else not any(label_of(place) == "ORG" for place in places)
    told_so = clause.past or clause.perfect or clause.progressive  # "she moves to Legal" is another move
    return told_so and towns


def _headword(clause: Clause) -> str:
    return clause.objects[0].token.lower_


def _replacing(told: Told) -> Iterator[Candidate]:
    clause = told.clause
    begun = told.when(state=False)
    over = When(kind=Kind.ENDED, invalid_at=begun.valid_at)
    news = [t for _, t in told.targets(clause.under("with", "by", "for"))]
    for subject in told.subjects():
        for target in news:
            spoken = said(target)
            yield told.candidate(
                subject, "uses", target, begun, fact=f"{subject.said} now uses {spoken} as a replacement"
            )
        for _, target in told.targets(clause.objects):
            spoken = said(target)
            yield told.candidate(subject, "uses", target, over, fact=f"{subject.said} replaced {spoken}")
