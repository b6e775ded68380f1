"""What nouns tell by standing together: "my sister Noor", "Halvard Brandt, the mayor of Eskelund"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.copulas import noun_facts, snake
from memstrata.extraction.offline.naming import (
    descriptor,
    masked,
    named,
    phrase,
    possessor,
    without_genitive,
    written,
)
from memstrata.extraction.offline.nouns import expanded, is_proper
from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.words import RELATIONS, is_role
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Span, Token

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.scene import Scene
    from memstrata.extraction.offline.told import Told

_HOLDS = When(kind=Kind.HOLDS)
#: How many digits an age has: fewer count something, more are a year.
_DIGITS = 2
_CALL_ME = re.compile(r"(?<!n[o']t )\b(?i:call\s+me)\s+(?P<name>[A-ZÀ-ÖØ-Þ][\w'\u2019-]+)")


def nominal_facts(scene: Scene, sentence: Span) -> Iterator[Candidate]:
    """The candidates that the nouns of a sentence give, whatever its verbs say."""
    for token in sentence:
        if token.pos_ not in {"NOUN", "PROPN"} or scene.is_date(token):
            continue
        yield from _relation(scene, sentence, token)
        yield from _apposition(scene, sentence, token)
        yield from _office(scene, sentence, token)
    yield from _preferred_name(scene, sentence)


def _relation(scene: Scene, sentence: Span, token: Token) -> Iterator[Candidate]:
    """My sister Noor; Bettina's dog, Pretzel; my neighbour Ansel."""
    name_token = named(token)
    relation = token if name_token is not token else _descriptor_of_a_name(token)
    if relation is None:
        return
    owner = possessor(token) or possessor(relation)
    if (
        owner is not None and relation is not token and owner.i == relation.i + 1
    ):  # "my colleague Yun's proposal"
        token, owner = owner, possessor(relation)
    whose = scene.name(owner) if owner is not None else None
    if owner is None or whose is None:
        return
    words, names = written(relation.doc, relation.i, relation.i), [token]
    if relation is token:
        words = without_genitive(written(token.doc, owner.right_edge.i + 1, token.i))
        if token.tag_ == "NNS" and words.endswith(token.text):  # "my cousins, Ines and Ulla": each is one
            words = words.removesuffix(token.text) + token.lemma_
        names = [child for child in expanded(name_token) if is_proper(child)]
    for item in names:
        target = scene.name(item, following=False)
        if target is not None:
            if relation is token and len(names) == 1 and token.lower_ in RELATIONS:
                scene.learn(token, target)
            when_ = When(kind=Kind.ENDED) if _is_former(relation) or _is_former(token) else _HOLDS
            yield scene.candidate(sentence, (whose, snake(words), target), when=when_, confidence=0.85)


def _is_former(noun: Token) -> bool:
    """Whether somebody no longer is it: "Klara's former boss Rainer"."""
    return any(c.lower_ in {"former", "previous", "erstwhile"} for c in noun.lefts)


def _apart_from_its_name(name: Token) -> Token | None:
    """The relation that the parser gives to the verb instead: "my niece Ada studies law"."""
    if name.dep_ not in {"nsubj", "nsubjpass"} or name.i == name.sent.start or not is_proper(name):
        return None
    before = name.doc[name.left_edge.i - 1]
    apart = before.dep_ == "npadvmod" and before.head == name.head and before.lower_ in RELATIONS
    return before if apart and name.left_edge.i > name.sent.start else None


def _descriptor_of_a_name(token: Token) -> Token | None:
    """The relation before a name: "my sister Noor", "my colleague Yun's proposal"; not "mother tongue"."""
    relation, owner = descriptor(token) or _apart_from_its_name(token), possessor(token)
    beside = relation is not None and owner is not None and is_proper(owner) and owner.i == relation.i + 1
    return relation if is_proper(token) or beside else None


def _apposition(scene: Scene, sentence: Span, token: Token) -> Iterator[Candidate]:
    """A name, then what it is: "X, the mayor of Y"."""
    if not is_proper(token):
        return
    for child in token.children:
        if child.i + 1 < len(child.doc) and child.nbor(1).text == ":":  # "ZX-81, carrier: Postex"
            continue
        if child.dep_ == "appos" and child.tag_ == "CD" and _is_an_age(child):
            subject = scene.name(token)
            if isinstance(subject, Name):
                yield scene.candidate(sentence, (subject, "age", child.text), when=_HOLDS)
        if child.dep_ == "appos" and child.pos_ == "NOUN" and not is_proper(child) and child.i > token.i:
            if not is_role(child.lower_) and child.lower_ not in RELATIONS:
                continue
            subject = scene.name(token)
            if isinstance(subject, Name):
                yield from noun_facts(scene, sentence, subject, child, when_=_HOLDS)


