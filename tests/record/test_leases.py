from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Fault
from memstrata.stores.leases import FileLeases

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import sys, time
from pathlib import Path
from memstrata.stores.leases import FileLeases
with FileLeases(Path(sys.argv[1])).hold("g"):
    print("held", flush=True)
    time.sleep(60)
"""

COUNTER = """
import sys
from pathlib import Path
from memstrata.stores.leases import FileLeases
leases = FileLeases(Path(sys.argv[1]))
count = Path(sys.argv[2])
for _ in range(100):
    with leases.hold("g"):
        count.write_text(str(int(count.read_text()) + 1))
"""


def test_a_lease_ends_with_its_process(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    got = threading.Event()

    def wait() -> None:
        with FileLeases(tmp_path).hold("g"):
            got.set()

    waiter = threading.Thread(target=wait)
    waiter.start()
    assert not got.wait(0.1)
    holder.send_signal(signal.SIGKILL)
    assert got.wait(5)
    waiter.join()
    holder.communicate()


def test_two_processes_never_hold_a_lease_at_once(tmp_path: Path) -> None:
    count = tmp_path / "count"
    count.write_text("0")
    counters = [
        subprocess.Popen([sys.executable, "-c", COUNTER, str(tmp_path / "locks"), str(count)])
        for _ in range(2)
    ]
    assert [one.wait() for one in counters] == [0, 0]
    assert count.read_text() == "200"


def test_names_do_not_exclude_one_another(tmp_path: Path) -> None:
    leases = FileLeases(tmp_path)
    with leases.hold("a"):
        other = threading.Thread(target=lambda: leases.hold("b").__enter__())
        other.start()
        other.join(5)
        assert not other.is_alive()


def test_a_thread_may_hold_a_lease_again_and_keeps_it_until_the_outer_end(tmp_path: Path) -> None:
    leases = FileLeases(tmp_path)
    got = threading.Event()

    def wait() -> None:
        with leases.hold("g"):
            got.set()

    with leases.hold("g"):
        with leases.hold("g"):
            pass
        waiter = threading.Thread(target=wait)
        waiter.start()
        assert not got.wait(0.1)
    assert got.wait(5)
    waiter.join()


def test_urgent_holders_go_before_others_that_waited_longer(tmp_path: Path) -> None:
    order: list[str] = []
    leases = FileLeases(tmp_path)

    def wait(name: str, *, urgent: bool) -> None:
        with leases.hold("g", urgent=urgent):
            order.append(name)
            time.sleep(0.02)

    with leases.hold("g"):
        waiters = [
            threading.Thread(target=wait, args=(f"bulk {n}",), kwargs={"urgent": False}) for n in range(3)
        ]
        waiters += [
            threading.Thread(target=wait, args=(f"urgent {n}",), kwargs={"urgent": True}) for n in range(3)
        ]
        for waiter in waiters:
            waiter.start()
            time.sleep(0.03)
    for waiter in waiters:
        waiter.join()
    assert {name.split()[0] for name in order[:3]} == {"urgent"}
    assert len(order) == 6


def test_a_lease_is_freed_when_its_block_raises(tmp_path: Path) -> None:
    leases = FileLeases(tmp_path)
    with pytest.raises(KeyError), leases.hold("g"):
        raise KeyError
    with leases.hold("g"):
        pass


def test_a_folder_that_cannot_be_made_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("a file")
    with pytest.raises(Fault, match="must be writable"), FileLeases(tmp_path / "locks").hold("g"):
        pass
