"""An installation as one grant reaches it: where every face asks, tells, lists and operates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memstrata.memory.access import OWNER
from memstrata.memory.asking import Asking
from memstrata.memory.browsing import Browsing
from memstrata.memory.operating import Operating
from memstrata.memory.reviewing import Reviewing
from memstrata.memory.telling import Telling

if TYPE_CHECKING:
    from memstrata.memory.access import Grant
    from memstrata.memory.audit import Audit
    from memstrata.ports import Installation


@dataclass(frozen=True, kw_only=True)
class Desk:
    """An installation as one grant reaches it."""

    installation: Installation
    grant: Grant = OWNER
    audit: Audit | None = None

    @cached_property
    def asking(self) -> Asking:
        """Its questions."""
        return Asking(installation=self.installation, grant=self.grant, audit=self.audit)

    @cached_property
    def telling(self) -> Telling:
        """Its writes."""
        return Telling(installation=self.installation, grant=self.grant, audit=self.audit)

    @cached_property
    def browsing(self) -> Browsing:
        """Its lists."""
        return Browsing(installation=self.installation, grant=self.grant, audit=self.audit)

    @cached_property
    def reviewing(self) -> Reviewing:
        """Its review queue."""
        return Reviewing(installation=self.installation, grant=self.grant, audit=self.audit)

    @cached_property
    def operating(self) -> Operating:
        """Its operations."""
        return Operating(installation=self.installation, grant=self.grant, audit=self.audit)
