"""What takes long: started, watched, stopped, and told of after a restart in the middle."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from serving_world import ADA

from memstrata.memory.access import OWNER
from memstrata.memory.asking import Asking
from memstrata.service.operations import KEPT_SECONDS, Kind, Operations, State

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving

    from memstrata.service.operations import Progress

ROOT = Path(__file__).resolve().parents[2]
OVER = {"done", "failed", "cancelled", "interrupted"}


def _ended(client: TestClient, operation_id: str) -> dict[str, Any]:
    until = time.monotonic() + 30
    while True:
        said: dict[str, Any] = client.get(f"/v1/operations/{operation_id}").json()
        if said["state"] in OVER or time.monotonic() > until:
            return said
        time.sleep(0.02)


def _started(client: TestClient, **body: object) -> str:
    answer = client.post("/v1/operations", json=body)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["operation_id"])


def test_a_pass_of_work_takes_in_what_was_accepted(client: TestClient) -> None:
    client.post("/v1/episodes", json={"episodes": [ADA]})
    said = _ended(client, _started(client, kind="work"))
    assert (said["state"], said["result"]["extracted"], said["result"]["commits"]) == ("done", 1, 1)
    assert client.get("/v1/facts", params={"about": "Ada Byron"}).json()["items"]


def test_a_rebuild_gives_the_same_graph(client: TestClient) -> None:
    client.post("/v1/episodes", json={"episodes": [ADA], "wait": True})
    before = client.get("/v1/export", params={"history": True}).content
    said = _ended(client, _started(client, kind="rebuild"))
    assert (said["state"], said["result"]["commits"]) == ("done", 1)
    assert client.get("/v1/export", params={"history": True}).content == before
    assert not said["can_be_cancelled"]


def test_a_rebuild_of_a_group_that_is_not_there_fails_and_says_so(client: TestClient) -> None:
    said = _ended(client, _started(client, kind="rebuild", group_id="nobody"))
    assert said["state"] == "failed"
    assert "'nobody'" in said["error"]


def test_an_export_to_a_file_is_the_export(serving: Serving, client: TestClient) -> None:
    client.post("/v1/episodes", json={"episodes": [ADA], "wait": True})
    said = _ended(client, _started(client, kind="export", history=True))
    lines = list(Asking(installation=serving.installation).export("default", history=True))
    assert said["result"]["lines"] == len(lines)
    answer = client.get(said["result"]["file"])
    assert answer.text.splitlines() == lines


def test_an_uploaded_file_is_taken_in_and_what_is_refused_is_told(client: TestClient) -> None:
    lines = b'{"role": "user", "content": "Ada works at Acme."}\n{"role": "user", "content": 17}\n'
    params = {"name": "chat.jsonl", "reference_time": "2024-05-14"}
    answer = client.post("/v1/operations/ingest", params=params, content=lines)
    said = _ended(client, answer.json()["operation_id"])
    assert said["state"] == "done", said
    assert said["result"]["accepted"] == 1
    assert said["result"]["refused_count"] == 1
    assert said["result"]["refused"][0]["place"]
    assert len(client.get("/v1/episodes").json()["items"]) == 1


@pytest.mark.parametrize(
    ("params", "content", "status"),
    [
        ({"name": "a.md"}, b"", 400),
        ({"name": "../a.md"}, b"x", 422),
        ({"name": "a.md", "timezone": "Mars"}, b"x", 400),
        ({"name": "a.md", "mapping": "{"}, b"x", 400),
        ({}, b"x", 422),
    ],
)
def test_a_bad_upload_is_refused_at_once_and_leaves_no_file(
    serving: Serving, client: TestClient, params: dict[str, str], content: bytes, status: int
) -> None:
    answer = client.post("/v1/operations/ingest", params=params, content=content)
    assert answer.status_code == status, answer.text
    folder = serving.home / "service" / "operations"
    assert not folder.exists() or not list(folder.iterdir())


def test_a_file_that_cannot_be_read_is_a_failed_operation_with_the_reason(client: TestClient) -> None:
    answer = client.post(
        "/v1/operations/ingest", params={"name": "a.csv", "format": "nonsense"}, content=b"a,b\n"
    )
    said = _ended(client, answer.json()["operation_id"])
    assert said["state"] == "failed"
    assert "nonsense" in said["error"]
    assert "/service/" not in said["error"]


def _slow(begun: threading.Event) -> Any:
    def work(progress: Progress) -> dict[str, object]:
        begun.set()
        for _ in range(2_000):
            time.sleep(0.005)
            progress.advance()
        return {}

    return work


def test_what_can_be_stopped_stops_and_keeps_what_it_did(serving: Serving, client: TestClient) -> None:
    operations: Operations = serving.app.state.service.operations
    begun = threading.Event()
    id_ = operations.new_id()
    operations.start((id_, Kind.WORK), OWNER, _slow(begun), group_id=None)
    assert begun.wait(5)
    assert client.get(f"/v1/operations/{id_}").json()["state"] in ("queued", "running")
    assert client.delete(f"/v1/operations/{id_}").status_code == 202
    said = _ended(client, id_)
    assert said["state"] == "cancelled"
    assert "what was committed stays" in said["advice"]
    assert client.delete(f"/v1/operations/{id_}").status_code == 409


def test_a_rebuild_is_not_stopped_halfway(serving: Serving, client: TestClient) -> None:
    operations: Operations = serving.app.state.service.operations
    begun, id_ = threading.Event(), operations.new_id()
    operations.start((id_, Kind.REBUILD), OWNER, _slow(begun), group_id="default")
    assert begun.wait(5)
    until = time.monotonic() + 5
    while client.get(f"/v1/operations/{id_}").json()["state"] == "queued" and time.monotonic() < until:
        time.sleep(0.01)
    answer = client.delete(f"/v1/operations/{id_}")
    assert answer.status_code == 409
    assert "halfway" in answer.json()["detail"]


def test_work_that_breaks_is_told_without_what_it_held(serving: Serving, client: TestClient) -> None:
    def broken(progress: Progress) -> dict[str, object]:
        raise RuntimeError("secret content")

    operations: Operations = serving.app.state.service.operations
    id_ = operations.new_id()
    operations.start((id_, Kind.EXPORT), OWNER, broken, group_id="default")
    said = _ended(client, id_)
    assert said["state"] == "failed"
    assert "RuntimeError" in said["error"]
    assert "secret" not in str(said)


def test_operations_of_groups_out_of_reach_are_not_there(serving: Serving) -> None:
    owner = serving.client(serving.token("*"))
    owner.post("/v1/episodes", json={"episodes": [{**ADA, "group_id": "acme"}], "wait": True})
    export = _started(owner, kind="export", group_id="acme")
    work = _started(owner, kind="work")
    _ended(owner, export)
    other = serving.client(serving.token("beta"))
    assert other.get("/v1/operations").json()["items"] == []
    for id_ in (export, work):
        assert other.get(f"/v1/operations/{id_}").status_code == 404
        assert other.delete(f"/v1/operations/{id_}").status_code == 404
        assert other.get(f"/v1/operations/{id_}/file").status_code == 404
    assert other.post("/v1/operations", json={"kind": "work"}).status_code == 403


def test_a_kill_in_the_middle_leaves_an_operation_that_says_what_to_do(tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from memstrata.memory.access import OWNER\n"
        "from memstrata.service.operations import KEPT_SECONDS, Kind, Operations\n"
        "operations = Operations(Path(sys.argv[1]))\n"
        "def work(progress):\n"
        "    progress.advance(7, stage='accept')\n"
        "    print('begun', flush=True)\n"
        "    time.sleep(60)\n"
        "operations.start((sys.argv[2], Kind.INGEST), OWNER, work, group_id='acme')\n"
        "time.sleep(60)\n"
    )
    id_ = "ab" * 16
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path), id_],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    operations = Operations(tmp_path)
    seen = operations.get(id_)
    assert seen is not None
    assert seen.state in (State.QUEUED, State.RUNNING)
    process.kill()
    process.wait()
    said = operations.get(id_)
    assert said is not None
    assert (said.state, said.done, said.group_id) == (State.INTERRUPTED, 7, "acme")
    assert "send the file again" in said.advice
    assert [one.state for one in operations.all()] == [State.INTERRUPTED]


def test_old_operations_go_with_their_files_and_so_does_what_crashes_left(
    serving: Serving, client: TestClient
) -> None:
    client.post("/v1/episodes", json={"episodes": [ADA], "wait": True})
    old, young = _started(client, kind="export"), _started(client, kind="export")
    for id_ in (old, young):
        assert _ended(client, id_)["state"] == "done"
    folder = serving.home / "service" / "operations"
    (folder / f"{'0' * 32}.notes.md").write_text("an upload that was cut off")
    for path in folder.iterdir():
        age = KEPT_SECONDS + 1 if path.name.startswith(old) else 2 * 86_400
        os.utime(path, (time.time() - age, time.time() - age))
    Operations(serving.home).forget_old()
    assert client.get(f"/v1/operations/{old}").status_code == 404
    assert client.get(f"/v1/operations/{young}/file").status_code == 200
    assert {path.name.split(".")[0] for path in folder.iterdir() if path.suffix != ".lock"} == {young}


def test_another_process_of_the_home_stops_what_one_runs(tmp_path: Path) -> None:
    begun = threading.Event()
    one, other = Operations(tmp_path), Operations(tmp_path)
    started = one.start((one.new_id(), Kind.EXPORT), OWNER, _slow(begun), group_id="g")
    assert begun.wait(10)
    seen = other.get(started.operation_id)
    assert seen is not None
    other.cancel(seen)
    until = time.monotonic() + 20
    while time.monotonic() < until:
        seen = other.get(started.operation_id)
        assert seen is not None
        if seen.state is not State.RUNNING:
            break
        time.sleep(0.05)
    assert seen.state is State.CANCELLED
    assert not list((tmp_path / "service" / "operations").glob("*.stop"))
    one.close()
    other.close()
