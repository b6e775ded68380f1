"""Clauses with "be": roles, relations, qualities, states, appointments; also "is called" and "became"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.grammar import clause_of
from memstrata.extraction.offline.inflection import past, third_person
from memstrata.extraction.offline.naming import named, phrase, possessor, without_genitive, written
from memstrata.extraction.offline.nouns import expanded, holds_a_name, is_noun, is_proper
from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.told import of_two
from memstrata.extraction.offline.words import (
    ATTRIBUTES,
    FAVOURITE,
    MUTUAL,
    RELATIONS,
    ROLES,
    is_role,
    word_set,
)
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Span, Token

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.dates import DatePhrase
    from memstrata.extraction.offline.grammar import Clause, Complement
    from memstrata.extraction.offline.scene import Scene
    from memstrata.extraction.offline.told import Told

COPULAS = frozenset({"be", "become", "remain", "stay"})
NAMING = frozenset({"call", "name", "title", "entitle"})
#: Days that are somebody's own, rather than something that takes place.
_DAYS = frozenset({"date", "birthday", "birthdate", "anniversary"})
#: Prepositions that tell when, though what follows is no date: "has been ill since her fall".
_WHEN = frozenset({"since", "until", "till", "after", "before", "during"})
#: What two people are for each other; teachers are so for others.
_RECIPROCAL = word_set(
    "cousin sister brother sibling twin friend neighbour neighbor colleague coworker co-worker classmate"
    " flatmate roommate housemate partner spouse couple rival teammate relative pal mate buddy lover"
    " stepsister stepbrother stepsibling"
)
#: Offices that are named after a department.
_HEADS = frozenset({"head", "chief", "director", "manager", "president", "lead", "vp"})
_JOINING = frozenset({"of", "at", "for", "in", "with", "on", "to"})


def snake(text: str) -> str:
    """Words as a predicate's name: `e-mail address` to `e_mail_address`."""
    return re.sub(r"[^\w]+", "_", text.casefold()).strip("_")


def copula_facts(told: Told) -> Iterator[Candidate]:
    """The candidates of a clause whose verb links its subject to a noun, a quality, a place or a time."""
    clause = told.clause
    if (deed := _asked_by_what(clause)) is not None:
        yield from _pointed_out(told, deed)
        return
    if not clause.subjects or any(c.dep_ == "expl" for c in clause.head.children) or _dates_by_age(clause):
        return
    subject_token = clause.subjects[0]
    nouns = [
        c
        for c in clause.objects
        if is_proper(c.token) or (c.token.dep_ in {"attr", "oprd", "conj", "dobj"} and is_noun(c.token))
    ]
    qualities = [c for c in clause.objects if c not in nouns]
    lemma = clause.head.lemma_.lower()
    named_to = lemma == "name" and clause.passive and any(is_role(c.token.lower_) for c in nouns)
    state = lemma != "become" and not named_to
    when_ = told.when(state=state)
    if len(clause.subjects) > 1 and nouns and nouns[0].token.tag_ == "NNS":
        yield from _mutual(told, nouns[0].token, when_)
        return
    for complement in nouns:
        if told.scene.is_date(complement.token):
            continue
        yield from _noun(told, subject_token, complement, _denied(complement, when_))
    names = list(told.subjects()) if qualities and len(clause.subjects) > 1 else []
    mutual = next((c.token for c in qualities if _is_of_both(c.token)), None)
    if mutual is not None and len(names) == 2:  # noqa: PLR2004 (two together)
        yield of_two(told, mutual.lower_, (names[0], names[1]), when_)
        return
    owned = owned_by(told, subject_token) if qualities else None
    for complement in qualities:
        when_here = _denied(complement, when_)
        if owned is not None and _is_attribute(subject_token):
            yield told.candidate(*owned, phrase(complement.token).text, when_here)
        else:
            yield from _quality(told, complement, when_here)
    if not nouns and not qualities:
        yield from _placed(told, when_)


def _is_of_both(quality: Token) -> bool:
    """Whether two are so with each other: "are divorced", not "are both divorced"."""
    words = {c.lower_ for c in (*quality.children, *quality.head.children)}
    return quality.lower_ in MUTUAL and not words & {"both", "to", "from", "each"}


