"""How long, and how often, a fault that may pass is waited for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.language_models.refusals import Meaning

if TYPE_CHECKING:
    from memstrata.language_models.refusals import Refusal
    from memstrata.language_models.timing import Timing

_FIRST: Final = 0.5
_LONGEST: Final = 30.0
#: A reply that did not come in time is not waited for as often as one that fails at once.
_TRIES_AFTER_TIME_OUTS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Exponential waits with full jitter (Brooker, "Exponential Backoff And Jitter"), in seconds.

    What the server asks for is waited for whole, and never more than `most_wait`.
    """

    tries_again: int
    most_wait: float
    timing: Timing

    def wait_for(self, refusal: Refusal, tried: int) -> float | None:
        """How long to wait before trying again, if `tried` times have been; None if it is not worth it."""
        if not refusal.is_passing:
            return None
        timed_out = refusal.meaning is Meaning.BREAKING and refusal.status is None
        if tried >= (min(self.tries_again, _TRIES_AFTER_TIME_OUTS) if timed_out else self.tries_again):
            return None
        drawn = self.timing.chance() * min(_LONGEST, _FIRST * 2.0**tried)
        if refusal.wait is None:
            return drawn
        if refusal.wait > self.most_wait:
            return None
        return max(drawn, refusal.wait + min(drawn, 1.0))  # some always ask for 0 s, or for 1
