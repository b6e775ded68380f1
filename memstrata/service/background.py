"""The process that works beside a server: it takes in what was accepted, and gives it vectors.

A process of its own, and a nice one, so that no reader waits for it: not for the interpreter, and least of
all for the processor. `attending` starts it; it ends when its standard input does, as it does with the
server's life, however that ends. Killed anywhere, nothing is lost: leases and log see to that.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memstrata.errors import MemstrataError
from memstrata.service.embedding import bell_of
from memstrata.service.lines import write_line
from memstrata.settings import load_settings, opened
from memstrata.workflow.steady import Steady

if TYPE_CHECKING:
    from memstrata.ports import Installation
    from memstrata.service.embedding import Bell
    from memstrata.workflow.steady import Turn

_NICENESS: Final = 10
#: Seconds between two looks at what has come, and between two passes although nothing was seen to come
#: (a commit of another process, a refusal that may have been mended).
_LOOKS: Final = 0.25
_PASSES: Final = 10.0


class _Ended(BaseException):
    """Raised where the process is, when it is to end: no less than a kill is what it is written for."""


@dataclass(slots=True, kw_only=True)
class Background:
    """Looks often and cheaply whether something has come, and works until nothing is left."""

    installation: Installation
    bell: Bell
    with_content: bool = field(default_factory=lambda: os.environ.get("MEMSTRATA_LOG_CONTENT") == "1")
    _rung: int = -1
    _passed_at: float = float("-inf")

    def run(self) -> None:
        """Goes on until it is ended."""
        steady = Steady(installation=self.installation)
        while True:
            if self._has_come():
                rung = self.bell.rung_at()  # before the pass: what is written during it is another's
                turn = steady.turn()
                self._tell(turn)
                if turn.is_idle:
                    self._rung, self._passed_at = rung, time.monotonic()
                else:
                    continue
            time.sleep(_LOOKS)

    def _has_come(self) -> bool:
        if self._rung != self.bell.rung_at() or time.monotonic() - self._passed_at > _PASSES:
            return True
        with suppress(MemstrataError):  # the pass says it
            return bool(self.installation.record.spooled())
        return True

    def _tell(self, turn: Turn) -> None:
        """One line for what was done, one for each refusal; why is content, for it may quote a fact."""
        if turn.fault:
            write_line("work stopped", why=turn.fault)
        worked = turn.worked
        if worked is None:
            return
        for group, why in worked.failed:
            write_line("not committed", group_id=group, **({"why": why} if self.with_content else {}))
        if worked.extracted.stopped:
            write_line("not extracted", why=worked.extracted.stopped)
        if worked.not_embedded:
            write_line("not embedded", why=worked.not_embedded)
        if not worked.is_idle:
            write_line(
                "worked",
                accepted=worked.compaction.new + worked.compaction.revised,
                extracted=worked.extracted.episodes,
                not_extracted=worked.extracted.failed,
                commits=sum(one.commits for one in worked.committed),
                embedded=worked.embedded,
            )


def main() -> None:
    """Works the memory that the settings choose."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's: it is the server that stops this one
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_input, daemon=True).start()
    with suppress(OSError):
        os.nice(_NICENESS)
    settings = load_settings()
    with suppress(_Ended), opened(settings) as installation:
        Background(installation=installation, bell=bell_of(settings.home.absolute())).run()


def _end(_signal: int, _frame: object) -> None:
    raise _Ended


def _end_with_input() -> None:
    """The pipe of the server ends with it, killed or not."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    try:
        main()
    except MemstrataError as error:
        write_line("work ended", error=type(error).__name__, why=str(error))
        sys.exit(1)
