"""Groups fail alone: a run walks them all, and fails at its end with the list of those that did."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from dagster import Failure

from memstrata.errors import MemstrataError

T = TypeVar("T")


def walked(groups: Iterable[str], do: Callable[[str], T]) -> tuple[list[T], dict[str, str]]:
    """What `do` gives for each group, and why it failed for the groups where it did."""
    done: list[T] = []
    failed: dict[str, str] = {}
    for group in groups:
        try:
            done.append(do(group))
        except MemstrataError as error:
            failed[group] = str(error)
    return done, failed


def fail_with(failed: Mapping[str, str]) -> None:
    """Raises `Failure` with the groups and their reasons, if there are any."""
    if failed:
        raise Failure(f"failed for {', '.join(sorted(failed))}", metadata=dict(failed))


def fail_as_stopped(reason: str, done: Mapping[str, object]) -> None:
    """Raises `Failure` with what was done, if the extractor stopped for a reason: what is left waits."""
    if reason:
        raise Failure(f"the extractor stopped: {reason}", metadata={"stopped": reason, **done})
