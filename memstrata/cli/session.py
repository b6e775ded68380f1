"""What the commands share: options, reading times, showing progress."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from memstrata.errors import Incorrect
from memstrata.instants import DATE_WILL_DO, NotAnInstant, parse_instant_or_date
from memstrata.intake.door import check_group
from memstrata.model import DEFAULT_GROUP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memstrata.ports import Installation

F = TypeVar("F", bound="Callable[..., object]")

console = Console()
complaints = Console(stderr=True)


class When(click.ParamType[datetime]):
    """A time on the command line: `2024`, `2024-05`, `2024-05-14` (its first instant, UTC), or whole.

    A whole time needs an offset: no zone is guessed.
    """

    name = "DATE"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Reads the text; fails with what was expected."""
        if isinstance(value, datetime):
            return value
        text = str(value)
        try:
            return parse_instant_or_date(text)
        except NotAnInstant as error:
            self.fail(f"{error}; {DATE_WILL_DO}", param, ctx)


def group_option(command: F) -> F:
    """The option that names the group; a wrong id is refused before anything is opened."""
    return click.option(
        "--group",
        "-g",
        "group_id",
        default=DEFAULT_GROUP,
        show_default=True,
        callback=_checked_group,
        help="The group to work in.",
    )(command)


def any_group_option(command: F) -> F:
    """The option that names one group where all are meant without it."""
    return click.option(
        "--group", "-g", "group_id", callback=_checked_group, help="This group alone (default: all)."
    )(command)


def _checked_group(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    del ctx, param
    if value is not None:
        check_group(value)
    return value


def json_option(command: F) -> F:
    """The option that asks for JSON."""
    return click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(command)


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing elsewhere; what it yields counts the steps done."""
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=complaints,
        transient=True,
        disable=not complaints.is_terminal,
    ) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.advance(task, done)


def existing_group(installation: Installation, group_id: str) -> str:
    """The group's id; raises `Incorrect` with the groups there are if it holds nothing."""
    groups = installation.record.groups()
    if group_id not in groups:
        there = ", ".join(groups[:10]) or "none yet"
        raise Incorrect(f"there is no group {group_id!r}; there are: {there}")
    return group_id


def caught_up_group(installation: Installation, group_id: str) -> str:
    """As `existing_group`, with what was accepted and decided so far in the log."""
    installation.record.compact(context_turns=installation.extractor.context_turns)
    return existing_group(installation, group_id)
