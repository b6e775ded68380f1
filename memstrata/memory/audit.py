"""The audit: who read and wrote what, and when, as JSON Lines of a UTC day; never content, never queries.

It hangs on the classes that all faces call, so that no face and no new question can forget it.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
import threading
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Protocol, TypeVar
from uuid import UUID

import orjson

from memstrata.errors import Damaged, Fault, MemstrataError
from memstrata.instants import parse_instant
from memstrata.memory.rendering import as_json
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from memstrata.memory.access import Grant
    from memstrata.ports import Clock

_MOST_TARGETS: Final = 100
#: An id has no blanks: what has may be a sentence.
_ID = re.compile(r"[\w.:/@+#=-]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    """One call: `groups` as they were asked for, `targets` the ids that it was about or made.

    `outcome` is `ok`, `refused`, or the kind of the error.
    """

    at: datetime
    token_id: str
    who: str
    face: str
    operation: str
    groups: tuple[str, ...]
    targets: tuple[str, ...]
    outcome: str


@dataclass(slots=True)
class Audit:
    """Writes the lines of one face of one process. Safe for threads, and beside other processes."""

    home: Path
    face: str
    clock: Clock | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _open: tuple[str, int] | None = field(default=None, repr=False)

    def note(self, grant: Grant, call: Noted, outcome: str) -> None:
        """Appends a line; raises `Fault` when it cannot: nothing is answered that is not in the audit."""
        now = datetime.now(UTC) if self.clock is None else self.clock.now()
        line = AuditLine(
            at=now,
            token_id=grant.token_id,
            who=grant.who,
            face=self.face,
            operation=call.operation,
            groups=call.groups,
            targets=call.targets[:_MOST_TARGETS],
            outcome=outcome,
        )
        content = orjson.dumps(as_json(line), option=orjson.OPT_APPEND_NEWLINE)
        try:
            with self._lock:
                _write_whole(self._file(now.astimezone(UTC).date().isoformat()), content)
        except OSError as error:
            self.close()
            raise Fault(
                f"cannot write the audit in {_folder(self.home)}: {error}; make room, or turn it off"
            ) from error

    def close(self) -> None:
        """Lets go of the file."""
        with self._lock:
            if self._open is not None:
                os.close(self._open[1])
                self._open = None

    def _file(self, day: str) -> int:
        if self._open is not None and self._open[0] == day:
            return self._open[1]
        if self._open is not None:
            os.close(self._open[1])
            self._open = None
        path = _folder(self.home) / f"{day}.jsonl"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        size = os.fstat(number).st_size
        if size and os.pread(number, 1, size - 1) != b"\n":  # a full disk, or a crash: its line stays apart
            _write_whole(number, b"\n")
        self._open = (day, number)
        return number


def read_audit(
    home: Path, *, token_id: str | None = None, since: datetime | None = None
) -> Iterator[AuditLine]:
    """The lines of all days, oldest day first, of that token alone and from `since` on.

    What a crash or a full disk cut off is passed over. Raises `Damaged` for a line that is none of ours.
    """
    first = "" if since is None else since.astimezone(UTC).date().isoformat()
    for path in sorted(_folder(home).glob("*.jsonl")):
        if path.stem < first:
            continue
        with path.open("rb") as file:
            for number, content in enumerate(file, start=1):
                if not content.endswith(b"}\n"):
                    continue
                line = _parsed(content, f"{path}, line {number}")
                if (token_id is None or line.token_id == token_id) and (since is None or line.at >= since):
                    yield line


def _parsed(content: bytes, place: str) -> AuditLine:
    try:
        said = orjson.loads(content)
        return AuditLine(
            **{
                **said,
                "at": parse_instant(said["at"]),
                "groups": tuple(said["groups"]),
                "targets": tuple(said["targets"]),
            }
        )
    except (ValueError, TypeError, KeyError) as error:
        raise Damaged(f"{place} is no line of the audit ({error}); somebody has edited it") from None


def _folder(home: Path) -> Path:
    return home / "audit"


def _write_whole(number: int, content: bytes) -> None:
    while content:
        content = content[os.write(number, content) :]


# --- hung on a class ---


class Audited(Protocol):
    """What a class needs whose calls are audited."""

    @property
    def grant(self) -> Grant:
        """Who calls."""

    @property
    def audit(self) -> Audit | None:
        """Where it is noted; None: nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What of a call may be noted."""

    operation: str
    groups: tuple[str, ...]
    targets: tuple[str, ...]


C = TypeVar("C")
_inside: ContextVar[bool] = ContextVar("inside an audited call", default=False)


def audited(cls: type[C]) -> type[C]:
    """Has every public method of the class noted when it is called from outside, whatever becomes of it."""
    for name, method in list(vars(cls).items()):
        if inspect.isfunction(method) and not name.startswith("_"):
            setattr(cls, name, _noting(method))
    return cls


def _noting(method: Callable[..., object]) -> Callable[..., object]:
    signature = inspect.signature(method)
    operation = method.__name__

    @functools.wraps(method)
    def noted(self: Audited, *given: object, **named: object) -> object:
        if self.audit is None or _inside.get():
            return method(self, *given, **named)
        arguments = signature.bind(self, *given, **named).arguments
        groups, targets = _groups(arguments), _targets(arguments)
        token = _inside.set(True)
        try:
            answer = method(self, *given, **named)
        except BaseException as error:
            call = Noted(operation=operation, groups=groups, targets=targets)
            self.audit.note(self.grant, call, _outcome(error))
            raise
        finally:
            _inside.reset(token)
        call = Noted(operation=operation, groups=groups, targets=(*targets, *_made(answer)))
        self.audit.note(self.grant, call, "ok")
        return answer

    return noted


def _outcome(error: BaseException) -> str:
    kind = type(error).__name__
    return (
        {"Forbidden": "refused"}.get(kind, kind.lower()) if isinstance(error, MemstrataError) else "failed"
    )


def _groups(arguments: Mapping[str, object]) -> tuple[str, ...]:
    named: list[str] = []
    for name, given in arguments.items():
        if name == "group_id":
            named.append(str(given))
        elif isinstance(given, View):
            named.extend(given.groups)
        elif name == "drafts":
            named.extend(_each("group_id", given))
    return tuple(dict.fromkeys(named))


def _targets(arguments: Mapping[str, object]) -> tuple[str, ...]:
    """The ids among the arguments: whoever made them where a parameter is for ids, else our own alone."""
    found: list[str] = []
    for name, given in arguments.items():
        texts = given if isinstance(given, (tuple, list)) else (given,)
        is_for_ids = name.endswith(("_id", "_ids")) or name == "label"
        if name != "group_id":
            found.extend(
                text
                for text in texts
                if isinstance(text, str) and (_is_ours(text) or (is_for_ids and _ID.fullmatch(text)))
            )
    return tuple(dict.fromkeys(found))


def _is_ours(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _made(answer: object) -> tuple[str, ...]:
    """The ids of the decisions and episodes that a write has made."""
    several = answer if isinstance(answer, tuple) else (answer,)
    made: list[str] = []
    for one in several:
        if is_dataclass(one) and "decision_id" in (each.name for each in fields(one)):
            made.extend(_each("decision_id", (one,)))
        ids = getattr(one, "episode_ids", ())
        made.extend(text for text in ids if isinstance(text, str) and _ID.fullmatch(text))
    return tuple(made)


def _each(name: str, values: object) -> Iterable[str]:
    if isinstance(values, (list, tuple)):
        yield from (str(getattr(value, name)) for value in values)
