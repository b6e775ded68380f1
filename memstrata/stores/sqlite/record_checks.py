"""The results of checks in the record index: one row for each check, group and day judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from memstrata.ports.checks import CheckResult, Severity
from memstrata.stores.sqlite.connection import fetch, statement, writing
from memstrata.stores.sqlite.record_rows import day_number, day_of, instant_of, ticks_of
from memstrata.stores.sqlite.record_writes import array

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from memstrata.stores.sqlite.connection import Connections

#: Of each check and group, up to its newest: a year on a page, with the four weeks before as its baseline.
DAYS_KEPT: Final = 400


class CheckTable:
    """See `ports.CheckLog`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def note(self, results: Sequence[CheckResult]) -> None:
        """See `ports.CheckLog.note_checks`."""
        rows = [_row(one) for one in results]
        ran = {(one.check, one.day) for one in results if one.ran}
        with writing(self._connections.here()) as db:
            for check, day in ran:
                db.execute(statement("record/drop_inability"), {"check": check, "day": day_number(day)})
            db.executemany(statement("record/add_check"), rows)
            db.executemany(statement("record/put_check_result"), rows)
            db.executemany(
                statement("record/drop_old_check_results"), [row | {"days": DAYS_KEPT} for row in rows]
            )

    def latest(self, groups: Collection[str]) -> tuple[CheckResult, ...]:
        """See `ports.CheckLog.latest_checks`."""
        return self._fetched("latest_checks", {"groups": array(groups)})

    def series(
        self, groups: Collection[str], *, since: date, until: date, check: str | None
    ) -> tuple[CheckResult, ...]:
        """See `ports.CheckLog.check_series`."""
        days = {"since": day_number(since), "until": day_number(until)}
        return self._fetched("check_series", {"groups": array(groups), "check": check, **days})

    def _fetched(self, name: str, values: dict[str, Any]) -> tuple[CheckResult, ...]:
        return tuple(map(_result, fetch(self._connections.here(), f"record/{name}", values)))


def _row(one: CheckResult) -> dict[str, Any]:
    return {
        "check": one.check,
        "group_id": one.group_id,
        "day": day_number(one.day),
        "at": ticks_of(one.at),
        "severity": str(one.severity),
        "ran": one.ran,
        "passed": one.passed,
        "value": one.value,
        "threshold": one.threshold,
        "sentence": one.sentence,
        "details": orjson.dumps(dict(one.details)).decode(),
    }


def _result(row: tuple[Any, ...]) -> CheckResult:
    check, group_id, day, at, severity, ran, passed, value, threshold, sentence, details = row
    return CheckResult(
        check=check,
        group_id=group_id,
        day=day_of(day),
        at=instant_of(at),
        severity=Severity(severity),
        ran=bool(ran),
        passed=bool(passed),
        value=value,
        threshold=threshold,
        sentence=sentence,
        details=orjson.loads(details),
    )
