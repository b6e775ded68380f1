"""Whose words a quote is, and whom it is about; English alone is read here.

A rule speaks up only where the words leave little doubt: what it does not see, other rules or people do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memstrata.extraction.verification.folding import folded
from memstrata.model import Verdict

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate, Name
    from memstrata.extraction.verification.source import Finding, Source
    from memstrata.model import Speaker

_SELF: Final = frozenset({"i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"})
_USER: Final = frozenset({"user", "the user", "you", "your", "yourself"})
#: What may stand before a sentence and says nothing of it.
LEAD: Final = r"(?:(?:and|but|so|also|plus|well|oh|yes|yeah|actually|apparently|by the way|btw),?\s+)*"
_PERSON: Final = (
    r"(?:(?:co-?worker|colleague|boss|manager|supervisor|friend|neighbou?r|room-?mate|flat-?mate|house-?mate"
    r"|team-?mate|class-?mate|brother|sister|sibling|mother|mom|mum|father|dad|parent|son|daughter|child"
    r"|husband|wife|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|cousin|aunt|uncle|niece|nephew"
    r"|grand(?:mother|father|ma|pa|son|daughter|parent)|teacher|professor|tutor|doctor|dentist|therapist"
    r"|lawyer|landlord|landlady|client|customer|employee|assistant|intern|mentor|coach|trainer"
    r"|(?:brother|sister|mother|father|son|daughter)-in-law|step(?:mother|father|sister|brother|son|daughter)"
    r"|dog|cat|puppy|kitten|pet"
    r")s?|children|kids?|ex)"
)
_OWNER: Final = re.compile(
    rf"{LEAD}(?P<whole>(?:(?:\w+\s+of\s+)?(?:my|our|his|her|their)\s+(?:[\w-]+\s+){{0,2}}?{_PERSON}\b"
    rf"|(?:an?|the)\s+(?:[\w-]+\s+)?{_PERSON}\s+of\s+(?:mine|ours|his|hers|theirs)\b"
    r"|(?:an?|the|this|some)\s+(?:[\w-]+\s+)?(?:guy|man|woman|lady|girl|boy|couple|person)\b(?:\s+next\s+door)?)"
    r"(?:,?\s+(?-i:[A-Z])[\w'\u2019-]*(?<!['\u2019]s))*)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SOMEBODY: Final = r"(?:he|she|they|my|our|his|her|their|an?|the|one|some|(?!I\b)(?-i:[A-Z])\w+)\b"
_REPORTED: Final = re.compile(
    rf"{LEAD}(?:(?:I|we)\s+(?:just\s+|also\s+)?(?P<verb>think|thought|know|knew|believe|heard|hear|guess|said"
    rf"|learned|found\s+out)|(?:(?:my|our|his|her|their)\s+(?:[\w-]+\s+)?{_PERSON}|he|she|they|(?-i:[A-Z])\w+)"
    rf"\s+(?:says?|said|told\s+(?:me|us)|mentioned|thinks|claims))(?:\s+that)?\s+(?={_SOMEBODY})",
    re.IGNORECASE,
)
_DONE_TO: Final = re.compile(r"(?P<verb>\w+)\s+(?:me|us)\b(?P<to>\s+to\b)?", re.IGNORECASE)
_NOT_DONE: Final = re.compile(
    r"to|with|for|from|by|at|of|on|like|unlike|than|near|beside|behind|and|about|after|before|without|around"
    r"|against|opposite"
)
_REPORTS: Final = re.compile(
    r"told|tells|said|says|texted|wrote|messaged|reminded|informed|assured|promised|emailed|showed"
)
_THIRD: Final = re.compile(rf"{LEAD}(?:he|she|they)(?:['\u2019](?:s|ve|re|d|ll))?\s+\w", re.IGNORECASE)
_THIRD_LEAD: Final = re.compile(rf"^{LEAD}", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"(?:(?:And|But|So|Also|Plus),?\s+)?"
    r"(?!(?:Just|Finally|Recently|Already|Never|Still|Also|Then|Now|Once|Only|Always|Previously|Originally"
    r"|Currently|Yesterday|Today|Later|Eventually|Officially|Actually|Almost|Not|Been|Have|Had|Formerly"
    r"|Briefly)\b)(?P<whole>[A-Z][\w'\u2019-]+(?:\s+[A-Z][\w'\u2019-]+){0,2})\s+"
    r"(?:has|had|works?|worked|lives?|lived|owns?|owned|plays?|speaks?|studies|studied|teaches|taught|moved"
    r"|joined|got|graduated|(?:is|was|became)\s+(?:an?|from|the)\b)"
)
_IS: Final = re.compile(
    r"\s*(?:,|\(|:|is|was|(?:is|was)\s+(?:called|named)|['\u2019]s|['\u2019]s\s+name\s+is"
    r"|called|named)\s*$",
    re.IGNORECASE,
)
_I: Final = re.compile(r"\b(?:I|we|(?:with|and)\s+(?:me|us))\b", re.IGNORECASE)
_ANY_SELF: Final = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_SUGGESTS: Final = re.compile(
    r"\b(?:could|should|might|may|would|can|ought\s+to|must|shall|consider|try|recommend|suggest|advise"
    r"|how\s+about|what\s+about|why\s+not|let['\u2019]?s|let\s+me|perhaps|maybe|feel\s+free|if\s+you|unless"
    r"|you['\u2019]ll\s+want|want\s+me\s+to|do\s+you|are\s+you|have\s+you|don['\u2019]t\s+forget|make\s+sure"
    r"|be\s+sure|remember\s+to|ideally|sounds\s+like|it\s+seems|i\s+assume|i\s+guess|presumably|probably)\b"
    r"|\?\s*[\"'\u201d)]*\s*$",
    re.IGNORECASE,
)
_URGES: Final = re.compile(
    r"(?:(?:first|then|next|also|just|simply|\d+[.)]|[-*\u2022])[,\s]+)*(?:start|use|make|take|check|visit|book"
    r"|go|get|add|ask|look|keep|avoid|think|plan|set|sign|choose|pick|find|call|talk|write|read|buy|join|learn)\b",
    re.IGNORECASE,
)


def is_said_of_the_subject(candidate: Candidate, source: Source) -> Finding | None:
    """What a quote says of somebody else ("my coworker has a PhD") is none of the speaker's facts."""
    if not candidate.quote or not _is_the_speaker(candidate.subject):
        return None
    turn = source.turn_of(candidate)
    if turn is not None and turn.by_assistant:
        return None
    whom = _somebody_else(candidate)
    if whom is None:
        return None
    reason = f"the evidence speaks of {whom[:60]!r}, the assertion of {candidate.subject.said!r}"
    return Verdict.SECOND_PASS, reason


