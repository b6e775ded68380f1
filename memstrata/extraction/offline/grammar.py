"""Reading a dependency parse: clauses with their subjects, objects, prepositions, tense and negation.

Labels are those of spaCy's English models (ClearNLP). Nothing is decided here about truth or names.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from memstrata.extraction.offline.masking import CODE
from memstrata.extraction.offline.nouns import expanded, is_noun, is_proper
from memstrata.extraction.offline.words import (
    CHANGING,
    EXCHANGING,
    OBTAINING,
    PAYING,
    PEOPLE,
    POSTS,
    STATES,
    TIME_UNITS,
    word_set,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Span, Token

_CLAUSE_DEPS = word_set("ROOT conj relcl ccomp advcl acl parataxis pcomp csubj dep appos")
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_OBJECTS = frozenset({"dobj", "attr", "oprd", "acomp"})
_PARTICLES = frozenset({"down", "up", "out", "off", "away", "over", "back"})
_DIRECTIONS = _PARTICLES | {"home", "here", "there"}
#: Words of "according to", "due to" and the like, which bring no part of what is told.
_CONNECTING = frozenset(
    {"according", "due", "because", "instead", "apart", "except", "thanks", "compared", "given"}
)
_PAIRED = frozenset({("out", "of"), ("off", "of")})
_RELATIVES = frozenset({"who", "which", "that", "whom", "whose"})


#: Verbs whose past has no ending.
_SAME_IN_THE_PAST = word_set(
    "put set cut quit let read cost hit shut split spread hurt bet cast bid beat burst prefer come become"
    " run"
)
#: Verbs whose participle is no past tense.
_SAME_AS_PARTICIPLE = frozenset({"run", "come", "become", "overcome"})
#: Nouns of several people that are written as one.
_SEVERAL = word_set(
    "police staff team family people crew committee board council majority couple pair rest lot number"
    " group half most some both all many few"
)
_DWELLING = word_set("live bear grow raise settle reside")
#: Verbs whose participle tells a state that lasts.
_LASTING = word_set(
    "base locate situate house own know employ run lead manage rent operate supervise chair head sponsor"
    " support use live enrol enroll connect attach relate call name title"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Complement:
    """A noun or adjective that a clause takes, with the preposition that brings it (none: an object)."""

    token: Token
    preposition: str = ""
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One predicate with what belongs to it."""

    head: Token
    subjects: tuple[Token, ...]
    objects: tuple[Complement, ...]
    prepositions: tuple[Complement, ...]
    auxiliaries: tuple[Token, ...]
    particle: str
    passive: bool
    past: bool
    perfect: bool
    progressive: bool

    @property
    def lemma(self) -> str:
        """The verb with its particle, as `take_up`."""
        return f"{self.head.lemma_.lower()}_{self.particle}" if self.particle else self.head.lemma_.lower()

    @property
    def agents(self) -> tuple[Complement, ...]:
        """Who did it, in a passive."""
        return tuple(c for c in self.prepositions if c.preposition == "by") if self.passive else ()

    def under(self, *prepositions: str) -> tuple[Complement, ...]:
        """The complements with one of these prepositions."""
        return tuple(c for c in self.prepositions if c.preposition in prepositions)


def clauses(sentence: Span) -> Iterator[Clause]:
    """The clauses of a sentence, in the order of their heads."""
    for token in sentence:
        participle = token.dep_ == "prep" and token.tag_ == "VBN" and token.lower_ not in _CONNECTING
        if token.pos_ in {"VERB", "AUX"} and (
            token.dep_ in _CLAUSE_DEPS or token.head == token or participle
        ):
            yield clause_of(token)


def clause_of(head: Token) -> Clause:
    """The clause of one verb."""
    auxiliaries = tuple(child for child in _with_shared(head) if child.dep_ in {"aux", "auxpass"})
    finite = auxiliaries[0] if auxiliaries else head
    present = (
        not auxiliaries
        and head.lower_ in _SAME_AS_PARTICIPLE
        and any(c.dep_ == "nsubj" for c in head.children)
    )  # "Olena and Viktor run the canteen"
    passive = any(child.dep_ in {"auxpass", "nsubjpass"} for child in _with_shared(head))
    passive = passive or (head.dep_ in {"acl", "advcl", "prep"} and head.tag_ == "VBN" and not auxiliaries)
    have = any(aux.lemma_ == "have" for aux in auxiliaries)
    return Clause(
        head=head,
        subjects=_agreeing(tuple(_subjects(head)), finite),
        objects=tuple(_objects(head)),
        prepositions=tuple(_prepositions(head)),
        auxiliaries=auxiliaries,
        particle=_particle(head),
        passive=passive and head.tag_ in {"VBN", "VBD"},
        past=not present
        and (
            finite.tag_ == "VBD"
            or _is_past_anyway(finite)
            or (not auxiliaries and head.tag_ == "VBN" and not _lasts(head))
        ),
        perfect=(have and head.tag_ in {"VBN", "VBD"})
        or (have and any(aux.lower_ == "been" for aux in auxiliaries)),
        progressive=head.tag_ == "VBG" and not have,
    )


