"""From a noun in the parse to the words that name it: "my sister Noor", "head of procurement"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from memstrata.extraction.offline.masking import CODE
from memstrata.extraction.offline.nouns import is_noun, is_proper
from memstrata.extraction.offline.words import (
    ATTRIBUTES,
    PEOPLE,
    RELATIONS,
    ROLES,
    TITLES,
    is_role,
    word_set,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from memstrata.extraction.offline.masking import Masked

_LEFT = word_set(
    "compound amod nummod nmod quantmod poss case punct advmod npadvmod det predet preconj appos"
)
_DROPPED = frozenset(
    {
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "some",
        "any",
        "no",
        "both",
        "all",
        "each",
        "every",
        "neither",
        "either",
        "only",
        "even",
        "certain",
    }
)
_LONGEST_COMPLEMENT = 6
_ACRONYM = 4
_SHORT_CODE = 3
_CALLED = frozenset({"oprd", "dobj", "attr", "npadvmod"})
_TYPES = {"PERSON": "person", "ORG": "organization", "GPE": "place", "LOC": "place", "FAC": "place"}


@dataclass(frozen=True, slots=True, kw_only=True)
class NounPhrase:
    """A run of tokens `[first, last]` of one document that names something, without its article."""

    head: Token
    first: int
    last: int

    @property
    def text(self) -> str:
        """The words as written."""
        return written(self.head.doc, self.first, self.last)

    @property
    def offsets(self) -> tuple[int, int]:
        """Where it stands in the block's text."""
        span = self.head.doc[self.first : self.last + 1]
        return masked(self.head.doc).offsets(span.start_char, span.end_char)


def masked(doc: Doc) -> Masked:
    """What the document's text stands for."""
    return cast("Masked", doc.user_data["masked"])


def written(doc: Doc, first: int, last: int) -> str:
    """The original words of the tokens `[first, last]`, on one line."""
    span = doc[first : last + 1]
    return " ".join(masked(doc).words(span.start_char, span.end_char).split())


def label_of(token: Token) -> str:
    """The kind of name that the parser sees; none for a word that was masked."""
    return "" if masked(token.doc).replaces(token.idx) else str(token.ent_type_)


def is_unknown(token: Token) -> bool:
    """Whether the token is a name that the parser never met."""
    return masked(token.doc).replaces(token.idx) and not is_code(token)


def is_code(token: Token) -> bool:
    """Whether the token stands for a code, an address or the name of a product with its number."""
    return token.text == CODE


def named(head: Token) -> Token:
    """The token that carries the name: of "my sister, Noor" it is Noor, else the head itself."""
    common = (head.pos_ == "NOUN" or head.lower_ in RELATIONS) and not is_proper(head)
    if head.lower_ in ROLES or (common and is_role(head.lower_)):
        told = _introduced(head) or _at_its_end(head)
        if told is not None:
            return told
    beside = _second_subject(head) if common else None
    return beside or _named_beside(head, common=common)


def _named_beside(head: Token, *, common: bool) -> Token:
    """The name right after a noun, the noun itself if there is none."""
    for child in head.rights:
        if child.dep_ in {"appos", "nummod"} and is_code(child) and child.i == head.i + 1:
            return child
        if (
            common
            and child.dep_ == "appos"
            and not any(c.lower_ in {"a", "an"} for c in child.lefts)  # "her heat pump, a Norda 9"
            and is_proper(inner := child if is_proper(child) else named(child))
        ):
            return inner
        if child.dep_ == "acl" and child.lower_ in {"called", "named"} and not is_proper(head):
            return next((c for c in child.children if c.dep_ in _CALLED and is_proper(c)), head)
    return head


def _at_its_end(head: Token) -> Token | None:
    """Who "the CFO of Marlow Group, Beatrix Lund," is."""
    names = (c for c in head.subtree if c.dep_ == "appos" and c.i > head.i and is_proper(c))
    return next((name for name in names if _stands_at_its_end(name, head)), None)


def _introduced(head: Token) -> Token | None:
    """Who "the boss of my wife's cousin Edda, a man called Nygaard," is: the last one named, with "a"."""
    of = any(c.dep_ == "prep" and c.lower_ == "of" for c in head.children)
    for noun in head.subtree if of else head.children:
        first = noun.left_edge
        if noun.dep_ != "appos" or first.lower_ not in {"a", "an"} or first.nbor(-1).text != ",":
            continue
        if is_proper(noun) and any(c.lower_ == "certain" for c in noun.lefts):
            return noun
        called = [c for c in noun.rights if c.dep_ == "acl" and c.lower_ in {"called", "named"}]
        for name in (c for verb in called for c in verb.children if c.dep_ in _CALLED and is_proper(c)):
            return name
    return None


def _second_subject(head: Token) -> Token | None:
    """Of "her flatmate, the cellist Roth, teaches" the parser makes two subjects: the second one's name."""
    if head.dep_ != "nsubj" or not is_role(head.lower_) or head.i + 1 >= len(head.doc):
        return None
    gap = 2 if head.nbor(1).text == "," else 1
    for other in head.head.children:
        if other.dep_ == "nsubj" and other.i > head.i and other.left_edge.i == head.i + gap:
            return (
                other
                if is_proper(other)
                else next((c for c in other.rights if c.dep_ == "appos" and is_proper(c)), None)
            )
    return None


