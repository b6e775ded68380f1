"""Whether what a clause says is asserted, denied or neither: questions, wishes, conditions, orders, irony.

When in doubt a clause is neither: silence costs a fact, a wrong fact costs trust.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from memstrata.extraction.offline.grammar import is_negated, joined_to, subjects_of
from memstrata.extraction.offline.words import (
    CARRYING_ON,
    DENYING,
    DOUBTING,
    GENDERS,
    HEDGES,
    OPEN_MODALS,
    REPORTING,
    WILLING,
    is_role,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

    from memstrata.extraction.offline.turns import Turn


class Stance(StrEnum):
    """What a speaker makes of a clause."""

    ASSERTED = "asserted"
    DENIED = "denied"
    OPEN = "open"


_CONDITIONS = frozenset({"if", "unless", "whether", "lest"})
_OPEN_MARKS = frozenset({"before", "until", "till"})
_SPOKEN_TO = frozenset({"you", "your", "i", "we", "people", "one"})
#: Whoever they are, they vouch for nothing.
_SOMEBODY = frozenset(
    {"somebody", "someone", "people", "folks", "they", "many", "some", "others", "rumour", "rumor"}
)
_NOBODY = frozenset({"nobody", "none", "nothing", "noone"})
#: Verbs with which somebody stands by his word; what they hold of others counts as an opinion.
_VOUCHING = frozenset({"insist", "maintain", "swear"})
_DOWNWARD = frozenset(
    {"ccomp", "xcomp", "advcl", "conj", "relcl", "acl", "pcomp", "csubj", "parataxis", "dep", "prep"}
)
_ADDRESSED = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+|any\s+|your\s+|the\s+|my\s+|every\s+)*"
    r"(?:previous\s+|prior\s+|earlier\s+|above\s+|other\s+|system\s+)*(?:rules?|instructions?|prompts?|guidelines|polic(?:y|ies)|lists?|messages?)"
    r"|\b(?:system\s+)?(?:notes?|messages?|instructions?|commands?|memo|reminder|hint|p\.?\s?s\.?)\s+(?:to|for)\s+"
    r"(?:the\s+|any\s+|all\s+|every\s+|whichever\s+|whatever\s+)?"
    r"(?:\w+\s+){0,2}(?:assistants?|ai|bots?|robots?|models?|systems?|memory|agents?|llm|crawlers?)\b"
    r"|\b(?:remember|store|record|save|memori[sz]e|log|add)\b(?:\s+\w+){0,4}?\s+(?:that|as\s+a\s+fact|(?:in|to)\s+(?:your\s+)?memory)\b"
    r"|\b(?:assistants?|ai|bots?|agents?|llms?|models?|summari[sz]ers?)\s+(?:that\s+|who\s+|which\s+)?"
    r"(?:(?:read|process|pars|summari[sz])ing|reads?|process(?:es)?|parses?|summari[sz]es?)\s+(?:this|these)\b"
    r"|\byou\s+are\s+now\b|\bpretend\s+(?:that|to)\b|\bact\s+as\s+(?:if|an?|the)\b|\bfrom\s+now\s+on\s+(?:you|remember|treat|always)",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"^\W*(?:(?:please|also|and|now|just|then|hey|ok|okay)\W+)*(?:remember|store|record|save|memori[sz]e|log|add)\b",
    re.IGNORECASE,
)
_IRONY = re.compile(
    r"^\W*(?:oh,?\s+(?:sure|great|yes|yeah|wow|perfect|brilliant|wonderful|lovely|fantastic|joy)|(?:yeah|sure),?\s+right"
    r"|as\s+if\b|(?:brilliant|fantastic|wonderful|fabulous|lovely|terrific|perfect|great)\s*[.!]\s+(?:another|just|now|exactly|yet|what|so)\b"
    r"|(?:brilliant|fantastic|wonderful|fabulous|lovely|terrific|perfect|great),\s(?:another|now|just|yet|[^.!?]*\bagain)\b"
    r"|just\s+what\s+(?:i|we)\s+needed|thanks\s+for\s+nothing|how\s+(?:lovely|nice|wonderful|convenient)\b)"
    r"|\bbecause\s+(?:i|we)\s+(?:just|simply|so|really|absolutely)\s+(?:love|adore|enjoy)\b|\bof\s+course\s+[\"“]",
    re.IGNORECASE,
)
_FOREIGN_TEXT = re.compile(
    r"\b(?:translat\w+|proof-?read\w*|rephras\w+|paraphras\w+|rewrit\w+|correct|spell-?check|summari[sz]e|edit|polish|check"
    r"\s+(?:the\s+)?(?:grammar|spelling)|say\s+in|how\s+do\s+you\s+say|pronounce|parse)\b",
    re.IGNORECASE,
)
_SUPPOSING = re.compile(
    r"^\W*(?:suppose|supposing|imagine|assume|assuming|what\s+if|let'?s\s+(?:say|assume|suppose|pretend|imagine)|say\s+(?:that\s+)?"
    r"|hypothetically|in\s+case|in\s+theory|if\s+only|i\s+wish|if)\b",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b(?:you\s+know\s+what\s+they\s+say|as\s+they\s+say|as\s+the\s+saying\s+goes)\b|^\W*(?:rumou?rs?\s+(?:has|have|is|are)|word\s+(?:is|has)|they\s+say|people\s+say|apparently|allegedly|supposedly)\b"
    r"|\b(?:(?:no\s+idea|not\s+sure)\s+(?:if|whether)\s+(?:that|it|this|they|he|she)|don['\u2019]?t\s+quote\s+me"
    r"|grain\s+of\s+salt|unconfirmed|(?:can['\u2019]?t|cannot)\s+confirm|just\s+a\s+rumou?r)\b",
    re.IGNORECASE,
)
_INVENTED = re.compile(
    r"\b(?:write|compose|invent|draft|make\s+up|create|generate|continue|outline|tell)\s+(?:me\s+|us\s+)?(?:an?|the|some|another|this|my)\s+"
    r"(?:[\w-]+\s+){0,3}(?:scene|story|stories|poem|song|lyrics|novel|tale|limerick|script|haiku|joke|dialogue|character|chapter"
    r"|riddle|rap|screenplay|plot|sonnet|fable|sketch|slogan|tagline)\b"
    r"|\bhere(?:['\u2019]s|\s+is|\s+are)\s+(?:your|an?|the|my)\s+(?:[\w-]+\s+){0,3}(?:scene|story|stories|poem|song|tale|script|joke"
    r"|chapter|dialogue)\b"
    r"|\b(?:role-?play|let['\u2019]?s\s+play|play\s+the\s+(?:role|part)\s+of)\b",
    re.IGNORECASE,
)
_IN_FICTION = re.compile(
    r"^\W*(?:so\s+|and\s+)?in\s+(?:my|the|his|her|this|that|a|our)\s+(?:\w+\s+){0,2}?(?:novel|story|book|film|movie|series|show|game|play|dream"
    r"|script|episode|sequel|sitcom|musical|comic)\b"
    r"|\b(?:protagonist|main\s+character|my\s+character|villain|heroine|antagonist)\b",
    re.IGNORECASE,
)
_JOKING = re.compile(
    r"\b(?:just\s+kidding|jk|j/k|only\s+joking|just\s+joking|i['\u2019]?m\s+(?:only\s+|just\s+)?(?:kidding|joking))\b",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:ideas?|brainstorm\w*|nothing\s+decided|undecided|options?|proposals?|suggestions?|wish\s*list|maybes?|open\s+questions?"
    r"|someday|to\s+consider|candidates)\b",
    re.IGNORECASE,
)
_TASKS = re.compile(
    r"^\W*(?:to-?\s?dos?|agenda|reminders?|shopping(?:\s+list)?|checklist|wish\s*list)\b", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“][^\"“”]{3,}[\"”]|(?<!\w)'[^'\n]{12,}'(?!\w)")


def is_ironic(text: str) -> bool:
    """Whether a turn is plainly not meant as it says."""
    return _IRONY.search(text) is not None or _JOKING.search(text) is not None


def asks_for_fiction(text: str) -> bool:
    """Whether a turn orders a story, a poem, a part to be played: what it and the reply say is invented."""
    return _INVENTED.search(text) is not None


def addresses_the_memory(text: str) -> bool:
    """Whether a text gives orders to whoever keeps the memory instead of telling something."""
    return _ADDRESSED.search(text) is not None or _ORDERED.search(text) is not None


def is_undecided(heading: str) -> bool:
    """Whether a list's heading says that its items are ideas or tasks, not facts."""
    return bool(heading) and (_UNDECIDED.search(heading) is not None or _TASKS.search(heading) is not None)