def _agreeing(subjects: tuple[Token, ...], finite: Token) -> tuple[Token, ...]:
    """Of "speaks only Catalan and his boiler is broken" the parser joins two: one of them alone "is"."""
    one = finite.tag_ == "VBZ" or finite.lower_ == "was"
    if len(subjects) < 2 or not one or subjects[-1].i > finite.i:  # noqa: PLR2004 (two joined)
        return subjects
    beside = {c.lower_ for c in subjects[0].children}
    joined = "and" in beside and "both" not in beside
    apart = any(c.dep_ in {"poss", "det"} for c in subjects[-1].lefts)
    return subjects[-1:] if joined and apart and subjects[0].dep_ in _SUBJECTS else subjects


def _is_past_anyway(finite: Token) -> bool:
    """Verbs with one form for both, which are told of what is done: "I quit in January"."""
    return finite.lower_ in {"quit", "hurt", "hit", "cut", "put", "shut", "split"} and finite.tag_ == "VBP"


def _lasts(participle: Token) -> bool:
    """Whether a participle alone tells what still is: "based in Turku", "a mill owned by Rask"."""
    return participle.dep_ in {"acl", "advcl", "prep"} and participle.lemma_.lower() in _LASTING


def _particle(head: Token) -> str:
    for child in head.children:
        if child.dep_ == "prt" or (
            child.dep_ == "advmod" and child.lower_ in _PARTICLES and child.i == head.i + 1
        ):
            return child.lower_
        if child.dep_ == "prep" and child.i == head.i + 1 and not list(child.children):
            return child.lower_
    return ""


def _with_shared(head: Token) -> list[Token]:
    """Children of a verb; a coordinated one without subject shares the first one's auxiliaries."""
    own = list(head.children)
    if (
        head.dep_ != "conj"
        or head.head.pos_ not in {"VERB", "AUX"}
        or any(c.dep_ in _SUBJECTS for c in own)
    ):
        return own
    if (
        head.tag_ in {"VBN", "VB", "VBG"}
        and head.head.tag_ == head.tag_
        and not any(c.dep_ == "aux" for c in own)
    ) or _is_done_too(head):
        shared = [c for c in _with_shared(head.head) if c.dep_ in {"aux", "auxpass", "nsubjpass"}]
        return [*shared, *own]
    return own


def _is_done_too(head: Token) -> bool:
    """Whether the parser took a joined participle for a past tense: "is insured and kept in a vault"."""
    first = head.head
    passive = first.tag_ == "VBN" and any(c.dep_ == "auxpass" for c in first.children)
    bare = not any(c.dep_ in {"dobj", "aux", "ccomp", "xcomp", "prt"} for c in head.children)
    return head.tag_ == "VBD" and passive and bare


def subjects_of(head: Token) -> list[Token]:
    """The nouns that a verb has as its own subjects: not what announces an order, "For Ada: call them"."""
    helpers = [c for c in head.children if c.dep_ in {"aux", "auxpass"}]
    found = [child for child in head.children if child.dep_ in _SUBJECTS]
    found = found or [c for helper in helpers for c in helper.children if c.dep_ in _SUBJECTS]
    if head.tag_ not in {"VB", "VBP"} or helpers:
        return found
    return [c for c in found if not any(token.text == ":" for token in head.doc[c.i : head.i])]