def _stands_at_its_end(name: Token, head: Token) -> bool:
    """Of "the CFO of Marlow Group, Beatrix Lund" the parser gives the name to the group, not the CFO."""
    holder = name.head
    return holder.dep_ == "pobj" and holder.head.head == head and name.left_edge.nbor(-1).text == ","


def descriptor(head: Token) -> Token | None:
    """The relation noun that stands before a name: `sister` in "my sister Noor"."""
    for child in head.lefts if head.lower_ not in ATTRIBUTES else ():
        if (
            child.dep_ in {"compound", "amod", "nmod"}
            and child.lower_ in RELATIONS
            and not child.text.istitle()
        ):
            return child
    return None


def without_genitive(text: str) -> str:
    """What follows the 's of an owner, without it: "'s dog" as "dog"."""
    return text.removeprefix("'s ").removeprefix("\u2019s ")


def possessor(token: Token) -> Token | None:
    """Whose it is: the token of "Bettina's" or "my"."""
    return next((child for child in token.lefts if child.dep_ == "poss"), None)


def phrase(head: Token, *, following: bool = True) -> NounPhrase:
    """The noun phrase of `head`: modifiers before it, and a short "of" or "for" complement after it."""
    doc = head.doc
    first = head.i
    for child in reversed(list(head.lefts)):
        if child.dep_ not in _LEFT or child.right_edge.i != first - 1 or child.dep_ == "appos":
            break
        first = child.left_edge.i
    while first < head.i and (doc[first].lower_ in _DROPPED or doc[first].is_punct):
        first += 1
    proper = _first_proper(head, first)
    first = proper if proper is not None else first
    last = head.i
    for child in head.rights:
        if child.i == last + 1 and child.dep_ == "case" and _ends_so(head):
            last = child.i
        elif child.i == last + 1 and child.dep_ in {"nummod", "compound"}:
            last = child.right_edge.i
        elif following and child.dep_ == "prep" and child.i == last + 1 and _belongs(child):
            held = next((c for c in child.children if c.dep_ == "pobj"), None)
            inner = phrase(held) if held is not None else None
            if inner is not None and inner.last - last <= _LONGEST_COMPLEMENT:
                last = inner.last
    return NounPhrase(head=head, first=first, last=last)


def _ends_so(head: Token) -> bool:
    """Whether the 's is the noun's own: "has parkinson's", "at St. Olaf's"; not "at the vet's"."""
    return head.dep_ == "dobj" or (head.dep_ in {"pobj", "attr"} and is_proper(head))


def _belongs(preposition: Token) -> bool:
    """Whether what a preposition brings is part of the name: "of" anything, "in" or "near" a place."""
    if preposition.lower_ == "of":
        return True
    held = [child for child in preposition.children if child.dep_ == "pobj"]
    return preposition.lower_ in {"in", "near"} and any(is_proper(child) for child in held)


def _first_proper(head: Token, first: int) -> int | None:
    """Where a name starts after words that only describe it: "the start-up Tessel", "neighbour Ansel"."""
    if head.is_lower or not is_proper(head) or (possessor(head) is not None and descriptor(head) is None):
        return None
    if is_code(head) and head.i - first == 1 and head.nbor(-1).pos_ in {"NOUN", "PROPN"}:
        short = len(written(head.doc, head.i, head.i)) <= _SHORT_CODE  # "room 4B" is not known as 4B
        return None if short else head.i
    doc = head.doc
    run = head.i
    while run > first and (
        is_proper(doc[run - 1]) or doc[run - 1].is_punct or doc[run - 1].text[:1].isupper()
    ):
        run -= 1
    while run < head.i and doc[run].is_punct:
        run += 1
    if run == head.i and head.text.isupper() and len(head.text) <= _ACRONYM:  # "the checkout API"
        return None
    does = (
        run > first and doc[run - 1].is_lower and is_role(doc[run - 1].lower_)
    )  # "former rally driver Kimi"
    if not does and (
        run == first
        or any(
            doc[i].tag_ in {"CD", "JJ", "JJS", "JJR", "$"}
            for i in range(first, run)
            if not _describes(doc[i])
        )
    ):
        return None
    return (
        run
        if all(
            doc[i].dep_ in {"compound", "amod", "nmod", "poss", "case", "punct", "det"}
            for i in range(first, run)
        )
        else None
    )


def _describes(token: Token) -> bool:
    return token.lower_ in RELATIONS


def entity_type(head: Token) -> str | None:
    """The type that the words show; None where they leave a doubt (a wrong type keeps entities apart)."""
    if head.lower_ in PEOPLE:
        return "person"
    if any(child.lower_.rstrip(".") in TITLES for child in head.lefts):
        return "person"
    if not is_proper(head):
        return None
    several = any(child.dep_ == "compound" for child in head.lefts)
    label = _TYPES.get(label_of(head))
    return label if label == "place" or (several and label is not None) else None


def is_name_like(head: Token) -> bool:
    """Whether an object is somebody or something to be named, rather than a value or a phrase."""
    if is_code(head) and not any(char.isalpha() for char in written(head.doc, head.i, head.i)):
        return False
    return (
        is_noun(head)
        and head.pos_ != "NUM"
        and label_of(head) not in {"MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL"}
    )
