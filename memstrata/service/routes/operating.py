"""`/v1/operations` and `/v1/export`: what takes long, started, watched, stopped; and whole groups read."""

from __future__ import annotations

import tempfile
from enum import StrEnum
from functools import partial
from itertools import islice
from pathlib import Path as FilePath
from typing import IO, TYPE_CHECKING, Annotated, Final

import anyio.to_thread
import orjson
from fastapi import APIRouter, Path, Query
from pydantic import ConfigDict, Field
from starlette.responses import FileResponse, Response, StreamingResponse

from memstrata import intake
from memstrata.errors import Incorrect, Misplaced
from memstrata.intake.options import check_options
from memstrata.memory.access import Right
from memstrata.service.answers import answered
from memstrata.service.caller import Called, Caller, not_found
from memstrata.service.documenting import IDEMPOTENT, answers
from memstrata.service.edge import Edge, GroupName, OfGroup, Reason, When
from memstrata.service.operations import Kind, Operation, Progress, State
from memstrata.service.problems import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memstrata.intake import Reading
    from memstrata.model import Json

    Work = Callable[["Progress"], Mapping[str, object]]

router = APIRouter(prefix="/v1", tags=["operations"])

UPLOADS: Final = frozenset({"/v1/operations/ingest"})
_BATCH: Final = 500
_PIECE: Final = 1 << 16
_LINES: Final = 1_000
_SHOWN: Final = 100
_JSON_LINES: Final = "application/x-ndjson"
_LINES_OF_JSON: Final = {
    "description": "One record a line.",
    "content": {_JSON_LINES: {"schema": {"type": "string"}}},
}
_OPERATION: Final = {
    "operation_id": "5f2b0f7c9d1e4a6b8c3d2e1f0a9b8c7d",
    "kind": "rebuild",
    "state": "running",
    "done": 120,
    "total": None,
}
#: What starting one takes, and stopping it.
_RIGHTS: Final = {
    Kind.INGEST: Right.WRITE,
    Kind.WORK: Right.OPERATE,
    Kind.REBUILD: Right.OPERATE,
    Kind.EXPORT: Right.READ,
    Kind.CLEAR: Right.DECIDE,
}
OperationId = Annotated[str, Path(min_length=1, max_length=64, examples=[_OPERATION["operation_id"]])]


class Started(StrEnum):
    """What can be started without a file."""

    WORK = "work"
    REBUILD = "rebuild"
    EXPORT = "export"
    CLEAR = "clear"


