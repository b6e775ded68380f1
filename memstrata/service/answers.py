"""Answers as JSON, with the keys and times of `memory.rendering`."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import orjson
from starlette.responses import Response

from memstrata.memory.rendering import as_json

MEDIA_TYPE: Final = "application/json"


def encoded(value: object) -> bytes:
    """Any record as JSON bytes: what `as_json` gives, several times as fast; durations are seconds."""
    return orjson.dumps(value, default=_other, option=orjson.OPT_UTC_Z)


def _other(value: object) -> object:
    """What the encoder does not know by itself: sets, read-only mappings, durations."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    known = as_json(value)
    if known is value:
        raise TypeError(f"{type(value).__name__} has no form in JSON")
    return known


def answered(value: object, status: int = 200) -> Response:
    """The record as an answer."""
    return Response(encoded(value), status_code=status, media_type=MEDIA_TYPE)
