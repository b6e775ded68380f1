"""Ends one of several servers (`--workers`) with the process that started them, however that one ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def end_with_supervisor() -> None:
    """From now on a killed supervisor ends this process as a polite stop would.

    Its servers would else go on answering on its port, told of by nobody. Nothing where no process
    supervises this one.
    """
    supervisor = multiprocessing.parent_process()
    if supervisor is None:
        return

    def watch() -> None:
        supervisor.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="supervised", daemon=True).start()