class StartBody(Edge):
    """What to start. `work` concerns all groups; `history` is for exports, `reason` for clearing."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"kind": "rebuild", "group_id": "acme/eng"}]})

    kind: Started
    group_id: GroupName | None = None
    history: bool = False
    reason: Reason = ""


class IngestQuery(OfGroup):
    """What is known of the file beside its content."""

    name: Annotated[
        str,
        Field(
            min_length=1,
            max_length=255,
            pattern=r"^[^/\\\x00]+$",
            description="The file's name; its ending tells its format.",
            examples=["notes.md"],
        ),
    ]
    format: Annotated[str | None, Field(max_length=64)] = None
    mapping: Annotated[
        str | None, Field(max_length=100_000, description="What a record asserts, as JSON.")
    ] = None
    reference_time: When | None = None
    timezone: Annotated[str | None, Field(max_length=64)] = None
    encoding: Annotated[str | None, Field(max_length=64)] = None
    delimiter: Annotated[str | None, Field(max_length=8)] = None
    saga: Annotated[str | None, Field(max_length=1_024)] = None
    strict: bool = False

    def options(self, group_id: str) -> intake.Options:
        """The options of the library, checked."""
        options = intake.Options(
            group_id=group_id,
            mapping=self._mapping(),
            format=self.format,
            reference_time=self.reference_time,
            timezone=self.timezone,
            encoding=self.encoding,
            delimiter=self.delimiter,
            saga=self.saga,
            strict=self.strict,
        )
        check_options(options)
        return options

    def _mapping(self) -> Mapping[str, Json] | None:
        if self.mapping is None:
            return None
        try:
            found = orjson.loads(self.mapping)
        except orjson.JSONDecodeError as error:
            raise Misplaced(f"is no JSON: {error}", field="mapping") from None
        if not isinstance(found, dict):
            raise Misplaced("is no object", field="mapping", mend="give an object of keys and fields")
        return found


class ExportQuery(OfGroup):
    """Which group, and how much of it."""

    history: Annotated[bool, Field(description="All versions, with their system times.")] = False


# --- operations ---


@router.post(
    "/operations",
    status_code=202,
    summary="Start something that takes long",
    description="`work` takes in what waits, `rebuild` makes a group's graph anew from its log, `export` "
    "writes a group to a file, `clear` retracts all episodes of a group (nothing is erased).",
    responses=answers(_OPERATION, status=202, writes=True),
    openapi_extra=IDEMPOTENT,
)
async def start_operation(body: StartBody, caller: Called) -> Response:
    """Starts it; its record tells how it goes."""
    return await caller.write(partial(_start, body, caller))


def _start(body: StartBody, caller: Caller) -> Response:
    kind = Kind(body.kind.value)
    if kind is Kind.WORK:
        caller.grant.require_all(Right.OPERATE)
        if body.group_id is not None:
            raise Incorrect("work concerns all groups; leave group_id out")
        return _begun(caller, kind, None, partial(_work, caller))
    group = caller.group(body.group_id)
    caller.grant.require(_RIGHTS[kind], group)
    if kind is Kind.REBUILD:
        return _begun(caller, kind, group, partial(_rebuild, caller, group))
    if kind is Kind.CLEAR:
        return _begun(caller, kind, group, partial(_clear, caller, group, body.reason))
    id_ = caller.service.operations.new_id()
    return _begun(caller, kind, group, partial(_export, caller, group, id_, history=body.history), id_=id_)


def _begun(
    caller: Caller, kind: Kind, group: str | None, work: Work, *, id_: str | None = None
) -> Response:
    operations = caller.service.operations
    begun = operations.start((id_ or operations.new_id(), kind), caller.grant, work, group_id=group)
    return answered(begun.shown(), 202)


def _work(caller: Caller, progress: Progress) -> Mapping[str, object]:
    done = caller.operating.work(on_progress=lambda stage, by: progress.advance(by, stage=stage))
    return {
        "accepted": done.compaction.new + done.compaction.revised,
        "extracted": done.extracted.episodes,
        "commits": sum(one.commits for one in done.committed),
        "embedded": done.embedded,
        "failed": [{"group_id": group, "why": why} for group, why in done.failed],
        "not_extracted": done.extracted.stopped,
        "not_embedded": done.not_embedded,
    }


def _rebuild(caller: Caller, group: str, progress: Progress) -> Mapping[str, object]:
    done = caller.operating.rebuild(group, on_progress=lambda by: progress.advance(by, stage="replay"))
    return {"commits": done.commits, "other_resolver": done.other_resolver}


def _clear(caller: Caller, group: str, reason: str, progress: Progress) -> Mapping[str, object]:
    """Retracts, and takes that in at once; what cannot be committed now goes with the next pass."""
    count = caller.telling.clear_group(
        group, reason=reason, on_progress=lambda by: progress.advance(by, stage="retract")
    )
    progress.advance(0, stage="commit")
    caller.telling.commit(group)
    return {"retracted": count}


def _export(
    caller: Caller, group: str, id_: str, progress: Progress, *, history: bool
) -> Mapping[str, object]:
    path = caller.service.operations.file_of(id_, "jsonl")
    beside = path.with_suffix(".writing")
    try:
        with beside.open("xb") as file:
            for some in _pieces(caller.asking.export(group, history=history)):
                file.write(some)
                progress.advance(some.count(b"\n"), stage="export")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return {"lines": progress.done, "bytes": path.stat().st_size, "file": f"/v1/operations/{id_}/file"}


@router.post(
    "/operations/ingest",
    status_code=202,
    summary="Send a file to be taken in",
    description="The body is the file; what is refused of it is told in the operation's result.",
    responses=answers({**_OPERATION, "kind": "ingest"}, 408, 409, status=202),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def ingest(asked: Annotated[IngestQuery, Query()], caller: Called) -> Response:
    """Keeps the file, then reads and accepts it in the background."""
    group = caller.grant.require(Right.WRITE, caller.group(asked.group_id))
    options = asked.options(group)
    operations = caller.service.operations
    id_ = operations.new_id()
    path = operations.upload_of(id_, asked.name)
    await anyio.to_thread.run_sync(partial(path.parent.mkdir, mode=0o700, parents=True, exist_ok=True))
    try:
        await _kept_upload(caller, path)
        work = partial(_ingest, caller, path, options)
        return await anyio.to_thread.run_sync(
            partial(_begun, caller, Kind.INGEST, group, work, id_=id_), limiter=caller.service.writers
        )
    except BaseException:
        path.unlink(missing_ok=True)
        raise


async def _kept_upload(caller: Caller, path: FilePath) -> None:
    async with await anyio.open_file(path, "xb") as file:
        size = 0
        async for piece in caller.request.stream():
            size += len(piece)
            await file.write(piece)
    if not size:
        raise Refused(400, "the body is empty; send the file as the body", kind="incorrect")


def _ingest(
    caller: Caller, path: FilePath, options: intake.Options, progress: Progress
) -> Mapping[str, object]:
    try:
        reading = intake.read(path, options)
        progress.advance(0, stage="accept", total=reading.summary.count)
        drafts = iter(reading.drafts)
        while some := list(islice(drafts, _BATCH)):
            caller.telling.add(some)
            progress.advance(len(some))
        return _taken(reading, progress.done)
    except Misplaced as error:
        raise Misplaced(error.problem, line=error.line, field=error.field, mend=error.mend) from None
    finally:
        path.unlink(missing_ok=True)


def _taken(reading: Reading, accepted: int) -> Mapping[str, object]:
    return {
        "accepted": accepted,
        "format": reading.format,
        "refused_count": reading.refused_count,
        "refused": [{"place": one.place, "reason": one.reason} for one in reading.refused[:_SHOWN]],
        "skipped": dict(reading.skipped),
        "warnings": list(reading.warnings[:_SHOWN]),
    }


@router.get(
    "/operations", summary="The operations, the latest first", responses=answers({"items": [_OPERATION]})
)
def operations(caller: Called) -> Response:
    """Those within reach."""
    caller.grant.require_right(Right.READ)
    found = [one.shown() for one in caller.service.operations.all() if _is_shown(caller, one)]
    return answered({"items": found[:_SHOWN]})


@router.get(
    "/operations/{operation_id}", summary="How an operation goes", responses=answers(_OPERATION, 404)
)
def operation(operation_id: OperationId, caller: Called) -> Response:
    """One operation."""
    return answered(_within_reach(caller, operation_id).shown())


@router.delete(
    "/operations/{operation_id}",
    status_code=202,
    summary="Stop an operation, where it can be stopped",
    responses=answers(_OPERATION, 404, 409, status=202),
)
def cancel_operation(operation_id: OperationId, caller: Called) -> Response:
    """What it has done stays."""
    found = _within_reach(caller, operation_id)
    caller.grant.require_right(_RIGHTS[found.kind])
    caller.service.operations.cancel(found)
    return answered(_within_reach(caller, operation_id).shown(), 202)


@router.get(
    "/operations/{operation_id}/file",
    summary="What an export has written",
    response_class=FileResponse,
    responses={**answers({}, 404, 409), 200: _LINES_OF_JSON},
)
def operation_file(operation_id: OperationId, caller: Called) -> Response:
    """The file of an export that is done."""
    found = _within_reach(caller, operation_id)
    if found.kind is not Kind.EXPORT:
        raise not_found("file", f"operation {operation_id} writes no file; exports do")
    path = caller.service.operations.file_of(operation_id, "jsonl")
    if found.state is not State.DONE or not path.exists():
        raise Refused(409, f"the export is {found.state}; there is no file", kind="conflict")
    return FileResponse(path, media_type=_JSON_LINES, filename=f"{operation_id}.jsonl")


def _within_reach(caller: Caller, operation_id: str) -> Operation:
    caller.grant.require_right(Right.READ)
    found = caller.service.operations.get(operation_id)
    if found is None or not _is_shown(caller, found):
        raise not_found("operation", "there is no such operation within reach; /v1/operations lists them")
    return found


def _is_shown(caller: Caller, one: Operation) -> bool:
    grant = caller.grant
    return grant.is_everything if one.group_id is None else grant.reaches(one.group_id)


# --- export ---


@router.get(
    "/export",
    summary="A group as canonical JSON Lines",
    description="Sorted entities and facts; equal bytes for equal beliefs.",
    response_class=StreamingResponse,
    responses={**answers({}), 200: _LINES_OF_JSON},
)
async def export(asked: Annotated[ExportQuery, Query()], caller: Called) -> Response:
    """The group as it is at one moment; a slow reader keeps nobody waiting."""
    group = caller.grant.require(Right.READ, caller.group(asked.group_id))
    limiter = caller.service.exports
    if limiter.available_tokens < 1:
        raise Refused(
            503,
            "other exports are being written; try again soon, or start an operation for it",
            kind="busy",
            headers={"Retry-After": "5"},
        )
    write = partial(_written, caller, group, history=asked.history)
    file = await anyio.to_thread.run_sync(write, limiter=limiter)
    return StreamingResponse(_read(file), media_type=_JSON_LINES)


def _written(caller: Caller, group: str, *, history: bool) -> IO[bytes]:
    """The whole export in a file without a name: no store is kept open for as long as somebody reads."""
    file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it has been read)
    try:
        file.writelines(_pieces(caller.asking.export(group, history=history)))
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def _read(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece


def _pieces(lines: Iterator[str]) -> Iterator[bytes]:
    while some := list(islice(lines, _LINES)):
        yield "".join(f"{line}\n" for line in some).encode()
