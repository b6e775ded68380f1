from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from record_samples import (
    START,
    commit_of,
    episode,
    everything,
    extract_all,
    extraction,
    ids,
    retraction,
    turn,
)

from memstrata.errors import Conflict, Damaged, Fault, Incorrect, Unsupported
from memstrata.model import DecisionKind
from memstrata.ports import Compaction
from memstrata.stores.lake import Record
from memstrata.stores.lake.codec import dump
from memstrata.stores.lake.spool import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["disk", "memory"])
def record(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Record]:
    lake = None if request.param == "disk" else f"memory://{uuid4()}"
    with Record(tmp_path, lake) as one:
        yield one


# --- acceptance and revisions ---------------------------------------------------------------------


def test_an_accepted_episode_is_in_the_log_once_compacted(record: Record) -> None:
    one = episode("a", metadata={"k": [1, {"deep": None}]}, saga="s", position=3)
    record.accept([one])
    assert record.latest("g", "a") is None
    assert record.compact(context_turns=2) == Compaction(new=1, days=(START.date(),))
    stored = record.latest("g", "a")
    assert stored is not None
    assert stored.revision == 1
    assert (stored.content, stored.metadata, stored.position) == ("one", {"k": [1, {"deep": None}]}, 3)
    assert stored.ingested_at == one.ingested_at


def test_compacting_nothing_does_nothing(record: Record) -> None:
    assert record.compact(context_turns=2) == Compaction()


def test_the_same_content_again_is_a_repeat(record: Record) -> None:
    record.accept([episode("a"), episode("a", second=1)])
    assert record.compact(context_turns=0).repeated == 1
    record.accept([episode("a", second=2)])
    assert record.compact(context_turns=0) == Compaction(repeated=1)
    assert ids(tuple(record.accepted_on(START.date()))) == ["a"]


def test_other_content_is_the_next_revision_and_the_earlier_one_stays_readable(record: Record) -> None:
    record.accept([episode("a", "one")])
    record.compact(context_turns=0)
    record.accept([episode("a", "two", second=1), episode("a", "three", second=2)])
    assert record.compact(context_turns=0).revised == 2
    latest = record.latest("g", "a")
    assert latest is not None
    assert (latest.revision, latest.content) == (3, "three")
    found = record.episodes("g", [("a", 1), ("a", 3), ("a", 9), ("b", 1)])
    assert {(one.revision, one.content) for one in found} == {(1, "one"), (3, "three")}


def test_one_id_in_two_groups_is_two_episodes(record: Record) -> None:
    record.accept([episode("a", "here"), episode("a", "there", group="h")])
    assert record.compact(context_turns=0).new == 2
    assert record.groups() == ("g", "h")
    there = record.latest("h", "a")
    assert there is not None
    assert there.content == "there"


def test_each_day_of_acceptance_gets_its_own_part(record: Record) -> None:
    record.accept([episode("a"), episode("b", second=24 * 3600)])
    days = (date(2026, 3, 1), date(2026, 3, 2))
    assert record.compact(context_turns=0).days == days
    assert [ids(tuple(record.accepted_on(day))) for day in days] == [["a"], ["b"]]


def test_a_record_that_json_cannot_hold_is_refused_whole(record: Record) -> None:
    with pytest.raises(Incorrect, match="64 bits"):
        record.accept([episode("a"), episode("b", metadata={"n": 2**80})])
    assert record.compact(context_turns=0).new == 0


# --- retraction -----------------------------------------------------------------------------------


def test_a_retracted_episode_awaits_no_extraction_and_is_nobodys_context(record: Record) -> None:
    record.accept([turn(1), turn(2), turn(3)])
    record.decide([retraction("talk-2", second=9)])
    assert record.compact(context_turns=2).decisions == 1
    assert record.is_retracted("g", "talk-2")
    assert not record.is_retracted("g", "talk-1")
    assert ids(record.awaiting(limit=9)) == ["talk-1", "talk-3"]
    last = record.latest("g", "talk-3")
    assert last is not None
    assert ids(record.preceding(last, 2)) == ["talk-1"]