def _is_the_speaker(name: Name) -> bool:
    said = folded(name.text)
    if said in _SELF or said in {"user", "the user"}:
        return True
    return name.speaker is not None and _is_name_of(said, name.speaker)


def _is_name_of(said: str, somebody: Speaker) -> bool:
    """Whether it is the name, or some of its words: Ana for Ana Ribeiro."""
    return bool(said) and set(said.split()) <= set(folded(somebody.name or "").split())


def _somebody_else(candidate: Candidate) -> str | None:
    """Who is the grammatical subject of the quote, where that is clearly not who speaks."""
    quote = _what_is_said(candidate)
    owner = _OWNER.match(quote)
    if owner is not None:
        return None if _is_of_the_speaker(owner, candidate) else owner["whole"]
    if _ANY_SELF.search(quote):
        return None
    if _THIRD.match(quote):
        who = re.split(r"\W", _THIRD_LEAD.sub("", quote), maxsplit=1)[0]
        return None if folded(candidate.object_said) == who.casefold() else who
    name = _NAMED.match(quote)
    return None if name is None or _are_one(name["whole"], candidate) else name["whole"]


def _what_is_said(candidate: Candidate) -> str:
    """The quote without who reports it: "Tom told me he has a PhD" speaks of him."""
    quote = candidate.quote.strip()
    reported = _REPORTED.match(quote)
    if reported is None or _is_what_is_done(reported["verb"], candidate):
        return quote
    return quote[reported.end() :]


def _is_of_the_speaker(owner: re.Match[str], candidate: Candidate) -> bool:
    """Whether what begins with somebody of the speaker's is about the speaker all the same."""
    whole, rest, target = owner["whole"], owner["rest"], folded(candidate.object_said)
    return (
        target in folded(whole)
        or _I.search(rest) is not None
        or _is_done_to_speaker(rest)
        or _is_kinship(candidate, whole)
        or _is_introduced(rest, target)
    )


def _is_what_is_done(verb: str | None, candidate: Candidate) -> bool:
    """Whether the assertion is of the thinking or knowing itself: (I, knows, my neighbour)."""
    return verb is not None and candidate.predicate.casefold().startswith(verb.casefold()[:4])


def _is_done_to_speaker(rest: str) -> bool:
    """Whether somebody else does something to who speaks: "my wife gave me a watch"."""
    for done in _DONE_TO.finditer(rest):
        verb = done["verb"].casefold()
        if not _NOT_DONE.fullmatch(verb) and (done["to"] or not _REPORTS.fullmatch(verb)):
            return True
    return False


def _is_kinship(candidate: Candidate, whole: str) -> bool:
    """Whether the predicate itself is what the two are to one another: (I, sister, Ana)."""
    words = set(re.split(r"[\W_]+", candidate.predicate.casefold()))
    return (
        bool(words & set(re.split(r"[\W_]+", whole.casefold())))
        or re.search(rf"\b{_PERSON}\b", " ".join(words)) is not None
    )


def _is_introduced(rest: str, target: str) -> bool:
    """Whether the owner is but told by name: "my boss is Lee"."""
    at = rest.casefold().find(target)
    return at >= 0 and _IS.fullmatch(rest[:at]) is not None and rest[at : at + 1].isupper()


def _are_one(name: str, candidate: Candidate) -> bool:
    """Whether the name is the object's, or the subject's own."""
    said = set(folded(name).split())
    speaker = candidate.subject.speaker
    own = "" if speaker is None else speaker.name or ""
    return any(
        said & set(folded(end).split()) for end in (own, candidate.subject.text, candidate.object_said)
    )


def is_no_suggestion(candidate: Candidate, source: Source) -> Finding | None:
    """What an assistant proposes, asks, offers or repeats is no fact about whom it speaks to."""
    if not candidate.quote:
        return None
    turn = source.turn_of(candidate)
    if turn is None or not turn.by_assistant or not _is_spoken_to(candidate):
        return None
    around = source.sentences_around(candidate)
    if _SUGGESTS.search(around) or _URGES.match(candidate.quote.strip()):
        return Verdict.REJECT, "an assistant suggests, asks or offers it; the user does not say it"
    return Verdict.SECOND_PASS, "an assistant says it of the user, who does not"


def _is_spoken_to(candidate: Candidate) -> bool:
    """Whether the subject is whom the assistant speaks to."""
    name = candidate.subject
    said = folded(name.text)
    if said in _USER:
        return True
    if name.addressee is not None and _is_name_of(said, name.addressee):
        return True
    quote = candidate.quote.casefold()
    speaks_of_you = re.search(r"\byou(?:rs?|rself)?\b", quote) is not None
    return said in _SELF and speaks_of_you and re.search(r"\bi\b", quote) is None
