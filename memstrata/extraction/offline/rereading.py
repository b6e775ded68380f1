"""A second reading of a text in which the parser took a word for what it cannot be.

The parser guesses what it never met in training: "doesn't eat gluten" has two verbs for it, "Ysolde no
longer sings in the choir" none. A dictionary knows better. Such a word is read as a plain one of its own
kind, and the second parse counts where it mends what was odd.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.extraction.offline.masking import Rewording
from memstrata.extraction.offline.words import FAVOURITE, PEOPLE, is_role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc, Span, Token

    from memstrata.extraction.offline.masking import Masked
    from memstrata.extraction.offline.pipeline import Dictionary

_NOUN: Final = "bread"
_QUALITY: Final = "fresh"
_BARE: Final = frozenset({"VB", "VBP"})
_OF_SUBJECT: Final = frozenset({"NNP", "NNPS", "NN", "NNS", "DT", "PRP$", "JJ", "CC", "POS"})
_NOUNS: Final = frozenset({"NNP", "NNPS", "NN", "NNS"})
_NAMES: Final = frozenset({"NNP", "NNPS"})
_AFTER_VERB: Final = frozenset({"DT", "PRP$", "IN", "TO", "JJ", "NN", "NNS", "NNP", "NNPS", "CD", "RB"})
_LINKS: Final = frozenset({"stays", "remains"})
_ARTICLES: Final = frozenset({"DT", "PRP$"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass"})
#: Verbs that the parser knows, by what follows: an object, a preposition, nothing.
_STANDING_FOR: Final = {True: ("delivers", "lives", "arrives"), False: ("deliver", "live", "arrive")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Misreading:
    """A token taken for what it cannot be, with the word to read in its place and its own base form."""

    token: Token
    word: str
    lemma: str
    verb: bool = False

    @property
    def rewording(self) -> Rewording:
        """What is to be read otherwise, by offsets of the parsed text."""
        start = self.token.idx
        return Rewording(start=start, end=start + len(self.token.text), word=self.word, lemma=self.lemma)


def misreadings(doc: Doc, masked: Masked, dictionary: Dictionary) -> tuple[Misreading, ...]:
    """The words of a parsed text that its parse cannot be right about."""
    found: list[Misreading] = []
    for sentence in doc.sents:
        if not any(token.pos_ in {"VERB", "AUX"} and token.dep_ != "compound" for token in sentence):
            found.extend(_verb_taken_for_noun(sentence, dictionary))
        for token in sentence:
            if _is_foreign(token) or _is_noun_taken_for_verb(token, dictionary):
                found.append(Misreading(token=token, word=_NOUN, lemma=token.lower_))
            elif token.tag_ == "NNS" and token.lower_ in _LINKS and _describes_next(token):
                found.append(Misreading(token=token, word="is", lemma="be"))
            elif _is_quality_taken_for_deed(token):
                found.append(Misreading(token=token, word=_QUALITY, lemma=token.lower_))
    return tuple(one for one in found if not masked.replaces(one.token.idx))


def is_mended(doc: Doc, misread: Sequence[Misreading]) -> bool:
    """Whether a second parse, of as many tokens, reads all of them as what they are."""
    return all(_is_read_so(doc, one) for one in misread)


def _is_read_so(doc: Doc, misread: Misreading) -> bool:
    if misread.token.i >= len(doc) or (token := doc[misread.token.i]).text != misread.word:
        return False
    if misread.verb:
        return token.pos_ == "VERB" and any(c.dep_ in _SUBJECTS and c.i < token.i for c in token.children)
    return (token.pos_ in {"VERB", "AUX"}) is (misread.lemma == "be")


def _is_foreign(token: Token) -> bool:
    """Whether a word is none that the parser knows a use of: "never kimchi"."""
    return bool(token.tag_ == "FW" and token.pos_ == "X" and token.text.isalpha() and token.text.islower())


def _is_noun_taken_for_verb(token: Token, dictionary: Dictionary) -> bool:
    """Whether a bare "verb" that nobody does is none: "doesn't eat gluten", "allergic to lactose"."""
    if _is_what_one_has(token, dictionary):
        return True
    if token.tag_ not in _BARE or token.pos_ != "VERB" or not token.text.islower() or token.head == token:
        return False
    if _is_numbered_again(token):
        return True
    if token.lower_ in dictionary.verbs or any(c.dep_ in _SUBJECTS for c in token.children):
        return False
    helpers = [c for c in token.children if c.dep_ in {"aux", "mark"}]
    if any(c.lower_ != "to" for c in helpers):
        return False
    return token.lower_ in dictionary.nouns or (not helpers and token.dep_ in {"advcl", "conj", "dep"})


def _is_what_one_has(token: Token, dictionary: Dictionary) -> bool:
    """Whether a "participle" after "has" is a noun: "has gout"."""
    if token.tag_ not in _BARE | {"VBN", "VBD"} or not token.text.islower() or token.lower_.endswith("ed"):
        return False
    verb = {token.lower_, token.lemma_.lower()} & dictionary.verbs
    helpers = [c for c in token.children if c.dep_ in {"aux", "auxpass"}]
    has = bool(helpers) and all(c.lemma_ == "have" for c in helpers)
    return has and not verb and token.lower_ in dictionary.nouns


def _is_numbered_again(token: Token) -> bool:
    """Whether the same word stood before it as a noun with a number: "moved from rack 3 to rack 11"."""
    counted = token.i + 1 < len(token.doc) and token.nbor(1).tag_ == "CD"
    return counted and any(t.lower_ == token.lower_ and t.pos_ == "NOUN" for t in token.doc[: token.i])


def _describes_next(token: Token) -> bool:
    """Whether a quality or a participle follows: "the canteen stays closed"."""
    return token.i > 0 and token.i + 1 < len(token.doc) and token.nbor(1).tag_ in {"JJ", "VBN", "VBD"}


def _is_quality_taken_for_deed(token: Token) -> bool:
    """Whether a participle only describes what is liked best: "my favourite tea is smoked oolong"."""
    if token.tag_ != "VBN" or token.i + 1 >= len(token.doc) or token.nbor(1).tag_ not in _NOUNS:
        return False
    subject = next((c for c in token.children if c.dep_ == "nsubjpass"), None)
    return subject is not None and any(c.lower_ in FAVOURITE for c in subject.lefts)


def _verb_taken_for_noun(sentence: Span, dictionary: Dictionary) -> Iterator[Misreading]:
    """The verb of a sentence that has none: "Ysolde no longer sings here"."""
    if sentence[-1].text not in {".", "!"}:  # a heading, a key, a note
        return
    for at in range(1, len(sentence) - 1):
        token = sentence[at]
        base = _base_of(token, dictionary)
        if base is None:
            continue
        subject = _before(sentence, at)
        if subject and _can_do_it(subject, token, base):
            after = token.nbor(1)
            word = _STANDING_FOR[token.lower_ != base][
                2 if after.is_punct else after.tag_ in {"IN", "TO", "RB"}
            ]
            yield Misreading(token=token, word=word, lemma=base, verb=True)
            return


def _before(sentence: Span, at: int) -> list[Token]:
    """Who stands before a word: no adverbs, nor what is said besides ("Malte, the youngest, studies")."""
    subject = list(sentence[:at])
    commas = [place for place, token in enumerate(subject) if token.text == ","]
    if len(commas) > 1 and commas[-1] == at - 1:
        subject = subject[: commas[0]]
    while subject and (subject[-1].tag_ in {"RB", "RBR"} or subject[-1].dep_ == "neg"):
        subject.pop()
    return subject


def _base_of(token: Token, dictionary: Dictionary) -> str | None:
    """The verb whose present form a "noun" may be."""
    if token.tag_ not in {"NN", "NNS", "VBZ"} or not token.text.islower():
        return None
    word = token.lower_
    bases = [word[:-1], word[:-2], f"{word[:-3]}y" if word.endswith("ies") else ""]
    if word.endswith("s") and (base := next((b for b in bases if b in dictionary.verbs), None)):
        return base
    return word if token.tag_ == "NN" and word in dictionary.verbs else None


def _can_do_it(subject: Sequence[Token], verb: Token, base: str) -> bool:
    """Whether what stands before a word is somebody who does it, in the number that its form asks for."""
    inner = [t for t in subject if t.tag_ == "IN" and t.i > subject[0].i and t.nbor(1).tag_ in _NAMES]
    if (
        any(token.tag_ not in _OF_SUBJECT and token not in inner for token in subject)
        or subject[-1].tag_ not in _NOUNS
    ):
        return False
    named = subject[-1].tag_ in _NAMES
    several = subject[-1].tag_ in {"NNS", "NNPS"} or any(token.lower_ == "and" for token in subject)
    agrees = several if verb.lower_ == base else named or not several
    after = verb.nbor(1)
    apart = len(subject) + verb.sent.start < verb.i
    followed = after.tag_ in _AFTER_VERB or (apart and after.is_punct)
    if inner and after.tag_ not in _ARTICLES | {"CD"}:  # "the shops at Senn markets ..."
        return False
    if named or not agrees or not followed:
        return named and agrees and followed
    word = subject[-1].lemma_.lower()
    who = word in PEOPLE or is_role(word) or after.tag_ in _ARTICLES
    return who and subject[0].tag_ in _ARTICLES
