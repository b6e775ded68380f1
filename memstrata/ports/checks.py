"""Where the results of checks are kept, day by day: numbers and sentences, never content of the memory."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date, datetime


class Severity(StrEnum):
    """What a failed check is: something broken, or something to look at."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What a check found in a group (`*`: all together) when it judged `day`; it last ran at `at`.

    `ran` is False where it could not run: `value` is None then, and `sentence` says why. `threshold` is
    None where there is nothing to compare with; `details` are further numbers.
    """

    check: str
    group_id: str
    day: date
    at: datetime
    severity: Severity
    passed: bool
    value: float | None
    threshold: float | None
    sentence: str
    details: Mapping[str, float]
    ran: bool = True


class CheckLog(Protocol):
    """One result for each check, group and day judged: that of the last run."""

    def note_checks(self, results: Sequence[CheckResult]) -> None:
        """Keeps the results, all or none, in place of those of the same check, group and day.

        A check that ran takes away what says that it could not on that day. Of each check and group the
        400 days up to the newest are kept. Raises `Fault` when the disk is full.
        """

    def latest_checks(self, groups: Collection[str]) -> tuple[CheckResult, ...]:
        """The result of the newest day of each check in each of those groups; by check, then group."""

    def check_series(
        self, groups: Collection[str], *, since: date, until: date, check: str | None = None
    ) -> tuple[CheckResult, ...]:
        """All results of those days, both included, of one check or all; by check, group and day."""
