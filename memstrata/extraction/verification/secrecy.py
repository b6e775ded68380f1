"""The rule against secrets; what one looks like is in `memstrata.secrecy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.model import Verdict
from memstrata.secrecy import is_credential, secret_in

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.verification.source import Finding, Source


def holds_no_secret(candidate: Candidate, _source: Source) -> Finding | None:
    """Keys, tokens, card numbers and passwords are nothing to remember, told as names or not."""
    target = candidate.object_said
    kind = "password" if is_credential(candidate.predicate, target) else None
    if kind is None:
        texts = (candidate.fact, candidate.quote, target, candidate.subject.text)
        kind = next((found for text in texts if (found := secret_in(text)) is not None), None)
    if kind is None:
        return None
    return Verdict.REJECT, f"it holds what looks like a secret ({kind}); secrets are not kept"
