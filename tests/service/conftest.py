"""The service over a memory in an empty folder: called in this process, or as a server of its own."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from served import begun
from serving_world import Serving

from memstrata.service.app import application
from memstrata.settings import Settings, opened

sys.path[:0] = [
    str(Path(__file__).parents[1] / name) for name in ("mcp", "embedders")
]  # agents, an endpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi.testclient import TestClient
    from served import Server

    from memstrata.service.limits import Limits


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Serving]]:
    for name in [name for name in os.environ if name.startswith("MEMSTRATA_")]:
        monkeypatch.delenv(name)
    with ExitStack() as stack:

        def start(limits: Limits | None = None) -> Serving:
            home = tmp_path / "home"
            settings = Settings(MEMSTRATA_HOME=home, MEMSTRATA_EMBEDDER="none")
            installation = stack.enter_context(opened(settings))
            app = application(installation, home, limits)
            serving = Serving(home=home, installation=installation, app=app, clients=stack)
            stack.enter_context(serving.client())  # its life
            return serving

        yield start


@pytest.fixture
def serving(serve: Callable[..., Serving]) -> Serving:
    return serve()


@pytest.fixture
def client(serving: Serving) -> TestClient:
    return serving.client()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts a server as a process of its own, over one home, as often as it is called."""
    started: list[Server] = []

    def begin(*words: str, **more: str) -> Server:
        started.append(begun(tmp_path, *words, **more))
        return started[-1]

    yield begin
    for server in started:
        if server.process.poll() is None:
            server.process.kill()
        server.process.wait()
