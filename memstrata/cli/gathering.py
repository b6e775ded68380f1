"""Options that belong together, handed to a command as one value with a name."""

from __future__ import annotations

from dataclasses import fields
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from _typeshed import DataclassInstance

    Command = Callable[..., object]

K = TypeVar("K", bound="DataclassInstance")


def gathering(
    command: Command,
    options: Sequence[Callable[[Command], Command]],
    gather: Callable[[dict[str, Any]], Mapping[str, object]],
) -> Command:
    """The command with these options: `gather` takes theirs out of what is given and says what it gets."""

    @wraps(command)
    def gathered(**given: Any) -> object:
        made = gather(given)
        return command(**made, **given)

    decorated: Command = gathered
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


def taken(kind: type[K], given: dict[str, Any]) -> K:
    """A value of that dataclass: its fields, taken out of what was given."""
    return kind(**{field.name: given.pop(field.name) for field in fields(kind)})
