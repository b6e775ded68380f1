"""What goes wrong, as problem+json (RFC 9457): one table from errors to statuses, one shape for all."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import orjson
from fastapi.exceptions import HTTPException, RequestValidationError
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.responses import Response

from memstrata.errors import (
    Conflict,
    Damaged,
    Fault,
    Forbidden,
    Incorrect,
    MemstrataError,
    Misplaced,
    Missing,
    NotThere,
    Unauthenticated,
    Unsupported,
)
from memstrata.grounding import UngroundedQuery
from memstrata.memory.rendering import as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import FastAPI
    from starlette.requests import Request

MEDIA_TYPE: Final = "application/problem+json"
_SHOWN: Final = 80
_LISTED: Final = 3
_NONE: Final[Mapping[str, str]] = MappingProxyType({})

#: Errors and their statuses, the most particular first.
_STATUSES: Final[tuple[tuple[type[MemstrataError], int], ...]] = (
    (NotThere, 404),
    (Conflict, 409),
    (Incorrect, 400),
    (Unauthenticated, 401),
    (Forbidden, 403),
    (Unsupported, 501),
    (Missing, 503),
    (Damaged, 503),
    (Fault, 503),
)
#: What is said where the framework says only the status.
_DETAILS: Final = {
    404: "there is no such route; /openapi.json lists them",
    405: "this route does not take that method; /openapi.json lists those that it takes",
}
_AGAIN_IN: Final = "5"
#: Not a fault of ours: disks and tables that are full.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """One thing that is wrong with a request, and where it stands."""

    field: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What a refused or failed request is answered with; `detail` says what to do."""

    status: int
    detail: str
    type: str = "about:blank"
    errors: Sequence[Wrong] = ()
    headers: Mapping[str, str] = field(default_factory=lambda: _NONE)
    title: str = ""


class Refused(HTTPException):
    """Raised where a request is answered with a problem that no error of the library is.

    One of the framework's own: the others it turns into 400 while it reads a body.
    """

    def __init__(
        self, status: int, detail: str, *, kind: str = "", headers: Mapping[str, str] = _NONE
    ) -> None:
        self.problem = Problem(
            status=status,
            detail=detail,
            type=type_of(kind) if kind else "about:blank",
            headers=headers,
        )
        super().__init__(status, detail)


def response_of(problem: Problem, instance: str) -> Response:
    """The problem as an answer; `instance` is the path of the request, without its query."""
    body = {
        "type": problem.type,
        "title": problem.title or HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.detail,
        "instance": instance,
    }
    if problem.errors:
        body["errors"] = as_json(tuple(problem.errors))
    return Response(
        orjson.dumps(body),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers=dict(problem.headers),
    )


def problem_of(error: Exception) -> Problem:
    """The problem that an error is; unknown errors are 500, and say nothing of what they hold."""
    if isinstance(error, Refused):
        return error.problem
    if isinstance(error, MemstrataError):
        return _of_ours(error)
    if isinstance(error, RequestValidationError):
        return _of_validation(error)
    if isinstance(error, AnyHTTPException):
        detail = _DETAILS.get(error.status_code, str(error.detail))
        return Problem(status=error.status_code, detail=detail, headers=dict(error.headers or {}))
    if isinstance(error, OSError) and error.errno in _FULL:
        return Problem(
            status=503,
            type=type_of("fault"),
            detail=f"the machine has no room ({os.strerror(error.errno or 0)}); make some, then try again. "
            "Nothing of this request is kept",
            headers={"Retry-After": _AGAIN_IN},
        )
    return Problem(
        status=500,
        type=type_of("unexpected"),
        detail="something went wrong that nobody foresaw; nothing of this request is certain. The log "
        "has it under the id of header X-Request-Id; tell whoever runs this server",
    )


def _of_ours(error: MemstrataError) -> Problem:
    status = next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)
    wrong: tuple[Wrong, ...] = ()
    if isinstance(error, UngroundedQuery):
        wrong = tuple(Wrong(field="query", problem=str(one)) for one in error.problems)
    elif isinstance(error, Misplaced) and error.field:
        wrong = (Wrong(field=error.field, problem=error.problem),)
    headers: Mapping[str, str] = _NONE
    if type(error) is Fault:
        headers = {"Retry-After": _AGAIN_IN}
    elif isinstance(error, Unauthenticated):
        headers = {"WWW-Authenticate": "Bearer"}
    kind = "not-found" if isinstance(error, NotThere) else type(error).__name__.lower()
    return Problem(status=status, type=type_of(kind), detail=str(error), errors=wrong, headers=headers)


def _of_validation(error: RequestValidationError) -> Problem:
    found = error.errors()
    if found and found[0]["type"] == "json_invalid":
        said = found[0].get("ctx", {}).get("error", "it cannot be read")
        place = f"character {found[0]['loc'][-1]}"
        return Problem(
            status=400, type=type_of("malformed"), detail=f"the body is no JSON: {said} at {place}"
        )
    wrong = tuple(_wrong(detail) for detail in found)
    first = "; ".join(f"{one.field}: {one.problem}" for one in wrong[:_LISTED])
    more = f"; and {len(wrong) - _LISTED} more" if len(wrong) > _LISTED else ""
    return Problem(status=422, type=type_of("malformed"), detail=f"{first}{more}", errors=wrong)


def _wrong(detail: Mapping[str, object]) -> Wrong:
    place = detail["loc"]
    parts = place[1:] or place if isinstance(place, tuple | list) else (place,)
    said = str(detail["msg"]).removeprefix("Value error, ")
    given = detail.get("input")
    shown = ""
    if isinstance(given, str | int | float | bool) and detail["type"] not in ("unknown_field", "time"):
        text = repr(given)
        shown = f"; given {text if len(text) <= _SHOWN else text[:_SHOWN] + '...'}"
    return Wrong(field=".".join(map(str, parts)), problem=f"{said}{shown}")


def type_of(kind: str) -> str:
    """The `type` of a kind of problem."""
    return f"urn:memstrata:problem:{kind}"


async def answer(request: Request, error: Exception) -> Response:
    """Answers any error of a route with its problem."""
    return response_of(problem_of(error), request.url.path)


def install(app: FastAPI) -> None:
    """Lets the app answer every foreseen error with a problem; the others are `journal`'s to catch."""
    for kind in (MemstrataError, Refused, RequestValidationError, AnyHTTPException):
        app.add_exception_handler(kind, answer)