def quoted_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where other people's words stand: in quotation marks, or after an order to translate a text."""
    spans = [match.span() for match in _QUOTED.finditer(text)]
    order = _FOREIGN_TEXT.search(text)
    colon = text.find(":", order.end()) if order else -1
    if order and colon >= 0:
        spans.append((colon, len(text)))
    return tuple(spans)


def is_question(sentence: Span) -> bool:
    """Whether a sentence asks."""
    return sentence.text.rstrip().rstrip("\"'”\u2019)").endswith("?")


def is_hearsay(text: str) -> bool:
    """Whether a sentence hands on a rumour."""
    return _HEARSAY.search(text) is not None


def is_supposed(sentence: Span) -> bool:
    """Whether a sentence only supposes what it says, or tells what happens in a story."""
    return _SUPPOSING.search(sentence.text) is not None or _IN_FICTION.search(sentence.text) is not None


def is_order(head: Token) -> bool:
    """Whether a verb is an imperative: the base form without a subject."""
    if head.tag_ not in {"VB", "VBP"} or subjects_of(head):
        return False
    if any(c.dep_ in {"expl", "csubj"} for c in head.children):
        return False
    if any(c.dep_ == "aux" and c.lower_ not in {"do", "n't"} for c in head.children):
        return False
    return head.dep_ in {"ROOT", "conj", "ccomp", "parataxis", "dep", "advcl"} and _leads(head)


