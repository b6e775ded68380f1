"""What the OpenAPI document says beside the models: problems, answers with an example, stable ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from memstrata.service.problems import MEDIA_TYPE
from memstrata.service.shapes import reference_to

if TYPE_CHECKING:
    from fastapi.routing import APIRoute

PROBLEM_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "instance"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was given, what was expected, what to do."},
        "instance": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "problem": {"type": "string"}},
            },
        },
    },
}
_SAID: Final = {
    400: "Refused: the detail says what was expected.",
    401: "No token, or one that is not valid.",
    403: "This token does not reach that group, or may not do that.",
    404: "There is no such thing within reach.",
    408: "The body did not arrive in time.",
    409: "It contradicts what is stored, or the Idempotency-Key came with another request.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    422: "Malformed: `errors` names each field.",
    429: "Too many requests with this token at once; see Retry-After.",
    501: "This store cannot do it; the detail names one that can.",
    503: "Busy, or something needed is away; see Retry-After.",
    504: "No answer in time; ask for less.",
}
_OF_EVERY: Final = (400, 401, 403, 413, 422, 429, 503, 504)
_OF_WRITES: Final = (408, 409, 415)

#: The parameter of writes that may be sent twice.
IDEMPOTENT: Final[dict[str, Any]] = {
    "parameters": [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
            "description": "The same key with the same request gives the same answer, once done.",
        }
    ]
}


def answers(
    example: object,
    *also: int,
    of: object = None,
    status: int = 200,
    said: str = "The answer.",
    writes: bool = False,
) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: its answer with an example, and the problems that it may answer with.

    `of` is what the answer is made of: a record's class, or one of `service.shapes`.
    """
    codes = sorted({*_OF_EVERY, *also, *(_OF_WRITES if writes else ())})
    schema = {"type": "object"} if of is None else reference_to(of)
    shown = {"schema": schema, "example": example}
    return {
        status: {"description": said, "content": {"application/json": shown}},
        **{
            code: {
                "description": _SAID[code],
                "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            }
            for code in codes
        },
    }


def operation_id(route: APIRoute) -> str:
    """The function's name: what generated clients call it, and what does not change with paths."""
    return route.name
