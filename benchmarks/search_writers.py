"""Two processes that write while the search benchmark reads: real ones, each with its own connection."""

from __future__ import annotations

import multiprocessing
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchmarks.search_world import SEARCHED, World
from benchmarks.stores import open_store
from memstrata.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.context import SpawnProcess
    from multiprocessing.sharedctypes import Synchronized
    from multiprocessing.synchronize import Event

    from memstrata.ports import VectorModel

OTHER: Final = "written"

#: Facts a commit and the pause after it: together the writers bring up to 400 facts a second.
AT_ONCE: Final = 20
PAUSE_S: Final = 0.1
PATIENCE_S: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """One process's work: facts about people of its own, from the number `first` on, with vectors."""

    url: str
    model: VectorModel
    people: int
    group_id: str
    first: int

    def write(self, stop: Event, count: Synchronized[int]) -> None:
        """Commits until it is told to stop, counting facts in `count`."""
        with closing(open_store(self.url)) as graph:
            world = World(graph, self.model, people=self.people, first_person=self.first)
            number = self.first
            while not stop.wait(PAUSE_S):
                world.add(self.group_id, range(number, number + AT_ONCE))
                number += AT_ONCE
                count.value += AT_ONCE


@contextmanager
def writers(url: str, model: VectorModel, *, people: int) -> Iterator[Callable[[], int]]:
    """Runs both writers; gives a function that says how many facts they have written so far.

    Raises `Fault` if one of them does not start to write, or has died by the end.
    """
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    counts: list[Synchronized[int]] = [context.Value("q", 0) for _ in range(2)]
    processes = []
    for group_id, first, count in zip((SEARCHED, OTHER), (10_000_000, 20_000_000), counts, strict=True):
        writer = Writer(url=url, model=model, people=people, group_id=group_id, first=first)
        processes.append(context.Process(target=writer.write, args=(stop, count), daemon=True))
    for process in processes:
        process.start()
    try:
        _await_first(processes, counts)
        yield lambda: sum(count.value for count in counts)
        if any(process.exitcode is not None for process in processes):
            raise Fault("a writing process ended before it was told to; what it printed says why")
    finally:
        stop.set()
        for process in processes:
            process.join(PATIENCE_S)


def _await_first(processes: Sequence[SpawnProcess], counts: Sequence[Synchronized[int]]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not all(count.value for count in counts):
        if time.monotonic() > deadline or any(process.exitcode is not None for process in processes):
            raise Fault("a writing process did not start to write; what it printed says why")
        time.sleep(PAUSE_S)
