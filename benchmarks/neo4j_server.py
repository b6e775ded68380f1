"""A Neo4j server for a benchmark: the one of NEO4J_URI, else the local one, stopped at the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memstrata.errors import Missing
from memstrata.stores.neo4j import Neo4jGraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SERVE: Final = Path(__file__).parents[1] / "deploy" / "neo4j-local" / "serve.py"
_STOP_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where a server listens, and for whom; `is_ours` if it ends with the benchmark."""

    uri: str
    user: str
    password: str
    is_ours: bool = True


@contextmanager
def neo4j_server() -> Iterator[Server]:
    """The server, for the block. Raises `Missing` where none is given and none can be started."""
    if uri := os.environ.get("NEO4J_URI"):
        user = os.environ.get("NEO4J_USER", "neo4j")
        yield Server(uri=uri, user=user, password=os.environ.get("NEO4J_PASSWORD", ""), is_ours=False)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            str(_SERVE),
            "--port",
            "0",
            "--home",
            folder,
            "--watch",
            str(os.getpid()),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
            try:
                line = serving.stdout.readline() if serving.stdout else ""
                if not line:
                    raise Missing("the local Neo4j server did not start; what it said stands above")
                yield Server(**json.loads(line))
            finally:
                serving.terminate()
                serving.wait(_STOP_SECONDS)


@contextmanager
def empty_groups(*groups: str) -> Iterator[str]:
    """A server whose graph has nothing in those groups, for the block, as its `MEMSTRATA_STORE`.

    Other processes reach it with the environment of this one. What else a server of NEO4J_URI holds is
    left alone.
    """
    with neo4j_server() as server:
        os.environ.update(NEO4J_USER=server.user, NEO4J_PASSWORD=server.password)
        with Neo4jGraph(server.uri, server.user, server.password) as graph:
            _clear(graph, groups)
            try:
                yield server.uri
            finally:
                if not server.is_ours:
                    _clear(graph, groups)


def _clear(graph: Neo4jGraph, groups: Iterable[str]) -> None:
    for group in groups:
        graph.clear(group)