def _subjects(head: Token) -> Iterator[Token]:
    own = subjects_of(head)
    if own:
        yield from _own_subjects(head, own)
    elif head.dep_ in {"conj", "xcomp"} and head.head.pos_ in {"VERB", "AUX"}:
        yield from _subjects(head.head)
    elif (first := _goes_on_from(head)) is not None:
        yield from _subjects(first)
    elif head.tag_ in {"VBZ", "VBD"} and (name := _named_before(head)) is not None:
        yield name
    elif head.tag_ in {"VBZ", "VBD"} and (spliced := _spliced(head)) is not None:
        yield from _subjects(spliced)
    elif head.dep_ == "relcl":
        yield from _told_of(head)
    elif head.dep_ == "acl" and head.head.pos_ in {"NOUN", "PROPN"} and head.tag_ in {"VBN", "VBG", "VBD"}:
        yield head.head
    elif (
        head.dep_ in {"advcl", "prep"} and head.tag_ in {"VBG", "VBN"} and head.head.pos_ in {"VERB", "AUX"}
    ):
        yield from _subjects(head.head)


def _goes_on_from(head: Token) -> Token | None:
    """The verb before an object that the parser joins a second verb to: "has a mill and sells flour"."""
    noun = head.head
    held = noun.pos_ in {"NOUN", "PROPN"} and noun.i < head.i
    if head.dep_ != "conj" or not held or head.tag_ not in {"VBZ", "VBD"}:
        return None
    first = noun.head if noun.dep_ in {"dobj", "attr"} else noun.head.head if noun.dep_ == "pobj" else head
    return first if first.pos_ in {"VERB", "AUX"} and first.tag_ == head.tag_ and first != head else None


def _named_before(head: Token) -> Token | None:
    """A name that the parser took for a part of the verb: "Trelisk Brewing rents storage"."""
    before = next((c for c in head.lefts if c.i == head.i - 1), None)
    return before if before is not None and before.dep_ == "compound" and is_proper(before) else None


def _own_subjects(head: Token, own: list[Token]) -> Iterator[Token]:
    if len(own) > 1 and own[1].text == CODE and own[1].i == own[0].i + 1:  # "your order 20-771 was shipped"
        own = own[1:]
    if (first := _before_i(own[0])) is not None:
        yield first
    several = any(c.dep_ == "cc" for c in own[0].children)  # "neither the cellar nor the attic is"
    for subject in own if several else own[:1]:
        if subject.lower_ in _RELATIVES and head.dep_ == "relcl":
            yield from _told_of(head)
        else:
            yield from expanded(subject)


def _before_i(subject: Token) -> Token | None:
    """Whom the parser leaves apart from the subject: "Ada and I share a flat"."""
    at = subject.i
    if subject.lower_ != "i" or at < 2 or subject.nbor(-1).lower_ != "and":  # noqa: PLR2004 (two before)
        return None
    other = subject.nbor(-2)
    apart = other.pos_ in {"NOUN", "PROPN"} and other.dep_ in {"npadvmod", "ROOT", "dep", "nmod"}
    return other if apart and other.left_edge.i == other.sent.start else None


def _told_of(relative: Token) -> Iterator[Token]:
    """Whom a relative clause is about: not who is joined on after it, "Tove, who edits it, and Ib"."""
    held = relative.head
    if held.dep_ in {"appos", "conj"} and any(c.dep_ == "neg" and c.i < held.i for c in held.head.children):
        held = held.head  # "it was Hedda, not Ingrid, who won"
        return iter((held,))
    told = [noun for noun in expanded(held) if noun.i < relative.i]
    named_each = len(told) > 1 and held.tag_ == "NNS" and all(is_proper(noun) for noun in told[1:])
    if named_each and not is_proper(held) and held.nbor(1).text == ",":  # "two sons, Bo and Per, who"
        told = told[1:]
    return iter(told)


def _spliced(head: Token) -> Token | None:
    """The clause before the comma, whose subject goes on: "she left Osprey, is now with Larch"."""
    before = [c for c in head.children if c.dep_ == "ccomp" and c.i < head.i]
    return before[0] if before and any(c.dep_ in _SUBJECTS for c in before[0].children) else None


def is_at_odds(clause: Clause) -> bool:
    """Whether the verb has the form for several and the subject is one: the parse is wrong.

    "Old bike, 60 euros, pick up in Lund."
    """
    head = clause.head
    if head.tag_ not in {"VBP", "VB"} or clause.auxiliaries or head.lower_ in _SAME_IN_THE_PAST:
        return False
    own = [c for c in head.children if c.dep_ == "nsubj"]
    if len(own) != 1 or own[0].tag_ not in {"NN", "NNP"} or own[0].lower_ in _SEVERAL:
        return False
    joined = any(c.dep_ in {"conj", "cc"} or (c.dep_ == "appos" and is_proper(c)) for c in own[0].subtree)
    partly = any(c.dep_ in {"nummod", "quantmod"} or c.lower_ == "of" for c in own[0].children)
    return not joined and not partly and own[0].i < head.i


