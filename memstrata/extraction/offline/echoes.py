"""What is told of another with the helper verb alone: "the breakfast hasn't", "but his wife does"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.extraction.offline.tense import When
from memstrata.extraction.offline.words import word_set
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.offline.grammar import Clause
    from memstrata.extraction.offline.told import Told

_HELPERS: Final = frozenset({"be", "have", "do"})
_BESIDE: Final = frozenset({"nsubj", "nsubjpass", "neg", "punct", "cc", "preconj"})
_ADDED: Final = frozenset({"too", "also", "still"})
#: Of whom more is meant than is plain.
_POINTING: Final = word_set("you he she it they that this these those who which there what")


def echoed(told: Told, before: Clause | None, facts: Sequence[Candidate]) -> Iterator[Candidate]:
    """The `facts` of the clause before, of whom this clause tells the same or the contrary."""
    clause = told.clause
    if before is None or not facts or not _is_an_echo(clause, before):
        return
    denied = any(c.dep_ == "neg" for c in clause.head.children)
    for fact in facts:
        against = fact.kind in {Kind.DENIED, Kind.ENDED}
        kind = Kind.DENIED if denied else Kind.HOLDS if against else fact.kind
        for subject in told.subjects():
            if subject.said != fact.subject.said:
                yield told.candidate(subject, fact.predicate, fact.object, When(kind=kind), confidence=0.7)


def _is_an_echo(clause: Clause, before: Clause) -> bool:
    head = clause.head
    if head.lemma_.lower() not in _HELPERS or head.lemma_.lower() not in _helpers_of(before):
        return False
    if not clause.subjects or any(s.lower_ in _POINTING for s in clause.subjects):
        return False
    return all(
        c.dep_ in _BESIDE
        or c.lower_ in _ADDED
        or c == before.head
        or (c.dep_ in {"ccomp", "advcl"} and c.i < head.i)
        for c in head.children
    )


def _helpers_of(clause: Clause) -> set[str]:
    """The helper verbs that can stand for a clause: its own, else "do"."""
    own = {a.lemma_.lower() for a in clause.auxiliaries}
    lemma = clause.head.lemma_.lower()
    if lemma == "be":
        return {"be"}
    return own or ({"do", "have"} if lemma == "have" else {"do"})
