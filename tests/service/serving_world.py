"""What the tests of the service share: a service and its clients, and an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi.testclient import TestClient

from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import ExitStack
    from pathlib import Path

    from fastapi import FastAPI

    from memstrata.ports import Installation

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
