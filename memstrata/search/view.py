"""Where and when somebody looks, as they say it, and the scope that the ports understand.

Access rights do not live here: a view names groups that its caller may read.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from memstrata.bitemporal import Moment
from memstrata.errors import Incorrect
from memstrata.model import DEFAULT_GROUP
from memstrata.ports import Scope

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """These groups only; what was true at `as_of`, as believed at `system_as_of`; or all history.

    None is now for `as_of`, and the latest belief for `system_as_of`. With `history` every interval
    and every version counts, whatever the moment. Raises `Incorrect` for no groups and naive times.
    """

    groups: tuple[str, ...] = (DEFAULT_GROUP,)
    as_of: datetime | None = None
    system_as_of: datetime | None = None
    history: bool = False

    def __post_init__(self) -> None:
        """Refuses what cannot be answered."""
        if not self.groups:
            raise Incorrect("no group was given to look in; name at least one, such as 'default'")
        for name, instant in (("as_of", self.as_of), ("system_as_of", self.system_as_of)):
            if instant is not None and instant.tzinfo is None:
                raise Incorrect(
                    f"{name} is {instant.isoformat()}, a time without an offset; give one in UTC, "
                    f"such as {instant.isoformat()}Z"
                )

    def scope(self, now: datetime) -> Scope:
        """The scope of this view when the clock says `now`."""
        return Scope(groups=self.groups, moment=self.moment(now), history=self.history)

    def moment(self, now: datetime) -> Moment:
        """The instants that the view looks at."""
        valid = now if self.as_of is None else self.as_of.astimezone(UTC)
        system = None if self.system_as_of is None else self.system_as_of.astimezone(UTC)
        return Moment(valid=valid, system=system)
