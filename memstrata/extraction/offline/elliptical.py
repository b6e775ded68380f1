"""Chats leave out who does it: "Moved to Leeds last week", "Still living in Porto", "Allergic to nuts".

The missing "I" (with its auxiliary) is put before the verb for the parser alone. Only what a speaker can
hardly mean of anybody else is completed; an order ("Try chamomile") or a participle ("Founded in 1998, the
firm ...") stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memstrata.extraction.offline.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

_START: Final = (
    r"(?:^|(?<=[.!?;])[ \t]+|(?<=[:;][()])[ \t]+|\n[ \t]*)"
    r"(?:(?:hey|hi|hello|yes|yep|yeah|no|nope|ok|okay|oh|ah|aw|well|so|and|but|also|btw|fyi|lol|haha|ugh|wow"
    r"|guess what|(?:good|great|bad|big|quick)\s(?:news|update)|news|update|sorry|anyway|honestly|actually"
    r"|tbh|thanks|same here)"
    r"(?:\s*[,:!.\u2014-]+\s*|\s+))*"
)
_BEFORE: Final = (
    r"(?P<adverb>(?:(?:just|finally|still|also|recently|then|already|only|currently|originally|now|always"
    r"|officially|accidentally|even)\s+){0,2})"
)
_LEFT_OUT: Final = re.compile(rf"{_START}{_BEFORE}(?P<word>[A-Za-z']+)(?![\w'\u2019:-])", re.IGNORECASE)
_PAST: Final = word_set(
    "got bought sold quit left took went saw met found lost had started spent made gave ran sent wrote"
    " broke came paid told became began chose drove ate flew fell felt forgot grew heard kept led slept"
    " spoke taught won built caught threw hurt used did moved"
)
#: Participles and adjectives in -ed that stand alone for what is, or was done by others.
_NOT_PAST: Final = word_set(
    "attached based located founded born needed related supposed allowed scheduled delivered shipped"
    " closed resolved approved updated confirmed agreed noted indeed hundred wicked naked sacred need"
    " feed seed speed published released rated priced established red exceed succeed proceed embed"
)
#: What writers of notes do.
_NOTED: Final = word_set(
    "visited met spoke talked called saw went attended discussed received emailed phoned interviewed"
)
_STATIVE: Final = word_set(
    "love hate prefer live need want own like enjoy miss work adore can't cannot couldn't"
)
_BEING: Final = word_set(
    "allergic married engaged divorced separated retired vegetarian vegan pregnant interested excited"
    " tired born raised lactose gluten diabetic afraid scared fluent gonna stuck obsessed addicted"
)
_BROUGHT: Final = re.compile(
    r"\s+(?:to|in|of|with|since|for|from|intolerant|by|on|now|again|at|move|buy|be|start|go|take|get|have)\b",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(r"not\s+(?P<verb>[a-z]+ing)\b", re.IGNORECASE)
#: A main clause with a subject of its own, or a verb that makes the first word the subject.
_OTHERWISE: Final = re.compile(
    r"[^.!?\n]*,\s+(?:i|we|he|she|it|they|you|the|our|my|his|her|this|that)\b"
    r"|(?:\s+[\w'\u2019-]+){0,4}\s+(?:is|are|was|were|helps|helped|can|will|would|could|has|makes|made|takes|took)\b",
    re.IGNORECASE,
)
_PASSIVE: Final = re.compile(r"\s+(?:by|as|under)\b", re.IGNORECASE)


def left_out(text: str, *, spoken: bool = True) -> Iterator[tuple[int, int, str]]:
    """Pieces `(start, end, words)` that complete sentences in which "I" was left out.

    In a note without speakers only what its writer does by trade is completed: "Visited the farm today".
    """
    for match in _LEFT_OUT.finditer(text):
        adverb = match.start("adverb") if match["adverb"] else match.start("word")
        lead = _lead(match["word"].casefold().replace("\u2019", "'"), text, match.end("word"))
        asked = text[match.end() :].partition("\n")[0]
        if not spoken and (match["adverb"] or match["word"].casefold() not in _NOTED):
            continue
        if lead is None or re.match(r"[^.!?]*\?", asked):
            continue
        yield adverb, adverb, lead
        first = re.match(r"[A-Za-z]+", text[adverb:])
        if first is not None and first.group()[0].isupper():
            yield adverb, adverb + first.end(), first.group().lower()


def _lead(word: str, text: str, end: int) -> str | None:
    """What was left out before a word; None where nothing was."""
    if word in _NOT:
        after = re.match(r"\s+(?P<verb>\w+)", text[end:])
        verb = after["verb"].casefold() if after is not None else ""
        orders = word == "don't" and verb not in _STATIVE_AFTER
        return None if orders or not verb or verb in _SOMEBODY else "I "
    if _SAYING_NOTHING.match(text, end):
        return None
    if word == "been" or (word == "never" and _ONCE.match(text, end)):
        return "I have "
    if word in _STATIVE or (word == "used" and text[end : end + 4] == " to "):
        return "I "
    if word in _PAST and not _PASSIVE.match(text, end) and not _ASKING.match(text, end):
        return "I "
    return _of_a_deed(word, text, end) if _OTHERWISE.match(text, end) is None else None


def _of_a_deed(word: str, text: str, end: int) -> str | None:
    """What was left out before what somebody is, did or is doing."""
    if word in _BEING and _BROUGHT.match(text, end) and not _TO_BE.match(text, end):
        return "I was " if word in {"born", "raised"} else "I am "
    if word == "not" and _NEGATED.match(text, end - len(word)):
        return "I am "
    if _PASSIVE.match(text, end):
        return None
    if len(word) > _SHORTEST and word.endswith("ed") and word not in _NOT_PAST:
        return "I "
    if word in _DOING and not _FINITE.match(text, end):
        return "I am "
    return None


_NOT: Final = frozenset({"don't", "didn't", "haven't", "won't"})
#: "Had I known", "did you".
_ASKING: Final = re.compile(r"\s+(?:i|you|we|they|he|she|it|that|this)\b", re.IGNORECASE)
_ONCE: Final = re.compile(r"\s+(?:been|tried|eaten|had|seen|met)\b", re.IGNORECASE)
#: Of words in -ed, the shortest that is a verb's past has a letter more: "used" aside.
_SHORTEST: Final = 4
#: "Can't wait", "told you so", "love this place".
_SAYING_NOTHING: Final = re.compile(
    r"\s+(?:wait|believe|complain|find|say|tell|remember|think|help|imagine|see|you|this|that|it"
    r"|to\s+(?:see|hear)|how|what)\b",
    re.IGNORECASE,
)
_SOMEBODY: Final = word_set("you i we they he she it this that the my your forget worry be")
_STATIVE_AFTER: Final = _STATIVE | word_set(
    "eat drink smoke have speak know drive play care really think cook watch"
)
#: What is told of oneself in this form; other such words more often are what a sentence is about: "hiking
#: there was fun".
_DOING: Final = word_set(
    "starting moving working living leaving going staying learning studying training planning considering"
    " visiting travelling traveling saving switching doing reading taking getting looking flying heading"
    " renting buying selling expecting joining quitting"
)
_FINITE: Final = re.compile(
    r"[^.!?\n]*(?:['\u2019](?:s|re)|\s(?:is|are|was|were|has|have|had|can|will|would|could|makes?|made|helps?|gives?"
    r"|gets?|feels?|means?|lets?|shows?|takes?|brings?|keeps?))\b",
    re.IGNORECASE,
)
_TO_BE: Final = re.compile(r"\s+be\b", re.IGNORECASE)
