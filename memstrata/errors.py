"""One small tree of errors; every message says what was given, what was expected and how to mend it.

    MemstrataError
    |-- Incorrect            the caller can mend it                          exit status 2
    |   |-- Misplaced        ... and it stands at a place of an input (file, line, field)
    |   |-- NotThere         ... it names something that is not there, or not within reach
    |   |-- Conflict         ... it contradicts what is stored (a revision, a lease, another vector model)
    |   `-- TooLong          ... it does not fit (a model's context)
    |-- Unauthenticated      nobody that is known: no token, or one that is not valid  exit status 2
    |-- Forbidden            somebody known, who may not do this here        exit status 2
    |-- Unsupported          this build or this store cannot do it           exit status 2
    |-- Missing              something needed is not there (data, extra)     exit status 4
    `-- Fault                try again, or tell an operator                  exit status 1
        |-- Away             a service cannot be used now: what waits for it goes on waiting
        |   `-- OverBudget   ... because a budget of ours is spent
        `-- Damaged          what is stored contradicts itself: stop and look

Retries belong to `Fault` alone. Exit status 3 (partly taken) is a result, not an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What a language model's endpoint took in vain: requests, tokens as far as it told them, seconds."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0


class MemstrataError(Exception):
    """The root: whatever Memstrata raises on purpose.

    `effort` is what was spent on an endpoint before the error; None if none was asked.
    """

    exit_status = 1
    effort: Effort | None = None


class Incorrect(MemstrataError):
    """The request is wrong and was refused whole: nothing was written."""

    exit_status = 2


class Misplaced(Incorrect):
    """Something wrong at a known place of an input."""

    def __init__(
        self,
        problem: str,
        *,
        file: str | None = None,
        line: int | None = None,
        field: str | None = None,
        mend: str | None = None,
    ) -> None:
        self.problem = problem
        self.file = file
        self.line = line
        self.field = field
        self.mend = mend
        super().__init__(str(self))

    @property
    def place(self) -> str:
        """Where it stands, as `file, line N, field`; empty if unknown."""
        line = None if self.line is None else f"line {self.line}"
        return ", ".join(part for part in (self.file, line, self.field) if part)

    def __str__(self) -> str:
        said = f"{self.place}: {self.problem}" if self.place else self.problem
        return f"{said} ({self.mend})" if self.mend else said


class NotThere(Incorrect):
    """There is nothing of the id or name that was given, within reach."""


class Conflict(Incorrect):
    """The request contradicts what is stored already."""


class TooLong(Incorrect):
    """What was to be sent does not fit: send less at once."""


class Unauthenticated(MemstrataError):
    """Who asks is not known; said alike for tokens that never were, have expired or were revoked."""

    exit_status = 2


class Forbidden(MemstrataError):
    """The caller may not do this here; said alike whether or not what was asked for exists."""

    exit_status = 2


class Unsupported(MemstrataError):
    """Right in itself, but not possible with this build, store or input."""

    exit_status = 2


class Missing(MemstrataError):
    """A file, a server or an optional package that is needed is not there."""

    exit_status = 4


class Fault(MemstrataError):
    """Not the caller's mistake; the same request may succeed later."""


class Away(Fault):
    """A service (a model's endpoint, its quota, our budget for it) cannot be used now, whatever is asked.

    It says nothing against what was asked: that stays pending and counts no attempt.
    """


class OverBudget(Away):
    """A budget does not allow the call. `group_id` is the only group that it stops; None: it stops all."""

    def __init__(self, message: str, *, group_id: str | None = None) -> None:
        self.group_id = group_id
        super().__init__(message)


class Damaged(Fault):
    """Stored records contradict one another; writing stops until somebody has looked."""


def nearest(word: str, known: Iterable[str], *, at_least: float = 0.5) -> str | None:
    """The known word that `word` was probably meant to be, if any is near (0: the nearest, however far)."""
    import difflib

    by_folded = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=at_least)
    return by_folded[found[0]] if found else None
