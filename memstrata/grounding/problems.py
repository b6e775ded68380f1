"""What is wrong with a query, said so that a language model can mend it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_NEAR: Final = 3
_LEAST_LIKENESS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong at one place.

    `kind` is `syntax`, `clause`, `function`, `label`, `type` or `property`. `token` is what stands there;
    `line` and `column` count from 1, `offset` from 0, in characters of the query as it was given. `nearest`
    are valid names that were perhaps meant, the likeliest first.
    """

    kind: str
    token: str
    line: int
    column: int
    offset: int
    message: str
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        near = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        return f"line {self.line}, column {self.column}: {self.message}{near}"


class UngroundedQuery(Incorrect):
    """A query that was not run, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


def problem(
    text: str, kind: str, offset: int, token: str, message: str, known: Iterable[str] = ()
) -> Problem:
    """The problem at that offset of the text, with the nearest of the known names."""
    before = text[:offset]
    return Problem(
        kind=kind,
        token=token,
        line=before.count("\n") + 1,
        column=offset - (before.rfind("\n") + 1) + 1,
        offset=offset,
        message=message,
        nearest=near(token, known),
    )


def near(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known names most like that name, case aside, likeliest first; at most three."""
    by_folded = {one.casefold(): one for one in sorted(known)}
    found = difflib.get_close_matches(name.casefold(), by_folded, n=_MOST_NEAR, cutoff=_LEAST_LIKENESS)
    return tuple(by_folded[one] for one in found)