def _leads(head: Token) -> bool:
    if head.dep_ == "conj" and head.head.pos_ in {"VERB", "AUX"}:
        return is_order(head.head)
    return not any(c.dep_ == "mark" for c in head.children)


def stance_of(head: Token, turn: Turn) -> Stance:
    """What the speaker makes of the clause of `head`: its own words, and those it hangs on."""
    stance = _own(head, turn)
    token = head
    while stance is not Stance.OPEN and token.dep_ in _DOWNWARD and token.head != token:
        above = joined_to(token) if token.dep_ == "conj" else token.head
        stance = _under(token, above, stance)
        beside = token.dep_ == "conj" and any(c.dep_ in {"nsubj", "nsubjpass"} for c in token.children)
        token = above
        if beside and _has_open_modal(token):  # "I'd rather walk, and I enjoy it": its own clause
            continue
        if (
            token.pos_ in {"VERB", "AUX"}
            and token.dep_ != "conj"
            and _is_open(token, turn)
            and token is not head
        ):
            governs = head.dep_ in {"relcl", "acl"} or (token.head == token and _only_because(head, token))
            stance = stance if governs else Stance.OPEN
    return stance


def _only_because(head: Token, top: Token) -> bool:
    """Whether `head` gives a reason or a time beside `top`, and so stands by itself."""
    return (
        head.dep_ == "advcl"
        and head.head == top
        and any(c.lower_ in {"because", "since", "although"} for c in head.children)
    )


def _own(head: Token, turn: Turn) -> Stance:
    if _is_open(head, turn) or is_order(head) or _is_apart(head) or _is_conditional(head):
        return Stance.OPEN
    subjects = [c for c in head.children if c.dep_ in {"nsubj", "nsubjpass"}]
    if any(s.lower_ in _NOBODY or s.text.casefold() == "no" for s in subjects):
        return Stance.OPEN
    if any(_is_neither(s) for s in subjects):
        return Stance.DENIED
    if not is_negated(head):
        return Stance.ASSERTED
    return Stance.OPEN if _denies_the_reason(head) else Stance.DENIED


def _is_apart(head: Token) -> bool:
    """Whether it is asked for, told of a mere case, or of whom it is not so."""
    if head.dep_ in {"acl", "relcl"} and head.head.lower_ == "case":  # "in case she calls"
        return True
    return any(child.lower_ == "please" for child in head.children) or _is_denied_of_whom(head)


def _is_conditional(head: Token) -> bool:
    """Whether a condition, or a time that has not come, stands before it."""
    marks = {child.lower_ for child in head.children if child.dep_ in {"mark", "advmod"}}
    pending = marks & _OPEN_MARKS and head.tag_ != "VBD"  # "until he retired" tells that he did
    awaited = marks & {"when", "once", "whenever"} and head.dep_ == "advcl"
    return bool(marks & _CONDITIONS or pending or (awaited and head.tag_ in {"VBP", "VBZ", "VB"}))


def _is_denied_of_whom(head: Token) -> bool:
    """Whether it is said of whom it is not so: "it's not Petter who handles returns"."""
    link = head.head.head
    pointed = any(c.dep_ == "nsubj" and c.lower_ in {"it", "that"} for c in link.children)
    return (
        head.dep_ == "relcl"
        and head.head.dep_ == "attr"
        and link.lemma_ == "be"
        and pointed
        and is_negated(link)
    )


def _denies_the_reason(head: Token) -> bool:
    """Whether "not" may be said of the reason alone: "they didn't reject it because it was dear"."""
    reasons = [
        c for c in head.children if c.dep_ == "advcl" and any(m.lower_ == "because" for m in c.children)
    ]
    return any(c.i > head.i and c.left_edge.nbor(-1).text != "," for c in reasons)


def _is_neither(subject: Token) -> bool:
    return any(c.lower_ == "neither" or (c.dep_ == "det" and c.lower_ == "no") for c in subject.children)