def test_content_that_comes_again_after_its_retraction_is_a_new_revision(record: Record) -> None:
    record.accept([episode("a", second=1)])
    record.decide([retraction("a", second=2)])
    record.accept([episode("a", second=3)])
    assert record.compact(context_turns=0).revised == 1
    assert not record.is_retracted("g", "a")
    latest = record.latest("g", "a")
    assert latest is not None
    assert latest.revision == 2


def test_a_retraction_by_a_clock_that_is_behind_still_holds(record: Record) -> None:
    record.accept([episode("a", second=60)])
    record.decide([retraction("a", second=1)])
    record.compact(context_turns=0)
    assert record.is_retracted("g", "a")


def test_a_retraction_of_an_earlier_revision_leaves_the_latest(record: Record) -> None:
    record.accept([episode("a", "one"), episode("a", "two", second=1)])
    decision = retraction("a", second=2)
    record.decide([type(decision)(**{**_fields(decision), "target": {"episode_id": "a", "revision": 1}})])
    record.compact(context_turns=0)
    assert not record.is_retracted("g", "a")


def _fields(record: object) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__slots__}


def test_a_decision_made_twice_is_kept_once(record: Record) -> None:
    record.accept([episode("a")])
    record.decide([retraction("a", decision_id="d"), retraction("a", decision_id="d")])
    record.compact(context_turns=0)
    record.decide([retraction("a", decision_id="d")])
    record.compact(context_turns=0)
    assert len(record.decisions("g", ["d", "unknown"])) == 1


# --- sagas and the queue of extraction ------------------------------------------------------------


def test_preceding_turns_are_by_position_then_time_then_id(record: Record) -> None:
    later = START + timedelta(hours=1)
    record.accept(
        [
            episode("z", saga="s"),
            episode("y", saga="s", reference_time=later),
            episode("x", saga="s", position=7),
            episode("b", saga="s", position=2, reference_time=later),
            episode("a", saga="s", position=2, reference_time=later),
            episode("c", saga="s", position=2),
            episode("other", saga="t", position=1),
        ]
    )
    record.compact(context_turns=0)
    last = record.latest("g", "y")
    assert last is not None
    assert ids(record.preceding(last, 9)) == ["c", "a", "b", "x", "z"]
    assert ids(record.preceding(last, 2)) == ["x", "z"]
    assert record.preceding(last, 0) == ()


def test_a_late_turn_queues_the_next_turns_again_and_no_others(record: Record) -> None:
    record.accept([turn(n) for n in (1, 2, 4, 5, 6)])
    record.compact(context_turns=2)
    assert len(extract_all(record)) == 5
    record.accept([turn(3, second=60)])
    record.compact(context_turns=2)
    assert ids(record.awaiting(limit=9)) == ["talk-4", "talk-5", "talk-3"]


def test_a_revised_turn_that_moves_queues_the_turns_after_both_places(record: Record) -> None:
    record.accept([turn(n) for n in range(1, 8)])
    record.compact(context_turns=1)
    extract_all(record)
    record.accept([episode("talk-2", "moved", saga="talk", position=5, second=60)])
    record.compact(context_turns=1)
    assert sorted(ids(record.awaiting(limit=9))) == ["talk-2", "talk-3", "talk-5"]


def test_a_retracted_turn_queues_the_next_turns_again(record: Record) -> None:
    record.accept([turn(n) for n in range(1, 6)])
    record.compact(context_turns=2)
    extract_all(record)
    record.decide([retraction("talk-2")])
    record.compact(context_turns=2)
    assert ids(record.awaiting(limit=9)) == ["talk-3", "talk-4"]


def test_awaiting_is_oldest_first_limited_and_by_day(record: Record) -> None:
    record.accept([episode("b", second=2), episode("a", second=1), episode("c", second=24 * 3600)])
    record.compact(context_turns=0)
    assert ids(record.awaiting(limit=9)) == ["a", "b", "c"]
    assert ids(record.awaiting(limit=1)) == ["a"]
    assert ids(record.awaiting(limit=9, day=date(2026, 3, 2))) == ["c"]
    assert record.awaiting(limit=9, day=date(2026, 3, 3)) == ()


# --- extractions ----------------------------------------------------------------------------------


