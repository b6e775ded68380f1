"""A real HTTP server on loopback that speaks OpenAI's embeddings protocol, and fails as it is told."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DIMENSION = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the server says instead of the vectors."""

    status: int = 200
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    after_seconds: float = 0.0


@dataclass(slots=True, kw_only=True)
class EmbeddingsServer:
    """Requests so far, and what is said next instead of vectors; `change` alters a good reply."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    instead: deque[Answer] = field(default_factory=deque)
    change: Callable[[dict[str, Any]], Any] = lambda reply: reply


def vector_of(text: str, dimension: int = DIMENSION) -> np.ndarray:
    """A vector that the text determines, not of unit length."""
    seed = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
    return (np.random.default_rng(seed).normal(size=dimension) * 3).astype(np.float32)


def error_body(message: str, code: str | None = None) -> str:
    return json.dumps({"error": {"message": message, "type": "error", "code": code, "param": None}})


@contextmanager
def serving() -> Iterator[EmbeddingsServer]:
    state = EmbeddingsServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.requests.append({**asked, "path": self.path})
            state.keys.append(self.headers.get("Authorization", ""))
            said = state.instead.popleft() if state.instead else Answer(body=_reply(state, asked))
            time.sleep(said.after_seconds)
            try:
                self.send_response(said.status)
                self.send_header("Content-Type", "application/json")
                for name, value in said.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(said.body.encode())))
                self.end_headers()
                self.wfile.write(said.body.encode())
            except (BrokenPipeError, ConnectionResetError):
                pass  # whoever asked has given up

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _reply(state: EmbeddingsServer, asked: dict[str, Any]) -> str:
    dimension = asked.get("dimensions", DIMENSION)
    data = [
        {"object": "embedding", "index": at, "embedding": _written(vector_of(text, dimension), asked)}
        for at, text in enumerate(asked["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return json.dumps(
        state.change({"object": "list", "data": data, "model": asked["model"], "usage": usage})
    )


def _written(vector: np.ndarray, asked: dict[str, Any]) -> Any:
    if asked.get("encoding_format") == "base64":
        return base64.b64encode(vector.tobytes()).decode()
    return vector.tolist()
