"""Which commit of a group was its last at an instant."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from record_samples import START, commit_of, retraction

from memstrata.instants import TICK
from memstrata.stores.lake import Record

if TYPE_CHECKING:
    from pathlib import Path


def test_the_last_commit_at_an_instant_is_found_at_and_between_commits(tmp_path: Path) -> None:
    record = Record(tmp_path)
    try:
        for number in range(5):
            record.decide([retraction(f"e{number}", second=number)])
            record.compact(context_turns=0)
            record.append(commit_of(record))
        instants = [one.instant for one in record.commits("g")]
        assert [record.seq_at("g", at) for at in instants] == [1, 2, 3, 4, 5]
        assert [record.seq_at("g", at - TICK) for at in instants] == [0, 1, 2, 3, 4]
        assert record.seq_at("g", instants[-1] + timedelta(days=1)) == 5
        assert record.seq_at("g", START - timedelta(days=1)) == 0
        assert record.seq_at("nobody", instants[0]) == 0
    finally:
        record.close()
