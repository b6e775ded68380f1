"""Who calls a tool: what may be asked and told for them, and the group that is meant unless named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from memstrata.errors import Forbidden, Incorrect, MemstrataError
from memstrata.intake.door import check_group
from memstrata.memory.desk import Desk
from memstrata.model import DEFAULT_GROUP
from memstrata.ports import Filters
from memstrata.search.reads import EntityRecord, EpisodeRecord, FactHistory
from memstrata.search.view import ANY, View

if TYPE_CHECKING:
    from datetime import datetime

    GroupIds = str | list[str] | None

_Record = TypeVar("_Record", FactHistory, EntityRecord, EpisodeRecord)
_NOUNS = {FactHistory: "fact", EntityRecord: "entity", EpisodeRecord: "episode"}
_NOTHING = Filters()


@dataclass(frozen=True, kw_only=True)
class Caller(Desk):
    """What one call of a tool works with. `default` is the group that the server was started for."""

    default: str = DEFAULT_GROUP

    @property
    def own_group(self) -> str:
        """The group that is meant where none is named: the server's, else the only one of the caller."""
        groups = self.grant.groups
        is_alone = len(groups) == 1 and not groups[0].endswith(ANY)
        return groups[0] if is_alone and not self.grant.reaches(self.default) else self.default

    def group(self, given: str | None) -> str:
        """The group that is named, or else meant; raises `Misplaced` for what can be no group's id."""
        if not given:
            return self.own_group
        check_group(given)
        return given

    def groups(self, given: GroupIds) -> tuple[str, ...]:
        """The groups and patterns that are named, each once; the one that is meant for none."""
        named = [given] if isinstance(given, str) else given or []
        for group in named:
            if not group.endswith(ANY):
                check_group(group)
        return tuple(dict.fromkeys(named)) or (self.own_group,)

    def taken_in(self, group_id: str) -> str:
        """Commits what was decided about a group; why it waits for the next commit, if it does.

        It is decided all the same: whatever went wrong, to call the tool again does not help.
        """
        try:
            self.telling.commit(group_id)
        except MemstrataError as error:
            return f"it takes effect with the next commit: {error}"
        return ""

    def view(
        self,
        given: GroupIds,
        *,
        as_of: datetime | None = None,
        system_as_of: datetime | None = None,
        during: tuple[datetime, datetime] | None = None,
        filters: Filters = _NOTHING,
    ) -> View:
        """The groups, moment and filters as one view."""
        return View(
            groups=self.groups(given),
            as_of=as_of,
            system_as_of=system_as_of,
            during=during,
            filters=filters,
        )

    def record(self, kind: type[_Record], asked: str, group_id: str | None) -> _Record:
        """The fact, entity or episode of that id, in the group that is named, else in any within reach.

        Raises `Incorrect`, saying the same whether the id is unknown or out of reach.
        """
        noun = _NOUNS[kind]
        places = (self.groups(group_id),) if group_id else ((self.own_group,), (ANY,))
        for groups in places:
            try:
                found = self.asking.get(asked, View(groups=groups))
            except (Incorrect, Forbidden):
                if group_id and not self.grant.reaches(group_id):
                    raise
                continue
            if isinstance(found, kind):
                return found
        where = f"group {group_id!r}" if group_id else "the groups within reach"
        raise Incorrect(f"there is no {noun} {asked!r} in {where}; take an id from the answer of a search")