def test_a_kept_extraction_is_known_and_its_episode_awaits_no_longer(record: Record) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    (one,) = record.awaiting(limit=9)
    assert not record.known(one, "c", "v1")
    record.keep([extraction(one)])
    assert record.known(one, "c", "v1")
    assert not record.known(one, "other", "v1")
    assert record.awaiting(limit=9) == ()
    assert record.extractions("g", [("a", 1, "c", "v1"), ("a", 1, "x", "v1")]) == (extraction(one),)


def test_an_episode_whose_context_changed_while_it_was_extracted_still_awaits(record: Record) -> None:
    record.accept([turn(1), turn(3)])
    record.compact(context_turns=1)
    handed_out = record.awaiting(limit=9)
    record.accept([turn(2, second=60)])
    record.compact(context_turns=1)
    record.keep([extraction(one) for one in handed_out])
    assert ids(record.awaiting(limit=9)) == ["talk-3", "talk-2"]
    assert [one.episode_id for one, _ in record.pending("g", limit=9).episodes] == ["talk-1"]


def test_a_known_extraction_that_is_kept_again_is_in_force_again(record: Record) -> None:
    record.accept([turn(1), turn(2)])
    record.compact(context_turns=1)
    extract_all(record)
    record.decide([retraction("talk-1")])
    record.compact(context_turns=1)
    (second,) = record.awaiting(limit=9)
    record.keep([extraction(second, context="alone")])
    record.append(commit_of(record))
    record.accept([turn(1, second=60)])
    record.compact(context_turns=1)
    record.keep(record.extractions("g", [("talk-2", 1, "c", "v1")]))
    assert ids(record.awaiting(limit=9)) == ["talk-1"]
    (pending,) = record.pending("g", limit=9).episodes
    assert (pending[0].episode_id, pending[1].context_hash) == ("talk-2", "c")


def test_an_extraction_of_an_unknown_episode_is_refused(record: Record) -> None:
    with pytest.raises(Conflict, match="no such episode"):
        record.keep([extraction(episode("a"))])


def test_an_extraction_that_does_not_say_its_group_is_refused_if_two_have_the_episode(
    record: Record,
) -> None:
    record.accept([episode("a"), episode("a", group="h"), episode("b")])
    record.compact(context_turns=0)
    plain = {**_fields(extraction(episode("a"))), "revision": 1, "group_id": None}
    kind = type(extraction(episode("a")))
    with pytest.raises(Conflict, match="g, h have one; set its group_id"):
        record.keep([kind(**plain)])
    record.keep([kind(**{**plain, "episode_id": "b"})])
    assert ids(record.awaiting(limit=9)) == ["a", "a"]


# --- commits --------------------------------------------------------------------------------------


def test_what_was_extracted_is_pending_until_it_is_committed(record: Record) -> None:
    record.accept([episode("a"), episode("b", second=1)])
    record.compact(context_turns=0)
    assert not record.pending("g", limit=9)
    extract_all(record)
    assert record.groups_with_work() == ("g",)
    assert [one.episode_id for one, _ in record.pending("g", limit=1).episodes] == ["a"]
    commit = commit_of(record)
    record.append(commit)
    assert not record.pending("g", limit=9)
    assert record.groups_with_work() == ()
    assert tuple(record.commits("g")) == (commit,)


def test_pending_gives_one_extractor_version_a_call(record: Record) -> None:
    record.accept([episode(name, second=place) for place, name in enumerate("abc")])
    record.compact(context_turns=0)
    a, b, c = record.awaiting(limit=9)
    record.keep([extraction(a), extraction(b, version="v2"), extraction(c)])
    assert [one.episode_id for one, _ in record.pending("g", limit=9).episodes] == ["a", "c"]
    record.append(commit_of(record))
    assert [one.episode_id for one, _ in record.pending("g", limit=9).episodes] == ["b"]


def test_a_new_revision_context_or_version_is_pending_again(record: Record) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    extract_all(record)
    record.append(commit_of(record))
    (one,) = record.episodes("g", [("a", 1)])
    for again in ({"context": "other"}, {"version": "v2"}):
        record.keep([extraction(one, **again)])
        assert len(record.pending("g", limit=9).episodes) == 1
        record.append(commit_of(record))
    record.accept([episode("a", "two", second=5)])
    record.compact(context_turns=0)
    assert not record.pending("g", limit=9)
    extract_all(record)
    assert record.pending("g", limit=9).episodes[0][0].revision == 2


