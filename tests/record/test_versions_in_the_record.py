from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from record_samples import (
    START,
    commit_of,
    episode,
    everything,
    extract_all,
    extraction,
    promotion,
    retraction,
    rollback,
    turn,
)

from memstrata.errors import Incorrect
from memstrata.model import ExtractionStatus
from memstrata.ports import Coverage, Days, Promotion, switch_of
from memstrata.stores.lake import Record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EVER = Days()
NEW = Promotion(version="v2", days=EVER)


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with Record(tmp_path / "home") as opened:
        yield opened


def taken(record: Record, *names: str, context_turns: int = 0) -> None:
    """Episodes that are accepted, extracted by v1 and committed."""
    record.accept([episode(name, second=second) for second, name in enumerate(names)])
    record.compact(context_turns=context_turns)
    extract_all(record)
    record.append(commit_of(record))


def try_out(record: Record, version: str = "v2", *, failing: str = "") -> list[str]:
    """Keeps candidates of all that has none; those that fail leave their mark."""
    found = record.lacking("g", Promotion(version=version, days=EVER), limit=99)
    made = [extraction(one, version=version) for _, one in found]
    record.keep(
        [
            replace(one, status=ExtractionStatus.FAILED) if one.episode_id in failing else one
            for one in made
        ],
        as_candidates=True,
    )
    return [one.episode_id for _, one in found]


def in_force(record: Record, group: str = "g") -> dict[str, tuple[int, int]]:
    """For each version, of how many episodes it is in force and committed."""
    return {one.version: (one.in_force, one.committed) for one in record.versions(group)}


def test_candidates_change_nothing(record: Record) -> None:
    taken(record, "a", "b")
    before = everything(record)["heads"]
    assert try_out(record) == ["a", "b"]
    assert everything(record)["heads"] == before
    assert not record.pending("g", limit=9)
    assert record.groups_with_work() == ()
    record.rebuild_index()
    assert everything(record)["heads"] == before
    assert record.coverage("g", NEW) == Coverage(ready=2)


def test_a_promotion_brings_its_days_into_force_and_a_rollback_puts_them_back(record: Record) -> None:
    record.accept([episode("a"), episode("later", second=24 * 3600)])
    record.compact(context_turns=0)
    extract_all(record)
    record.append(commit_of(record))
    try_out(record)
    made = promotion("v2", days=("2026-03-02", None), second=24 * 3600 + 1)
    record.decide([made])
    record.compact(context_turns=0)
    ((one, said),) = record.pending("g", limit=9).episodes
    assert (one.episode_id, said.version) == ("later", "v2")
    assert record.coverage("g", NEW) == Coverage(ready=1, in_force=1)
    record.append(commit_of(record))
    assert in_force(record) == {"v1": (1, 1), "v2": (1, 1)}
    record.decide([rollback(made.decision_id, second=24 * 3600 + 2)])
    record.compact(context_turns=0)
    ((one, said),) = record.pending("g", limit=9).episodes
    assert (one.episode_id, said.version) == ("later", "v1")
    record.append(commit_of(record))
    assert in_force(record) == {"v1": (2, 2), "v2": (0, 0)}


def test_a_promotion_that_is_taken_back_before_a_commit_leaves_nothing_to_commit(record: Record) -> None:
    taken(record, "a", "b")
    try_out(record)
    made = promotion("v2", second=10)
    record.decide([made, rollback(made.decision_id, second=11)])
    record.compact(context_turns=0)
    assert record.pending("g", limit=9).episodes == ()


def test_a_write_that_is_waited_for_takes_a_promotion_in_with_a_whole_compaction(record: Record) -> None:
    taken(record, "a")
    try_out(record)
    record.decide([promotion("v2", second=10)])
    record.accept([episode("b", second=11)])
    record.compact(context_turns=0, lightly=True)
    assert record.spooled() == {}
    assert [said.version for _, said in record.pending("g", limit=9).episodes] == ["v2"]


def test_the_promotion_leaves_alone_what_changed_since_its_candidates_were_made(record: Record) -> None:
    record.accept([turn(n, second=n) for n in (2, 3, 4)])
    record.compact(context_turns=1)
    extract_all(record)
    record.append(commit_of(record))
    try_out(record)
    record.accept([turn(1, second=9), turn(4, content="two", second=10)])
    record.decide([retraction("talk-3", second=11), promotion("v2", second=12)])
    record.compact(context_turns=1)
    assert record.pending("g", limit=9).episodes == ()
    extract_all(record, context="d")
    versions = {one.episode_id: said.version for one, said in record.pending("g", limit=9).episodes}
    assert versions == {"talk-1": "v1", "talk-2": "v1", "talk-4": "v1"}


