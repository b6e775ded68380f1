"""The limiter: over threads and processes, in turn, and never for ever."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from asking import PROMPT, ClockByHand, model_at
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata.language_models.limiting import MOST_AHEAD, Limiter, Rates
from memstrata.language_models.scripted_server import failure, reply
from memstrata.language_models.timing import Timing

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.language_models.scripted_server import ScriptedServer

WORKER = """
import sys, time
from pathlib import Path
from memstrata.language_models.limiting import Limiter, Rates
from memstrata.language_models.timing import Timing
limiter = Limiter(Path(sys.argv[1]), Rates(requests=600), Timing())
for _ in range(int(sys.argv[2])):
    limiter.wait(1)
    print(time.time(), flush=True)
"""


def limiter(folder: Path, clock: ClockByHand, **rates: int) -> Limiter:
    return Limiter(folder / "limits.json", Rates(**rates), clock.timing)


def test_without_rates_nothing_waits_and_nothing_is_written(folder: Path, clock: ClockByHand) -> None:
    for _ in range(100):
        limiter(folder, clock).wait(1e9)
    assert (clock.slept, folder.exists()) == ([], False)


def test_requests_are_spaced_evenly(folder: Path, clock: ClockByHand) -> None:
    limited = limiter(folder, clock, requests=30)
    assert [round(limited.wait(0), 3) for _ in range(4)] == [0, 2, 2, 2]


def test_a_call_waits_until_the_tokens_before_it_are_paid_off(folder: Path, clock: ClockByHand) -> None:
    limited = limiter(folder, clock, tokens=6_000)
    assert [round(limited.wait(tokens), 3) for tokens in (1_000, 200, 100)] == [0, 10, 2]


def test_what_a_call_took_takes_the_place_of_the_estimate(folder: Path, clock: ClockByHand) -> None:
    limited = limiter(folder, clock, tokens=6_000)
    limited.wait(1_000)
    limited.correct(estimated=1_000, taken=300)
    assert round(limited.wait(100), 3) == 3
    limited.correct(estimated=100, taken=500)
    assert round(limited.wait(100), 3) == 5


def test_a_rest_makes_no_burst_afterwards(folder: Path, clock: ClockByHand) -> None:
    limited = limiter(folder, clock, requests=60)
    limited.wait(0)
    clock.now += 3600
    assert [round(limited.wait(0), 3) for _ in range(3)] == [0, 1, 1]


@settings(deadline=None)  # it writes files
@given(
    asked=st.lists(st.tuples(st.floats(0, 30), st.integers(1, 900)), min_size=2, max_size=40),
    requests=st.integers(1, 50),
    tokens=st.integers(500, 3_000),
)
def test_in_no_minute_is_more_allowed_than_the_rates(
    tmp_path_factory: pytest.TempPathFactory,
    asked: list[tuple[float, int]],
    requests: int,
    tokens: int,
) -> None:
    clock = ClockByHand()
    limited = limiter(tmp_path_factory.mktemp("limits"), clock, requests=requests, tokens=tokens)
    begun: list[tuple[float, int]] = []
    for pause, cost in asked:
        clock.now += pause
        limited.wait(cost)
        begun.append((clock.now, cost))
    for start, _ in begun:
        within = [cost for at, cost in begun if start <= at < start + 60 - 1e-3]
        assert len(within) <= requests
        assert sum(within[:-1]) <= tokens + 1e-3


def test_processes_share_one_limit_and_a_killed_one_locks_nobody_out(folder: Path) -> None:
    file = folder / "limits.json"
    command = [sys.executable, "-c", WORKER, str(file)]
    killed = subprocess.Popen([*command, "1000"], stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    killed.stdout.readline()
    killed.kill()
    killed.communicate()
    workers = [subprocess.Popen([*command, "6"], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    told = [worker.communicate(timeout=60)[0].split() for worker in workers]
    times = sorted(float(at) for ats in told for at in ats)
    assert len(times) == 18
    assert times[-1] - times[0] >= 17 * 0.1 - 0.08  # printing is not as even as waiting


def test_threads_that_ask_at_once_get_turns_of_their_own(folder: Path) -> None:
    standing = Timing(wall=lambda: 1_800_000_000.0, sleep=lambda _: None)
    limited = Limiter(folder / "limits.json", Rates(requests=60), standing)
    waits: list[float] = []
    threads = [threading.Thread(target=lambda: waits.append(limited.wait(0))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [float(at) for at in range(8)]


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"requests": "soon", "tokens": null}'])
def test_a_spoilt_file_is_begun_anew(folder: Path, clock: ClockByHand, content: str) -> None:
    folder.mkdir()
    (folder / "limits.json").write_text(content)
    limited = limiter(folder, clock, requests=60, tokens=60)
    assert limited.wait(1) == 0
    assert json.loads((folder / "limits.json").read_text())


def test_a_turn_that_no_call_can_have_locks_nobody_out(folder: Path, clock: ClockByHand) -> None:
    limited = limiter(folder, clock, requests=60)
    limited.wait(0)
    turns = {"requests": clock.now + 2 * MOST_AHEAD, "tokens": 0, "at": clock.now}
    (folder / "limits.json").write_text(json.dumps(turns))
    assert limited.wait(0) == 0


def test_a_clock_that_is_set_back_takes_the_turns_back(folder: Path, clock: ClockByHand) -> None:
    limited = limiter(folder, clock, requests=6)
    limited.wait(0)
    for hours in (1, 100):
        clock.now -= hours * 3600
        assert limited.wait(0) <= 20  # nobody knows how much time went by before


def test_others_wait_too_when_the_endpoint_has_asked_for_it(folder: Path, clock: ClockByHand) -> None:
    limiter(folder, clock, requests=6_000).hold_back(20)
    clock.now += 5
    assert limiter(folder, clock, requests=6_000).wait(0) == pytest.approx(15)


def test_a_refused_call_does_not_hold_the_room_for_its_reply(
    server: ScriptedServer, folder: Path, clock: ClockByHand
) -> None:
    clock.drawn = 0.0
    server.instead.append(failure(500, "boom"))
    model = model_at(server, folder, clock=clock, rates=Rates(tokens=6_000), most_tokens=60_000)
    model.complete(PROMPT)
    assert sum(clock.slept) < 1


def test_the_adapter_corrects_by_what_the_endpoint_counted(
    server: ScriptedServer, folder: Path, clock: ClockByHand
) -> None:
    server.script = lambda _: reply("yes", usage=(500, 100))
    model = model_at(server, folder, clock=clock, rates=Rates(tokens=6_000), most_tokens=5_000)
    model.complete(PROMPT)
    model.complete(PROMPT)
    assert clock.slept == [pytest.approx(6.0, abs=0.01)]


def test_what_the_endpoint_asks_to_wait_holds_the_next_turn(
    server: ScriptedServer, folder: Path, clock: ClockByHand
) -> None:
    clock.drawn = 0.0
    server.instead.append(failure(429, "slow down", wait=20))
    model_at(server, folder, clock=clock, rates=Rates(requests=6_000), tries_again=1).complete(PROMPT)
    assert sum(clock.slept) == pytest.approx(20.0, abs=0.05)


def test_waiting_costs_little_when_there_is_room(folder: Path) -> None:
    limited = limiter(folder, ClockByHand(), requests=1_000_000, tokens=1_000_000_000)
    begun = time.process_time()
    for _ in range(200):
        limited.wait(10)
    assert time.process_time() - begun < 1
