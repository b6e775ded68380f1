"""Where, when and among what somebody looks, as they say it, and the scope that the ports understand.

Access rights do not live here: a view names groups that its caller may read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC
from typing import TYPE_CHECKING

from memstrata.bitemporal import Moment
from memstrata.errors import Incorrect
from memstrata.model import DEFAULT_GROUP
from memstrata.ports import Filters, Scope
from memstrata.search.filters import as_written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from memstrata.ports import GraphReader

#: At the end of a group: that path's whole subtree (`acme/*`); alone: every group.
ANY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """These groups only; what was true at `as_of`, as believed at `system_as_of`; or all history.

    A group that ends in `/*` stands for all groups below that path, `*` for every group. None is now for
    `as_of`, and the latest belief for `system_as_of`. `during` is a half-open period of valid time that
    stands instead of `as_of`. With `history` every interval and every version counts, whatever the
    moment. Raises `Incorrect` for no groups, naive times, a reversed period, a period beside `as_of`.
    """

    groups: tuple[str, ...] = (DEFAULT_GROUP,)
    as_of: datetime | None = None
    system_as_of: datetime | None = None
    during: tuple[datetime, datetime] | None = None
    history: bool = False
    filters: Filters = field(default_factory=Filters)

    def __post_init__(self) -> None:
        """Refuses what cannot be answered."""
        if not self.groups:
            raise Incorrect("no group was given to look in; name at least one, such as 'default'")
        begin, end = self.during or (None, None)
        named = {"as_of": self.as_of, "system_as_of": self.system_as_of, "during": begin, "until": end}
        for name, instant in named.items():
            if instant is not None and instant.tzinfo is None:
                raise Incorrect(
                    f"{name} is {instant.isoformat()}, a time without an offset; give one in UTC, "
                    f"such as {instant.isoformat()}Z"
                )
        if begin is not None and end is not None:
            check_period(begin, end)
            if self.as_of is not None:
                raise Incorrect(
                    "both an instant (as_of) and a period (during) of valid time; give one of them"
                )

    def scope(self, now: datetime, reader: GraphReader) -> Scope:
        """The scope of this view when the clock says `now` and the store has the reader's groups.

        Raises `Incorrect` for a filter that names what nothing there has (see `filters`).
        """
        groups = matching(self.groups, reader) if self.has_patterns else self.groups
        return Scope(
            groups=groups,
            moment=self.moment(now),
            during=self.during,
            history=self.history,
            filters=as_written(self.filters, groups, reader),
        )

    @property
    def has_patterns(self) -> bool:
        """Whether a group stands for several."""
        return any(group.endswith(ANY) for group in self.groups)

    def moment(self, now: datetime) -> Moment:
        """The instants that the view looks at."""
        valid = now if self.as_of is None else self.as_of.astimezone(UTC)
        system = None if self.system_as_of is None else self.system_as_of.astimezone(UTC)
        return Moment(valid=valid, system=system)


def matching(patterns: Sequence[str], reader: GraphReader) -> tuple[str, ...]:
    """The groups that are named, and those below a path that ends in `/*`, each once, sorted."""
    there = reader.groups()
    found: set[str] = set()
    for pattern in patterns:
        found.update(_matching(pattern, there) if pattern.endswith(ANY) else (pattern,))
    return tuple(sorted(found))


def _matching(pattern: str, groups: Iterable[str]) -> Iterable[str]:
    path = pattern.removesuffix(ANY)
    if path and not path.endswith("/"):
        raise Incorrect(
            f"group {pattern!r}: a star stands for whole parts of a path; expected {path}/* or a whole name"
        )
    return (group for group in groups if group.startswith(path))


def check_period(begin: datetime, end: datetime) -> None:
    """Raises `Incorrect` for a period that ends no later than it begins."""
    if end <= begin:
        raise Incorrect(
            f"the period from {begin.isoformat()} to {end.isoformat()} is empty or reversed; give the "
            "earlier time first"
        )
