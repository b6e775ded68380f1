"""What a parse tells of one noun: whether it is written as a name, and which ones are joined to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.extraction.offline.masking import CODE
from memstrata.extraction.offline.pipeline import dictionary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Token


def expanded(token: Token) -> Iterator[Token]:
    """A noun and those coordinated with it."""
    yield token
    for child in token.children:
        joined = child.dep_ == "conj" and child.pos_ not in {"VERB", "AUX"}
        if joined or (child.dep_ == "appos" and _goes_on(token, child)):
            yield from expanded(child)


def _goes_on(token: Token, item: Token) -> bool:
    """Whether the parser took an item of a list for an apposition: "two kayaks, a canoe and a share"."""
    plain = token.pos_ == "NOUN" == item.pos_ and not is_proper(token) and not is_proper(item)
    several = any(c.dep_ == "conj" and c.i > item.i for c in (*token.children, *item.children))
    counted = any(c.dep_ in {"det", "nummod", "poss"} for c in item.lefts)
    return plain and several and counted


def is_noun(token: Token) -> bool:
    """Whether a token may head a name."""
    return token.pos_ in {"NOUN", "PROPN", "NUM", "PRON", "X", "SYM"} or token.tag_ in {
        "NN",
        "NNS",
        "NNP",
        "NNPS",
    }


def holds_a_name(token: Token) -> bool:
    """Whether a noun or one of the words before it is written as a name: "the Kessari cooperative"."""
    return is_proper(token) or any(
        is_proper(c) for c in token.lefts if c.dep_ in {"compound", "nmod", "poss", "amod"}
    )


def is_proper(token: Token) -> bool:
    """Whether a token is written as a name: a proper noun, or an identifier such as kestrel-04."""
    capital = (
        token.text[:1].isupper()
        and token.i > token.sent.start
        and token.pos_ not in {"PRON", "VERB", "AUX"}
    )
    if token.tag_ == "NN" and token.text.istitle() and token.lower_ not in dictionary().nouns:
        return True  # "Pia is leaving"
    told_by_tag = token.pos_ == "PROPN" and not (
        token.is_lower and any(c.dep_ == "det" for c in token.lefts)
    )
    return told_by_tag or token.text == CODE or capital
