"""What a verb of the Python face is: one definition that is done here, or asked of a server.

A verb does nothing by itself; `embedded` and `remote` each do it in their way, blocking or not. Which verbs
there are stands in `reading_verbs`, `writing_verbs`, `core_verbs` and `review_verbs`.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstrata.memory.desk import Desk

T = TypeVar("T")

#: The requests of one verb, one after another, each sent back its answer's JSON; it returns the result.
Exchange = Generator["Request | Pause", object, T]


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