def test_a_retraction_is_pending_as_a_decision_and_not_as_an_episode(record: Record) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    extract_all(record)
    record.decide([retraction("a", second=5)])
    record.compact(context_turns=0)
    pending = record.pending("g", limit=9)
    assert pending.episodes == ()
    assert [one.kind for one in pending.decisions] == [DecisionKind.RETRACT]
    record.append(commit_of(record))
    assert not record.pending("g", limit=9)
    ((seq, decision),) = record.committed_decisions("g", [DecisionKind.RETRACT, DecisionKind.MERGE])
    assert (seq, decision.target) == (1, {"episode_id": "a"})
    assert record.committed_decisions("g", [DecisionKind.MERGE]) == ()
    assert record.committed_decisions("g", [DecisionKind.RETRACT], after=seq - 1) == ((seq, decision),)
    assert record.committed_decisions("g", [DecisionKind.RETRACT], after=seq) == ()
    assert record.committed_decisions("g", [DecisionKind.RETRACT], until=0) == ()


def test_pending_may_be_asked_by_day_of_acceptance(record: Record) -> None:
    record.accept([episode("a"), episode("b", second=24 * 3600)])
    record.decide([retraction("unknown", second=24 * 3600)])
    record.compact(context_turns=0)
    extract_all(record)
    second = date(2026, 3, 2)
    assert [one.episode_id for one, _ in record.pending("g", limit=9, day=second).episodes] == ["b"]
    assert len(record.pending("g", limit=9, day=second).decisions) == 1
    assert record.pending("g", limit=9, day=START.date()).decisions == ()
    assert record.groups_with_work(day=second) == ("g",)
    assert record.groups_with_work(day=date(2026, 3, 3)) == ()


@pytest.mark.parametrize("seq", [0, 2])
def test_a_commit_out_of_turn_is_damage_and_is_not_written(record: Record, seq: int) -> None:
    commit = commit_of(record)
    with pytest.raises(Damaged, match="its next one is 1"):
        record.append(type(commit)(**{**_fields(commit), "seq": seq}))
    assert tuple(record.commits("g")) == ()


def test_a_gap_in_one_groups_log_stops_that_group_alone(record: Record) -> None:
    record.accept([episode("a"), episode("a", group="h")])
    record.compact(context_turns=0)
    extract_all(record)
    first = commit_of(record)
    third = type(first)(**{**_fields(first), "seq": 3})
    record._spool.append(Stream.COMMITS, [dump(third)])
    with pytest.raises(Damaged, match="group g: commit 1 is missing before commit 3"):
        record.pending("g", limit=9)
    with pytest.raises(Damaged, match="commit 1 is missing"):
        record.append(first)
    record.append(commit_of(record, "h"))
    record.accept([episode("b", group="h")])
    assert record.compact(context_turns=0) == Compaction(new=1, days=(START.date(),))
    assert [one.seq for one in record.commits("h")] == [1]
    with pytest.raises(Damaged, match="commit 1 is missing"):
        record.rebuild_index()
    assert record.latest("h", "b") is not None


def test_commits_survive_their_move_into_the_lake(record: Record) -> None:
    for _ in range(3):
        record.append(commit_of(record))
    assert record.compact(context_turns=0).commits == 3
    record.append(commit_of(record))
    assert [one.seq for one in record.commits("g", after=1)] == [2, 3, 4]
    record.rebuild_index()
    assert [one.seq for one in record.commits("g")] == [1, 2, 3, 4]


def test_another_process_sees_a_commit_at_once(record: Record, tmp_path: Path) -> None:
    with Record(tmp_path, record._lake_url) as other:
        assert tuple(other.commits("g")) == ()
        record.append(commit_of(record))
        assert len(tuple(other.commits("g"))) == 1
        other.append(commit_of(other))
        assert len(tuple(record.commits("g"))) == 2


# --- dead letters ---------------------------------------------------------------------------------


