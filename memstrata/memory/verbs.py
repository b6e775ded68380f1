"""What a verb of the Python face is: one definition that is done here, or asked of a server.

A verb does nothing by itself; `embedded` and `remote` each do it in their way, blocking or not. Which verbs
there are stands in `reading_verbs`, `writing_verbs` and `core_verbs`.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from memstrata.memory.access import OWNER
from memstrata.memory.asking import Asking
from memstrata.memory.browsing import Browsing
from memstrata.memory.operating import Operating
from memstrata.memory.telling import Telling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstrata.memory.access import Grant
    from memstrata.memory.audit import Audit
    from memstrata.ports import Installation

T = TypeVar("T")

#: The requests of one verb, one after another, each sent back its answer's JSON; it returns the result.
Exchange = Generator["Request | Pause", object, T]


@dataclass(frozen=True)
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
    def operating(self) -> Operating:
        """Its operations."""
        return Operating(installation=self.installation, grant=self.grant, audit=self.audit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a server: a path below its address, what stands after `?`, a JSON body."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A group whose commit was refused, and why."""

    group_id: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a pass over all that waited did. `failed` are the groups whose commit was refused.

    `not_embedded` says why the embedder stopped, if it did: words find what has no vector meanwhile.
    """

    accepted: int
    extracted: int
    commits: int
    embedded: int
    failed: tuple[Refused, ...] = ()
    not_embedded: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """A while to wait before the next request; nothing is sent back."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb(Generic[T]):
    """Something asked or told: `here` does it at a desk, `there` by requests."""

    here: Callable[[Desk], T]
    there: Callable[[], Exchange[T]]
