"""A record that dies at a chosen step, and the work that it dies in; `main` is killed by SIGKILL."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from record_samples import commit_of, episode, extract_all, extraction, retraction, turn

from memstrata.stores.lake import Record

if TYPE_CHECKING:
    from collections.abc import Callable


class Died(BaseException):
    """Stands for SIGKILL where the process must go on to look at what is left."""


class Steps:
    """Counts calls into the record's parts, before and after each, and dies at step `last`."""

    def __init__(self, last: int, die: Callable[[], None]) -> None:
        self.taken = 0
        self._last = last
        self._die = die

    def take(self) -> None:
        if self.taken == self._last:
            self._die()
        self.taken += 1


class Mortal:
    """Passes everything on, and takes a step before and after each call."""

    def __init__(self, inside: object, steps: Steps) -> None:
        self._inside = inside
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inside, name)
        if not callable(found):
            return found

        def call(*args: object, **named: object) -> object:
            self._steps.take()
            result = found(*args, **named)
            self._steps.take()
            return result

        return call


def die_at(record: Record, steps: Steps) -> None:
    """Makes the record mortal in its spool, index and lake."""
    index, lake, keeper = record._open()
    record._spool = Mortal(record._spool, steps)
    keeper._index = Mortal(index, steps)
    keeper._lake = Mortal(lake, steps)
    keeper._spool = record._spool
    record._opened = (keeper._index, keeper._lake, keeper)


def first_work(record: Record) -> None:
    """What has been in the log for a while."""
    record.accept([turn(n) for n in (1, 2, 4, 5)])
    record.accept([episode("a"), episode("r", second=1)])
    record.compact(context_turns=2)
    extract_all(record)
    record.append(commit_of(record, limit=3))


def accept_more(record: Record) -> None:
    """Accepted since: late and repeated turns, revisions, retractions, another group, another day."""
    record.accept([turn(3, second=60), turn(1, second=61), episode("a", "two", second=62)])
    record.accept([episode("r", second=65), episode("late", second=24 * 3600), episode("a", group="h")])
    record.decide([retraction("r", second=64), retraction("talk-2", second=66)])


def second_work(record: Record) -> None:
    """Where the record dies: a light compaction, extractions, a commit, a whole compaction."""
    record.compact(context_turns=2, lightly=True)
    for one in record.awaiting(limit=2):
        record.keep([extraction(one, context="d")], lightly=True)
    extract_all(record, context="d")
    for group in record.groups_with_work():
        record.append(commit_of(record, group))
    record.compact(context_turns=2)


def main(home: str, last: str) -> None:
    """Works in the home until it is killed at the step."""
    with Record(Path(home)) as one:
        die_at(one, Steps(int(last), lambda: os.kill(os.getpid(), signal.SIGKILL)))
        second_work(one)
