"""Pages: what a light compaction numbers waits in the spool, and is put together by the next whole one."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from record_samples import START, VERSION, commit_of, episode, everything, extraction, retraction, turn

from memstrata.ports import Compaction
from memstrata.stores.lake import Record
from memstrata.stores.lake.columns import decode_episodes, decode_extractions
from memstrata.stores.lake.parts import Lake

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memstrata.model import Episode


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with Record(tmp_path) as one:
        yield one


def write(record: Record, *episodes: Episode) -> None:
    """What a waiting write does with the record, one commit for all."""
    record.accept(list(episodes))
    record.compact(context_turns=2, lightly=True)
    for one in record.awaiting(limit=9):
        record.keep([extraction(one)], lightly=True)
    record.append(commit_of(record))


def parts(home: Path) -> list[str]:
    """The folders of the parts in the lake."""
    return [path.rpartition("/")[0] for path in Lake(str(home / "lake")).parts()]


def test_a_light_compaction_numbers_and_queues_but_writes_no_part(record: Record, tmp_path: Path) -> None:
    record.accept([episode("a"), episode("a", "two", second=1), episode("a", "two", second=2)])
    assert record.compact(context_turns=2, lightly=True) == Compaction(new=1, revised=1, repeated=1)
    assert [(one.episode_id, one.revision) for one in record.awaiting(limit=9)] == [("a", 2)]
    assert record.spooled() == {}
    assert parts(tmp_path) == []
    assert record.compact(context_turns=2, lightly=True) == Compaction()


def test_many_writes_become_one_part_a_stream_and_day(record: Record, tmp_path: Path) -> None:
    for number in range(20):
        write(record, turn(number, second=number))
    assert parts(tmp_path) == []
    record.compact(context_turns=2)
    day = START.date()
    committed = {f"log/commits/day={one.instant.date()}" for one in record.commits("g")}
    assert sorted(parts(tmp_path)) == sorted(
        [f"log/episodes/day={day}", f"extractions/version={VERSION}/day={day}", *committed]
    )
    lake = Lake(str(tmp_path / "lake"))
    (episodes,) = (path for path in lake.parts() if path.startswith("log/episodes"))
    assert [one.position for one in decode_episodes(lake.read(episodes), episodes)] == list(range(20))
    (kept,) = (path for path in lake.parts() if path.startswith("extractions"))
    assert len(decode_extractions(lake.read(kept), kept)) == 20
    assert not any((tmp_path / "spool").glob("*/*"))


def test_an_index_built_again_has_the_pages_in_the_spool_and_those_in_the_lake(record: Record) -> None:
    write(record, turn(1), turn(2))
    record.compact(context_turns=2)
    write(record, turn(3), episode("a"))
    record.decide([retraction("talk-2", second=9)])
    write(record, episode("a", "two", second=3))
    before = everything(record)
    record.rebuild_index()
    assert everything(record) == before


def test_a_copy_of_the_index_that_is_behind_the_pages_catches_up_when_it_is_opened(tmp_path: Path) -> None:
    with Record(tmp_path) as record:
        write(record, turn(1))
        record._index._connections.here().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(tmp_path / "record.db", tmp_path / "old.db")
    with Record(tmp_path) as record:
        write(record, turn(2), episode("a"))
        write(record, episode("a", "two", second=3))
        said = everything(record)
    for end in ("-wal", "-shm"):
        (tmp_path / f"record.db{end}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "old.db", tmp_path / "record.db")
    with Record(tmp_path) as record:
        assert everything(record)["episodes"] == said["episodes"]
        assert len(list(record.commits("g"))) == 3  # the commits that are in the spool alone
        assert everything(record) == said


def test_a_spool_that_holds_much_is_compacted_whole_at_once(record: Record, tmp_path: Path) -> None:
    record.accept([episode(f"e{number}", "long " * 4000, second=number) for number in range(40)])
    assert record.compact(context_turns=2, lightly=True).new == 40
    assert parts(tmp_path) == [f"log/episodes/day={START.date()}"]


def test_what_other_processes_have_accepted_before_is_numbered_before(tmp_path: Path) -> None:
    with Record(tmp_path) as one, Record(tmp_path) as other:
        one.accept([episode("a", "one")])
        other.accept([episode("a", "two", second=1)])
        other.compact(context_turns=2, lightly=True)
        latest = one.latest("g", "a")
        assert latest is not None
        assert (latest.revision, latest.content) == (2, "two")


def test_the_same_content_again_stays_a_repeat_after_the_index_is_built_again(record: Record) -> None:
    record.accept([episode("a", "one")])
    record.compact(context_turns=2, lightly=True)
    record.accept([episode("a", "one", second=1)])
    assert record.compact(context_turns=2, lightly=True).repeated == 1
    record.accept([episode("a", "two", second=2)])
    record.compact(context_turns=2, lightly=True)
    record.rebuild_index()
    assert record.compact(context_turns=2) == Compaction(days=(START.date(),))
    latest = record.latest("g", "a")
    assert latest is not None
    assert (latest.revision, latest.content) == (2, "two")


def test_the_commit_of_an_episode_is_the_last_that_took_it_in(record: Record) -> None:
    write(record, episode("a"), episode("a1"))
    write(record, episode("a", "two", second=1))
    found = [record.commit_of("g", name) for name in ("a", "a1", "1")]
    assert [one and one.seq for one in found] == [2, 1, None]
    assert record.ever_committed("g", ["a", "1"]) == {"a"}
