"""What nouns tell by standing together: "my sister Noor", "Halvard Brandt, the mayor of Eskelund"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.copulas import noun_facts, snake
from memstrata.extraction.offline.grammar import expanded, is_proper
from memstrata.extraction.offline.naming import descriptor, named, possessor, written
from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.words import RELATIONS, is_role
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Span, Token

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.frames import Told
    from memstrata.extraction.offline.scene import Scene

_HOLDS = When(kind=Kind.HOLDS)


def nominal_facts(scene: Scene, sentence: Span) -> Iterator[Candidate]:
    """The candidates that the nouns of a sentence give, whatever its verbs say."""
    for token in sentence:
        if token.pos_ not in {"NOUN", "PROPN"} or scene.is_date(token):
            continue
        yield from _relation(scene, sentence, token)
        yield from _apposition(scene, sentence, token)


def _relation(scene: Scene, sentence: Span, token: Token) -> Iterator[Candidate]:
    """My sister Noor; Bettina's dog, Pretzel; my neighbour Ansel."""
    name_token = named(token)
    relation = token if name_token is not token else descriptor(token)
    if relation is None:
        return
    owner = possessor(token) or possessor(relation)
    whose = scene.name(owner) if owner is not None else None
    if owner is None or whose is None:
        return
    words, names = relation.lower_, [token]
    if relation is token:
        words = written(token.doc, owner.right_edge.i + 1, token.i).removeprefix("'s ")
        names = [child for child in expanded(name_token) if is_proper(child)]
    for item in names:
        target = scene.name(item, following=False)
        if target is not None:
            yield scene.candidate(sentence, whose, snake(words), target, when=_HOLDS, confidence=0.85)


def _apposition(scene: Scene, sentence: Span, token: Token) -> Iterator[Candidate]:
    """A name, then what it is: "X, the mayor of Y"."""
    if not is_proper(token):
        return
    for child in token.children:
        if child.dep_ == "appos" and child.pos_ == "NOUN" and not is_proper(child) and child.i > token.i:
            if not is_role(child.lower_) and child.lower_ not in RELATIONS:
                continue
            subject = scene.name(token)
            if isinstance(subject, Name):
                yield from noun_facts(scene, sentence, subject, child, when_=_HOLDS)


def lasting_facts(scene: Scene, sentence: Span) -> Iterator[Candidate]:
    """A note without a verb: "Deploy freeze from 19 December until 5 January"."""
    root = sentence.root
    if (
        root.pos_ not in {"NOUN", "PROPN"}
        or scene.is_date(root)
        or any(t.pos_ in {"VERB", "AUX"} for t in sentence)
    ):
        return
    for phrase_ in scene.dates:
        start, stop = phrase_.time(ahead=True), phrase_.until(ahead=True)
        if phrase_.role is DateRole.PERIOD and start is not None:
            subject = scene.name(root)
            if subject is not None:
                when_ = When(kind=Kind.HOLDS, valid_at=start, invalid_at=stop)
                yield scene.candidate(sentence, subject, "lasts", scene.words(phrase_), when=when_)
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
