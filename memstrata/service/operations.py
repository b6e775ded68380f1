"""Long operations: started by a request, done in the background, told of until long after a restart.

Each is one file in `service/operations` of the home. Whoever runs one holds a lock that ends with its
process: what is running under no lock was interrupted.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.errors import MemstrataError
from memstrata.instants import format_instant, parse_instant
from memstrata.memory.rendering import as_json
from memstrata.service.keeping import keep, kept
from memstrata.service.lines import write_line
from memstrata.service.problems import Refused
from memstrata.service.shapes import Named

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memstrata.memory.access import Grant

_AT_ONCE: Final = 2
_MOST_WAITING: Final = 20
_NOTED_EVERY: Final = 0.5
_STOP_SECONDS: Final = 10.0
_ID_LENGTH: Final = 32
#: Bytes of a file's name, beside what stands before it: file systems take 255 in all.
_LONGEST_UPLOAD: Final = 200
#: How long a record and its file are kept, and how long what an interrupted upload or export has left.
KEPT_SECONDS: Final = 30 * 86_400
_LEFT_SECONDS: Final = 86_400


class Kind(StrEnum):
    """What can take long."""

    INGEST = "ingest"
    WORK = "work"
    REBUILD = "rebuild"
    EXPORT = "export"
    CLEAR = "clear"


class State(StrEnum):
    """How far an operation has come."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


#: What is over.
ENDED: Final = frozenset({State.DONE, State.FAILED, State.CANCELLED, State.INTERRUPTED})

#: What to do about an operation that a restart has cut off.
_AFTER: Final[Mapping[Kind, str]] = {
    Kind.INGEST: "what `done` counts was accepted and stays; send the file again: what is there already is "
    "not taken twice",
    Kind.WORK: "what was committed stays; start it again, it goes on with the rest",
    Kind.REBUILD: "the group's graph is built halfway; start the rebuild again (the group's next commit "
    "finishes it too)",
    Kind.EXPORT: "nothing was changed; start it again",
    Kind.CLEAR: "what was retracted stays so; start it again for the rest",
}


class Cancelled(Exception):
    """Raised within an operation that is to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One long operation. `group_id` None: all groups. `total` is None where it is not known.

    `result` is what it came to; `advice` what to do about one that did not end well.
    """

    operation_id: str
    kind: Kind
    group_id: str | None
    state: State
    created_at: datetime
    changed_at: datetime
    who: str = ""
    done: int = 0
    total: int | None = None
    stage: str = ""
    result: Mapping[str, object] | None = None
    error: str = ""
    advice: str = ""
    owner: str = field(default="", repr=False)

    @property
    def can_be_cancelled(self) -> bool:
        """A rebuild is never stopped halfway; what is over, neither."""
        return self.state not in ENDED and (self.kind is not Kind.REBUILD or self.state is State.QUEUED)

    def shown(self) -> dict[str, object]:
        """The operation for a client."""
        said = as_json(self)
        assert isinstance(said, dict)  # noqa: S101 (a dataclass becomes an object)
        said.pop("owner")
        return {**said, "can_be_cancelled": self.can_be_cancelled}


#: As a client sees it.
OPERATION: Final = Named(
    "Operation",
    {
        "operation_id": str,
        "kind": Kind,
        "group_id": str | None,
        "state": State,
        "created_at": datetime,
        "changed_at": datetime,
        "who": str,
        "done": int,
        "total": int | None,
        "stage": str,
        "result": Mapping[str, object] | None,
        "error": str,
        "advice": str,
        "can_be_cancelled": bool,
    },
)


@dataclass(slots=True)
class Progress:
    """Handed to the work: says how far it is, and raises `Cancelled` when it is to stop."""

    _operations: Operations
    _operation_id: str
    done: int = 0
    total: int | None = None
    stage: str = ""
    _noted: float = 0.0
    stop: threading.Event = field(default_factory=threading.Event)

    def advance(self, by: int = 1, *, stage: str | None = None, total: int | None = None) -> None:
        """So much further."""
        self.done += by
        self.stage = self.stage if stage is None else stage
        self.total = self.total if total is None else total
        if time.monotonic() - self._noted >= _NOTED_EVERY:
            self.note()
        if self.stop.is_set():
            raise Cancelled

    def note(self) -> None:
        """Writes down how far it is."""
        self._noted = time.monotonic()
        self._operations.change(self._operation_id, done=self.done, total=self.total, stage=self.stage)
        if self._operations.is_told_to_stop(self._operation_id):
            self.stop.set()