def _asked_by_what(clause: Clause) -> Token | None:
    """The verb of "what Maelis criticised" before "was ..."."""
    deed = next((c for c in clause.head.children if c.dep_ == "csubj" and c.i < clause.head.i), None)
    if deed is None or deed.pos_ != "VERB" or not any(is_noun(c.token) for c in clause.objects):
        return None
    asked = [c for c in deed.subtree if c.lower_ == "what" and c.dep_ in {"dobj", "pobj"}]
    return deed if asked and asked[0].i == deed.left_edge.i else None


def _pointed_out(told: Told, deed: Token) -> Iterator[Candidate]:
    """What Maelis criticised was their delay: she criticised that."""
    inner = clause_of(deed)
    open_ = next((c.lower_ for c in deed.children if c.dep_ == "prep" and not list(c.children)), "")
    form = past(deed.lemma_.lower()) if inner.past else third_person(deed.lemma_.lower())
    for subject in (name for token in inner.subjects if (name := told.scene.name(token)) is not None):
        for _, target in told.targets(told.clause.objects):
            kind = Kind.STARTED if inner.past else Kind.HOLDS
            yield told.candidate(subject, f"{form}_{open_}".rstrip("_"), target, When(kind=kind))


def _dates_by_age(clause: Clause) -> bool:
    """Whether it only tells since when: "since he was nine"."""
    marked = any(c.lower_ in {"since", "when", "until", "after", "before"} for c in clause.head.children)
    return clause.past and marked and any(c.token.tag_ == "CD" for c in clause.objects)


def _is_attribute(noun: Token) -> bool:
    """Whether a noun names a property, whose value is its owner's: "Noah's favourite colour"."""
    return noun.lower_ in ATTRIBUTES or any(c.lower_ in FAVOURITE for c in noun.lefts)


def _denied(complement: Complement, when_: When) -> When:
    none = any(c.dep_ == "det" and c.lower_ == "no" for c in complement.token.children)
    return When(kind=Kind.DENIED) if complement.negated or none else when_


def _mutual(told: Told, noun: Token, when_: When) -> Iterator[Candidate]:
    """Cosima and Rafi are cousins."""
    names = list(told.subjects())
    if noun.lemma_.lower() in _RECIPROCAL:
        for other in names[1:]:
            yield told.candidate(names[0], snake(noun.lemma_), other, when_)
    else:
        for name in names:
            yield told.candidate(name, "is_a", noun.lemma_, when_)


def _noun(told: Told, subject_token: Token, complement: Complement, when_: When) -> Iterator[Candidate]:
    token = complement.token
    owned = owned_by(told, subject_token)
    if owned is not None and (is_proper(named(token)) or not is_role(token.lemma_.lower())):
        target = told.scene.target(token)
        owner, relation = owned
        if (
            isinstance(target, str) and subject_token.lower_ in RELATIONS and not is_proper(token)
        ):  # "my grandmother is 91"
            yield from (told.candidate(name, "is", target, when_) for name in told.subjects())
        elif target is not None:
            if relation == "name" and (described := _described(told, subject_token)) is not None:
                owner, relation, noun = described
                told.scene.learn(noun, target if isinstance(target, Name) else Name(text=target))
            elif isinstance(target, Name) and (
                subject_token.lower_ in RELATIONS or is_proper(named(token))
            ):
                told.scene.learn(subject_token, target)
            yield told.candidate(owner, relation, target, when_)
        return
    if subject_token.lower_ in {"it", "this", "that"} and is_proper(named(token)):
        return
    for subject in told.subjects():
        first = subject.text == "I" and subject.speaker is not None
        called = "is_called" if first or told.clause.passive else "is"
        yield from noun_facts(told.scene, told.sentence, subject, token, when_=when_, called=called)


def _described(told: Told, noun: Token) -> tuple[Name, str, Token] | None:
    """Of "my wife's name": whose wife, and that it is the wife; None where no relation is named."""
    relation = possessor(noun)
    if relation is None or relation.lower_ not in RELATIONS:
        return None
    owned = owned_by(told, relation)
    return (*owned, relation) if owned is not None else None


