"""Graphiti as a peer: its virtual environment, its process, and what can be asked of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from memstrata.errors import Fault, Missing

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Graphiti imports httpx and does not ask for it; newer versions of openai do not bring it any more.
PINNED: Final = ("graphiti-core==0.31.2", "httpx>=0.28,<1")
ENVIRONMENT: Final = Path(__file__).resolve().parents[2] / ".venv-graphiti"
_PROCESS: Final = Path(__file__).with_name("graphiti_process.py")
_STAMP: Final = ENVIRONMENT / ".installed"


def environment() -> Path:
    """The Python of the peer's environment, which is made if it is not there.

    Raises `Missing` where the package cannot be had.
    """
    python = ENVIRONMENT / "bin" / "python"
    if not (_STAMP.exists() and _STAMP.read_text("utf-8") == str(PINNED)):
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        asked = [str(python), "-m", "pip", "install", "--quiet", *PINNED]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Missing(f"{PINNED[0]} cannot be installed: {done.stderr.strip()[-300:]}")
        _STAMP.write_text(str(PINNED), "utf-8")
    return python


class GraphitiPeer:
    """One Graphiti process on one Neo4j server; its models are scripted and answer at once."""

    def __init__(self, uri: str, user: str, password: str, *, dimension: int) -> None:
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115 (as long as the process)
        self._process = subprocess.Popen(
            [str(environment()), str(_PROCESS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            env={
                **os.environ,
                "EMBEDDING_DIM": str(dimension),
                "OPENAI_API_KEY": "none",
                "GRAPHITI_TELEMETRY_ENABLED": "false",
            },
        )
        self.ask(do="open", uri=uri, user=user, password=password, dimension=dimension)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None  # noqa: S101 (a pipe was asked for)
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._said.close()

    def prepare(self) -> None:
        """Creates Graphiti's own indexes."""
        self.ask(do="prepare")

    def search(
        self,
        queries: Sequence[str],
        *,
        group: str,
        vectors: dict[str, list[float]] | None = None,
        limit: int = 10,
    ) -> tuple[list[float], list[list[dict[str, Any]]]]:
        """Milliseconds of each query, and the edges it found."""
        answer = self.ask(
            do="search", queries=list(queries), group=group, vectors=vectors or {}, limit=limit
        )
        return answer["ms"], answer["found"]

    def add(self, episodes: Sequence[dict[str, Any]], *, group: str) -> list[float]:
        """Milliseconds of each `add_episode`.

        An episode has name, body, reference_time and facts (from, to, relation, fact, valid_at?), and
        may name the facts that it `contradicts`.
        """
        milliseconds: list[float] = self.ask(do="add", episodes=list(episodes), group=group)["ms"]
        return milliseconds

    def take_back(self) -> None:
        """Removes the nodes that this process has added, with their edges."""
        self.ask(do="take_back")

    def get(self, kind: str, uuid: str) -> dict[str, Any]:
        """An edge, entity or episode by its uuid."""
        return self.ask(do="get", kind=kind, uuid=uuid)

    def ask(self, **request: Any) -> dict[str, Any]:
        """One request. Raises `Fault` with what Graphiti says against it."""
        assert self._process.stdin is not None  # noqa: S101 (a pipe was asked for)
        assert self._process.stdout is not None  # noqa: S101 (a pipe was asked for)
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            self._said.seek(0)
            raise Fault(
                f"graphiti's process ended ({self._process.wait()}) while it was asked to {request['do']}: "
                f"{self._said.read()[-500:]}"
            )
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Fault(f"graphiti, asked to {request['do']}: {answer['error']}")
        return answer


if __name__ == "__main__":
    sys.stdout.write(f"{environment()}\n")
