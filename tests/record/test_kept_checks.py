"""Results of checks in the record: the last run of a day stands, and an older file takes them in."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest
from record_samples import episode

from memstrata.ports import CheckResult, Severity
from memstrata.stores.lake import Record
from memstrata.stores.sqlite import record_schema
from memstrata.stores.sqlite.record_checks import DAYS_KEPT

if TYPE_CHECKING:
    from collections.abc import Iterator

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ON = date(2026, 3, 1)
RESULT = CheckResult(
    check="orphan_entities",
    group_id="acme",
    day=ON,
    at=NOON,
    severity=Severity.WARNING,
    passed=False,
    value=0.25,
    threshold=0.1,
    sentence="1 of 4 entities of group acme stand in no fact.",
    details={"orphans": 1.0, "entities": 4.0},
)
UNABLE = replace(RESULT, group_id="*", value=None, threshold=None, ran=False, sentence="no", details={})


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with Record(tmp_path / "home") as one:
        yield one


def series(record: Record, *groups: str, check: str | None = None) -> tuple[CheckResult, ...]:
    return record.check_series(groups, since=date(2000, 1, 1), until=date(2100, 1, 1), check=check)


def test_a_result_is_kept_as_it_was_noted(record: Record) -> None:
    record.note_checks([RESULT])
    assert record.latest_checks(["acme"]) == (RESULT,) == series(record, "acme")


def test_a_later_run_of_the_same_day_takes_the_place_of_the_earlier(record: Record) -> None:
    later = replace(RESULT, passed=True, value=0.05, at=NOON + timedelta(hours=1))
    record.note_checks([RESULT])
    record.note_checks([later])
    assert series(record, "acme") == (later,)


def test_results_come_by_check_group_and_day_of_the_named_groups_alone(record: Record) -> None:
    days = [replace(RESULT, day=ON + timedelta(days=number)) for number in (2, 0, 1)]
    other = replace(RESULT, check="a_check")
    foreign = replace(RESULT, group_id="beta")
    record.note_checks([*days, other, foreign])
    found = series(record, "acme", "*")
    assert [(one.check, one.day.day) for one in found] == [
        ("a_check", 1),
        ("orphan_entities", 1),
        ("orphan_entities", 2),
        ("orphan_entities", 3),
    ]
    assert series(record, "acme", check="a_check") == (other,)
    assert [(one.check, one.day.day) for one in record.latest_checks(["acme"])] == [
        ("a_check", 1),
        ("orphan_entities", 3),
    ]
    assert record.latest_checks(["nobody"]) == ()


def test_a_series_has_both_its_first_and_its_last_day(record: Record) -> None:
    record.note_checks([replace(RESULT, day=ON + timedelta(days=number)) for number in range(4)])
    found = record.check_series(["acme"], since=ON + timedelta(days=1), until=ON + timedelta(days=2))
    assert [one.day.day for one in found] == [2, 3]


def test_that_a_check_could_not_run_goes_when_it_runs_on_that_day(record: Record) -> None:
    record.note_checks([UNABLE, replace(UNABLE, day=ON + timedelta(days=1))])
    assert record.latest_checks(["*"])[0].value is None
    record.note_checks([RESULT])
    assert [one.day for one in series(record, "*")] == [ON + timedelta(days=1)]
    assert series(record, "acme") == (RESULT,)


def test_what_is_older_than_the_days_kept_goes_and_a_late_judgement_of_an_old_day_with_it(
    record: Record,
) -> None:
    record.note_checks([replace(RESULT, day=ON - timedelta(days=DAYS_KEPT - 1))])
    record.note_checks([replace(RESULT, day=ON - timedelta(days=DAYS_KEPT))])
    record.note_checks([RESULT])
    record.note_checks([replace(RESULT, day=ON - timedelta(days=DAYS_KEPT + 5))])
    assert [one.day for one in series(record, "acme")] == [ON - timedelta(days=DAYS_KEPT - 1), ON]


def test_results_outlive_an_index_that_is_built_again(record: Record) -> None:
    record.accept([episode("e1")])
    record.compact(context_turns=0)
    record.note_checks([RESULT])
    record.rebuild_index()
    assert record.latest_checks(["acme"]) == (RESULT,)


@pytest.fixture
def old_home(tmp_path: Path) -> Path:
    """A home whose index is of version 1: two episodes of group acme, the second a dead letter."""
    home = tmp_path / "old"
    home.mkdir()
    packed = Path(__file__).with_name("record_of_version_1.db.gz").read_bytes()
    (home / "record.db").write_bytes(gzip.decompress(packed))
    return home


def test_a_file_of_version_1_keeps_everything_and_takes_results(old_home: Path) -> None:
    with Record(old_home) as record:
        told = record.latest("acme", "e1")
        assert told is not None
        assert told.content.startswith("Ada")
        assert [one.episode_id for one in record.letters()] == ["e2"]
        assert record.latest_checks(["acme"]) == ()
        record.note_checks([RESULT])
    with Record(old_home) as record:
        assert record.latest_checks(["acme"]) == (RESULT,)
    connection = apsw.Connection(str(old_home / "record.db"))
    assert record_schema.version_of(connection) == record_schema.VERSION
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_a_new_file_has_the_tables_of_one_that_was_brought_up(record: Record, old_home: Path) -> None:
    record.groups()
    with Record(old_home) as old:
        old.groups()
    tables = []
    for home in (old_home, old_home.parent / "home"):
        connection = apsw.Connection(str(home / "record.db"))
        tables.append(sorted(connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")))
        connection.close()
    assert tables[0] == tables[1]
