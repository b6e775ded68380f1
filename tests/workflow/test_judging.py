"""What checks found, kept and read again: what stands, and each day among those before it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from memstrata.drift import EVERY_GROUP, Finding
from memstrata.ports import Severity
from memstrata.workflow.judging import (
    judged_days,
    note_findings,
    note_inability,
    series_of,
    standing,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belief_world import World

LAST = date(2026, 3, 31)
WARNING, ERROR = Severity.WARNING, Severity.ERROR


def ago(days: int) -> date:
    return LAST - timedelta(days=days)


def finding(
    check: str, value: float, *, group: str = "acme", details: Mapping[str, float] | None = None
) -> Finding:
    return Finding(
        check=check,
        group_id=group,
        value=value,
        threshold=0.1,
        passed=value <= 0.1,
        sentence=f"{check} is {value}.",
        details=details or {},
    )


def test_a_finding_is_kept_with_its_day_its_severity_and_the_time_of_the_run(world: World) -> None:
    note_findings(world.installation, [finding("stale_facts", 0.2)], day=ago(3), severity=ERROR)
    (kept,) = world.installation.record.latest_checks(["acme"])
    assert (kept.day, kept.severity, kept.value, kept.passed) == (ago(3), ERROR, 0.2, False)
    assert abs(kept.at - world.installation.clock.now()) < timedelta(minutes=1)


def test_a_check_without_findings_leaves_what_is_kept(world: World) -> None:
    note_findings(world.installation, [finding("stale_facts", 0.2)], day=LAST, severity=WARNING)
    note_findings(world.installation, [], day=LAST, severity=WARNING)
    assert len(world.installation.record.latest_checks(["acme"])) == 1


def test_errors_stand_before_warnings_and_both_before_what_passes(world: World) -> None:
    for check, value, severity in (
        ("a_passing", 0.0, ERROR),
        ("b_warning", 0.2, WARNING),
        ("c_error", 0.2, ERROR),
    ):
        note_findings(world.installation, [finding(check, value)], day=LAST, severity=severity)
    latest = standing(world.installation.record.latest_checks(["acme"]))
    assert [one.check for one in latest] == ["c_error", "b_warning", "a_passing"]


def test_that_a_check_could_not_run_stands_until_it_has_run_for_a_later_day(world: World) -> None:
    note_inability(world.installation, "stale_facts", "It could not run.", day=ago(1))
    groups = ["acme", EVERY_GROUP]
    assert [one.ran for one in standing(world.installation.record.latest_checks(groups))] == [False]
    note_findings(world.installation, [finding("stale_facts", 0.0)], day=ago(2), severity=WARNING)
    assert len(standing(world.installation.record.latest_checks(groups))) == 2
    note_findings(world.installation, [finding("stale_facts", 0.0)], day=LAST, severity=WARNING)
    assert [one.ran for one in standing(world.installation.record.latest_checks(groups))] == [True]


def test_days_before_the_window_serve_as_its_baseline(world: World) -> None:
    for back in range(9, -1, -1):
        note_findings(
            world.installation, [finding("stale_facts", back / 100)], day=ago(back), severity=WARNING
        )
    latest = world.installation.record.latest_checks(["acme"])
    ((before, last),) = series_of(world.installation, latest, days=2, until=LAST)
    assert (before.day, last.day) == (ago(1), LAST)
    assert last.baseline is not None
    assert (last.baseline.days, last.baseline.middle) == (9, 0.05)
    (alone,) = judged_days(world.installation, "stale_facts", "acme", since=LAST)
    assert (alone.result.sentence, alone.baseline) == ("stale_facts is 0.0.", last.baseline)


def test_days_that_could_not_be_judged_are_shown_and_are_no_baseline(world: World) -> None:
    for back in range(8, 0, -1):
        unjudged = finding("label_shift", 1.0, details={"judged": 0.0})
        note_findings(world.installation, [unjudged], day=ago(back), severity=WARNING)
    judged = finding("label_shift", 0.05, details={"judged": 1.0})
    note_findings(world.installation, [judged], day=LAST, severity=WARNING)
    days = judged_days(world.installation, "label_shift", "acme")
    assert [one.judged for one in days] == [False] * 8 + [True]
    assert days[-1].baseline is None


def test_a_window_may_begin_with_the_first_day_there_is(world: World) -> None:
    note_findings(world.installation, [finding("stale_facts", 0.0)], day=LAST, severity=WARNING)
    assert judged_days(world.installation, "stale_facts", "acme", since=date.min, until=date.min) == ()
    assert len(judged_days(world.installation, "stale_facts", "acme", since=date.min, until=date.max)) == 1
