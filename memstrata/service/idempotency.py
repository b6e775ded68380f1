"""Answers kept under the keys that clients send, so that a request sent twice is done once.

One file a key in `service/answers` of the home; a restart keeps them, a day later they go.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import os
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memstrata.errors import Fault
from memstrata.service.keeping import keep, kept
from memstrata.service.problems import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memstrata.memory.access import Grant

KEPT_SECONDS: Final = 86_400
_LONGEST_KEY: Final = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An answer as it was given."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request that came with a key. `fingerprint` is of all that the request says."""

    key: str
    grant: Grant
    fingerprint: str


class Answers:
    """The kept answers of one home. Safe for threads and processes."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "service" / "answers"

    def once(self, asked: Asked, work: Callable[[], Kept]) -> tuple[Kept, bool]:
        """The answer, and whether it is one that was given before.

        Errors are not kept: the same request again tries again. Raises `Refused` (409) for a key that
        came with another request, or whose request is still being answered.
        """
        if not 1 <= len(asked.key) <= _LONGEST_KEY:
            raise Refused(400, f"an Idempotency-Key has 1 to {_LONGEST_KEY} characters", kind="bad-key")
        path = self._folder / f"{_name(asked)}.json"
        with self._alone(path):
            found = kept(path)
            if found is not None and found["fingerprint"] != asked.fingerprint:
                raise Refused(
                    409,
                    "this Idempotency-Key came before with another request; send that one, or another key",
                    kind="key-reused",
                )
            if found is not None and "status" in found:
                return _answer(found), True
            if found is None:
                keep(path, {"fingerprint": asked.fingerprint})
            answer = work()
            keep(
                path,
                {
                    "fingerprint": asked.fingerprint,
                    "status": answer.status,
                    "body": base64.b64encode(answer.body).decode(),
                },
            )
            return answer, False

    def forget_old(self) -> int:
        """Removes what has been kept for a day; how many files that were."""
        gone = 0
        if not self._folder.exists():
            return gone
        oldest = time.time() - KEPT_SECONDS
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < oldest:
                    path.unlink()
                    gone += 1
        return gone

    @contextmanager
    def _alone(self, path: Path) -> Iterator[None]:
        """Holds the key; a second request with it does not wait."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Fault(f"cannot keep answers in {self._folder}: {error}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise Refused(
                409,
                "a request with this Idempotency-Key is being answered; ask again in a moment",
                kind="key-in-use",
                headers={"Retry-After": "1"},
            ) from None
        finally:
            os.close(lock)


def _name(asked: Asked) -> str:
    """Keys of two tokens never meet."""
    grant = asked.grant
    parts = (grant.token_id, grant.who, *sorted(grant.groups), asked.key)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _answer(found: dict[str, object]) -> Kept:
    return Kept(status=int(str(found["status"])), body=base64.b64decode(str(found["body"])))


def fingerprint_of(method: str, target: str, body: bytes) -> str:
    """Of a request: its method, its path with the query, its body."""
    head = f"{method} {target}\n".encode("utf-8", "surrogatepass")
    return hashlib.sha256(head + body).hexdigest()
