"""Whether a quote states anything, or asks, supposes or wishes it; English alone is read here.

A quote is the shortest stretch that shows a fact, and what makes a condition of it often stands beside it:
so the whole sentence is looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memstrata.extraction.verification.folding import folded
from memstrata.extraction.verification.speech import LEAD
from memstrata.model import Verdict

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.verification.source import Finding, Source

_ASKS: Final = re.compile(
    rf"{LEAD}(?:(?:do|does|did|is|are|am|was|were|can|could|should|would|will|shall|have|has|may|might)"
    r"(?:n['\u2019]t)?|won['\u2019]t|can['\u2019]t|what|who"
    r"|whom|whose|where|when|why|how|which)\b",
    re.IGNORECASE,
)
_WONDERS: Final = re.compile(
    rf"{LEAD}I(?:['\u2019]m|\s+am)?\s+(?:(?:just|still|only)\s+)?(?:wonder(?:ing)?\s+(?:if|whether)|wish\b(?!\s+to\b))",
    re.IGNORECASE,
)
#: What makes what follows a mere case; not "as if", "if any", "even if".
_IF: Final = (
    r"(?:(?<!\bas\s)(?<!\beven\s)if(?!\s+(?:any|ever|not|only|so|possible|necessary|needed)\b)|unless|whether"
    r"|what\s+if|in\s+case|supposing|suppose|imagine|assuming|provided\s+that)\b(?:\s+that\b)?"
)
_BEGINS_WITH_IF: Final = re.compile(rf"{LEAD}{_IF}", re.IGNORECASE)
_ENDS_WITH_IF: Final = re.compile(rf"(?<!\w)(?:even\s+if|{_IF})\s*$", re.IGNORECASE)
#: Nothing but more of the same clause may stand between it and its condition.
_GOES_ON_WITH_IF: Final = re.compile(
    rf"(?:(?!\b(?:and|but|or|so|because)\b)[^,;:.!?\n])*(?<!\w){_IF}", re.IGNORECASE
)
#: "If you need me, I live at ...": so whatever is the case.
_TO_WHOM_IT_MAY_CONCERN: Final = re.compile(
    rf"{LEAD}{_IF}\s+(?:you|any(?:one|body)|that|it\s+(?:helps|matters))\b", re.IGNORECASE
)
_WISHES: Final = re.compile(
    r"(?:\bwould|['\u2019]d)\s+(?:(?:really|also|still|rather|so|much)\s+)*(?:love|like|prefer|want)\s+to\b"
    r"|\b(?:hop(?:es?|ed|ing)|wants?|wanted|wish(?:es|ed)?|wanna)\s+to\b|\bdream(?:s|ed|t|ing)?\s+of\b",
    re.IGNORECASE,
)
_OF_WISHES: Final = re.compile(
    r"(?<![^\W_])(?:aim|aspire|consider|desire|dream|hope|intend|interest|like|love|need|plan|prefer|seek|want|wish"
    r"|would)",
    re.IGNORECASE,
)
_ANOTHER_CLAUSE: Final = re.compile(
    r"[,;:.!?\n]|\b(?:and|but|or|so|because|since|as|who|which|where)\b", re.IGNORECASE
)


def is_stated(candidate: Candidate, source: Source) -> Finding | None:
    """A question, a condition or a wish asserts nothing."""
    quote = candidate.quote.strip()
    if not quote:
        return None
    if _is_supposed(candidate, source):
        return Verdict.SECOND_PASS, "the evidence is a condition"
    if _WONDERS.match(quote) or _is_wished(candidate):
        return Verdict.SECOND_PASS, "the evidence is a wish or a doubt"
    if (
        _ASKS.match(quote)
        and not _is_presupposed(candidate)
        and source.sentences_around(candidate).rstrip("\"'\u201d) ").endswith("?")
    ):
        return Verdict.SECOND_PASS, "the evidence is a question"
    return None


def _is_supposed(candidate: Candidate, source: Source) -> bool:
    """Whether the quote is a case that is only thought of, or holds in such a case alone."""
    quote, sentence = candidate.quote.strip(), source.sentences_around(candidate)
    at = max(sentence.find(quote), 0)
    before, after = sentence[:at], sentence[at + len(quote) :]
    if _ENDS_WITH_IF.search(before):
        return True
    if opening := _BEGINS_WITH_IF.match(sentence):
        told = max(sentence.find(candidate.object_said, opening.end()), at)
        is_beside = "," in sentence[opening.end() : told]
        return not (is_beside and _TO_WHOM_IT_MAY_CONCERN.match(sentence)) and not _is_closed(before)
    return _GOES_ON_WITH_IF.match(quote + after) is not None


def _is_closed(before: str) -> bool:
    """Whether the conditional clauses in front are over: what follows stands by itself."""
    return re.search(r"[;:]|,\s+(?:and|but|so)\b", before, re.IGNORECASE) is not None


def _is_wished(candidate: Candidate) -> bool:
    """Whether the quote wishes what the assertion has as a fact."""
    if _OF_WISHES.search(candidate.predicate):
        return False
    quote, target = folded(candidate.quote), folded(candidate.object_said)
    told = quote.find(target)
    return told >= 0 and any(
        wish.end() <= told and not _ANOTHER_CLAUSE.search(quote, wish.end(), told)
        for wish in _WISHES.finditer(quote)
    )


def _is_presupposed(candidate: Candidate) -> bool:
    """Whether the words take it for granted: "can you help my neighbour Ansel?" tells of a neighbour."""
    words = r"[\s_-]+".join(re.escape(word) for word in re.split(r"[\s_-]+", candidate.predicate.strip()))
    owned = rf"(?:\b(?:my|our|your|his|her|their)|['\u2019]s)\s+(?:[\w-]+\s+)?{words}\b"
    return re.search(owned, candidate.quote, re.IGNORECASE) is not None