def _is_an_age(number: Token) -> bool:
    """Whether a number stands between commas after a name: "Kirsten Dahl, 54, coaches"."""
    beside = [number.nbor(step).text for step in (-1, 1) if 0 <= number.i + step < len(number.doc)]
    years = number.text.isdigit() and len(number.text) == _DIGITS
    return years and beside[:1] == [","] and beside[1:] in ([","], ["."])


def _office(scene: Scene, sentence: Span, token: Token) -> Iterator[Candidate]:
    """The CFO of Marlow Group, Beatrix Lund; Ingeborg Salas (Torrance & Vale)."""
    name_token = named(token)
    if name_token is not token and is_role(token.lower_) and possessor(token) is None:
        subject = scene.name(name_token)
        if subject is not None and any(c.dep_ == "prep" for c in token.children):
            yield from noun_facts(scene, sentence, subject, token, when_=_HOLDS)
    if token.dep_ == "appos" and is_proper(token) and is_proper(token.head):
        opened = token.left_edge.i > 0 and token.left_edge.nbor(-1).text == "("
        subject, target = scene.name(token.head), scene.name(token)
        opened = opened and not any(char.isdigit() for char in written(token.doc, token.i, token.i))
        several = token.head.i - phrase(token.head).first >= 1 or _is_met_there(token)
        if opened and several and subject is not None and target is not None:
            yield scene.candidate(sentence, (subject, "works_at", target), when=_HOLDS, confidence=0.6)


def _is_met_there(firm: Token) -> bool:
    """Whether one name alone before a firm is a person's: "call with Aurelio (Rask Capital)"."""
    met = firm.head.dep_ == "pobj" and firm.head.head.lower_ in {"with", "by"}
    return met and firm.i - firm.left_edge.i >= 1


def _preferred_name(scene: Scene, sentence: Span) -> Iterator[Candidate]:
    """Please call me Cass."""
    match = _CALL_ME.search(masked(scene.doc).words(sentence.start_char, sentence.end_char))
    if match is None or scene.turn.speaker is None:
        return
    since = [p.time() for p in scene.dates if p.role is DateRole.SINCE]
    when_ = When(kind=Kind.STARTED, valid_at=since[0]) if since else _HOLDS
    speaker = Name(text="I", type="person", speaker=scene.turn.speaker, addressee=scene.turn.addressee)
    yield scene.candidate(sentence, (speaker, "prefers_to_be_called", match["name"]), when=when_)


def lasting_facts(scene: Scene, sentence: Span) -> Iterator[Candidate]:
    """A note without a verb: "Deploy freeze from 19 December until 5 January"."""
    root = sentence.root
    if (
        root.pos_ not in {"NOUN", "PROPN"}
        or scene.is_date(root)
        or any(t.pos_ in {"VERB", "AUX"} for t in sentence)
    ):
        return
    for phrase_ in scene.dates_in(sentence):
        start, stop = phrase_.time(ahead=True), phrase_.until(ahead=True)
        if phrase_.role is DateRole.PERIOD and start is not None:
            subject = scene.name(root)
            if subject is not None:
                when_ = When(kind=Kind.HOLDS, valid_at=start, invalid_at=stop)
                yield scene.candidate(sentence, (subject, "lasts", scene.words(phrase_)), when=when_)
            return


def listed_relations(told: Told) -> Iterator[Candidate]:
    """She has two daughters, Flore and Solenn: each by name."""
    if told.clause.head.lemma_ != "have":
        return
    for complement in told.clause.objects:
        noun = complement.token
        if noun.lemma_.lower() not in RELATIONS or is_proper(noun):
            continue
        names = [
            t for t in noun.subtree if t.pos_ == "PROPN" and t.dep_ in {"appos", "conj"} and t.i > noun.i
        ]
        for subject in told.subjects():
            for item in names:
                target = told.scene.name(item, following=False)
                if target is not None:
                    yield told.candidate(subject, snake(noun.lemma_), target, _HOLDS)
