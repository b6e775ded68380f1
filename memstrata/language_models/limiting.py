"""One limit on requests and tokens a minute, over all threads and processes of an installation.

Each call reserves its turn in a small file and waits for it: the generic cell rate algorithm (ITU-T I.371),
which is the token bucket told as the time when it will have room again. Turns are given in the order of
asking, so nobody starves; nothing is held while waiting, so a killed process leaves only its turn unused.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.language_models.shared_file import SharedFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from threading import Event

    from memstrata.language_models.timing import Timing
    from memstrata.model import Json

_MINUTE: Final = 60.0

#: No turn lies further ahead than this unless the file is spoilt: then counting begins anew.
MOST_AHEAD: Final = 6 * 3600.0

#: A clock that is set back by more than this was wrong before: turns go back with it.
_SET_BACK: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What an endpoint allows a minute; None for no limit."""

    requests: int | None = None
    tokens: int | None = None


class Limiter:
    """Spaces calls evenly: in no minute more requests than allowed, nor tokens by more than one call's."""

    def __init__(self, path: Path, rates: Rates, timing: Timing) -> None:
        self._file = SharedFile(path)
        self._rates = rates
        self._timing = timing

    @property
    def is_on(self) -> bool:
        """Whether anything is limited."""
        return self._rates.requests is not None or self._rates.tokens is not None

    def wait(self, tokens: float, given_up: Event | None = None) -> float:
        """Waits for the turn of a call that will take about so many tokens; gives the seconds waited.

        Raises `Away` if it is given up meanwhile.
        """
        if not self.is_on:
            return 0.0
        with self._turns() as (turns, now):
            start = max(now, *turns.values())
            self._reserve(turns, "requests", start, 1.0)
            self._reserve(turns, "tokens", start, tokens)
        waited = start - now
        if waited > 0:
            self._timing.rest(waited, given_up)
        return waited

    def correct(self, *, estimated: float, taken: float) -> None:
        """Puts what a call took in the place of what was estimated for it."""
        if self._rates.tokens is None or estimated == taken:
            return
        with self._turns() as (turns, _):
            self._reserve(turns, "tokens", turns["tokens"], taken - estimated)

    def hold_back(self, seconds: float) -> None:
        """Lets nobody's next turn begin before that many seconds: the endpoint has asked for it."""
        if not self.is_on:
            return
        with self._turns() as (turns, now):
            turns["requests"] = max(turns["requests"], now + seconds)

    @contextmanager
    def _turns(self) -> Iterator[tuple[dict[str, float], float]]:
        """When the next call may begin by each limit, to be changed in place; and the time now.

        The file has the time of its last change too: a clock that was set back since moves all of it.
        """
        with self._file.held() as kept:
            now = self._timing.wall()
            back = _number(kept.get("at"), now) - now
            back = back if back > _SET_BACK else 0.0
            turns = {kind: _number(kept.get(kind), now) - back for kind in ("requests", "tokens")}
            turns = {kind: turn if turn <= now + MOST_AHEAD else now for kind, turn in turns.items()}
            yield turns, now
            kept.update(turns, at=now)

    def _reserve(self, turns: dict[str, float], kind: str, start: float, amount: float) -> None:
        rate = self._rates.requests if kind == "requests" else self._rates.tokens
        turns[kind] = start + (amount * _MINUTE / rate if rate else 0.0)


def _number(value: Json, default: float) -> float:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else default
