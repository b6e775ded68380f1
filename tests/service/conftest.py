"""The service over a memory in an empty folder: called in this process, or as a server of its own."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens
from memstrata.service.app import application
from memstrata.settings import Settings, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from fastapi import FastAPI

    from memstrata.ports import Installation
    from memstrata.service.limits import Limits

LOCAL = ("127.0.0.1", 50_000)
LOCAL_URL = "http://127.0.0.1:8765"
ADA = {"content": "Ada Byron has worked at Acme since 2021.", "reference_time": "2024-05-14"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """A service and clients of it."""

    home: Path
    installation: Installation
    app: FastAPI
    clients: ExitStack

    def client(self, token: str | None = None, *, host: str = LOCAL[0], url: str = LOCAL_URL) -> TestClient:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return TestClient(
            self.app, base_url=url, client=(host, LOCAL[1]), headers=headers, raise_server_exceptions=False
        )

    def token(self, *groups: str, can: Iterable[Right] = tuple(Right), **also: Any) -> str:
        _, text = Tokens(self.home).create("somebody", groups=groups or ("*",), rights=can, **also)
        return text


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
