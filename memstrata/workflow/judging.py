"""What checks found, kept by the day that they judged, and read again as series with the usual band.

Finding is done elsewhere (`watch`, and Great Expectations beside Dagster); whoever runs a check notes
here what it said.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from memstrata.drift import EVERY_GROUP
from memstrata.drift.baselines import bands
from memstrata.drift.distributions import BASELINE_DAYS
from memstrata.ports import CheckResult, Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memstrata.drift import Finding
    from memstrata.drift.baselines import Band
    from memstrata.ports import Installation

_UNJUDGED: Final = 0.0


def note_findings(
    installation: Installation, findings: Iterable[Finding], *, day: date, severity: Severity
) -> None:
    """Keeps what a check found when it judged `day`; errors as in `ports.CheckLog.note_checks`."""
    at = installation.clock.now()
    results = [
        CheckResult(
            check=one.check,
            group_id=one.group_id,
            day=day,
            at=at,
            severity=severity,
            passed=one.passed,
            value=one.value,
            threshold=one.threshold,
            sentence=one.sentence,
            details=one.details,
        )
        for one in findings
    ]
    if results:
        installation.record.note_checks(results)


def note_inability(installation: Installation, check: str, reason: str, *, day: date) -> None:
    """Keeps that a check could not run for `day`, and why; it stands until the check has run again."""
    result = CheckResult(
        check=check,
        group_id=EVERY_GROUP,
        day=day,
        at=installation.clock.now(),
        severity=Severity.WARNING,
        passed=False,
        value=None,
        threshold=None,
        sentence=reason,
        details={},
        ran=False,
    )
    installation.record.note_checks([result])


def standing(latest: Iterable[CheckResult]) -> tuple[CheckResult, ...]:
    """The latest results in the order in which they want somebody: errors, other failures, the rest.

    Without what says that a check could not run, where it has run since.
    """
    results = tuple(latest)
    last_run: dict[str, date] = {}
    for one in results:
        if one.ran:
            last_run[one.check] = max(one.day, last_run.get(one.check, one.day))
    standing_now = (one for one in results if one.ran or one.day >= last_run.get(one.check, date.min))
    return tuple(sorted(standing_now, key=order_of))


def order_of(result: CheckResult) -> tuple[int, str, str]:
    """Where a result stands among others: urgency, check, group."""
    urgency = 2 if result.passed else int(result.severity is not Severity.ERROR)
    return urgency, result.check, result.group_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A kept result among those before it.

    `baseline` is the band of the 28 days before, None where too few have a value. `judged` is False where
    the check could not run, or had too little to judge.
    """

    result: CheckResult
    judged: bool
    baseline: Band | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What a plot needs of a `Judged`."""

    day: date
    value: float | None
    threshold: float | None
    passed: bool
    judged: bool
    baseline: Band | None


def judged_days(
    installation: Installation,
    check: str,
    group_id: str,
    *,
    since: date | None = None,
    until: date | None = None,
) -> tuple[Judged, ...]:
    """What is kept of a check and group from `since` to `until`, by default all."""
    first, last = since or date.min, until or date.max
    results = installation.record.check_series(
        [group_id], since=_before(first, BASELINE_DAYS), until=last, check=check
    )
    return _among_those_before(results, since=first)


def series_of(
    installation: Installation, results: Collection[CheckResult], *, days: int, until: date
) -> tuple[tuple[Point, ...], ...]:
    """The series of each result's check and group over `days` days up to `until`, in their order."""
    kept: dict[tuple[str, str], list[CheckResult]] = {}
    since = _before(until, days - 1)
    groups = {one.group_id for one in results}
    for one in installation.record.check_series(groups, since=_before(since, BASELINE_DAYS), until=until):
        kept.setdefault((one.check, one.group_id), []).append(one)
    return tuple(
        tuple(map(_point, _among_those_before(kept.get((one.check, one.group_id), ()), since=since)))
        for one in results
    )


def _among_those_before(results: Sequence[CheckResult], *, since: date) -> tuple[Judged, ...]:
    """The results from `since` on, of one check and group; days before it serve as baseline alone."""
    usual = bands({one.day: one.value for one in results if one.value is not None and _is_judged(one)})
    return tuple(
        Judged(result=one, judged=_is_judged(one), baseline=usual.get(one.day))
        for one in results
        if one.day >= since
    )


def _point(one: Judged) -> Point:
    result = one.result
    return Point(
        day=result.day,
        value=result.value,
        threshold=result.threshold,
        passed=result.passed,
        judged=one.judged,
        baseline=one.baseline,
    )


def _is_judged(result: CheckResult) -> bool:
    return result.ran and result.details.get("judged") != _UNJUDGED


def _before(day: date, days: int) -> date:
    """So many days earlier, or the first that there is."""
    return date.fromordinal(max(1, day.toordinal() - days))
