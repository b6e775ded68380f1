"""One parsed block with all that is needed to read it: its turn, its times, who was named before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.dates import DateRole
from memstrata.extraction.offline.discourse import Discourse, Referent
from memstrata.extraction.offline.grammar import is_noun, is_proper
from memstrata.extraction.offline.naming import entity_type, is_name_like, named, phrase, possessor
from memstrata.extraction.offline.words import EMPTY_SUBJECTS, GENDERS, PEOPLE, TITLES, is_role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from spacy.tokens import Doc, Span, Token

    from memstrata.extraction.dates import DatePhrase
    from memstrata.extraction.offline.grammar import Clause
    from memstrata.extraction.offline.tense import When
    from memstrata.extraction.offline.turns import Block, Turn

_THIRD = frozenset("he him his she her hers it its they them their theirs".split())


@dataclass(slots=True, kw_only=True)
class Scene:
    """A block as parsed. `sentence_base` numbers its sentences through the whole episode."""

    doc: Doc
    block: Block
    turn: Turn
    dates: tuple[DatePhrase, ...]
    discourse: Discourse
    reference: datetime
    sentence_base: int = 0
    _dated: dict[int, DatePhrase] = field(default_factory=dict)
    _sentences: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for phrase_ in self.dates:
            for token in self.doc:
                if phrase_.start <= token.idx < phrase_.end:
                    self._dated[token.i] = phrase_
        for number, sentence in enumerate(self.doc.sents):
            for token in sentence:
                self._sentences[token.i] = self.sentence_base + number
        self.discourse.note(tuple(self._referents()))

    @property
    def sentence_count(self) -> int:
        """How many sentences the block has."""
        return len(set(self._sentences.values()))

    def is_date(self, token: Token) -> bool:
        """Whether the token is part of a time phrase."""
        return token.i in self._dated

    def dates_of(self, clause: Clause, heads: frozenset[int]) -> tuple[DatePhrase, ...]:
        """The time phrases that belong to `clause`, of a document whose clauses have these heads."""
        own = [p for p in self.dates if self._clause_of(p, heads) == clause.head.i]
        if own or clause.head.dep_ != "conj":
            return tuple(own)
        first = clause.head
        while first.dep_ == "conj" and first.head.pos_ in {"VERB", "AUX"}:
            first = first.head
        offset = first.idx
        return tuple(p for p in self.dates if p.end <= offset and self._clause_of(p, heads) == first.i)

    def _clause_of(self, phrase_: DatePhrase, heads: frozenset[int]) -> int | None:
        inside = [token for token in self.doc if self._dated.get(token.i) is phrase_]
        token = next((t for t in inside if self._dated.get(t.head.i) is not phrase_ or t.head == t), None)
        while token is not None and token.i not in heads and token.head != token:
            token = token.head
        if token is None:
            return None
        return token.i if token.i in heads else self._nearest(inside[0], heads)

    def _nearest(self, token: Token, heads: frozenset[int]) -> int | None:
        here = [i for i in heads if self._sentences[i] == self._sentences[token.i]]
        return min(here, key=lambda i: abs(i - token.i)) if here else None

    def name(self, token: Token, *, following: bool = True) -> Name | None:
        """Who or what the noun `token` names; None for what names nothing plain."""
        head = named(token)
        if head.pos_ == "PRON" or head.lower_ in EMPTY_SUBJECTS or head.lower_ in _THIRD:
            return self.pronoun(head)
        if self.is_date(head) or not any(char.isalnum() for char in head.text):
            return None
        return self._written(head, following=following)

    def pronoun(self, token: Token) -> Name | None:
        """Who a pronoun stands for."""
        found = self.discourse.bound(
            token.lower_, self.turn, sentence=self._sentences.get(token.i, 0), at=token.i
        )
        if found is None:
            return None
        return found if found.sentence else self._placed(found, token)

    def _placed(self, found: Name, token: Token) -> Name:
        return Name(
            text=found.text,
            type=found.type,
            span=self.span(token.idx, token.idx + len(token.text)),
            sentence=token.sent.text.strip(),
            speaker=found.speaker,
            addressee=found.addressee,
        )

    def _written(self, head: Token, *, following: bool = True) -> Name:
        words = phrase(head, following=following)
        text, offsets = " ".join(words.text.split()), words.offsets
        owner = possessor(head)
        if owner is not None and owner.i >= words.first and owner.lower_ in _THIRD:
            whose = self.pronoun(owner)
            rest = self.doc[owner.i + 1 : words.last + 1].text
            text = f"{whose.said}'s {rest}" if whose is not None and whose.span != offsets else rest
        return Name(
            text=text,
            type=entity_type(head),
            span=self.span(*offsets),
            sentence=head.sent.text.strip(),
            speaker=self.turn.speaker,
            addressee=self.turn.addressee,
        )

    def target(self, token: Token) -> Name | str | None:
        """An object: a name where it names something, else the words as a literal."""
        head = named(token)
        if head.pos_ == "PRON" or head.lower_ in _THIRD:
            return self.name(head)
        if is_name_like(head) and not self.is_date(head):
            return self.name(token)
        return self.literal(head)

    def literal(self, token: Token) -> str | None:
        """The words around `token` as a value."""
        words = phrase(token)
        text = " ".join(words.text.split())
        return text or None

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Offsets in the block as offsets in the episode; None for words that the text has not."""
        if self.block.quote is not None:
            return None
        return self.block.start + start, self.block.start + end

    def evidence(self, sentence: Span) -> tuple[str, tuple[int, int] | None]:
        """The quote for what `sentence` says, with its span in the episode."""
        if self.block.quote is not None:
            return self.block.quote, (self.block.start, self.block.start + len(self.block.quote))
        text = sentence.text
        lead = len(text) - len(text.lstrip())
        quote = text.strip()
        start = sentence.start_char + lead
        return quote, self.span(start, start + len(quote))

    def candidate(
        self,
        sentence: Span,
        subject: Name,
        predicate: str,
        target: Name | str,
        *,
        when: When,
        fact: str = "",
        confidence: float = 0.8,
    ) -> Candidate:
        """A candidate with this sentence as its evidence."""
        quote, span = self.evidence(sentence)
        said = target if isinstance(target, str) else target.said
        return Candidate(
            subject=subject,
            predicate=predicate,
            object=target,
            kind=when.kind,
            fact=fact or f"{subject.said} {predicate.replace('_', ' ')} {said}",
            valid_at=when.valid_at,
            invalid_at=when.invalid_at,
            confidence=confidence,
            quote=quote,
            span=span,
        )

    def _referents(self) -> Iterator[Referent]:
        for token in self.doc:
            if (
                not is_noun(token)
                or token.pos_ in {"PRON", "NUM"}
                or token.dep_ in {"compound", "nmod"}
                or self.is_date(token)
            ):
                continue
            relation = token.lower_ in PEOPLE
            if named(token) is not token:
                continue
            described = token.head.lower_ if token.dep_ == "appos" else ""
            left = [child.lower_.rstrip(".") for child in token.lefts]
            gender = next(
                (
                    g
                    for word in (token.lower_, described, *left)
                    if (g := GENDERS.get(word) or TITLES.get(word))
                ),
                None,
            )
            yield Referent(
                name=self._written(token),
                at=token.i,
                person=self._is_person(token, described, left, relation=relation),
                gender=gender,
                plural=token.tag_ in {"NNS", "NNPS"} and not is_proper(token),
                subject=token.dep_ in {"nsubj", "nsubjpass"}
                or token.head.dep_ in {"nsubj", "nsubjpass"}
                and token.dep_ == "appos",
                sentence=self._sentences.get(token.i, 0),
            )

    def _is_person(self, token: Token, described: str, left: list[str], *, relation: bool) -> bool | None:
        if relation or described in PEOPLE or any(word in PEOPLE or word in TITLES for word in left):
            return True
        if not is_proper(token):
            return True if is_role(token.lower_) and token.dep_ in {"nsubj", "nsubjpass"} else False
        if token.ent_type_ == "PERSON":
            return True
        if any(char.isdigit() for char in token.text) or any(child.dep_ == "det" for child in token.lefts):
            return False
        if token.ent_type_ in {"GPE", "LOC", "FAC"} and token.dep_ == "pobj":
            return False
        return True


def has_time(dates: tuple[DatePhrase, ...]) -> bool:
    """Whether any of the phrases states a time of its own."""
    return any(phrase_.role not in {DateRole.CLOCK, DateRole.AROUND} for phrase_ in dates)