def _is_open(head: Token, turn: Turn) -> bool:
    """Whether the verb's own helpers leave its truth open."""
    if _has_open_modal(head):
        return True
    if any(c.lower_ in HEDGES for c in head.children if c.dep_ in {"advmod", "amod", "prep"}):
        return True
    conditional = any(
        c.dep_ == "advcl"
        and any(m.lower_ in _CONDITIONS for m in c.children if m.dep_ in {"mark", "advmod"})
        for c in head.children
    )
    if conditional:
        return True
    if not turn.by_assistant:
        return False
    subjects = [c for c in head.children if c.dep_ in {"nsubj", "nsubjpass"}]
    return any(token.lower_ in _SPOKEN_TO for subject in subjects for token in subject.subtree)


def _has_open_modal(head: Token) -> bool:
    return any(c.lower_ in OPEN_MODALS and not _is_had(c) for c in head.children if c.dep_ == "aux")


def _is_had(aux: Token) -> bool:
    return aux.lower_ == "'d" and aux.lemma_ == "have"


def _under(token: Token, governor: Token, stance: Stance) -> Stance:
    """The stance that remains when the clause of `token` hangs on `governor`."""
    if token.dep_ not in {"ccomp", "xcomp", "pcomp", "csubj"} or governor.pos_ not in {
        "VERB",
        "AUX",
        "ADJ",
        "NOUN",
    }:
        return stance
    lemma = governor.lemma_.lower()
    truth = _truth_of(governor) if lemma == "be" and token.i > governor.i else None
    if truth is False and stance is Stance.ASSERTED:
        return Stance.DENIED
    if lemma in DENYING:
        return Stance.DENIED if stance is Stance.ASSERTED else Stance.OPEN
    if token.dep_ == "ccomp" and _follows(token, governor) and _leaves_open(token, governor):
        return Stance.OPEN
    if token.dep_ == "xcomp" and lemma in (WILLING | DOUBTING) - CARRYING_ON:
        return Stance.OPEN
    return stance


def _truth_of(governor: Token) -> bool | None:
    """Of "it isn't true that ..." that it is not; None where nothing is said of truth."""
    said = {c.lower_ for c in governor.children if c.dep_ == "acomp"}
    if not said & {"true", "correct", "false", "untrue"} or _has_open_modal(governor):
        return None
    return bool(said & {"true", "correct"}) is not is_negated(governor)


def _leaves_open(token: Token, governor: Token) -> bool:
    """Whether a verb leaves open whether its content is so: doubts, wishes, what nobody said."""
    lemma = governor.lemma_.lower()
    if lemma in REPORTING:
        ordered = is_order(governor) and lemma != "note"
        return is_negated(governor) or ordered or _own_subject_is_nobody(governor)
    if lemma == "be" and is_negated(governor) and token.i > governor.i:  # "it's not that I dislike it"
        return True
    if lemma in _VOUCHING and _denies_of_himself(token, governor):
        return False
    return lemma in DOUBTING | WILLING or (lemma in {"be", "let", "make"} and governor.lower_ == "let")


def _denies_of_himself(token: Token, governor: Token) -> bool:
    """Whether somebody vouches for not having done it: "Ada insists that she never signed"."""
    tellers, deniers = subjects_of(governor), subjects_of(token)
    if not is_negated(token) or len(tellers) != 1 or len(deniers) != 1 or is_negated(governor):
        return False
    teller, who = tellers[0], deniers[0].lower_
    gender = GENDERS.get(teller.lower_)
    role = gender is None and teller.tag_ == "NN" and is_role(teller.lower_)
    named = (teller.pos_ == "PROPN" or role) and who in {"he", "she"}
    told = gender is not None and who == {"m": "he", "f": "she"}[gender]
    return named or told or (who == teller.lower_ and who in {"i", "we", "he", "she"})


def _follows(token: Token, governor: Token) -> bool:
    """Whether the content clause comes after its verb; before it the parser often means two sentences."""
    if token.i > governor.i:
        return True
    spliced = any(c.dep_ == "dobj" and c.lower_ not in {"it", "that", "so"} for c in governor.children)
    return governor.lemma_.lower() in REPORTING | DOUBTING and not is_order(governor) and not spliced


def _own_subject_is_nobody(governor: Token) -> bool:
    if governor.dep_ == "xcomp" and governor.head.lemma_.lower() in CARRYING_ON:  # "people keep saying"
        return _own_subject_is_nobody(governor.head)
    subjects = [c for c in governor.children if c.dep_ in {"nsubj", "nsubjpass"}]
    return any(
        s.lower_ in _NOBODY | _SOMEBODY or (s.lower_ == "one" and any(c.lower_ == "no" for c in s.children))
        for s in subjects
    )
