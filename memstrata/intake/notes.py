"""What a reading finds besides drafts: places in an input, refusals, skipped kinds, warnings.

`Notes` is the one mutable value of the intake; a format fills it while it reads. Lists are capped, so that
a gigabyte of faulty lines cannot fill the memory; the counts are not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Misplaced

if TYPE_CHECKING:
    from memstrata.errors import Incorrect

#: How many refusals and how many warnings are kept word for word.
LISTED: Final = 10_000
_NAMED: Final = 4  # how many faults the error of a strict reading names


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Somewhere in an input: a file as the caller named it, a line counted from 1, a field path."""

    file: str | None = None
    line: int | None = None
    field: str | None = None

    def within(self, step: str) -> Place:
        """One step further down: `messages` then `[1]` then `role` gives `messages[1].role`."""
        dot = "" if self.field is None or step.startswith("[") else "."
        return replace(self, field=f"{self.field or ''}{dot}{step}")

    def fault(self, problem: str, *, mend: str | None = None) -> Misplaced:
        """The error that says what is wrong here."""
        return Misplaced(problem, file=self.file, line=self.line, field=self.field, mend=mend)

    def locate(self, error: Incorrect) -> Misplaced:
        """`error` with this place around it: its own field becomes a step of this one's."""
        if not isinstance(error, Misplaced):
            return self.fault(str(error))
        at = self if error.field is None else self.within(error.field)
        return at.fault(error.problem, mend=error.mend)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One item that was not taken: where it stands in the input, what is wrong, and how to mend it."""

    place: str
    reason: str


@dataclass(slots=True, kw_only=True)
class Notes:
    """Collects what a reading of `root` has to report; `faults` are the first few refusals, as errors."""

    root: str = ""
    refusals: list[Refusal] = field(default_factory=list)
    refused: int = 0
    faults: list[Misplaced] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    warned: int = 0
    kinds_warned: set[str] = field(default_factory=set)

    def refuse(self, fault: Misplaced) -> None:
        """Lists one item as not taken."""
        self.refused += 1
        if len(self.faults) < _NAMED:
            self.faults.append(fault)
        if len(self.refusals) < LISTED:
            reason = f"{fault.problem} ({fault.mend})" if fault.mend else fault.problem
            self.refusals.append(Refusal(place=self.inside(fault), reason=reason))

    def inside(self, fault: Misplaced) -> str:
        """Where a fault stands within the input: its place without the input's own path."""
        return fault.place.removeprefix(self.root).lstrip("/\\, ") or "(whole file)"

    def skip(self, kind: str, count: int = 1) -> None:
        """Counts something that is no evidence, or that this version does not read."""
        self.skipped[kind] += count

    def warn(self, text: str) -> None:
        """Reports something that was taken, but deserves a look."""
        self.warned += 1
        if len(self.warnings) < LISTED:
            self.warnings.append(text)

    def warn_once(self, kind: str, text: str) -> None:
        """As `warn`, but only the first time for each `kind`."""
        if kind not in self.kinds_warned:
            self.kinds_warned.add(kind)
            self.warn(text)


def at_place(place: Place) -> str:
    """The place inside its file, as warnings write it: `line 3: messages[1].role`."""
    line = None if place.line is None else f"line {place.line}"
    return ": ".join(part for part in (line, place.field) if part)
