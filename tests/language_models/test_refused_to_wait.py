"""Whoever gives up waiting is let go: from a fault that may pass, and from a turn that is far off."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from asking import KEY, PROMPT

from memstrata.endpoint import Endpoint
from memstrata.errors import Away
from memstrata.language_models.limiting import Rates
from memstrata.language_models.openai_compatible import Manner, OpenAIModel
from memstrata.language_models.scripted_server import failure, reply, slow
from memstrata.ports import Patient

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.language_models.scripted_server import ScriptedServer

WORKER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background jobs do without
from memstrata.cli import main
sys.argv = ["memstrata", *sys.argv[1:]]
main()
"""


def given_up_after(seconds: float) -> threading.Event:
    given_up = threading.Event()
    threading.Timer(seconds, given_up.set).start()
    return given_up


def test_whoever_gives_up_is_let_go_from_a_fault_that_may_pass(
    server: ScriptedServer, folder: Path
) -> None:
    server.script = lambda _: failure(429, "slow down", wait=50)
    model = OpenAIModel("m", Endpoint(url=server.url, key=KEY), folder)
    assert isinstance(model, Patient)
    begun = time.monotonic()
    with pytest.raises(Away, match="nobody waits for the answer any more") as raised:
        model.until(given_up_after(0.2)).complete(PROMPT)
    assert time.monotonic() - begun < 5
    assert raised.value.effort is not None
    assert raised.value.effort.requests == 1


def test_whoever_gives_up_is_let_go_from_a_turn_that_is_far_off(
    server: ScriptedServer, folder: Path
) -> None:
    manner = Manner(rates=Rates(requests=1))
    model = OpenAIModel("m", Endpoint(url=server.url, key=KEY), folder, manner=manner)
    model.complete(PROMPT)
    begun = time.monotonic()
    with pytest.raises(Away, match="nobody waits"):
        model.until(given_up_after(0.2)).complete(PROMPT)
    assert time.monotonic() - begun < 5
    assert len(server.asked) == 1


def test_a_reply_that_is_on_its_way_is_waited_for(server: ScriptedServer, folder: Path) -> None:
    server.script = lambda _: slow(reply("late"), 0.5)
    model = OpenAIModel("m", Endpoint(url=server.url, key=KEY), folder)
    assert model.until(given_up_after(0.1)).complete(PROMPT).text == "late"


@pytest.mark.slow
def test_an_interrupted_worker_ends_while_it_waits_for_the_endpoint(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = lambda _: failure(429, "slow down", wait=50)
    environment = {
        **os.environ,
        "MEMSTRATA_HOME": str(tmp_path / "home"),
        "MEMSTRATA_LLM_MODEL": "m",
        "MEMSTRATA_EMBEDDER": "none",
        "OPENAI_BASE_URL": server.url,
    }
    (tmp_path / "a.txt").write_text("Tom met Ann.")
    command = [sys.executable, "-c", WORKER]
    subprocess.run([*command, "add", str(tmp_path / "a.txt")], env=environment, check=True)
    worker = subprocess.Popen(
        [*command, "work", "--once"], env=environment, stderr=subprocess.PIPE, text=True
    )
    while not server.asked and worker.poll() is None:
        time.sleep(0.05)
    time.sleep(0.5)
    worker.send_signal(signal.SIGINT)
    try:
        told = worker.communicate(timeout=20)[1]
    finally:
        worker.kill()
    assert (worker.returncode, "interrupted" in told) == (1, True)