def joined_to(head: Token) -> Token:
    """The verb that a coordinated one goes on from.

    A finite verb does not go on from an infinitive: "intends to retire and wants to move".
    """
    first = head.head
    while head.tag_ in {"VBZ", "VBD"} and first.tag_ == "VB" and first.dep_ == "xcomp":
        first = first.head
    return first


def _objects(head: Token) -> Iterator[Complement]:
    for child in head.children:
        plain = child.dep_ in _OBJECTS and child.pos_ != "ADV" and child.lower_ not in _RELATIVES
        if plain or _adds_an_object(head, child):
            yield from _with_conjuncts(child, "")
    if (lost := _given_to_the_next(head)) is not None:
        yield Complement(token=lost)
    if _lacks_its_object(head):
        yield from _with_conjuncts(head.head, "")


def _given_to_the_next(head: Token) -> Token | None:
    """The object that the parser joins to what follows: "collects coins and her kitchen is closed"."""
    content = next((c for c in head.children if c.dep_ == "ccomp" and c.i > head.i), None)
    if content is None or any(c.dep_ in _OBJECTS for c in head.children):
        return None
    if any(c.dep_ == "mark" for c in content.children):
        return None
    told = clause_of(content)
    own = subjects_of(content)
    first = own[0] if own else None
    if first is None or first.i != head.i + 1 or first in told.subjects or first.pos_ == "PRON":
        return None
    return first


def _adds_an_object(head: Token, noun: Token) -> bool:
    """Whether a noun joined to the verb is one more object: "eats fish but no meat"."""
    before = any(c.dep_ == "dobj" and c.i < noun.i for c in head.children)
    joined = noun.dep_ == "conj" and noun.pos_ == "NOUN"
    return (
        joined
        and before
        and not any(c.dep_ in _SUBJECTS or c.pos_ in {"VERB", "AUX"} for c in noun.children)
    )


def _lacks_its_object(head: Token) -> bool:
    """Whether the noun that a relative clause describes is its object: "the headset I bought"."""
    if head.dep_ != "relcl" or head.head.pos_ not in {"NOUN", "PROPN"}:
        return False
    own = [child for child in head.children if child.dep_ in _SUBJECTS]
    if not own or own[0].dep_ == "nsubjpass" or any(t.lower_ in _RELATIVES for t in own[0].subtree):
        return False
    pronoun = [child for child in head.children if child.dep_ in _OBJECTS]
    if pronoun:
        return all(child.lower_ in _RELATIVES - {"whose"} for child in pronoun)
    if head.head.lemma_.lower() in TIME_UNITS:  # "the week the plant opened"
        return False
    filled = {"ccomp", "xcomp", "acomp", "attr", "dative"}
    asked = {"where", "when", "why", "how", "whose"}
    return head.lemma_ != "be" and not any(
        child.dep_ in filled or child.lower_ in asked or (child.dep_ == "prep" and not list(child.children))
        for child in head.children
    )


def _with_conjuncts(token: Token, preposition: str) -> Iterator[Complement]:
    negated = any(child.lower_ == "neither" for child in token.lefts)
    for item in expanded(token):
        if item.tag_ == "IN" or (item is not token and _does_something_else(token, item)):
            continue
        negated = negated or any(
            child.dep_ == "neg" and child.lower_ in {"not", "n't", "never"} and child.i < item.i
            for child in item.children
        )
        yield Complement(token=item, preposition=preposition, negated=negated)


def _does_something_else(first: Token, item: Token) -> bool:
    """Whether somebody joined to a thing does another: "teaches maths and her sister Pilar physics"."""
    lefts = list(item.lefts)
    if any(is_proper(a) and b.dep_ in {"det", "nummod"} for a, b in pairwise(lefts)):
        return True  # "Rosa has two brothers and Timo one sister"
    person = item.lower_ in PEOPLE and any(c.dep_ == "poss" for c in item.lefts)
    return person and first.dep_ == "dobj" and first.lower_ not in PEOPLE and not is_proper(first)


