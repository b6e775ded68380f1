"""A server as a process of its own, and how it is started and stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    process: subprocess.Popen[str]
    url: str
    home: Path

    @property
    def address(self) -> tuple[str, int]:
        host, _, port = self.url.removeprefix("http://").rpartition(":")
        return host, int(port)

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=30)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMSTRATA_")}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "MEMSTRATA_HOME": str(home),
        "MEMSTRATA_EMBEDDER": "none",
        "COLUMNS": "200",
        **more,
    }


def begun(folder: Path, *words: str, **more: str) -> Server:
    """A server over the home in that folder, once it is ready; `more` goes into its environment."""
    home = folder / "home"
    process = subprocess.Popen(
        [sys.executable, "-m", "memstrata", "serve", "--port", "0", *words],
        cwd=folder,
        env=environment(home, **more),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert "listening on " in line, line
        server = Server(process=process, url=line.split("listening on ")[1].strip(), home=home)
        threading.Thread(target=process.stderr.read, daemon=True).start()
        with server.client() as client:
            assert client.get("/health/ready", timeout=120).status_code == 200
    except BaseException:
        process.kill()
        raise
    return server
