"""Where and when a caller looks, as keywords of the Python face, and the `View` that they mean."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypedDict

from memstrata.errors import Incorrect, nearest
from memstrata.instants import DATE_WILL_DO, NotAnInstant, parse_instant_or_date
from memstrata.intake.door import check_group
from memstrata.model import DEFAULT_GROUP
from memstrata.ports import Filters
from memstrata.search.view import ANY, View

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: A time: an aware datetime, a wire time, or a date such as `2024-05-14`, `2024-05` or `2024` (its start).
Time = datetime | str


class Where(TypedDict, total=False):
    """One group: `group`, or `user_id`, which is another word for it. Without either: `default`."""

    group: str
    user_id: str


class Belief(Where, total=False):
    """Groups (`acme/*`: all below a path, `*`: all), as believed at `system_as_of` (default: now)."""

    groups: Sequence[str]
    system_as_of: Time


class Looking(Belief, total=False):
    """Groups, both times, and filters: the fields of `View` and `Filters`, by their names.

    `as_of`: what was true then (default: now); `during`: at some instant of a half-open period;
    `history`: all that was ever held true. Each filter is one value or several, of which any will do.
    """

    as_of: Time
    during: tuple[Time, Time]
    history: bool
    types: str | Sequence[str]
    relations: str | Sequence[str]
    sources: str | Sequence[str]
    speakers: str | Sequence[str]
    properties: Mapping[str, str]
    least_confidence: float


def view_of(given: Looking) -> View:
    """The view that the keywords mean. Raises `Incorrect` for unknown ones, and as `View` does."""
    check_keywords(given, Looking)
    during = given.get("during")
    return View(
        groups=groups_of(given),
        as_of=_optional(given.get("as_of"), "as_of"),
        system_as_of=_optional(given.get("system_as_of"), "system_as_of"),
        during=None
        if during is None
        else (instant_of(during[0], "during"), instant_of(during[1], "during")),
        history=given.get("history", False),
        filters=Filters(
            types=_several(given.get("types", ())),
            relations=_several(given.get("relations", ())),
            sources=_several(given.get("sources", ())),
            speakers=_several(given.get("speakers", ())),
            properties=tuple(given.get("properties", {}).items()),
            least_confidence=given.get("least_confidence"),
        ),
    )


def belief_of(given: Belief) -> View:
    """The view that the keywords mean, at the present valid time. Raises as `view_of`."""
    check_keywords(given, Belief)
    return View(groups=groups_of(given), system_as_of=_optional(given.get("system_as_of"), "system_as_of"))


def groups_of(given: Belief) -> tuple[str, ...]:
    """The groups that the keywords name, patterns as they are; each name is checked."""
    several = given.get("groups")
    if several is None:
        return (group_of(given, patterns=True),)
    if "group" in given or "user_id" in given:
        raise Incorrect("both groups and a single group were given; put all of them into groups")
    named = _several(several)
    for group in named:
        _check(group)
    return named


def group_of(given: Where, *, patterns: bool = False) -> str:
    """The one group that the keywords name, checked; a pattern is refused unless asked for."""
    group, user = given.get("group"), given.get("user_id")
    if group is not None and user is not None and group != user:
        raise Incorrect(
            f"group is {group!r} and user_id is {user!r}: both name the group; give one of them"
        )
    named = group if group is not None else user if user is not None else DEFAULT_GROUP
    if patterns:
        _check(named)
    else:
        check_group(named)
    return named


def instant_of(given: object, name: str) -> datetime:
    """The instant that a time means, in UTC. Raises `Incorrect`, with the keyword, for what is no time."""
    if isinstance(given, datetime):
        if given.utcoffset() is None:
            raise Incorrect(
                f"{name} is {given.isoformat()}, a time without an offset; give it a zone, for instance "
                "datetime(..., tzinfo=UTC)"
            )
        return given.astimezone(UTC)
    if not isinstance(given, str):
        raise Incorrect(f"{name} is {given!r}; expected a datetime or a text such as 2024-05-14")
    try:
        return parse_instant_or_date(given)
    except NotAnInstant as error:
        raise Incorrect(f"{name}: {error}; {DATE_WILL_DO}") from None


class NoKeyword(Incorrect):
    """A verb was given a keyword that it does not have; `names` are those that it has."""

    def __init__(self, name: str, names: Sequence[str]) -> None:
        self.name = name
        self.names = tuple(dict.fromkeys(names))
        near = nearest(name, self.names)
        hint = f"did you mean {near}?" if near else f"there are: {', '.join(self.names)}"
        super().__init__(f"{name} is no keyword here; {hint}")


def check_keywords(given: Mapping[str, object] | Where, known: type) -> None:
    """Raises `NoKeyword`, with the nearest there is, for a keyword that does not exist."""
    names = tuple(known.__annotations__)
    for name in given:
        if name not in names:
            raise NoKeyword(name, names)


def _check(group: object) -> None:
    if not (isinstance(group, str) and group.endswith(ANY)):  # patterns are the view's to check
        check_group(group)


def _optional(given: object, name: str) -> datetime | None:
    return None if given is None else instant_of(given, name)


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