class Operations:
    """The operations of one home, and those that this process runs."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "service" / "operations"
        self._owner = secrets.token_hex(8)
        self._lock: int | None = None
        self._changing = threading.Lock()
        self._own: dict[str, Progress] = {}
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="operation")

    def file_of(self, operation_id: str, name: str) -> Path:
        """Where an operation keeps a file."""
        return self._folder / f"{operation_id}.{name}"

    def upload_of(self, operation_id: str, name: str) -> Path:
        """Where an operation keeps a file that was sent under that name: never in the place of a record.

        Of a name that is too long for a file its end is kept, which tells the format.
        """
        encoded = name.encode("utf-8", "replace")[-_LONGEST_UPLOAD:]
        return self.file_of(operation_id, f"upload.{encoded.decode('utf-8', 'ignore')}")

    def new_id(self) -> str:
        """An id that nobody guesses."""
        return secrets.token_hex(_ID_LENGTH // 2)

    def start(
        self,
        operation: tuple[str, Kind],
        grant: Grant,
        work: Callable[[Progress], Mapping[str, object]],
        *,
        group_id: str | None,
    ) -> Operation:
        """Queues the work under the (id, kind); its record is durable when this returns.

        Raises `Refused` (503) where too many wait already.
        """
        operation_id, kind = operation
        if len(self._own) >= _MOST_WAITING:
            raise Refused(
                503,
                f"{len(self._own)} operations wait already; start this one when some are done",
                kind="busy",
                headers={"Retry-After": "30"},
            )
        self._hold()
        now = datetime.now(UTC)
        begun = Operation(
            operation_id=operation_id,
            kind=kind,
            group_id=group_id,
            state=State.QUEUED,
            created_at=now,
            changed_at=now,
            who=grant.who,
            owner=self._owner,
        )
        self._write(begun)
        progress = Progress(self, operation_id)
        self._own[operation_id] = progress
        self._pool.submit(self._run, begun, progress, work)
        return begun

    def get(self, operation_id: str) -> Operation | None:
        """The operation as it stands; None for an unknown id."""
        if len(operation_id) != _ID_LENGTH or not operation_id.isalnum() or not operation_id.isascii():
            return None
        found = kept(self._folder / f"{operation_id}.json")
        if found is None:
            return None
        operation = _read(found)
        if operation.state in ENDED or self._is_alive(operation.owner):
            return operation
        again = kept(self._folder / f"{operation_id}.json")  # it may have ended with its process
        operation = operation if again is None else _read(again)
        if operation.state in ENDED:
            return operation
        return replace(
            operation,
            state=State.INTERRUPTED,
            error="the server stopped before it was done",
            advice=_AFTER[operation.kind],
        )

    def all(self) -> tuple[Operation, ...]:
        """Every operation that is known, the latest first."""
        if not self._folder.exists():
            return ()
        found = (self.get(path.stem) for path in self._folder.glob("*.json"))
        return tuple(
            sorted((one for one in found if one), key=lambda one: (one.created_at, one.operation_id))[::-1]
        )

    def cancel(self, operation: Operation) -> None:
        """Lets it stop where it can be stopped. Raises `Refused` (409) where it cannot."""
        progress = self._own.get(operation.operation_id)
        if operation.state in ENDED:
            raise Refused(409, f"the operation is over: it is {operation.state}", kind="conflict")
        if not operation.can_be_cancelled:
            raise Refused(
                409,
                "a rebuild is not stopped halfway: its graph would be; wait for its end",
                kind="conflict",
            )
        if progress is None:  # another process runs it, and looks for this file as it goes on
            self._stop_path(operation.operation_id).touch()
        else:
            progress.stop.set()

    def is_told_to_stop(self, operation_id: str) -> bool:
        """Whether another process of this home was asked to cancel it."""
        return self._stop_path(operation_id).exists()

    def change(self, operation_id: str, **said: object) -> Operation | None:
        """Writes down what has changed of an operation of this process."""
        with self._changing:
            found = kept(self._folder / f"{operation_id}.json")
            if found is None:
                return None
            changed = _read({**found, **_wired(said), "changed_at": format_instant(datetime.now(UTC))})
            self._write(changed)
            return changed

    def forget_old(self) -> None:
        """Removes what ended a month ago with its files, and what crashes have left lying about."""
        if not self._folder.exists():
            return
        now = time.time()
        known = {one.operation_id: one for one in self.all()}
        for path in self._folder.iterdir():
            operation = known.get(path.name.partition(".")[0])
            is_over = operation is None or operation.state in ENDED
            is_own = operation is not None and path.stem == operation.operation_id  # nobody's upload
            is_result = is_own and path.suffix in (".json", ".jsonl")
            with suppress(FileNotFoundError):
                age = now - path.stat().st_mtime
                is_old = age > (KEPT_SECONDS if is_result else _LEFT_SECONDS)
                is_held = path.suffix == ".lock" and self._is_alive(path.stem)
                if is_over and is_old and not is_held:
                    path.unlink()

    def close(self) -> None:
        """Stops what can be stopped, and waits for it a little."""
        for progress in list(self._own.values()):
            progress.stop.set()
        until = time.monotonic() + _STOP_SECONDS
        while self._own and time.monotonic() < until:
            time.sleep(0.05)
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._lock is not None and not self._own:
            with suppress(FileNotFoundError):
                self._lock_path(self._owner).unlink()
            os.close(self._lock)
            self._lock = None

    # --- running ---

    def _run(
        self,
        operation: Operation,
        progress: Progress,
        work: Callable[[Progress], Mapping[str, object]],
    ) -> None:
        id_ = operation.operation_id
        try:
            if progress.stop.is_set() or self.is_told_to_stop(id_):
                raise Cancelled  # noqa: TRY301 (it ends as one that was stopped later)
            self.change(id_, state=State.RUNNING)
            result = work(progress)
            self.change(
                id_, state=State.DONE, result=as_json(result), done=progress.done, total=progress.total
            )
        except Cancelled:
            self.change(id_, state=State.CANCELLED, done=progress.done, advice=_AFTER[operation.kind])
        except MemstrataError as error:
            self.change(id_, state=State.FAILED, done=progress.done, error=str(error))
        except Exception as error:  # noqa: BLE001 (nobody waits for this thread: its record tells)
            write_line("operation failed", operation_id=id_, error=type(error).__name__)
            self.change(
                id_,
                state=State.FAILED,
                done=progress.done,
                error=f"{type(error).__name__}: something went wrong that nobody foresaw; see the log",
                advice=_AFTER[operation.kind],
            )
        finally:
            self._stop_path(id_).unlink(missing_ok=True)
            self._own.pop(id_, None)

    def _stop_path(self, operation_id: str) -> Path:
        return self._folder / f"{operation_id}.stop"

    def _write(self, operation: Operation) -> None:
        said = as_json(operation)
        assert isinstance(said, dict)  # noqa: S101 (a dataclass becomes an object)
        keep(self._folder / f"{operation.operation_id}.json", said)

    # --- who runs ---

    def _lock_path(self, owner: str) -> Path:
        return self._folder / f"{owner}.lock"

    def _hold(self) -> None:
        with self._changing:
            if self._lock is None:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                path = self._lock_path(self._owner)
                self._lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _is_alive(self, owner: str) -> bool:
        if owner == self._owner:
            return self._lock is not None
        try:
            lock = os.open(self._lock_path(owner), os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(lock)
        return False


def _wired(said: Mapping[str, object]) -> dict[str, object]:
    return {name: as_json(value) for name, value in said.items()}


def _read(found: Mapping[str, object]) -> Operation:
    total, result = found.get("total"), found.get("result")
    group_id = found.get("group_id")
    return Operation(
        operation_id=str(found["operation_id"]),
        kind=Kind(str(found["kind"])),
        group_id=None if group_id is None else str(group_id),
        state=State(str(found["state"])),
        created_at=parse_instant(str(found["created_at"])),
        changed_at=parse_instant(str(found["changed_at"])),
        who=str(found.get("who", "")),
        done=int(str(found.get("done", 0))),
        total=None if total is None else int(str(total)),
        stage=str(found.get("stage", "")),
        result=result if isinstance(result, Mapping) else None,
        error=str(found.get("error", "")),
        advice=str(found.get("advice", "")),
        owner=str(found.get("owner", "")),
    )
