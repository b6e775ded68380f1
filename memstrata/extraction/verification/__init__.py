"""Verification: small pure rules that judge one candidate each, and say why. The same for every extractor.

A rule gives a verdict with its reason where it has something to say. It looks at the candidate, its
episode, the turns shown with it and the ontology, never at the graph. What passes them all, the fold cannot
refuse (docs/fold.md, 7, "Errors"). `source` is what they look at; `soundness`, `vocabulary`, `evidence`,
`speech`, `stating`, `figures` and `secrecy` hold them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.extraction.verification.evidence import is_not_recalled, quote_is_in_the_episode
from memstrata.extraction.verification.figures import numbers_are_in_the_evidence
from memstrata.extraction.verification.folding import folded
from memstrata.extraction.verification.secrecy import holds_no_secret
from memstrata.extraction.verification.soundness import (
    an_ended_fact_had_begun,
    confidence_is_a_share,
    ends_differ,
    names_are_given,
    times_are_ordered,
    times_are_plausible,
)
from memstrata.extraction.verification.source import LEAST_CONFIDENCE, Source
from memstrata.extraction.verification.speech import is_no_suggestion, is_said_of_the_subject
from memstrata.extraction.verification.stating import is_stated
from memstrata.extraction.verification.vocabulary import (
    ends_are_admitted,
    is_left_to_review,
    is_sure_enough,
    named,
    relation_is_declared,
    seen_of,
    types_are_declared,
)
from memstrata.model import Outcome, Verdict
from memstrata.secrecy import WITHHELD

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.verification.source import Rule

__all__ = [
    "LEAST_CONFIDENCE",
    "PERSONS_RULES",
    "RULES",
    "Source",
    "folded",
    "holds_no_secret",
    "named",
    "outcome_of",
    "seen_of",
]

#: What even a person who edits an item cannot overrule.
PERSONS_RULES: Final[tuple[Rule, ...]] = (
    holds_no_secret,
    names_are_given,
    ends_differ,
    confidence_is_a_share,
    times_are_ordered,
    an_ended_fact_had_begun,
    times_are_plausible,
    relation_is_declared,
    types_are_declared,
    ends_are_admitted,
)
#: All, those first whose reason counts among equals.
RULES: Final[tuple[Rule, ...]] = (
    *PERSONS_RULES[:7],
    quote_is_in_the_episode,
    is_not_recalled,
    *PERSONS_RULES[7:],
    is_left_to_review,
    is_sure_enough,
    is_no_suggestion,
    is_stated,
    is_said_of_the_subject,
    numbers_are_in_the_evidence,
)
_SEVERITY: Final = {
    Verdict.ACCEPT: 0,
    Verdict.SECOND_PASS: 1,
    Verdict.QUARANTINE: 2,
    Verdict.REJECT: 3,
}


def outcome_of(candidate: Candidate, source: Source, rules: tuple[Rule, ...] = RULES) -> Outcome | None:
    """The strictest that the rules find, the first of equals; None if none has anything to say.

    An outcome that accepts tells of a relation or type that is new. The candidate must be `named`.
    """
    strictest: Outcome | None = None
    for rule in rules:
        finding = rule(candidate, source)
        if finding is None:
            continue
        verdict, reason = finding
        if strictest is None or _SEVERITY[verdict] > _SEVERITY[strictest.verdict]:
            label = WITHHELD if rule is holds_no_secret else candidate.label
            strictest = Outcome(item=label, rule=rule.__name__, verdict=verdict, reason=reason)
        if verdict is Verdict.REJECT:
            break
    return strictest