def _prepositions(head: Token) -> Iterator[Complement]:
    shared = next((c for c in head.children if c.dep_ == "conj" and c.i - head.i == 2), None)  # noqa: PLR2004
    bare = not any(
        c.dep_ in {"prep", "dobj", "agent", "acomp", "attr", "xcomp", "ccomp"} for c in head.children
    )
    if shared is not None and bare and shared.pos_ == "VERB":
        yield from _prepositions(shared)
    if head.dep_ == "relcl" and any(c.lower_ == "where" for c in head.children) and is_noun(head.head):
        yield Complement(token=head.head, preposition="in" if head.lemma_ in _DWELLING else "at")
    for child in head.children:
        if child.lower_ == "as" and child.i == head.sent.start:  # "As a nurse I see a lot"
            continue
        dative = child.dep_ == "dative" and child.pos_ == "ADP"
        if (dative or child.dep_ in {"prep", "agent"}) and child.lower_ not in _CONNECTING:
            yield from _under(child)
        elif child.dep_ in {"dobj", "acomp", "attr", "prt"}:
            way = {"from", "to"} if _is_a_way(head, child) else set()
            way |= _of_the_object(head, child)
            yield from _nested(child, {"of", "than", "in", "near"} | way)
        elif child.dep_ == "advmod" and child.lower_ in _DIRECTIONS:
            yield from _nested(child, set())


def _nested(word: Token, apart: set[str]) -> Iterator[Complement]:
    """What prepositions under a word bring, but for those `apart`."""
    for nested in word.children:
        if nested.dep_ == "prep" and nested.lower_ not in apart:
            yield from _under(nested)


def _of_the_object(head: Token, noun: Token) -> set[str]:
    """Prepositions that only tell which one is meant: "rejected the offer from Rask"."""
    if noun.dep_ != "dobj":
        return set()
    lemma = head.lemma_.lower()
    own = set() if lemma in OBTAINING or lemma in CHANGING else {"from"}
    bought = lemma in PAYING | STATES | EXCHANGING or noun.lemma_.lower() in POSTS
    return own | (set() if bought else {"for"})


def _is_a_way(head: Token, noun: Token) -> bool:
    """Whether "from" and "to" belong to the object: "launches flights from Cork to Bilbao"."""
    ways = {c.lower_ for c in noun.children if c.dep_ == "prep"}
    ways |= {n.lower_ for c in noun.children if c.dep_ == "prep" for n in c.children if n.dep_ == "prep"}
    return {"from", "to"} <= ways and head.lemma_.lower() not in CHANGING


def _under(preposition: Token) -> Iterator[Complement]:
    if preposition.lower_ == "than":  # "rather in Ghent than in Bruges"
        return
    if preposition.i > 0 and preposition.nbor(-1).lower_ in _CONNECTING:  # "instead of Trello"
        return
    for child in preposition.children:
        if child.dep_ in {"pobj", "pcomp"} and (
            child.pos_ not in {"VERB", "AUX", "SCONJ"} or is_proper(child)
        ):
            denied = preposition.i > 0 and preposition.nbor(-1).lower_ == "not"
            for held in _with_conjuncts(child, preposition.lower_):
                yield replace(held, negated=held.negated or denied)
            if preposition.lower_ == "as":
                yield from (
                    c for c in _nested(child, set()) if c.preposition in {"at", "for", "with", "in"}
                )
        elif child.tag_ == "JJ" and child.dep_ == "amod":  # "from annual to monthly payments"
            yield from _nested(child, set())
        elif child.dep_ == "conj" and child.tag_ == preposition.tag_ and child.pos_ == "ADP":
            yield from _under(child)
        elif child.dep_ == "prep" or (child.dep_ == "conj" and child.tag_ == "IN"):
            yield from (_joined(preposition, held) for held in _under(child))


def _joined(first: Token, held: Complement) -> Complement:
    """Of "out of" and "off of" the two words; else the second one alone."""
    if (first.lower_, held.preposition) not in _PAIRED:
        return held
    return replace(held, preposition=f"{first.lower_}_{held.preposition}")


def is_negated(head: Token) -> bool:
    """Whether the verb itself is negated: not, n't, never."""
    return any(
        child.dep_ == "neg" and child.lower_ in {"not", "n't", "never", "\u2019t"}
        for child in head.children
    )


def is_over(head: Token) -> bool:
    """Whether it is told as past and gone: "no longer", "not ... any more"."""
    words = [child for child in head.subtree if head in {child.head, child.head.head}]
    texts = {word.lower_ for word in words}
    longer = any(w.lower_ == "longer" and any(c.lower_ == "no" for c in w.children) for w in words)
    return longer or (is_negated(head) and bool({"anymore", "longer"} & texts or {"any", "more"} <= texts))