def owned_by(told: Told, subject_token: Token) -> tuple[Name, str] | None:
    """Of "Ottilie's landlord", "the manager of X", "my favourite tea": whose, and what."""
    proper = is_proper(subject_token) and subject_token.lower_ not in ROLES | ATTRIBUTES
    if subject_token.tag_ == "CD":  # "two of them are ..."
        return None
    if named(subject_token) is not subject_token or proper:
        return None
    owner = possessor(subject_token)
    words = phrase(subject_token, following=False)
    if owner is not None:
        name = told.scene.name(owner)
        text = (
            written(subject_token.doc, owner.right_edge.i + 1, _end_of_attribute(subject_token))
            if owner.i >= words.first
            else words.text
        )
        return (name, snake(without_genitive(text))) if name is not None else None
    for child in subject_token.children:
        if child.dep_ == "prep" and child.lower_ == "of":
            holder = next((c for c in child.children if c.dep_ == "pobj"), None)
            name = told.scene.name(holder) if holder is not None else None
            if name is not None:
                return name, snake(words.text)
    return None


def _end_of_attribute(noun: Token) -> int:
    """Where the words for an attribute end: "date of birth", "head of department"."""
    whole = phrase(noun)
    of = noun.i + 1 < len(noun.doc) and noun.nbor(1).lower_ == "of"
    plain = of and not any(is_proper(token) for token in noun.doc[noun.i + 1 : whole.last + 1])
    return whole.last if plain else noun.i


def noun_facts(
    scene: Scene, sentence: Span, subject: Name, token: Token, *, when_: When, called: str = "is"
) -> Iterator[Candidate]:
    """What `subject` is by being `token`: "the head of procurement at Stellmark", "Noor's brother"."""
    owner = possessor(token)
    whose = scene.name(owner) if owner is not None and not is_proper(token) else None
    if owner is not None and whose is not None:
        relation = without_genitive(written(token.doc, owner.right_edge.i + 1, token.i))
        yield scene.candidate(sentence, (whose, snake(relation), subject), when=when_)
        return
    is_name = is_proper(token) and token.lower_ not in ROLES
    if token.tag_ == "CD":
        yield scene.candidate(sentence, (subject, "is", phrase(token).text), when=when_)
        return
    posts = [] if is_name or _is_of_a_department(token) else list(_posts(scene, token))
    for title, preposition, inner in posts:
        yield scene.candidate(sentence, (subject, f"{snake(title)}_{preposition}", inner), when=when_)
    if posts or token.pos_ == "PRON":
        return
    if (
        token.tag_ == "NNS"
        and is_role(token.lemma_.lower())
        and subject.text.istitle()
        and " " not in subject.text
    ):
        return  # one person is no "neighbours": the parser lost somebody
    target = scene.target(token) if is_name else None
    if target is not None:
        yield scene.candidate(sentence, (subject, called, target), when=when_)
    else:
        yield scene.candidate(sentence, (subject, "is_a", phrase(token).text), when=when_)


def _is_of_a_department(token: Token) -> bool:
    """Whether a title is all that is told: "head of design", "director of sales", at no firm."""
    held = list(_holders(token))
    bare = all(
        preposition == "of"
        and not holds_a_name(noun)
        and not any(c.dep_ in {"det", "poss"} for c in noun.lefts)
        for preposition, noun in held
    )
    return bool(held) and bare and token.lower_ in _HEADS


def _posts(scene: Scene, token: Token) -> Iterator[tuple[str, str, Name | str]]:
    """What a role is of or at, with the title that the words before it make."""
    title = phrase(token, following=False).text
    proper = any(is_proper(named(held)) for _, held in _holders(token))
    for preposition, held in _holders(token):
        inner = scene.target(held)
        if inner is None or scene.is_date(held):
            continue
        if preposition == "of" and proper and not holds_a_name(named(held)):
            title = f"{title} of {phrase(held, following=False).text}"
        else:
            yield title, preposition, inner


def _holders(token: Token) -> Iterator[tuple[str, Token]]:
    """The nouns that a role is of, at or for, nested ones too: "head of procurement at Stellmark"."""
    for child in [*token.children, *_after_office(token)]:
        if child.dep_ == "prep" and child.lower_ in _JOINING:
            for held in child.children:
                if held.dep_ == "pobj" and is_noun(held):
                    for item in expanded(held):
                        yield child.lower_, item
                    if child.lower_ == "of" and not is_proper(held):
                        yield from _holders(held)


def _after_office(office: Token) -> list[Token]:
    """The "at Tallis" that the parser gives to the verb: "became head of research at Tallis"."""
    verb = office.head
    if office.dep_ != "attr" or verb.lemma_ not in {"be", "become"} or not is_role(office.lower_):
        return []
    beside = [c for c in verb.children if c.dep_ == "prep" and c.lower_ in {"at", "of"} and c.i > office.i]
    return [c for c in beside if any(is_proper(held) for held in c.children)]


