"""Runs a Neo4j Community server from Maven's artifacts until it is interrupted; needs Java 17 and Maven.

    python deploy/neo4j-local/serve.py [--port 7687] [--home .neo4j] [--password ...] [--watch PID]

Prints one line of JSON with `uri`, `user` and `password` once the server answers. With NEO4J_URI set,
nothing is started: that server's address is printed. `--port 0` takes a free port; with `--watch` the
server ends with that process, however it ends.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
USER = "neo4j"
PASSWORD = "memstrata-local"  # noqa: S105 (of a server on loopback; --password gives another)
JAVA = 17
MISSING = 4
#: Seconds for a start: the first resolves 213 artifacts before, which is not counted.
_START_SECONDS = 180.0
_STOP_SECONDS = 30.0
#: What the first byte of Bolt's greeting is answered with, once the server really listens.
_GREETING = bytes.fromhex("6060b017 00000005 00000000 00000000 00000000")
_OPENS = ("java.nio", "java.lang", "sun.nio.ch", "java.util.concurrent")


def main() -> None:
    """Serves until SIGINT or SIGTERM."""
    given = _arguments()
    if uri := os.environ.get("NEO4J_URI"):
        user = os.environ.get("NEO4J_USER", USER)
        _say(f"NEO4J_URI is set: nothing to start; {user}'s password is the one of NEO4J_PASSWORD")
        print(json.dumps({"uri": uri, "user": user, "password": None}), flush=True)
        return
    _require("java", "mvn")
    library = jars()
    home = given.home.resolve()
    port = given.port or _free_port()
    _configure(home, port)
    _set_password(home, library, given.password)
    server = _start(home, library)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        _wait_for_bolt(server, port, home)
        answer = {"uri": f"bolt://127.0.0.1:{port}", "user": USER, "password": given.password}
        print(json.dumps(answer), flush=True)
        _say("running; Ctrl-C stops it. MEMSTRATA_STORE=neo4j with these three makes Memstrata use it")
        _wait(server, given.watch)
    except KeyboardInterrupt:
        pass
    finally:
        _stop(server)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--port", type=int, default=7687, help="of Bolt, on 127.0.0.1; 0 for a free one")
    parser.add_argument("--home", type=Path, default=Path(".neo4j"), help="folder of data and logs")
    parser.add_argument("--password", default=PASSWORD, help="of the user neo4j, for a new folder")
    parser.add_argument("--watch", type=int, metavar="PID", help="end with this process")
    return parser.parse_args()


def _say(text: str) -> None:
    print(f"neo4j-local: {text}", file=sys.stderr, flush=True)


def _fail(text: str, status: int = 1) -> NoReturn:
    _say(text)
    sys.exit(status)


def _require(*programs: str) -> None:
    lacking = [name for name in programs if shutil.which(name) is None]
    if lacking:
        _fail(
            f"{' and '.join(lacking)} not found; install Java {JAVA} and Maven, or use docker compose "
            "(deploy/docker-compose.yml), or set NEO4J_URI",
            MISSING,
        )


def jars() -> Path:
    """The folder with Neo4j's jars, resolved once for each version of pom.xml, by one process at a time."""
    target = HERE / "target"
    target.mkdir(exist_ok=True)
    done, pom = target / "resolved.xml", (HERE / "pom.xml").read_text("utf-8")
    with _alone(target / "lock"):
        if done.exists() and done.read_text("utf-8") == pom:
            return target / "lib"
        shutil.rmtree(target / "lib", ignore_errors=True)
        _say("resolving Neo4j's jars with Maven (123 MB, once)")
        command = ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime"]
        command += [f"-DoutputDirectory={target / 'lib'}"]
        found = subprocess.run(command, cwd=HERE, check=False, capture_output=True, text=True)
        if found.returncode:
            _fail(f"Maven could not resolve Neo4j:\n{found.stdout[-2000:]}{found.stderr[-1000:]}", MISSING)
        done.write_text(pom, "utf-8")
    return target / "lib"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _configure(home: Path, port: int) -> None:
    for name in ("conf", "data", "logs", "plugins", "import", "run"):
        (home / name).mkdir(parents=True, exist_ok=True)
    settings = {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{port}",
        "server.bolt.advertised_address": f"127.0.0.1:{port}",  # neo4j:// goes where this says
        "server.http.enabled": "false",
        "server.https.enabled": "false",
        "dbms.usage_report.enabled": "false",
        "server.memory.heap.initial_size": "512m",
        "server.memory.heap.max_size": "1g",
        "server.memory.pagecache.size": "256m",
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.retention_policy": "keep_none",
        # No plan of ours depends on how much there is: they are hinted where it could.
        "dbms.cypher.min_replan_interval": "1h",
        # Each commit with vectors adds a part to the index, and each part costs a search about as much as
        # the next: 22 parts of 60,000 facts took 55 ms, 3 took 7 ms. The server's own number is 50.
        "internal.dbms.index.vector.standard_merge_factor": "5",
    }
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    (home / "conf" / "neo4j.conf").write_text(text, "utf-8")


def _java(library: Path, program: str, *arguments: str) -> list[str]:
    opens = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in _OPENS]
    memory = ["-Xms512m", "-Xmx1g"]
    return ["java", *memory, *opens, "-cp", f"{library}/*", program, *arguments]


def _set_password(home: Path, library: Path, password: str) -> None:
    if (home / "data" / "dbms" / "auth.ini").exists():
        return
    admin = ("org.neo4j.cli.AdminTool", "dbms", "set-initial-password", password)
    environment = {**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    found = subprocess.run(
        _java(library, *admin), env=environment, check=False, capture_output=True, text=True
    )
    if found.returncode:
        _fail(f"cannot set the password in {home}: {found.stderr[-500:]}")


def _start(home: Path, library: Path) -> subprocess.Popen[bytes]:
    arguments = (f"--home-dir={home}", f"--config-dir={home / 'conf'}")
    command = _java(library, "org.neo4j.server.CommunityEntryPoint", *arguments)
    with (home / "logs" / "console.log").open("ab") as log:
        # A session of its own: Ctrl-C is for this process, which then stops the server in order.
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)


def _wait_for_bolt(server: subprocess.Popen[bytes], port: int, home: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not _answers(port):
        if server.poll() is not None:
            _fail(f"the server ended by itself; {home / 'logs' / 'console.log'} says why")
        if time.monotonic() > deadline:
            _fail(f"no answer on port {port} after {_START_SECONDS:.0f} s; see {home / 'logs'}")
        time.sleep(0.1)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(_GREETING)
            return bool(connection.recv(4))
    except OSError:
        return False


def _wait(server: subprocess.Popen[bytes], watched: int | None) -> None:
    while server.poll() is None:
        if watched is not None and not Path(f"/proc/{watched}").exists():
            return
        try:
            server.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            continue
    _fail("the server ended by itself")


def _stop(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is not None:
        return
    server.terminate()
    try:
        server.wait(timeout=_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
