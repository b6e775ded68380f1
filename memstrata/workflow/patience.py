"""How long what was refused is left alone before it is tried again: longer each time, up to a minute.

Pure: whoever works passes the time in, of any clock that only goes forward.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

#: Seconds until the second try, and at most between two.
FIRST: Final = 1.0
LONGEST: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Refusal:
    reason: str
    pause: float
    until: float


@dataclass(slots=True)
class Patience:
    """What was refused, by name, and until when each is left alone."""

    _refusals: dict[str, _Refusal] = field(default_factory=dict)

    def resting(self, now: float) -> frozenset[str]:
        """Those that are to be left alone now."""
        return frozenset(name for name, one in self._refusals.items() if one.until > now)

    def learn(self, refused: Mapping[str, str], now: float, *, done: Collection[str] = ()) -> list[str]:
        """Takes in what was refused (name: reason) and what was `done` in a pass that began at `now`.

        Gives the names whose reason is news. What is no longer refused is forgotten.
        """
        resting = self.resting(now)
        for name in [
            name for name in self._refusals if name in done or name not in resting | refused.keys()
        ]:
            del self._refusals[name]
        news = []
        for name, reason in refused.items():
            before = self._refusals.get(name)
            pause = FIRST if before is None else min(LONGEST, 2 * before.pause)
            self._refusals[name] = _Refusal(reason=reason, pause=pause, until=now + pause)
            if before is None or before.reason != reason:
                news.append(name)
        return news