def _quality(told: Told, complement: Complement, when_: When) -> Iterator[Candidate]:
    """She is vegetarian; he is allergic to latex."""
    token = complement.token
    if any(
        c.lower_ in {"so", "too", "how"} or c.lower_.startswith("soo") for c in token.lefts
    ):  # an exclamation: "the cup is so cute!"
        return
    for subject in told.subjects():
        joined = False
        for child in token.children:
            if (
                child.dep_ == "npadvmod" and child.i > token.i and not told.scene.is_date(child)
            ):  # "worth 5 euros"
                joined = True
                yield told.candidate(subject, f"is_{snake(token.text)}", phrase(child).text, when_)
            if child.dep_ == "prep":
                for held in (c for c in child.children if c.dep_ == "pobj"):
                    for item in expanded(held):
                        target = told.scene.target(item)
                        if target is not None and not told.scene.is_date(item):
                            joined = True
                            denied = child.i > 0 and child.nbor(-1).lower_ == "not"  # "but not of cats"
                            here = When(kind=Kind.DENIED) if denied else when_
                            yield told.candidate(
                                subject, f"is_{snake(token.text)}_{child.lower_}", target, here
                            )
        if not joined and not any(c.dep_ in {"xcomp", "ccomp"} for c in token.children):
            yield told.candidate(subject, "is", phrase(token).text, when_)


def _placed(told: Told, when_: When) -> Iterator[Candidate]:
    """The keys are in the drawer; the review is on Tuesday; Fabio is on call."""
    clause = told.clause
    dated = [p for p in told.dates if p.role in {DateRole.AT, DateRole.AHEAD} or _is_validity(p)]
    owned = owned_by(told, clause.subjects[0]) if clause.subjects[0].lower_ in _DAYS else None
    others = [(c, t) for c, t in told.targets(clause.prepositions)]
    again = next((p for p in told.dates if p.role is DateRole.RECURRING), None)
    for subject in told.subjects():
        if dated and owned is not None:  # "my date of birth is 4 June 1979"
            yield told.candidate(
                *owned, _without_preposition(told.scene.words(dated[0])), When(kind=Kind.HOLDS)
            )
        elif dated and _is_validity(dated[0]):
            yield told.candidate(subject, "is", told.scene.words(dated[0]), when_)
        elif dated:
            first = dated[0]
            text = told.scene.block.text[first.start : first.end]
            kind = when_.kind if when_.kind is Kind.DENIED else Kind.HOLDS
            yield told.candidate(
                subject,
                "scheduled_for",
                _without_preposition(text),
                When(kind=kind, valid_at=when_.valid_at),
            )
        if again is not None and not others and not dated:  # "rehearsals are on Tuesdays"
            text = _without_preposition(told.scene.words(again))
            yield told.candidate(subject, "scheduled_for", text, When(kind=when_.kind))
        for complement, target in others:
            if complement.preposition in _WHEN or _is_an_hour(complement):
                at = complement.preposition == "at" and not dated and not _is_someone(clause.subjects[0])
                if at:  # "dinner is at seven"
                    text = phrase(complement.token).text
                    yield told.candidate(subject, "scheduled_for", text, When(kind=when_.kind))
                continue
            bare = complement.token.pos_ == "NOUN" and not any(
                c.dep_ in {"det", "poss"} for c in complement.token.children
            )
            if bare and not is_proper(complement.token):
                yield told.candidate(
                    subject, "is", f"{complement.preposition} {phrase(complement.token).text}", when_
                )
            else:
                been = complement.preposition == "to"
                yield told.candidate(
                    subject, f"{'has_been' if been else 'is'}_{complement.preposition}", target, when_
                )


def _is_someone(subject: Token) -> bool:
    return subject.pos_ == "PRON" or is_proper(subject) or subject.lower_ in ROLES


def _is_an_hour(complement: Complement) -> bool:
    """Whether it is a time in words: "is in the office by nine", "back at three"."""
    return complement.preposition in {"by", "at"} and complement.token.tag_ == "CD"


def _is_validity(phrase_: DatePhrase) -> bool:
    return phrase_.word.startswith("valid")


def _without_preposition(text: str) -> str:
    return re.sub(r"^(?:on|in|at|by|from|since|until)\s+", "", text, flags=re.IGNORECASE)