def test_an_episode_that_failed_too_often_leaves_the_queue_until_released(record: Record) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    (one,) = record.awaiting(limit=9)
    said = [record.failed(one, stage="extract", reason=f"no {n}", at=START) for n in range(3)]
    assert said == [False, False, True]
    assert record.awaiting(limit=9) == ()
    (letter,) = record.letters("g")
    assert (letter.episode_id, letter.reason, letter.attempts, letter.at) == ("a", "no 2", 3, START)
    assert record.letters("other") == ()
    record.rebuild_index()
    assert record.letters() == (letter,)
    assert record.awaiting(limit=9) == ()
    assert record.release("g", "a")
    assert not record.release("g", "a")
    assert record.letters() == ()
    assert ids(record.awaiting(limit=9)) == ["a"]
    assert not record.failed(one, stage="extract", reason="again", at=START)


def test_an_episode_that_fails_to_commit_is_pending_no_longer(record: Record) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    extract_all(record)
    (one,) = record.episodes("g", [("a", 1)])
    for _ in range(3):
        record.failed(one, stage="commit", reason="no", at=START)
    assert not record.pending("g", limit=9)
    record.release("g", "a")
    (one,) = record.awaiting(limit=9)
    record.keep(record.extractions("g", [(one.episode_id, one.revision, "c", "v1")]))
    assert record.pending("g", limit=9)


def test_a_later_revision_takes_a_dead_letter_off_the_list(record: Record) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    (one,) = record.awaiting(limit=9)
    for _ in range(3):
        record.failed(one, stage="extract", reason="no", at=START)
    record.accept([episode("a", "mended", second=5)])
    record.compact(context_turns=0)
    assert record.letters() == ()
    assert ids(record.awaiting(limit=9)) == ["a"]


# --- opening --------------------------------------------------------------------------------------


def test_a_home_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Record(tmp_path).close()
    (tmp_path / "record-version").write_text("7\n")
    with pytest.raises(Unsupported, match=r"record version 7, this one knows 1.*another MEMSTRATA_HOME"):
        Record(tmp_path)


def test_a_home_that_cannot_be_made_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Fault, match="set MEMSTRATA_HOME to a folder"):
        Record(tmp_path / "file" / "home")


def test_an_index_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    with Record(tmp_path) as record:
        record.compact(context_turns=0)
        record._index._connections.here().execute("PRAGMA user_version = 9")
    with Record(tmp_path) as record, pytest.raises(Unsupported, match="built from the lake"):
        record.groups()


def test_a_lost_index_is_built_again(record: Record, tmp_path: Path) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    extract_all(record)
    record.append(commit_of(record))
    before = everything(record)
    record.close()
    for path in tmp_path.glob("record.db*"):
        path.unlink()
    with Record(tmp_path, record._lake_url) as again:
        assert everything(again) == before


def test_an_index_that_was_put_back_from_a_backup_is_built_again(record: Record, tmp_path: Path) -> None:
    record.accept([episode("a")])
    record.compact(context_turns=0)
    record.close()
    backup = (tmp_path / "record.db").read_bytes()
    with Record(tmp_path, record._lake_url) as later:
        later.accept([episode("b")])
        later.compact(context_turns=0)
        before = everything(later)
    (tmp_path / "record.db").write_bytes(backup)
    with Record(tmp_path, record._lake_url) as again:
        assert everything(again) == before


def test_a_missing_part_is_damage_when_the_index_is_built_again(tmp_path: Path) -> None:
    with Record(tmp_path) as record:
        record.accept([episode("a"), episode("b", second=24 * 3600)])
        record.compact(context_turns=0)
        part = next((tmp_path / "lake").glob("log/episodes/day=2026-03-02/*.parquet"))
        part.unlink()
        with pytest.raises(Damaged, match=r"day=2026-03-02/part-.*restore the file from a backup"):
            record.rebuild_index()
        assert record.latest("g", "b") is not None


def test_the_door_loads_neither_polars_nor_sqlite(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, 'tests/record')\n"
        "from record_samples import episode; from memstrata.stores.lake import Record\n"
        "Record(Path(sys.argv[1])).accept([episode('a')])\n"
        "print([name for name in ('polars', 'apsw', 'fsspec', 'yaml') if name in sys.modules])"
    )
    said = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert said.stdout == "[]\n"
