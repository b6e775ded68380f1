from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Damaged
from memstrata.stores.lake.spool import Spool, Stream

if TYPE_CHECKING:
    from pathlib import Path

EPISODES = Stream.EPISODES


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool")


def the_file(tmp_path: Path) -> Path:
    (path,) = (tmp_path / "spool" / "episodes").iterdir()
    return path


def lines_of(spool: Spool) -> list[bytes]:
    spool.seal(EPISODES)
    read = [spool.read(EPISODES, stem) for stem in spool.sealed(EPISODES)]
    return [line for one in read if one is not None for line in one.lines]


def test_what_was_appended_is_read_in_order(spool: Spool) -> None:
    spool.append(EPISODES, [b'{"a":1}', b'{"a":2}'])
    spool.append(EPISODES, [b'{"a":3}'])
    assert lines_of(spool) == [b'{"a":1}', b'{"a":2}', b'{"a":3}']


def test_streams_do_not_mix(spool: Spool) -> None:
    spool.append(Stream.DECISIONS, [b'{"d":1}'])
    assert lines_of(spool) == []


def test_a_writer_begins_another_file_once_its_own_was_sealed(spool: Spool) -> None:
    spool.append(EPISODES, [b"1"])
    spool.seal(EPISODES)
    spool.append(EPISODES, [b"2"])
    assert len(spool.sizes(EPISODES)) == 2
    assert lines_of(spool) == [b"1", b"2"]


def test_a_writer_goes_on_after_its_file_was_removed(spool: Spool) -> None:
    spool.append(EPISODES, [b"1"])
    spool.seal(EPISODES)
    spool.remove(EPISODES, spool.sealed(EPISODES))
    spool.append(EPISODES, [b"2"])
    assert lines_of(spool) == [b"2"]


@pytest.mark.parametrize("kept", [1, 5, 8, 20, -1])
def test_a_batch_that_was_cut_off_anywhere_does_not_exist(spool: Spool, tmp_path: Path, kept: int) -> None:
    spool.append(EPISODES, [b'{"a":1}'])
    path = the_file(tmp_path)
    before = path.stat().st_size
    spool.append(EPISODES, [b'{"a":2}', b'{"a":3}', b'{"a":4}'])
    os.truncate(path, before + kept if kept > 0 else path.stat().st_size + kept)
    read = spool.read(EPISODES, path.name.removesuffix(".jsonl"))
    assert read is not None
    assert read.lines == (b'{"a":1}',)
    assert (read.end, read.torn) == (before, path.stat().st_size - before)


def test_a_last_batch_of_other_bytes_than_were_written_does_not_exist(spool: Spool, tmp_path: Path) -> None:
    spool.append(EPISODES, [b'{"a":1}'])
    path = the_file(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"a":1', b'"a":7'))
    assert lines_of(spool) == []


def test_a_changed_batch_before_a_whole_one_is_damage(spool: Spool, tmp_path: Path) -> None:
    spool.append(EPISODES, [b'{"a":1}'])
    spool.append(EPISODES, [b'{"a":2}'])
    path = the_file(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"a":1', b'"a":7'))
    with pytest.raises(Damaged, match="byte 0 is not what was written; restore the file"):
        lines_of(spool)


def test_threads_lose_nothing_and_share_a_file(spool: Spool, tmp_path: Path) -> None:
    def write(name: int) -> None:
        for number in range(20):
            spool.append(EPISODES, [b"%d-%d" % (name, number)])

    threads = [threading.Thread(target=write, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    the_file(tmp_path)
    lines = lines_of(spool)
    assert sorted(lines) == sorted(b"%d-%d" % (name, number) for name in range(8) for number in range(20))
    for name in range(8):
        mine = [line for line in lines if line.startswith(b"%d-" % name)]
        assert mine == [b"%d-%d" % (name, number) for number in range(20)]


def test_sealing_while_others_append_loses_nothing(spool: Spool) -> None:
    done = threading.Event()

    def write() -> None:
        for number in range(100):
            spool.append(EPISODES, [b"%d" % number])
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    taken: list[bytes] = []
    while not done.is_set() or spool.sizes(EPISODES):
        spool.seal(EPISODES)
        stems = spool.sealed(EPISODES)
        for stem in stems:
            read = spool.read(EPISODES, stem)
            assert read is not None
            assert read.torn == 0
            taken += read.lines
        spool.remove(EPISODES, stems)
    thread.join()
    assert taken == [b"%d" % number for number in range(100)]


FULL_DISK = """
import resource, sys
from pathlib import Path
from memstrata.errors import Fault
from memstrata.stores.lake.spool import Spool, Stream
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
spool = Spool(Path(sys.argv[1]))
spool.append(Stream.EPISODES, [b"small"])
try:
    spool.append(Stream.EPISODES, [b"x" * 1000] * 8)
except Fault as error:
    assert error.exit_status == 1
    print(error)
spool.append(Stream.EPISODES, [b"small again"])
"""


def test_a_full_disk_is_a_fault_and_leaves_nothing_of_the_call(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "spool")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "File too large; nothing of this call was accepted: make room" in said.replace("\n", " ")
    spool = Spool(tmp_path / "spool")
    assert all(one.stat().st_size < 200 for one in (tmp_path / "spool" / "episodes").iterdir())
    assert lines_of(spool) == [b"small", b"small again"]


def test_a_forked_child_writes_a_file_of_its_own(spool: Spool) -> None:
    spool.append(EPISODES, [b"parent"])
    child = os.fork()
    if child == 0:
        spool.append(EPISODES, [b"child"])
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert len(spool.sizes(EPISODES)) == 2
