"""Where time and chance enter: what a model's adapter reads, waits by and draws from."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import Away

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

_NAP: Final = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Clocks, sleep and chance; `wall` gives seconds since 1970, which processes share."""

    wall: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random

    def rest(self, seconds: float, given_up: Event | None) -> None:
        """Sleeps so long; raises `Away` soon after nobody waits for it any more."""
        if given_up is None:
            self.sleep(seconds)
            return
        while True:
            if given_up.is_set():
                raise Away("nobody waits for the answer any more")
            if seconds <= 0:
                return
            self.sleep(min(seconds, _NAP))
            seconds -= _NAP