def test_what_was_handed_out_before_its_context_changed_is_no_candidate_for_now(record: Record) -> None:
    record.accept([turn(2)])
    record.compact(context_turns=1)
    extract_all(record)
    ((_, one),) = record.lacking("g", NEW, limit=9)
    record.accept([turn(1, second=9)])
    record.compact(context_turns=1)
    record.keep([extraction(one, version="v2")], as_candidates=True)
    extract_all(record, context="d")
    assert record.coverage("g", NEW) == Coverage(lacking=2)
    assert try_out(record) == ["talk-2", "talk-1"]
    assert record.coverage("g", NEW) == Coverage(ready=2)


def test_what_a_version_failed_on_stays_as_it_is_and_is_tried_again(record: Record) -> None:
    taken(record, "a", "b")
    try_out(record, failing="a")
    assert record.coverage("g", NEW) == Coverage(ready=1, failed=1)
    (one,) = record.episodes("g", [("a", 1)])
    assert not record.known(one, "c", "v2")
    record.decide([promotion("v2", second=10)])
    record.compact(context_turns=0)
    assert [one.episode_id for one, _ in record.pending("g", limit=9).episodes] == ["b"]
    assert try_out(record) == ["a"]
    assert record.coverage("g", NEW) == Coverage(ready=1, in_force=1)
    record.rebuild_index()
    assert record.coverage("g", NEW) == Coverage(ready=1, in_force=1)


def test_a_rollback_leaves_alone_what_something_newer_has_come_for(record: Record) -> None:
    taken(record, "a", "b")
    try_out(record)
    made = promotion("v2", second=10)
    record.decide([made])
    record.accept([episode("a", "two", second=11)])
    record.compact(context_turns=0)
    record.append(commit_of(record))
    extract_all(record)
    record.decide([rollback(made.decision_id, second=20)])
    record.compact(context_turns=0)
    versions = {one.episode_id: one.revision for one, _ in record.pending("g", limit=9).episodes}
    assert versions == {"a": 2, "b": 1}
    assert in_force(record) == {"v1": (2, 0), "v2": (0, 1)}


def test_promotions_on_one_another_are_taken_back_one_by_one(record: Record) -> None:
    taken(record, "a")
    try_out(record, "v2")
    try_out(record, "v3")
    first, second = promotion("v2", second=10), promotion("v3", second=11)
    record.decide([first, second])
    record.compact(context_turns=0)
    assert in_force(record)["v3"] == (1, 0)
    record.decide([rollback(second.decision_id, second=12), rollback(first.decision_id, second=13)])
    record.compact(context_turns=0)
    assert in_force(record)["v1"] == (1, 1)
    record.decide([replace(promotion("v2", second=14)), rollback(first.decision_id, second=15)])
    record.compact(context_turns=0)
    assert in_force(record)["v2"] == (1, 0), "a promotion is taken back once"


def test_a_promotion_releases_dead_letters_that_its_version_can_read(record: Record) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    (one,) = record.awaiting(limit=9)
    record.failed(one, stage="extract", reason="no", at=START, is_final=True)
    assert record.coverage("g", NEW) == Coverage(waiting=1)
    try_out(record)
    made = promotion("v2", second=10)
    record.decide([made])
    record.compact(context_turns=0)
    assert record.letters() == ()
    assert [said.version for _, said in record.pending("g", limit=9).episodes] == ["v2"]
    record.rebuild_index()
    assert [said.version for _, said in record.pending("g", limit=9).episodes] == ["v2"]
    record.decide([rollback(made.decision_id, second=11)])
    record.compact(context_turns=0)
    assert [one.episode_id for one in record.awaiting(limit=9)] == ["a"]


def test_groups_and_days_that_a_promotion_does_not_name_stay_as_they_are(record: Record) -> None:
    record.accept([episode("a"), episode("a", group="h")])
    record.compact(context_turns=0)
    extract_all(record)
    for group in "gh":
        found = record.lacking(group, NEW, limit=9)
        record.keep([extraction(one, version="v2") for _, one in found], as_candidates=True)
        record.append(commit_of(record, group))
    record.decide([promotion("v2", second=10, group="h", days=("2026-03-01", "2026-03-02"))])
    record.compact(context_turns=0)
    assert record.groups_with_work() == ("g", "h")[1:]
    assert in_force(record, "g")["v2"] == (0, 0)
    first = record.versions("h")[0]
    assert (first.first_day, first.last_day) == (date(2026, 3, 1), date(2026, 3, 1))


def test_targets_that_name_nothing_are_refused_and_the_log_survives_them(record: Record) -> None:
    nothing = replace(promotion("v2", second=10), target={"version": "v2"})
    with pytest.raises(Incorrect, match="expected version, since and until"):
        switch_of(nothing)
    with pytest.raises(Incorrect, match="no day"):
        switch_of(promotion("v2", days=("2024-05-01", "2024-05-01")))
    with pytest.raises(Incorrect, match="expected one like"):
        switch_of(promotion("v2", days=("May", None)))
    with pytest.raises(Incorrect, match="decision_id"):
        switch_of(replace(rollback("x"), target={}))
    taken(record, "a")
    record.decide([nothing, rollback("nothing of that name", second=11)])
    record.compact(context_turns=0)
    assert record.pending("g", limit=9).episodes == ()
