"""One parsed block with all that is needed to read it: its turn, its times, who was named before."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.offline.discourse import Place, Referent
from memstrata.extraction.offline.naming import (
    entity_type,
    is_code,
    is_name_like,
    is_unknown,
    label_of,
    masked,
    named,
    phrase,
    possessor,
    written,
)
from memstrata.extraction.offline.nouns import is_noun, is_proper
from memstrata.extraction.offline.things import is_a_group
from memstrata.extraction.offline.words import (
    ANIMALS,
    EMPTY_SUBJECTS,
    GENDERS,
    MOVING,
    PEOPLE,
    REPORTING,
    ROLES,
    TIME_UNITS,
    TITLES,
    is_role,
    word_set,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

    from memstrata.extraction.dates import DatePhrase
    from memstrata.extraction.offline.discourse import Discourse
    from memstrata.extraction.offline.grammar import Clause
    from memstrata.extraction.offline.tense import When
    from memstrata.extraction.offline.turns import Block, Turn

    Triple = tuple[Name, str, Name | str]

_PERSONAL = word_set("nsubj nsubjpass poss appos ROOT conj npadvmod")
#: Verbs whose object is a person, where it is written as a name.
_MEETING = word_set(
    "meet call phone email interview visit ask tell thank marry hire see invite know miss sack fire dismiss"
    " promote appoint employ recruit introduce greet congratulate"
)
_TALKING = word_set("hear talk speak write listen chat")
_PERSONAL_PRONOUNS = word_set("he him his she her hers himself herself")
_GOING = word_set("go come travel fly drive return commute live stay settle sail emigrate work study")
#: What things do as well as people.
_OF_THINGS = word_set(
    "be cost weigh measure come go arrive fit look last smell taste become stay remain seem need contain"
    " grow leak break fall work run start end begin open close expire belong hang stand lie"
)
#: What is done in a noun.
_DEEDS = word_set(
    "look glance peek try go chat talk word walk ride nap rest break bath shower think guess swim drink"
    " bite call ring sip wash read listen start move step"
)
_NEWS = word_set("news word letter message email call note postcard")
_LEARNED = frozenset({"dr", "prof", "doctor", "professor"})
_NO_ONE = frozenset({"GPE", "LOC", "FAC", "ORG"})
_THIRD = word_set("he him his she her hers it its they them their theirs himself herself itself")


def _are_several(thing: Token) -> bool:
    """Whether those who do something with a thing are told one by one: "Tove and Ib sold their car"."""
    verb = (
        thing.head
        if thing.dep_ in {"dobj", "attr", "oprd"}
        else thing.head.head
        if thing.dep_ == "pobj"
        else thing
    )
    subjects = [c for c in verb.children if c.dep_ in {"nsubj", "nsubjpass"}]
    return any(c.dep_ == "conj" for subject in subjects for c in subject.children)


def _relative_of(token: Token) -> Token | None:
    """The noun that a relative clause with `token` in it says something of."""
    while token.head != token:
        if token.dep_ == "relcl":
            return token.head
        token = token.head
    return None


def _verb_of(token: Token) -> int:
    """The verb whose clause a token stands in; the top of its sentence if there is none."""
    while token.head != token:
        token = token.head
        if token.pos_ in {"VERB", "AUX"}:
            break
    return int(token.i)


def _tells_something(noun: Token) -> bool:
    """Whether a noun is who says or thinks something: "the driver says"."""
    return noun.dep_ == "nsubj" and noun.head.lemma_.lower() in REPORTING and is_role(noun.lower_)


def _is_part_of_a_deed(noun: Token) -> bool:
    """Whether a noun only tells with its verb what is done: "have a look", "takes a walk"."""
    deed = noun.lemma_.lower() in _DEEDS and any(c.lower_ in {"a", "another"} for c in noun.lefts)
    return (
        deed and noun.dep_ == "dobj" and noun.head.lemma_.lower() in {"have", "take", "give", "make", "go"}
    )


def _tells_where(preposition: Token) -> bool:
    """Whether a preposition says where something is; what one looks at is no place."""
    looked = preposition.head.lemma_.lower() in {"look", "glance", "peek", "aim", "laugh"}
    return preposition.lower_ in {"in", "at", "near", "from"} and not looked


def _is_where_to(preposition: Token) -> bool:
    """Whether a preposition brings a place that somebody goes to, comes from or lives in."""
    verb = preposition.head.lemma_.lower()
    return preposition.lower_ in {"to", "from", "in", "into"} and verb in MOVING | _GOING


def _is_one_of_several(noun: Token) -> bool:
    return noun.dep_ == "conj" or any(c.dep_ == "conj" for c in noun.children)


def _is_in_main(subject: Token) -> bool:
    """Whether it is the subject of what a sentence says, not of a reason or a time that hangs on that."""
    verb = subject.head if subject.dep_ != "appos" else subject.head.head
    return verb.dep_ not in {"advcl", "relcl", "acl"}


def _beside(head: Token) -> Token | None:
    """The verb that tells what happened at the same time: "gave it up when Jago emigrated"."""

    def marked(verb: Token) -> bool:
        return any(child.lower_ == "when" for child in verb.children)

    if head.dep_ in {"advcl", "relcl"} and marked(head):
        verb = head
        while verb.head != verb and (verb == head or verb.pos_ not in {"VERB", "AUX"}):
            verb = verb.head
        return verb
    return next((child for child in head.children if child.dep_ == "advcl" and marked(child)), None)


@dataclass(slots=True, kw_only=True)
class Scene:
    """A block as parsed. `sentence_base` numbers its sentences through the whole episode.

    `stamp` is the time of the line or of the list it stands in, for clauses that name none.
    """

    doc: Doc
    block: Block
    turn: Turn
    dates: tuple[DatePhrase, ...]
    discourse: Discourse
    stamp: DatePhrase | None = None
    sentence_base: int = 0
    _dated: dict[int, DatePhrase] = field(default_factory=dict)
    _sentences: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for token in self.doc:
            start, end = masked(self.doc).offsets(token.idx, token.idx + len(token.text))
            for phrase_ in self.dates:
                if phrase_.start <= start and end <= phrase_.end:
                    self._dated[token.i] = phrase_
        for number, sentence in enumerate(self.doc.sents):
            for token in sentence:
                self._sentences[token.i] = self.sentence_base + number
        for token in self.doc:
            referent = self._referent(token)
            if referent is not None:
                self.discourse.named.append(referent)

    @property
    def sentence_count(self) -> int:
        """How many sentences the block has."""
        return len(set(self._sentences.values()))

    def is_date(self, token: Token) -> bool:
        """Whether the token is part of a time phrase."""
        return token.i in self._dated

    def dates_in(self, sentence: Span) -> list[DatePhrase]:
        """The time phrases of one sentence, in order."""
        return list(dict.fromkeys(self._dated[token.i] for token in sentence if token.i in self._dated))

    def words(self, phrase_: DatePhrase) -> str:
        """The words of a time phrase."""
        return self.block.text[phrase_.start : phrase_.end]

    def dates_of(self, clause: Clause, heads: frozenset[int]) -> tuple[DatePhrase, ...]:
        """The time phrases that belong to `clause`, of a document whose clauses have these heads."""
        places = {phrase_: self._clause_of(phrase_, heads) for phrase_ in self.dates}
        own = tuple(p for p in self.dates if places[p] == clause.head.i)
        if not own and clause.head.dep_ == "conj":
            first = clause.head
            while first.dep_ == "conj" and first.head.pos_ in {"VERB", "AUX"}:
                first = first.head
            before, _ = masked(self.doc).offsets(first.idx, first.idx + 1)
            own = tuple(p for p in self.dates if p.end <= before and places[p] == first.i)
        if not own and (beside := _beside(clause.head)) is not None:
            own = tuple(p for p in self.dates if places[p] == beside.i)
        return own or ((self.stamp,) if self.stamp is not None else ())

    def _clause_of(self, phrase_: DatePhrase, heads: frozenset[int]) -> int | None:
        inside = [token for token in self.doc if self._dated.get(token.i) is phrase_]
        token = next((t for t in inside if self._dated.get(t.head.i) is not phrase_ or t.head == t), None)
        if token is None:
            return None
        while token.i not in heads and token.head != token:
            if token.dep_ in {"nsubj", "nsubjpass"}:
                return None
            token = token.head
        if token.i in heads:
            return self._told_before(inside[0], token, heads)
        return self._nearest(inside[0], heads)

    def _told_before(self, time: Token, head: Token, heads: frozenset[int]) -> int:
        """The verb a time belongs to: of "we got a kitten on Sunday, her name is Mocha" the first one.

        The parser likes to give a time to the verb after it; nothing stands between it and the one before.
        """
        for at in range(time.i - 1, time.sent.start - 1, -1) if time.i < head.i else ():
            before = self.doc[at]
            if at in heads:
                return at
            if before.is_punct or before.dep_ in {"cc", "mark"}:
                break
        return int(head.i)

    def _nearest(self, token: Token, heads: frozenset[int]) -> int | None:
        here = [i for i in heads if self._sentences[i] == self._sentences[token.i]]
        return min(here, key=lambda i: abs(i - token.i)) if here else None

    def name(self, token: Token, *, following: bool = True) -> Name | None:
        """Who or what the noun `token` names; None for what names nothing plain."""
        head = named(token)
        if head.pos_ == "PRON" or head.lower_ in EMPTY_SUBJECTS or head.lower_ in _THIRD | {"whose"}:
            return self.pronoun(head)
        if head.lower_.rstrip(".") in TITLES and not list(head.lefts):  # "Mr. and Mrs. Olsen"
            return None
        if self.is_date(head) or not any(char.isalnum() for char in head.text):
            return None
        return self.discourse.best(self._written(head, following=following))

    def pronoun(self, token: Token) -> Name | None:
        """Who a pronoun stands for."""
        if token.lower_ == "whose" and (holder := _relative_of(token)) is not None:
            return self.name(holder)
        place = Place(
            sentence=self._sentences.get(token.i, 0),
            at=token.i,
            verb=_verb_of(token),
            possessive=token.dep_ == "poss",
            plural=token.lower_ in {"they", "them", "their"},
            acting=token.dep_ == "nsubj" and token.head.lemma_.lower() not in _OF_THINGS,
        )
        found = self.discourse.bound(token.lower_, self.turn, place)
        if found is None or found.sentence:
            return found
        if self.turn.speaker is None and not masked(self.doc).words(token.idx, token.idx + len(token.text)):
            return None  # put there for the parser alone: who wrote a note is not told
        span = self.span(*masked(self.doc).offsets(token.idx, token.idx + len(token.text)))
        return replace(found, span=span, sentence=self._text(token.sent))

    def _written(self, head: Token, *, following: bool = True) -> Name:
        words = phrase(head, following=following)
        text, offsets = words.text, words.offsets
        owner = possessor(head)
        if owner is not None and owner.lower_ == "whose" and (holder := _relative_of(head)) is not None:
            text = f"{self._written(named(holder)).said}'s {written(self.doc, owner.i + 1, words.last)}"
        elif owner is not None and owner.i >= words.first and owner.lower_ in _THIRD:
            rest = replace(words, first=owner.i + 1)
            text = self._with_owner(owner, head, rest.text)
            offsets = rest.offsets if text == rest.text else offsets
        return Name(
            text=text,
            type=None if is_code(head) else entity_type(head),
            span=self.span(*offsets),
            sentence=self._text(head.sent),
            speaker=self.turn.speaker,
            addressee=self.turn.addressee,
        )

    def _with_owner(self, owner: Token, head: Token, rest: str) -> str:
        """`his boiler` as "Ansel's boiler"; as "boiler" where he is the subject himself."""
        whose = self.pronoun(owner)
        if whose is None or (owner.lower_ == "their" and _are_several(head)):
            return rest
        sentence = self._sentences.get(owner.i, 0)
        subjects = [
            r.name for r in self.discourse.named if r.sentence == sentence and r.subject and r.at < owner.i
        ]
        own = (
            head.dep_ not in {"nsubj", "nsubjpass"} and whose in subjects[-1:] and head.lower_ not in PEOPLE
        )
        return rest if own else f"{whose.said}'s {rest}"

    def learn(self, noun: Token, name: Name) -> None:
        """Remembers whom a description names, for the rest of the episode: "my husband" is Florin."""
        self.discourse.learn(self._written(noun, following=False), name)
        self.discourse.learn(self._written(noun), name)

    def target(self, token: Token) -> Name | str | None:
        """An object: a name where it names something, else the words as a literal."""
        head = named(token)
        if head.pos_ == "PRON" or head.lower_ in _THIRD | EMPTY_SUBJECTS:
            return self.name(head)
        if is_name_like(head) and not self.is_date(head):
            return self.name(token)
        return phrase(head).text or None

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Offsets in the block as offsets in the episode; None for words that the text has not."""
        if self.block.quote is not None or start == end:
            return None
        return self.block.start + start, self.block.start + end

    def _text(self, sentence: Span) -> str:
        return " ".join(masked(self.doc).words(sentence.start_char, sentence.end_char).split())

    def evidence(self, sentence: Span) -> tuple[str, tuple[int, int] | None]:
        """The quote for what `sentence` says, with its span in the episode."""
        if self.block.quote is not None:
            return self.block.quote, (self.block.start, self.block.start + len(self.block.quote))
        start, end = masked(self.doc).offsets(sentence.start_char, sentence.end_char)
        text = self.block.text[start:end]
        start += len(text) - len(text.lstrip())
        quote = text.strip()
        return quote, self.span(start, start + len(quote))

    def candidate(
        self, sentence: Span, triple: Triple, *, when: When, fact: str = "", confidence: float = 0.8
    ) -> Candidate:
        """A candidate with this sentence as its evidence."""
        quote, span = self.evidence(sentence)
        subject, predicate, target = triple
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

    def _referent(self, token: Token) -> Referent | None:
        """What a later pronoun may stand for; None for a word that names nothing by itself."""
        subject = token.dep_ in {"nsubj", "nsubjpass"} or (
            token.dep_ == "appos" and token.head.dep_ in {"nsubj", "nsubjpass"}
        )
        sentence = self._sentences.get(token.i, 0)
        if token.lower_ in _THIRD and token.pos_ == "PRON":
            return self._again(token, sentence, subject=subject)
        if not is_noun(token) or token.pos_ in {"PRON", "NUM"} or token.dep_ in {"compound", "nmod"}:
            return None
        again = token.dep_ == "appos" and is_proper(token.head)  # "Ferro, a chain of shops"
        predicative = again or token.dep_ == "attr" or (token.dep_ == "pobj" and token.head.lower_ == "as")
        if predicative and not is_proper(token):  # "Bellweather has been a customer": no second thing
            return None
        if token.lemma_.lower() in TIME_UNITS or _is_part_of_a_deed(token):
            return None
        if self.is_date(token) or named(token) is not token or token.lower_ in EMPTY_SUBJECTS:
            return None
        described = token.head.lower_ if token.dep_ == "appos" else ""
        left = [child.lower_.rstrip(".") for child in token.lefts if child.dep_ != "poss"]
        words = (token.lower_, described, *left)
        return Referent(
            name=self._written(token),
            at=token.i,
            person=self._is_person(token, words),
            gender=next((g for word in words if (g := GENDERS.get(word) or TITLES.get(word))), None),
            plural=token.tag_ in {"NNS", "NNPS"} and not is_proper(token),
            subject=subject,
            where=token.dep_ == "pobj" and _tells_where(token.head),
            group=is_a_group(token) and not (is_proper(token) and _is_one_of_several(token)),
            main=subject and _is_in_main(token),
            proper=is_proper(token),
            animal=token.lemma_.lower() in ANIMALS,
            sentence=sentence,
            verb=_verb_of(token),
        )

    def _again(self, token: Token, sentence: int, *, subject: bool) -> Referent | None:
        found = self.pronoun(token)
        known = [r for r in self.discourse.named if self.discourse.best(r.name) is found]
        if not known:
            return None
        self.discourse.learn_gender(known, token.lower_)
        known = [r for r in self.discourse.named if self.discourse.best(r.name) is found]
        person = True if token.lower_ in _PERSONAL_PRONOUNS else known[-1].person
        main = subject and _is_in_main(token)
        here = replace(known[-1], at=token.i, sentence=sentence, subject=subject, verb=_verb_of(token))
        return replace(here, main=main, person=person)

    def _is_person(self, token: Token, words: tuple[str, ...]) -> bool | None:
        if any(word in PEOPLE or word in TITLES or word in _LEARNED for word in words):
            return True
        if is_code(token) or not is_proper(token):
            return token.lower_ in ROLES or _tells_something(token)
        if token.dep_ == "pobj" and _is_where_to(token.head):
            return False
        unmet = any(c.dep_ == "compound" and is_unknown(c) for c in token.lefts)
        label = "" if unmet else label_of(token)
        if label == "PERSON":
            return True
        if any(child.dep_ == "det" for child in token.lefts):
            return False
        if token.dep_ == "appos" and token.left_edge.i > 0 and token.left_edge.nbor(-1).text == "(":
            person = None if label else False
        elif token.dep_ == "dobj" and token.head.lemma_.lower() in _MEETING and label not in _NO_ONE:
            person = True
        elif token.dep_ == "pobj":
            talked = token.head.lower_ in {"from", "to"} and token.head.head.lemma_.lower() in _TALKING
            talked = talked or token.head.head.lemma_.lower() in _NEWS
            asked = token.head.head.lemma_.lower() in _NEWS and token.sent.text.rstrip().endswith("?")
            met = (token.head.lower_ in {"with", "about", "by"} or talked) and not label
            person = True if met else None if asked or label not in _NO_ONE else False
        else:
            place = token.dep_ == "appos" and label in {"GPE", "LOC"}  # "my home country, Sweden"
            person = True if token.dep_ in _PERSONAL and not place else None
        return person
