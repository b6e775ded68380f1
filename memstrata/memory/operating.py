"""What operators start: a pass over what waits, a group's graph anew, another try of what failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.memory.access import OWNER, Right
from memstrata.memory.audit import audited
from memstrata.workflow.rebuild import rebuild
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.memory.access import Grant
    from memstrata.memory.audit import Audit
    from memstrata.ports import Installation
    from memstrata.workflow.rebuild import Rebuilt
    from memstrata.workflow.work import Worked


@audited
@dataclass(frozen=True, slots=True, kw_only=True)
class Operating:
    """Every operation, as far as `grant` reaches; beyond it each raises `Forbidden`."""

    installation: Installation
    grant: Grant = OWNER
    audit: Audit | None = None

    def work(self, *, on_progress: Callable[[str, int], None] = lambda _stage, _done: None) -> Worked:
        """One pass over all groups; what `on_progress` raises stops it, and what is done stays."""
        self.grant.require_all(Right.OPERATE)
        return work(self.installation, on_progress=on_progress)

    def rebuild(self, group_id: str, *, on_progress: Callable[[int], None] = lambda _done: None) -> Rebuilt:
        """Empties the group's graph and replays its commits. Raises `Incorrect` for an unknown group."""
        group = self.grant.require(Right.OPERATE, group_id)
        if group not in self.installation.record.groups():
            raise Incorrect(f"there is no group {group!r} to rebuild; `memstrata status` lists them")
        return rebuild(self.installation, group, on_progress=on_progress)

    def release(self, group_id: str, episode_id: str) -> None:
        """Lets a dead letter be tried again with the next pass. Raises `Incorrect` for what is none."""
        group = self.grant.require(Right.OPERATE, group_id)
        if not self.installation.record.release(group, episode_id):
            raise Incorrect(f"{episode_id!r} is no dead letter of group {group!r}; their list names them")
