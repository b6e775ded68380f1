"""What nouns tell by standing together: "my sister Noor", "Halvard Brandt, the mayor of Eskelund"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.offline.copulas import noun_facts, snake
from memstrata.extraction.offline.grammar import expanded, is_proper
from memstrata.extraction.offline.naming import descriptor, named, possessor
from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.words import RELATIONS, is_role
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.frames import Told

_HOLDS = When(kind=Kind.HOLDS)
_ORGANISED = re.compile(r"[A-Z][\w'’&-]*(?:\s+(?:&|and|of|the|[A-Z][\w'’&-]*))*")


def nominal_facts(told: Told) -> Iterator[Candidate]:
    """The candidates that the nouns of the sentence give, whatever its verbs say."""
    for token in told.sentence:
        if token.pos_ not in {"NOUN", "PROPN"} or told.scene.is_date(token):
            continue
        yield from _relation(told, token)
        yield from _apposition(told, token)


def _relation(told: Told, token: Token) -> Iterator[Candidate]:
    """My sister Noor; Bettina's dog, Pretzel; my neighbour Ansel."""
    name_token = named(token)
    relation = token if name_token is not token else descriptor(token)
    if relation is None:
        return
    owner = possessor(token) or possessor(relation)
    if owner is None:
        return
    whose = told.scene.name(owner)
    if whose is None:
        return
    if relation is token:
        words = token.doc[owner.right_edge.i + 1 : token.i + 1].text.removeprefix("'s ")
        names = [child for child in expanded(name_token) if is_proper(child)]
    else:
        words = relation.text
        names = [token]
    for item in names:
        target = told.scene.name(item, following=False)
        if target is not None:
            yield told.candidate(whose, snake(words), target, _HOLDS, confidence=0.85)


def _apposition(told: Told, token: Token) -> Iterator[Candidate]:
    """A name, then what it is: "X, the mayor of Y"."""
    if not is_proper(token):
        return
    for child in token.children:
        if child.dep_ == "appos" and child.pos_ == "NOUN" and not is_proper(child) and child.i > token.i:
            if not is_role(child.lower_) and child.lower_ not in RELATIONS:
                continue
            subject = told.scene.name(token)
            if isinstance(subject, Name):
                yield from noun_facts(told, subject, child, _HOLDS)


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
