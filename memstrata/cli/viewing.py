"""Where and when to look, and among what: the options that reading commands share, as one `View`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memstrata.cli.gathering import gathering
from memstrata.cli.session import When
from memstrata.intake.door import check_group
from memstrata.model import DEFAULT_GROUP
from memstrata.ports import Filters
from memstrata.search.view import ANY, View

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstrata.cli.gathering import Command


class _Property(click.ParamType[tuple[str, str]]):
    """`NAME=VALUE`, as given to `--property`."""

    name = "NAME=VALUE"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Parts the text at its first equals sign; fails without one."""
        if isinstance(value, tuple):
            return value
        name, equals, wanted = str(value).partition("=")
        if not (name and equals and wanted):
            self.fail(f"{value!r} is no NAME=VALUE, such as role=engineer", param, ctx)
        return name, wanted


_GROUPS = click.option(
    "--group",
    "-g",
    "groups",
    multiple=True,
    default=(DEFAULT_GROUP,),
    show_default=True,
    callback=lambda _ctx, _param, given: _checked(given),
    help="A group to look in, `PATH/*` for all below it, `*` for all; may be repeated.",
)
_SYSTEM = click.option("--system-as-of", type=When(), help="As believed at this time (default: now).")
_MOMENT = (
    click.option("--as-of", type=When(), help="What was true at this time (default: now)."),
    click.option("--during", type=When(), nargs=2, help="What was true at some time from .. to."),
    click.option("--history", is_flag=True, help="All that was ever held true, not one moment."),
)
_FILTERS = (
    click.option("--type", "types", multiple=True, help="Only of or about entities of this type."),
    click.option("--relation", "relations", multiple=True, help="Only facts of this relation."),
    click.option("--source", "sources", multiple=True, help="Only what rests on this source."),
    click.option("--speaker", "speakers", multiple=True, help="Only what this speaker said (id or name)."),
    click.option(
        "--confidence",
        "least_confidence",
        type=click.FloatRange(0.0, 1.0),
        help="Only facts at least so sure.",
    ),
    click.option(
        "--property",
        "properties",
        type=_Property(),
        multiple=True,
        help="Only where this attribute has this value.",
    ),
)


def groups_option(command: Command) -> Command:
    """Hands the command `groups`: names and patterns, checked."""
    return _GROUPS(command)


def belief_options(command: Command) -> Command:
    """Hands the command a `view` of groups at a system time."""
    return _viewing(command, (_GROUPS, _SYSTEM))


def moment_options(command: Command) -> Command:
    """Hands the command a `view` of groups and both times."""
    return _viewing(command, (_GROUPS, *_MOMENT, _SYSTEM))


def view_options(command: Command) -> Command:
    """Hands the command a `view` of groups, both times, and filters."""
    return _viewing(command, (_GROUPS, *_MOMENT, _SYSTEM, *_FILTERS))


def _viewing(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    """The command with these options, which it gets as one view."""
    return gathering(command, options, _view)


def _view(given: dict[str, Any]) -> Mapping[str, object]:
    filters = {name: given.pop(name) for name in Filters.__dataclass_fields__ if name in given}
    moment = {name: given.pop(name) for name in View.__dataclass_fields__ if name in given}
    return {"view": View(**moment, filters=Filters(**filters))}


def _checked(groups: tuple[str, ...]) -> tuple[str, ...]:
    """The groups; a wrong name is refused before anything is opened (patterns: `View`)."""
    for group in groups:
        if not group.endswith(ANY):
            check_group(group)
    return groups
